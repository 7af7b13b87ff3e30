"""Runs of text: what tells an article from teasers and comments without training.

The paragraphs of an article follow each other; teasers and comments are pieces between links, names and buttons. A
*run* is an unbroken sequence of blocks that a method takes for text. A run with far fewer words than the largest run of
the page is dropped, unless its blocks are in the same slot (path of tags and classes, `dehusk.site.slots`) as those of
the largest run: the posts of a thread are short runs in one slot.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.labels import HEADER, by_markup
from dehusk.page import Bools
from dehusk.site.slots import block_slots

SHARE = 0.25
"""A run with less than this share of the words of the largest run is dropped."""
LONG = 8
"""A block of at least this many words can be text by itself."""


def in_main_runs(blocks: Blocks, text: Bools, long: Bools, share: float = SHARE) -> Bools:
    """Return which blocks, shape (b,), are in the main runs of a page.

    A run counts from its first to its last long block, so the dates and names around it stay out, while the short
    blocks between its paragraphs are in. The last heading before the main runs belongs to them.

    Args:
        blocks: the blocks of the page.
        text: (b,) which blocks can be text; all others end a run.
        long: (b,) which of them are long enough to be text by themselves; only these make a run larger.
        share: share of the words of the largest run that the others need, above 0 and up to 1.
    """
    rows = np.flatnonzero(text & long)
    if not len(rows):
        return np.zeros(len(blocks), dtype=np.bool_)
    run = np.cumsum(~text, dtype=np.intp)
    words = np.bincount(run.take(rows), blocks.words.take(rows), len(blocks) + 1)
    kept = _between(run, rows, words >= share * words.max())
    slot = block_slots(blocks)
    kept |= np.isin(slot, slot.take(rows[run.take(rows) == words.argmax()]))
    kept &= text
    headings = np.flatnonzero(text[: kept.argmax()] & (by_markup(blocks, text)[: kept.argmax()] == HEADER))
    kept[headings[-1:]] = True
    return kept


def with_run(reasons: Sequence[str], kept: Bools, alone: Bools) -> list[str]:
    """Return the reasons of the b blocks, with a remark where a block's run decides differently than the block alone.

    Args:
        reasons: (b,) reasons of the blocks alone.
        kept: (b,) whether each block is kept.
        alone: (b,) whether it would be kept without regard to runs.
    """
    remarks = np.select([kept & ~alone, alone & ~kept], ["; kept with the text around it", "; in a short run"], "")
    return [reason + remark for reason, remark in zip(reasons, remarks.tolist(), strict=True)]


def _between(run: npt.NDArray[np.integer], rows: npt.NDArray[np.intp], chosen: Bools) -> Bools:
    """Return which blocks, shape (b,), stand between the first and the last of the given rows of a chosen run."""
    first, last = np.full(len(chosen), len(run)), np.full(len(chosen), -1)
    first[run.take(rows[::-1])] = rows[::-1]  # the last one written wins
    last[run.take(rows)] = rows
    row = np.arange(len(run))
    mask: Bools = chosen.take(run) & (row >= first.take(run)) & (row <= last.take(run))
    return mask
