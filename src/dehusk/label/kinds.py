"""The kinds of kept blocks, by their markup and by the names of the elements around them.

A block gets the first of these kinds that applies: header, code, comment, table, list, continuation, paragraph.

A line after a `br` is a continuation only in a `p`. In CLEANEVAL's gold texts, half of the lines that follow a
paragraph in the same `p` continue its segment; in cells and other elements, two thirds start a new segment.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.blocks.layout import Gap, is_holder
from dehusk.compiled.blocks import gaps
from dehusk.read.page import Bools

Kinds = npt.NDArray[np.uint8]

_PRE = numbers("pre listing xmp plaintext")
_CODE = numbers("code samp kbd")
_TABLE = numbers("table")
_CELL = numbers("td th")
_P, _BR = numbers("p"), numbers("br")
_COMMENT = "comment"


def _continues(blocks: Blocks, kinds: Kinds) -> Bools:
    """Return whether each block is a paragraph that follows another in the same `p`, after one `br`, shape (b,)."""
    page, kept = blocks.page, (kinds != OTHER).nonzero()[0]
    continues = np.zeros(len(blocks), dtype=np.bool_)
    if not len(page.line_nodes) and not len(page.nodes_of(_BR)):
        return continues
    holder = page.nearest(is_holder(page)).take(blocks.first.take(kept))
    plain = page.is_one_of(_P).take(holder) & (kinds.take(kept) == PARAGRAPH)
    follows = plain[1:] & (holder[1:] == holder[:-1]) & (np.diff(kept) == 1)
    if follows.any():
        line = gaps(blocks, kept)[1:] == Gap.LINE
        continues[kept[1:][follows & plain[:-1] & line]] = True
    return continues
