"""`link.*`, `block.*` and `title.*`: size, links, copies, the page's title; for the modern web, not in the thesis."""

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.compiled import features
from dehusk.compiled.features import link_features, title_features
from dehusk.label.features.family import Family

_HEADING = numbers(HEADINGS)
_MAX_TITLE = 500  # characters: each block is searched for in the title, so a huge title would take too long
_LOWER = np.array([*map(ord, map(str.lower, map(chr, range(128)))), 128], dtype=np.uint8)
_DOT = "\u0307"  # the one character that lower case adds to another, so that a text becomes longer
_MIN_TITLE = 8  # characters: shorter texts occur in many titles by chance


match_title = cached_per_object(features.match_title)
"""Return 2 for blocks that are part of the page's title, 1 for blocks that contain it, else 0, shape (b,)."""


def _candidates(blocks: Blocks, title: str) -> npt.NDArray[np.intp]:
    """Return the blocks that may be part of a title in lower case or contain it.

    What is part of it starts with two characters that it has side by side.
    """
    short = ((blocks.chars >= _MIN_TITLE) & (blocks.chars <= 2 * len(title))).nonzero()[0]
    if _DOT in title:
        return short
    pairs = np.frombuffer(title.encode("ascii", "replace"), dtype=np.uint8)
    has_pair = np.zeros((129, 129), dtype=np.bool_)  # its last row and column are for characters beyond ASCII
    has_pair[pairs[:-1], pairs[1:]] = has_pair[128] = has_pair[:, 128] = True
    start = blocks.start.take(short)
    first, second = (_LOWER.take(blocks.code_points.take(at), mode="clip") for at in (start, start + 1))
    return short[has_pair[first, second] | (blocks.chars.take(short) >= len(title))]


FAMILIES = (
    Family(
        link_features,
        {
            "link.density": "Share of the block's words in links.",
            "link.page-density": "Share of the page's words in links.",
            "block.words": "Words in the block.",
            "block.noscript": "1 in a noscript element, else 0.",
            "block.hidden": "1 in an element that its own attributes hide (hidden, aria-hidden, display:none), else 0.",
            "block.copies": "Blocks on the page with the same text, including itself.",
            "block.since-heading": "Blocks since the last heading (h1 to h6); 1,000 before the first heading.",
        },
    ),
    Family(
        title_features,
        {
            "title.match": "2 if the block is the page's title or part of it, 1 if it contains the title, else 0.",
            "title.seen": "1 from the first block that is the page's title or part of it, else 0.",
        },
    ),
)
