"""Bounds on what writers return: no output is larger than a small multiple of the page's source.

Text that a writer adds for each block, link or cell (indentation, addresses, empty cells, marks) is bounded for all of
the page, so that no page can repeat something long many times. `tests/test_bounds.py` checks every writer.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks.labels import Labels
from dehusk.read.xpath import PATH_CHARS, PATH_SHARE

SHARE = {"text": 4, "json": 4 + PATH_SHARE, "tei": 16, "overlay": 16}
"""Format -> the most characters of output per character of the source; `OTHER_SHARE` for other formats."""
OTHER_SHARE = 8
SPARE = {"json": PATH_CHARS, "overlay": PATH_CHARS}
"""Format -> characters that the output may have besides; `OTHER_SPARE` in other formats."""
OTHER_SPARE = 20_000
PER_BLOCK = {"annotation": 200, "json": 200, "overlay": 500}
"""Format -> characters that the output may have besides for each block, of the overlay for each marked block: its
label, probability and position. Reasons and evidence come on top."""
MAX_MARKED = 20_000
"""The most blocks that an overlay marks and lists, twice as many as any page of the open sets has; each takes about 400
characters besides its text and evidence."""
MIN_CELLS, CELL_SHARE = 10_000, 4
"""A table is spread out to at most `CELL_SHARE` times its real cells, or to `MIN_CELLS` cells if that is more."""


def largest(format_name: str, labels: Labels) -> int:
    """Return the most characters that the output of a page has, without reasons and evidence.

    Args:
        format_name: name of a writer, or "overlay".
        labels: the labels of the page.
    """
    source, blocks = len(labels.blocks.page.elements.text), len(labels)
    if format_name == "overlay":
        blocks = min(blocks, MAX_MARKED)
    share, spare = SHARE.get(format_name, OTHER_SHARE), SPARE.get(format_name, OTHER_SPARE)
    return share * source + spare + PER_BLOCK.get(format_name, 0) * blocks


def level_within(levels: npt.NDArray[np.integer], budget: int) -> int:
    """Return the largest level such that the sum of all levels, cut to it, is at most `budget`; at least 0.

        >>> level_within(np.array([1, 5, 5]), 7)
        3

    Args:
        levels: levels of lines, such as of indentation or quotes; none negative.
        budget: the most that all lines may have together.
    """
    if not len(levels):
        return 0
    reaching = np.bincount(levels)[:0:-1].cumsum()[::-1]  # lines that reach level 1, 2, …
    return int(reaching.cumsum().searchsorted(budget, side="right"))


def most_cells(cells: int) -> int:
    """Return to how many cells, empty ones included, a table of `cells` cells may be spread out."""
    return max(MIN_CELLS, CELL_SHARE * cells)
