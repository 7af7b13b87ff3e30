"""Sums over subtrees, holders of the text, groups of like siblings: what several families ask for; found once a page.

A subtree's sum is a difference of two prefix sums over the nodes.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object

Reals = npt.NDArray[np.float64]

LEAST = 10
"""Words from which a block may be running text."""
SHARES = {"half": 0.5, "most": 0.8, "nearly-all": 0.95}
"""Shares of the page's running text whose smallest holders are guesses at the main text."""


@dataclass(frozen=True, eq=False)
class Sums:
    """What the subtree of each of the n nodes holds."""

    running_words: npt.NDArray[np.int32]
    """(b,) the unlinked words of blocks that look like running text, 0 for the others."""
    before: Reals
    """(n,) blocks that begin before the node."""
    count: Reals
    """(n,) blocks that begin in the subtree."""
    words: Reals
    """(n,) their words."""
    linked: Reals
    """(n,) their words in links."""
    running: Reals
    """(n,) their words of running text."""


@dataclass(frozen=True, eq=False)
class Siblings:
    """Elements that hold text, in groups of one parent, one tag and one class."""

    nodes: npt.NDArray[np.intp]
    """(h,) the elements, rising."""
    group: npt.NDArray[np.intp]
    """(h,) the number of each one's group."""
    size: npt.NDArray[np.intp]
    """(g,) elements of each group."""


def running_words(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the unlinked words of blocks that look like running text, 0 for the others, shape (b,)."""
    unlinked = blocks.words - blocks.link_words
    return np.where((blocks.words >= LEAST) & (2 * unlinked >= blocks.words), unlinked, 0).astype(np.int32)


@cached_per_object
def sums(blocks: Blocks) -> Sums:
    """Return the sums of a page's subtrees."""
    page, n, running = blocks.page, len(blocks.page), running_words(blocks)
    total = np.zeros((4, n + 1))
    total[:, blocks.first + 1] = np.ones(len(blocks)), blocks.words, blocks.link_words, running
    np.cumsum(total, axis=1, out=total)
    return Sums(running, total[0, :n], *(total.take(page.end, axis=1) - total[:, :n]))


@cached_per_object
def text_holders(blocks: Blocks) -> dict[str, int]:
    """Return for each of `SHARES` the smallest element that holds more of the running text; the root if none does."""
    held = sums(blocks)
    running, total = held.running, int(held.running_words.sum())
    chain = np.flatnonzero(running > min(SHARES.values()) * total)
    chain = chain[~blocks.page.is_text.take(chain)]
    smallest = {}
    for name, share in SHARES.items():  # elements with over half of it are nested: the last is the smallest
        holders = chain[running.take(chain) > share * total]
        smallest[name] = int(holders[-1]) if len(holders) else 0
    return smallest


@cached_per_object
def siblings(blocks: Blocks) -> Siblings:
    """Return the groups of like siblings of a page."""
    page = blocks.page
    nodes = np.flatnonzero((sums(blocks).count > 0) & ~page.is_text)
    kind = page.tag.take(nodes).astype(np.int64) * len(page.class_names) + page.class_code.take(nodes)
    key = (page.parent.take(nodes) + 1) * (int(kind.max(initial=0)) + 1) + kind
    _, group = np.unique(key, return_inverse=True)
    return Siblings(nodes, group, np.bincount(group))
