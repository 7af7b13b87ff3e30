"""What goes with kept text: code listings, captions, headings above it, and what stands in the middle of it.

Gold texts differ in whether they have these, so the net gives them low probabilities, and the cut falls between a
paragraph and the listing that it explains. A reader misses them however short they are. So less than the cut is enough:

- for a listing `LISTING`, wherever it stands;
- for a caption `CAPTION`, if something else in its figure or table is kept, as the listing or the rows; `OF_IMAGE`
  otherwise, if its neighbours are kept;
- for a paragraph or quotation outside of lists and tables `INSIDE`, if its neighbours are kept;
- for a heading `BETWEEN`, if its neighbours are kept; `ABOVE`, if at least the one after it is.

The neighbours of an element are the blocks before and after it in the smallest element that has other text. Several
headings in a row head the same text, and several paragraphs in a row may be missing: their neighbours are the first
blocks beyond them.

docs/united-decisions.md has the figures.
"""

from dehusk.base.tags import HEADINGS
from dehusk.blocks.units.skeleton import tag_table

LISTING = 0.2
CAPTION, OF_IMAGE = 0.1, 0.35
INSIDE = 0.45
BETWEEN, ABOVE = 0.1, 0.2

_HEADING = tag_table(tuple(HEADINGS))
_NOSCRIPT = tag_table("noscript")
_PROSE = tag_table("p blockquote")
_CAPTION = tag_table("caption figcaption")
_CAPTIONED = tag_table("table figure")
