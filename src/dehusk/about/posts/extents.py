"""From the dates or names at one place of a page to the posts around them: where each starts and ends."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.about.posts.marks import places_of
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices
from dehusk.blocks.units.skeleton import CHARS_PER_WORD
from dehusk.read.page import Bools, Page

BODY_WORDS = 2
"""Words outside links that an element has besides its date if it contains the body of a post."""


@dataclass(frozen=True, eq=False)
class Extents:
    """The k posts around k anchors, in document order."""

    anchor: Indices
    """(k,) node of each anchor, a date or a name."""
    root: Indices
    """(k,) element that each post is, or starts with."""
    outer: Indices
    """(k,) outermost element around the anchor without another anchor."""
    first: Indices
    """(k,) first block of each post."""
    end: Indices
    """(k,) one past its last block, or the first block of the next post if that is inside."""
    stop: Indices
    """(k,) one past its last node, in the same way."""


def roots_of(page: Page, nodes: Indices) -> tuple[Indices, Indices]:
    """Return for each of some nodes, shape (k,), the outermost element around it that contains no other of them.

    Returns:
        These elements, and how many levels each is above its node; nodes that contain others are their own.
    """
    counts = np.zeros(len(page) + 1, dtype=np.intp)
    np.cumsum(np.bincount(nodes, minlength=len(page)), out=counts[1:])
    root, level = nodes.copy(), np.zeros(len(nodes), dtype=np.intp)
    moving = np.arange(len(nodes))
    while len(moving):
        above = page.parent[root[moving]].astype(np.intp)
        alone = (above > 0) & (counts[page.end[above]] - counts[above] == 1)
        moving, above = moving[alone], above[alone]
        root[moving] = above
        level[moving] += 1
    return root, level


def block_at(blocks: Blocks, nodes: npt.NDArray[np.integer]) -> Indices:
    """Return the first block that starts at or after each node."""
    found: Indices = blocks.first.searchsorted(nodes)
    return found


def unlinked_words(blocks: Blocks) -> Indices:
    """Return the number of words of each block outside links, shape (b,), by characters where that is more."""
    by_chars = (blocks.chars - blocks.link_chars) // CHARS_PER_WORD
    words: Indices = np.maximum(blocks.words - blocks.link_words, by_chars).astype(np.intp)
    return words


def posts_around(blocks: Blocks, anchors: Indices) -> Extents:
    """Return the posts around anchors, which are nodes in document order.

    The elements around the anchors at the highest level at which half of them have the same tag and class are the posts
    if they contain text besides the anchor; otherwise, as in rows of a table, posts reach to the next one.
    """
    page = blocks.page
    outer, level = roots_of(page, anchors)
    root = _climbed(page, anchors, np.minimum(level, _common_level(page, anchors, level)))
    first, end = block_at(blocks, root), block_at(blocks, page.end[root])
    stop = page.end[root].astype(np.intp)
    stretch = ~_has_body(blocks, anchors, first, end) | _between_roots(blocks, first, end)
    if stretch.any():
        stop[stretch] = _stretched(page, root, outer)[stretch]
    stop = np.minimum(stop, np.append(root[1:], len(page)))
    return Extents(anchors, root, outer, first, np.maximum(block_at(blocks, stop), first), stop)


def _between_roots(blocks: Blocks, first: Indices, end: Indices) -> bool:
    """Return whether most of the text is between the elements, not in them."""
    words = np.append(0, np.cumsum(unlinked_words(blocks)))
    inside, between = words[end] - words[first], words[first[1:]] - words[np.minimum(end[:-1], first[1:])]
    return len(between) > 0 and bool(np.median(between) > 2 * np.median(inside))


def _common_level(page: Page, anchors: Indices, level: Indices) -> int:
    """Return the highest level above the anchors at which half of them, and two, have elements of one signature."""
    node, best, signatures = anchors.copy(), 0, places_of(page).signatures
    for height in range(int(level.max(initial=0)) + 1):
        alive = level >= height
        names: dict[int, int] = {}
        for one in node[alive].tolist():
            name = signatures[one]
            names[name] = names.get(name, 0) + 1
        if max(names.values()) >= max(2, 0.5 * len(anchors)):
            best = height
        if alive.sum() < 2:
            break
        node = page.parent[node].astype(np.intp)
        np.maximum(node, 0, out=node)
    return best


def _climbed(page: Page, nodes: Indices, levels: Indices) -> Indices:
    """Return the element so many levels above each node."""
    root = nodes.copy()
    for height in range(int(levels.max(initial=0))):
        up = levels > height
        root[up] = page.parent[root[up]]
    return root


def _has_body(blocks: Blocks, anchors: Indices, first: Indices, end: Indices) -> Bools:
    """Return which ranges of blocks have text besides the block of their anchor."""
    words = np.append(0, np.cumsum(unlinked_words(blocks)))
    own_first = np.clip(blocks.last.searchsorted(anchors), first, end)
    own_end = np.clip(block_at(blocks, blocks.page.end[anchors]), own_first, np.maximum(end, own_first))
    has: Bools = words[end] - words[first] - (words[own_end] - words[own_first]) >= BODY_WORDS
    return has


def _stretched(page: Page, root: Indices, outer: Indices) -> Indices:
    """Return one past the last node that may belong to posts that start with these elements.

    They reach to the end of the element around, or to that of the element without another anchor, if that is later.
    """
    stop = page.end[page.parent[root]].astype(np.intp)
    deeper = page.end[outer]
    return np.maximum(stop, deeper)
