"""Which blocks of posts are their text, and which are lines of names, dates, links and buttons."""

from collections import Counter

import numpy as np

from dehusk.about.posts.extents import unlinked_words
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices, distinct, mix
from dehusk.blocks.units.skeleton import skeleton_of
from dehusk.read.page import Bools

LINE_WORDS = 6
"""Words that a line of names and dates has besides these."""
BUTTON_WORDS = 4
"""Most words of the lines that all posts have, such as buttons and counts of likes."""
REPEATED_WORDS = 12
"""Most words of a line that half of the posts repeat."""
MIN_POSTS = 3
"""Posts that have the same line, so that it is none of their text."""


def post_of_blocks(blocks: Blocks, first: Indices, end: Indices) -> Indices:
    """Return the innermost post of each block, -1 outside posts, shape (b,); later posts are inside earlier ones."""
    post = np.full(len(blocks), -1)
    for index, (start, stop) in enumerate(zip(first.tolist(), end.tolist(), strict=True)):
        post[start:stop] = index
    return post


def head_lines(blocks: Blocks, post_of: Indices, roots: Indices, spans: list[tuple[int, int]]) -> Bools:
    """Return which blocks of posts, shape (b,), are no part of their text.

    Args:
        blocks: the blocks of a page.
        post_of: (b,) post of each block, -1 outside posts.
        roots: (p,) element of each post, or the first of them.
        spans: ranges of `Blocks.text` with the names, dates and permalinks of the posts.
    """
    covered = np.zeros(len(blocks.text) + 1, dtype=np.int8)
    for start, end in spans:
        covered[start:end] = 1
    is_covered = covered[:-1].astype(np.bool_)
    has_mark = blocks.sums(is_covered) > 0
    rest = blocks.sums(blocks.word_start & ~is_covered & ~blocks.linked)
    lines: Bools = has_mark & (rest <= LINE_WORDS)
    return (lines | _furniture(blocks, post_of, roots)) & (post_of >= 0)


def _furniture(blocks: Blocks, post_of: Indices, roots: Indices) -> Bools:
    """Return the blocks that are short at the same place of half of the posts, or that half of the posts repeat."""
    furniture = np.zeros(len(blocks), dtype=np.bool_)
    if len(roots) < MIN_POSTS:
        return furniture
    inside, tree = np.flatnonzero(post_of >= 0), skeleton_of(blocks)
    element = tree.node.searchsorted(roots[post_of[inside]])
    outer = np.maximum(tree.parent[np.minimum(element, len(tree) - 1)], 0)
    holder = tree.innermost[inside]
    outer = np.where((outer <= holder) & (holder < tree.close[outer]), outer, 0)
    place = tree.path_between(outer, holder)
    lead, number, _ = distinct(place)
    longest = np.zeros(len(lead), dtype=np.intp)
    np.maximum.at(longest, number, unlinked_words(blocks)[inside])
    pairs, _, _ = distinct(mix(number, post_of[inside]))
    posts = np.bincount(number[pairs], minlength=len(lead))
    is_short = (longest <= BUTTON_WORDS) & (posts >= max(MIN_POSTS, 0.5 * len(roots)))
    furniture[inside] = is_short[number]
    texts, inside = blocks.texts, inside[unlinked_words(blocks)[inside] <= REPEATED_WORDS]
    seen = Counter(text for _, text in {(int(post_of[block]), texts[block].casefold()) for block in inside.tolist()})
    often = max(MIN_POSTS, 0.5 * len(roots))
    furniture[inside] |= np.array([seen[texts[block].casefold()] >= often for block in inside.tolist()], dtype=np.bool_)
    return furniture
