"""The kinds of kept blocks, by their markup and by the names of the elements around them.

A block gets the first of these kinds that applies: header, code, comment, table, list, continuation, paragraph.

A line after a `br` is a continuation only in a `p`. In CLEANEVAL's gold texts, half of the lines that follow a
paragraph in the same `p` continue its segment; in cells and other elements, two thirds start a new segment.
"""

_COMMENT = "comment"
