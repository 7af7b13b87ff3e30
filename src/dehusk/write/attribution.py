"""Who wrote what in a thread, for writers of tokens: where each post starts, and by whom and when it was written."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dehusk.about.posts import FoundPost, Posts, find_posts
from dehusk.about.posts.bodies import REPEATED_WORDS
from dehusk.about.posts.extents import unlinked_words
from dehusk.about.posts.finding import says_authors
from dehusk.about.posts.marks import Places
from dehusk.about.posts.profiles import profiled_posts
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.headlines import titles_of
from dehusk.blocks.labels import Labels
from dehusk.read.page import Bools
from dehusk.write.options import PostsChoice
from dehusk.write.tokens import Edge, Token, TokenKind

MAX_LEVEL = 5
"""Replies deeper than this are shown as replies of this depth."""
ABOVE, MOST_WORDS = 8, 24
"""Blocks above the first post among which are lines of the thread, and their words, at most; set by hand."""
_WORD = pattern(r"\w+")
_SMALL = frozenset(
    (
        *("by", "in", "on", "at", "thread", "topic", "discussion", "started", "starter", "start", "date", "created"),
        *("posted", "author", "von", "am", "erstellt", "erstellungsdatum", "ersteller", "par", "le", "por", "el", "di"),
    )
)
"""Words around the name, the date and the forum in such lines."""


@dataclass
class Attribution:
    """The leaves of a page that belong to posts; the keys are indices of tokens."""

    openings: dict[int, tuple[str, str]] = field(default_factory=dict)
    """First leaf of a post, or the start of the outermost container in the post that it is in -> author and date, ""
    for what is not known."""
    levels: dict[int, int] = field(default_factory=dict)
    """Leaf or opening of a post -> the depth of the post, 0 to `MAX_LEVEL`."""
    lines: set[int] = field(default_factory=set)
    """Leaves that only say what the opening says: names, dates and buttons. Longer ones are never left out."""


def shows_posts(labels: Labels, style: PostsChoice) -> bool:
    """Return whether the posts of a page are shown: with "auto" those of whose authors the markup is sure."""
    if style != "auto":
        return style != "plain"
    return says_authors(labels.blocks, np.flatnonzero(labels.kept))


def attribute(labels: Labels, tokens: list[Token], style: PostsChoice) -> Attribution:
    """Return which leaves of the kept content belong to which post.

    A post that has its author's name in its text gets no line for it besides.
    """
    found, attribution = find_posts(labels.blocks), Attribution()
    leaves = [index for index, token in enumerate(tokens) if token.edge is Edge.LEAF and _first(token) >= 0]
    if not len(found) or not leaves:
        return attribution
    first = np.array([_first(tokens[index]) for index in leaves])
    blocks = np.searchsorted(labels.blocks.first, first, "right") - 1
    opened, title = -1, _title(labels, tokens, leaves, blocks.tolist())
    is_line = (found.is_line | _adverts(labels.blocks, found)) & (unlinked_words(labels.blocks) <= REPEATED_WORDS)
    is_line |= _lines_of_thread(labels.blocks, found)
    rows = zip(leaves, found.post_of[blocks].tolist(), is_line[blocks].tolist(), strict=True)
    for index, number, says_nothing_else in rows:
        if says_nothing_else and index != title:
            attribution.lines.add(index)
        if says_nothing_else or number < 0:
            continue
        post = found.posts[number]
        attribution.levels[index] = min(post.depth, MAX_LEVEL)
        if number != opened:
            opened, start = number, index
            if post.is_signed and style in ("auto", "lines"):
                continue
            while start and tokens[start - 1].edge is Edge.OPEN and tokens[start - 1].node > post.node:
                start -= 1
            attribution.levels[start] = attribution.levels[index]
            if post.author or post.date_text or post.date:
                attribution.openings[start] = post.author or "", shown_date(post)
    return attribution


def _title(labels: Labels, tokens: list[Token], leaves: list[int], blocks: list[int]) -> int:
    """Return the heading that is the title of the page, if it is the first to say it, as in a first post; else -1."""
    headings = [
        (index, block) for index, block in zip(leaves, blocks, strict=True) if tokens[index].kind is TokenKind.HEADING
    ]
    title = titles_of(labels.blocks.page).first_part_in(labels.blocks, [block for _, block in headings])
    place = next((place for place, (_, block) in enumerate(headings) if block == title), -1)
    said = "\n".join(labels.texts[block] for _, block in headings[: max(place, 0)]).casefold()
    return -1 if place < 0 or labels.texts[title].casefold() in said else headings[place][0]


def _adverts(blocks: Blocks, found: Posts) -> Bools:
    """Return the blocks, shape (b,), in what looks like a post of an engine, among its posts, but is none."""
    page, places = blocks.page, Places(blocks.page)
    posts = np.array([post.node for post in found.posts], dtype=np.intp)
    if profiled_posts(blocks) is None:
        return np.zeros(len(blocks), dtype=np.bool_)
    known = set(map(places.signature, posts.tolist()))
    beside = np.isin(page.parent, page.parent[posts]) & np.isin(page.tag, page.tag[posts])
    alike = np.array(
        [node for node in np.flatnonzero(beside).tolist() if places.signature(node) in known], dtype=np.intp
    )
    within: Bools = page.within(alike)[blocks.first] > 0
    return within & (found.post_of < 0)


def _lines_of_thread(blocks: Blocks, found: Posts) -> Bools:
    """Return the blocks above the first post that only say who wrote it, when and where, shape (b,)."""
    lines, post = np.zeros(len(blocks), dtype=np.bool_), found.posts[0]
    facts = [fact for fact in (post.author, post.date_text) if fact]
    start = int((found.post_of >= 0).argmax())
    for block in range(max(start - ABOVE, 0), start):
        text = rest = blocks.text_of(block) if blocks.words[block] <= MOST_WORDS else ""
        for fact in facts:
            rest = rest.replace(fact, " ", 1)
        others = [word for word in _WORD.findall(rest.casefold()) if word not in _SMALL]
        lines[block] = rest != text and len(others) <= blocks.link_words[block]  # the name of a forum
    return lines


def shown_date(post: FoundPost) -> str:
    """Return the date of a post as the page shows it; if it leaves out the year, which is known, to the minute."""
    if post.date and post.date[:4] not in (post.date_text or ""):
        return post.date[:16].replace("T", " ")
    return post.date_text or ""


def _first(token: Token) -> int:
    """Return the first text node of a leaf, -1 if it has none."""
    if not token.rows:
        return token.first
    return next((cell.first for row in token.rows for cell in row.cells if cell.first >= 0), -1)
