"""The comments, answers and reviews below what a page is about, of which labellers keep nothing.

They are the posts that the markup names as such. Where something is kept of most posts, as in a thread, the posts are
what the page is about, and none of them is a comment on it.
"""

from dataclasses import replace

import numpy as np

from dehusk.about.posts.finding import Posts, find_posts
from dehusk.about.posts.kinds import REPLIES
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.labels import Labels, relabelled
from dehusk.read.page import Bools

_HEADING = numbers(HEADINGS)
_ABOVE = 6
"""Blocks above the first comment among which is the heading of all; set by hand on recipes-a."""


def comments_of(labels: Labels) -> list[int]:
    """Return which posts of a page are comments on it: indices of `find_posts`."""
    found = find_posts(labels.blocks)
    if not any(post.kind in REPLIES for post in found.posts):
        return []
    has_kept = np.zeros(len(found), dtype=np.bool_)
    has_kept[found.post_of[text_of_posts(found) & labels.kept]] = True
    if 2 * int(has_kept.sum()) > len(found):
        return []
    return [at for at, post in enumerate(found.posts) if post.kind in REPLIES and not has_kept[at]]


def text_of_posts(found: Posts) -> Bools:
    """Return which blocks are text of a post, not a line of names, dates, links or buttons; shape (b,)."""
    mask: Bools = (found.post_of >= 0) & ~found.is_line
    return mask


def with_comments(labels: Labels) -> Labels:
    """Return labels that also keep the text of the comments, and the heading above them."""
    comments, found = comments_of(labels), find_posts(labels.blocks)
    if not comments:
        return labels
    added = text_of_posts(found) & np.isin(found.post_of, comments) & ~labels.kept
    added[_heading_above(labels, found.posts[comments[0]].first)] = True
    kept = labels.kept | added
    reasons = ["comment" if new else why for why, new in zip(labels.reasons, added.tolist(), strict=False)]
    return replace(labels, kept=kept, label=relabelled(labels, kept), reasons=reasons)


def _heading_above(labels: Labels, first: int) -> list[int]:
    """Return the blocks of the nearest heading above a block, of which none is kept, within a few blocks."""
    blocks = labels.blocks
    headings = blocks.page.nearest(blocks.page.is_one_of(_HEADING))[blocks.first]
    above = [block for block in range(max(first - _ABOVE, 0), first) if headings[block] >= 0]
    if not above or labels.kept[above[-1] : first].any():
        return []
    return [block for block in above if headings[block] == headings[above[-1]]]
