"""The gaps between blocks: layout for the writers, computed for all blocks at once."""

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import is_block_level, numbers
from dehusk.compiled.text import have_ink
from dehusk.read.page import Bools, Page

Nodes = npt.NDArray[np.intp]

_HOLDERS = np.append(is_block_level(), False)  # its last value is for unknown tags
_HOLDERS[numbers("br hr")] = False


class Gap:
    """What separates a block from the previous kept block; plain integers, as in `CharClass`."""

    NOTHING = 0
    SPACE = 1
    """White space, or text that is not kept."""
    LINE = 2
    """A single `br`, or the end of a line of preformatted text."""
    BREAK = 3
    """The start or end of a block-level element, or more than one `br`."""


def is_holder(page: Page) -> Bools:
    """Return which nodes, shape (n,), are block-level elements that can contain text: all but `br` and `hr`."""
    return _HOLDERS.take(page.tag, mode="clip")


def counts_before(page: Page, nodes: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Return how many of `nodes` come before each node, shape (n + 1,).

    `result[end[i]] - result[i]` is the number of `nodes` in the subtree of node i.
    """
    total = np.zeros(len(page) + 1, dtype=np.int64)
    np.bincount(nodes, minlength=len(page)).cumsum(out=total[1:])
    return total


def sums_before(values: npt.NDArray[np.bool_] | npt.NDArray[np.integer]) -> Nodes:
    """Return the sum of the values before each, shape (len(values) + 1,); the last is that of all."""
    total = np.zeros(len(values) + 1, dtype=np.intp)
    values.cumsum(out=total[1:])
    return total


@cached_per_object
def has_ink(page: Page) -> Bools:
    """Return which text nodes, shape (n,), contain text other than white space and invisible characters."""
    texts, mask = page.is_text.nonzero()[0], np.zeros(len(page), dtype=np.bool_)
    mask[texts] = have_ink(page.text, page.text_start[texts], page.text_end[texts])
    return mask


def are_among(nodes: npt.NDArray[np.integer], others: npt.NDArray[np.integer]) -> Bools:
    """Return which nodes, shape (k,), are among others, which ascend."""
    among: Bools = np.append(others, -1)[others.searchsorted(nodes)] == nodes
    return among
