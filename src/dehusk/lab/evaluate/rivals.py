"""Floors and the rival of one line, which stand beside every method: what a figure is worth shows only against them.

The numbers of the rule were chosen once, before any of its figures, and not tuned: a line of running text has ten
words, and a line of links is mostly links.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks

Kept = npt.NDArray[np.bool_]
"""Whether each block is kept, shape (b,)."""

RULE: Final = "rule of one line"
LEAST_WORDS: Final = 10
MOST_LINKED: Final = 3


def everything(blocks: Blocks) -> Kept:
    """Keep all blocks."""
    return np.ones(len(blocks), dtype=np.bool_)


def longest_block(blocks: Blocks) -> Kept:
    """Keep the first of the blocks with the most characters."""
    kept = np.zeros(len(blocks), dtype=np.bool_)
    if len(blocks):
        kept[int(np.argmax(blocks.end - blocks.start))] = True
    return kept


def long_unlinked(blocks: Blocks) -> Kept:
    """Keep blocks of ten words or more of which less than a third stand in links."""
    kept: Kept = (blocks.words >= LEAST_WORDS) & (MOST_LINKED * blocks.link_words < blocks.words)
    return kept


RIVALS: Final[dict[str, Callable[[Blocks], Kept]]] = {
    "everything": everything,
    "longest block": longest_block,
    RULE: long_unlinked,
}


def kept_text(blocks: Blocks, kept: Kept) -> str:
    """Return the texts of the kept blocks, one a line."""
    return "\n".join(blocks.texts[n] for n in np.flatnonzero(kept).tolist())
