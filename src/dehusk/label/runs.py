"""Runs of text: what tells an article from teasers and comments without training.

The paragraphs of an article follow each other; teasers and comments are pieces between links, names and buttons. A
*run* is an unbroken sequence of blocks that a method takes for text. A run with far fewer words than the largest run of
the page is dropped, unless its blocks are in the same slot (path of tags and classes, `dehusk.counts.slots`) as those
of the largest run: the posts of a thread are short runs in one slot.
"""

from collections.abc import Sequence

import numpy as np

from dehusk.blocks import Blocks
from dehusk.blocks.labels import HEADER, by_markup
from dehusk.counts.slots import block_slots
from dehusk.read.page import Bools

SHARE = 0.25
"""A run with less than this share of the words of the largest run is dropped."""
LONG = 8
"""A block of at least this many words can be text by itself."""


def in_main_runs(blocks: Blocks, text: Bools, long: Bools, share: float = SHARE) -> Bools:
    """Return which blocks, shape (b,), are in the main runs of a page, or in the slots of its largest run.

    Runs of short blocks between them, such as the values of a record, and the last heading before them belong to them.

    Args:
        blocks: the blocks of the page.
        text: (b,) which blocks can be text; all others end a run.
        long: (b,) which of them are long enough to be text by themselves; only these make a run larger. At least one
            block must be long and text.
        share: share of the words of the largest run that the others need, above 0 and up to 1.
    """
    rows = np.flatnonzero(text & long)
    run = np.cumsum(~text, dtype=np.intp)
    words = np.bincount(run.take(rows), blocks.words.take(rows), len(blocks) + 1)
    slot = block_slots(blocks)
    of_largest = np.isin(slot, slot.take(rows[run.take(rows) == words.argmax()]))
    kept: Bools = text & ((words >= share * words.max()).take(run) | of_largest)
    first, last = int(kept.argmax()), len(kept) - int(kept[::-1].argmax())
    kept[first:last] |= text[first:last] & (words == 0).take(run[first:last])
    headings = np.flatnonzero(by_markup(blocks, text)[:first] == HEADER)
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
