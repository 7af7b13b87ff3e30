"""The comments, answers and reviews below what a page is about, of which labellers keep little or nothing.

They are posts that the markup names as such. Where half of the text of most posts is kept, as in a thread, the posts
are what the page is about, and none of them is a comment on it.
"""

import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.about.posts.finding import Posts, find_posts, says_authors
from dehusk.about.posts.kinds import REPLIES
from dehusk.about.posts.named import named_posts
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.headlines import line_of_title
from dehusk.blocks.labels import COMMENT, HEADER, Labels, relabelled
from dehusk.read.page import Bools

_HEADING, _TITLE, _BUTTON = numbers(HEADINGS), numbers("h1"), numbers("button")
_ABOVE = 6
"""Blocks above the first comment among which is the heading of all; set by hand on recipes-a, as is the next one."""
_SAYS = pattern(
    r"\d|comment|kommenta|comenta|reacti|komentar|комментар|opini|review|bewertung|avis|rese[nñ]|respon|repl|discuss"
    r"|thought|评论|評論|コメント|댓글|σχόλι",
    re.IGNORECASE,
)
"""What a heading of comments says."""
_SHORT = 4
"""Words of a button at most, such as "Show the whole comment"."""


def posts_with_comments(blocks: Blocks) -> Posts:
    """Return the posts of a page; if it has none, those that only classes name, without authors and dates."""
    found = find_posts(blocks)
    return found if len(found) else named_posts(blocks)


def comments_of(labels: Labels) -> list[int]:
    """Return which posts of a page are comments on it: indices of `posts_with_comments`."""
    found = posts_with_comments(labels.blocks)
    if not any(post.kind in REPLIES for post in found.posts):
        return []
    blocks = labels.blocks
    linked = _shares(blocks, found, blocks.link_words / np.maximum(blocks.words, 1))
    is_kept = _shares(blocks, found, labels.kept) >= 0.5
    if 2 * int(is_kept.sum()) > len(found) or np.median(linked) > 0.5:  # lists of links to the latest comments
        return []
    is_article = _with_headline(labels, found)
    others = (at for at, post in enumerate(found.posts) if post.kind in REPLIES and not is_kept[at])
    return [at for at in others if not is_article[at]]


def _with_headline(labels: Labels, found: Posts) -> Bools:
    """Return which posts have the headline of the page, which is no comment, (p,)."""
    blocks, page = labels.blocks, labels.blocks.page
    is_title = (page.within_at(page.nodes_of(_TITLE), blocks.node) > 0) & labels.kept
    if (line := line_of_title(blocks, labels.kept)) >= 0:
        is_title[line] = True
    with_it = found.post_of[is_title]
    return np.bincount(with_it[with_it >= 0], minlength=len(found)) > 0


def _shares(blocks: Blocks, found: Posts, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the mean of a value over the words of each post, (p,), but for buttons; 0 of a post without text."""
    texts = text_of_posts(found)
    texts[_buttons(blocks, found, texts)] = False
    inside = texts.nonzero()[0]
    post, words = found.post_of[inside], np.maximum(blocks.words[inside], 1)
    weight = np.bincount(post, weights=words, minlength=len(found))
    total = np.bincount(post, weights=words * values[inside], minlength=len(found))
    return np.asarray(total / np.maximum(weight, 1))


def text_of_posts(found: Posts) -> Bools:
    """Return which blocks are text of a post, not a line of names, dates, links or buttons; shape (b,).

    The last line of a comment of nothing but lines is its text: "Great!".
    """
    mask: Bools = (found.post_of >= 0) & ~found.is_line
    has_text = np.bincount(found.post_of[mask], minlength=len(found)) > 0
    inside = np.flatnonzero(found.post_of >= 0)
    lines, last = np.bincount(found.post_of[inside], minlength=len(found)), np.zeros(len(found), dtype=np.intp)
    last[found.post_of[inside]] = inside
    is_reply = np.array([post.kind in REPLIES for post in found.posts], dtype=np.bool_)
    mask[last[is_reply & ~has_text & (lines > 1)]] = True
    return mask


def with_comments(labels: Labels) -> Labels:
    """Return labels that also keep the comments and the heading above them, but not their buttons.

    Names and dates are kept where writers do not say by themselves who wrote posts.
    """
    comments, found = comments_of(labels), posts_with_comments(labels.blocks)
    if not comments:
        return labels
    added = np.isin(found.post_of, comments) & ~labels.kept
    texts = text_of_posts(found)
    if says_authors(labels.blocks, (labels.kept | (added & texts)).nonzero()[0]):
        added &= texts
    added[_buttons(labels.blocks, found, added)] = False
    added[_heading_above(labels, found.posts[comments[0]].first)] = True
    kept = labels.kept | added
    label = relabelled(labels, kept)
    label[added & (label != HEADER)] = COMMENT
    reasons = ["comment" if new else why for why, new in zip(labels.reasons, added.tolist(), strict=False)]
    return replace(labels, kept=kept, label=label, reasons=reasons, with_comments=True)


def _buttons(blocks: Blocks, found: Posts, added: Bools) -> list[int]:
    """Return the blocks of posts that are short links or buttons, or the same in most posts; no link is an author."""
    page, at = blocks.page, added.nonzero()[0]
    is_link = (blocks.words[at] == blocks.link_words[at]) & (blocks.words[at] > 0) & ~found.is_line[at]
    is_button = page.within_at(page.nodes_of(_BUTTON), blocks.node[at]) > 0
    is_short = blocks.words[at] <= _SHORT
    posts_with = defaultdict[str, set[int]](set)
    for block in at[is_short].tolist():
        posts_with[blocks.text_of(block)].add(int(found.post_of[block]))
    most = max(2, len(np.unique(found.post_of[at])) / 2)
    rows = zip(at.tolist(), ((is_link | is_button) & is_short).tolist(), strict=True)
    buttons = [block for block, acts in rows if acts or _is_same(blocks.text_of(block), posts_with, most)]
    left = np.bincount(found.post_of[np.setdiff1d(at, buttons)], minlength=len(found))
    return [block for block in buttons if left[found.post_of[block]]]  # not all that a post says


def _is_same(text: str, posts_with: dict[str, set[int]], most: float) -> bool:
    """Return whether a text of letters, not the stars of a rating, is that of most posts."""
    return text in posts_with and len(posts_with[text]) >= most and any(map(str.isalpha, text))


def _heading_above(labels: Labels, first: int) -> list[int]:
    """Return the blocks of the nearest heading above a block that is no link, if no kept text is beside both."""
    blocks, page = labels.blocks, labels.blocks.page
    headings = page.nearest(page.is_one_of(_HEADING))[blocks.first]
    is_linked = (blocks.words == blocks.link_words) & (blocks.words > 0)
    above = [block for block in range(max(first - _ABOVE, 0), first) if headings[block] >= 0 and not is_linked[block]]
    above = [block for block in above if _SAYS.search(blocks.text_of(block))] or above
    if not above:
        return []
    around = int(headings[above[-1]])
    while page.end[around] <= blocks.first[first]:
        around = int(page.parent[around])
    inside = slice(*blocks.first.searchsorted((around, page.end[around])).tolist())
    if labels.kept[inside].any():
        return []
    return [block for block in above if headings[block] == headings[above[-1]]]
