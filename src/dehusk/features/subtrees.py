"""Word counts of subtrees, the smallest elements with most of the text, and groups of like siblings.

Several families use these, so they are computed once per page. The count of a subtree is the difference of two prefix
sums over the nodes.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.units.keys import distinct

Reals = npt.NDArray[np.float64]

MIN_RUNNING_WORDS = 10
"""Blocks with fewer words are not running text."""
SHARES = {"half": 0.5, "most": 0.8, "nearly-all": 0.95}
"""Name -> share of the page's running text; the smallest element with more than it is a candidate for the main text."""


@dataclass(frozen=True, eq=False)
class SubtreeCounts:
    """What the subtrees of the n nodes contain."""

    running_words: npt.NDArray[np.int32]
    """(b,) unlinked words of each block of running text, 0 for other blocks."""
    before: Reals
    """(n,) blocks that start before the node."""
    count: Reals
    """(n,) blocks that start in the subtree."""
    words: Reals
    """(n,) words of these blocks."""
    linked: Reals
    """(n,) words of these blocks in links."""
    running: Reals
    """(n,) words of these blocks in running text."""


@dataclass(frozen=True, eq=False)
class SiblingGroups:
    """The h elements with text in g groups; a group has the same parent, tag and class."""

    nodes: npt.NDArray[np.intp]
    """(h,) the elements, ascending."""
    group: npt.NDArray[np.intp]
    """(h,) index of each element's group."""
    size: npt.NDArray[np.intp]
    """(g,) number of elements in each group."""


@kernel("subtrees.running_words")
def running_words(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the unlinked words of each block of running text, 0 for other blocks, shape (b,).

    Running text has at least `MIN_RUNNING_WORDS` words, half of them or more outside links.
    """
    unlinked = blocks.words - blocks.link_words
    is_running = (blocks.words >= MIN_RUNNING_WORDS) & (2 * unlinked >= blocks.words)
    return np.where(is_running, unlinked, 0).astype(np.int32)


@cached_per_object
@kernel("subtrees.count_subtrees")
def count_subtrees(blocks: Blocks) -> SubtreeCounts:
    """Count the blocks and words in each subtree of the page."""
    page, n, running = blocks.page, len(blocks.page), running_words(blocks)
    total = np.zeros((4, n + 1))
    total[0, blocks.first + 1] = 1
    for row, values in enumerate((blocks.words, blocks.link_words, running), start=1):
        total[row, blocks.first + 1] = values
    total.cumsum(axis=1, out=total)
    return SubtreeCounts(running, total[0, :n], *(total.take(page.end, axis=1) - total[:, :n]))


@cached_per_object
def text_holders(blocks: Blocks) -> dict[str, int]:
    """Return for each of `SHARES` the smallest element with more of the running text than that; else the root."""
    counts = count_subtrees(blocks)
    running, total = counts.running, int(counts.running_words.sum())
    candidates = (running > min(SHARES.values()) * total).nonzero()[0]
    candidates = candidates[~blocks.page.is_text.take(candidates)]
    smallest = {}
    for name, share in SHARES.items():  # elements with more than half of the text are nested: the last is the smallest
        holders = candidates[running.take(candidates) > share * total]
        smallest[name] = int(holders[-1]) if len(holders) else 0
    return smallest


@cached_per_object
def group_siblings(blocks: Blocks) -> SiblingGroups:
    """Group the page's elements with text by parent, tag and class."""
    page = blocks.page
    nodes = ((count_subtrees(blocks).count > 0) & ~page.is_text).nonzero()[0]
    tag_and_class = page.tag.take(nodes).astype(np.int64) * len(page.class_names) + page.class_code.take(nodes)
    key = (page.parent.take(nodes) + 1) * (int(tag_and_class.max(initial=0)) + 1) + tag_and_class
    _, group, size = distinct(key)
    return SiblingGroups(nodes, group, size)
