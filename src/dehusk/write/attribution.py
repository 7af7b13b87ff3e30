"""Who wrote what in a thread, for writers: where each post starts, and by whom and when it was written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import repeat

import numpy as np

from dehusk.about.posts import FoundPost, Posts, find_posts
from dehusk.about.posts.bodies import REPEATED_WORDS
from dehusk.about.posts.extents import unlinked_words
from dehusk.about.posts.finding import says_authors
from dehusk.about.posts.marks import places_of
from dehusk.about.posts.profiles import profiled_posts
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.headlines import titles_of, words_of
from dehusk.blocks.labels import Labels, relabelled
from dehusk.blocks.units.keys import Indices
from dehusk.read.page import Bools
from dehusk.write.options import PostsChoice
from dehusk.write.tokens import Edge, RunKind, Token, TokenKind

MAX_LEVEL = 5
"""Replies deeper than this are shown as replies of this depth."""
REPLY = "\u21b3 "
"""Stands before the author once for each level of a reply."""
ABOVE, MOST_WORDS = 8, 24
"""Blocks above the first post among which are lines of the thread, and their words, at most; set by hand."""
_ITEM, _HEADING, _QUOTE = numbers("li dt dd"), numbers(HEADINGS), numbers("blockquote")
_REPLY = pattern(r"\s*(?:re|aw|sv|antw|rif|ref|回复)\s*(?:\[\d+\])?\s*[:：]\s*", re.IGNORECASE)
"""What mail programs and forums write before the title of what is answered."""
_WIDE = "\u2e80"
"""From here on, scripts have no spaces between words: each character is a word."""
_SMALL = frozenset(
    (
        *("by", "in", "on", "at", "thread", "topic", "discussion", "started", "starter", "start", "date", "created"),
        *("posted", "wrote", "said", "commented", "replied", "answered", "asked", "opened", "schrieb", "antwortete"),
        *("kommentierte", "fragte", "écrit", "dit", "répondu", "escribió", "dijo", "respondió", "comentó", "scrive"),
        *("author", "von", "am", "erstellt", "erstellungsdatum", "ersteller", "par", "le", "por", "el", "di"),
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


@dataclass(frozen=True)
class Signature:
    """What a post starts with."""

    author: str
    """Empty if it is not known, as the date may be."""
    date: str
    level: int
    """Of the reply, 0 to `MAX_LEVEL`."""
    nested: int
    """How many of the levels the nested lists around the post show."""
    node: int
    """The element of the post."""
    in_item: bool
    """Whether its text is that of an item, which may be the post, and not of one in the post."""

    @property
    def rest(self) -> str:
        """The date, behind a comma if an author comes before it."""
        return ", " * bool(self.author and self.date) + self.date


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
    headings = {
        block: index
        for index, block in zip(leaves[::-1], blocks[::-1].tolist(), strict=True)
        if tokens[index].kind is TokenKind.HEADING
    }
    title = headings.get(_title(labels, sorted(headings)), -1)
    post_of, is_line = _posts_and_lines(labels, found)
    rows = zip(leaves, post_of[blocks].tolist(), is_line[blocks].tolist(), strict=True)
    for index, post in _turns(found, attribution, rows, title):
        if post.is_signed and style in ("auto", "lines"):
            continue
        start = _outermost(tokens, index, post.node, attribution.lines)
        attribution.levels[start] = attribution.levels[index]
        if post.author or post.date_text or post.date:
            attribution.openings[start] = post.author or "", shown_date(post)
    return attribution


def _outermost(tokens: list[Token], leaf: int, post: int, lines: set[int]) -> int:
    """Return the start of the outermost container in a post that starts with a leaf, or else the leaf.

    Pictures before the leaf are of the post.
    """
    start = place = leaf
    while place and (_is_in(tokens[place - 1], post) or place - 1 in lines):
        place -= 1
        start = start if place in lines else place
    return start


def _is_in(token: Token, post: int) -> bool:
    """Return whether a token before a leaf of a post opens a container in it, or is nothing but pictures in it."""
    if token.edge is Edge.OPEN:
        return token.node > post
    return bool(token.runs) and all(run.kind is RunKind.IMAGE and run.node > post for run in token.runs)


def signed(labels: Labels) -> tuple[Labels, dict[int, Signature]]:
    """Return labels without the blocks that only say who wrote a post and when, and block -> what to write before it.

    It is what `attribute` is for writers that have no tokens.
    """
    found, attribution = find_posts(labels.blocks), Attribution()
    if not len(found):
        return labels, {}
    written, page = labels.written, labels.blocks.page
    headings = written[page.within_at(page.nodes_of(_HEADING), labels.blocks.node[written]) > 0]
    title = _title(labels, headings.tolist())
    items, first = page.nodes_of(_ITEM), labels.blocks.first[written]
    in_items = dict(zip(written.tolist(), page.within_at(items, first).tolist(), strict=True))
    item = dict(zip(written.tolist(), page.nearest(page.is_one_of(_ITEM))[first].tolist(), strict=True))
    post_of, is_line = _posts_and_lines(labels, found)
    rows = zip(written.tolist(), post_of[written].tolist(), is_line[written].tolist(), strict=True)
    signatures, outermost = {}, 0
    for block, post in _turns(found, attribution, rows, title):
        level = attribution.levels[block]
        outermost = outermost if level else in_items[block]
        if not post.is_signed and (post.author or post.date_text or post.date):
            nested, in_item = max(in_items[block] - outermost, 0), 0 <= item[block] <= post.node
            signatures[block] = Signature(post.author or "", shown_date(post), level, nested, post.node, in_item)
    kept = labels.kept.copy()
    kept[list(attribution.lines)] = False
    return replace(labels, kept=kept, label=relabelled(labels, kept)), signatures


def _turns(
    found: Posts, attribution: Attribution, rows: Iterable[tuple[int, int, bool]], title: int
) -> Iterator[tuple[int, FoundPost]]:
    """Yield where a post starts, or goes on behind another one, and the post; note the levels and lines of others.

    Args:
        found: the posts.
        attribution: where levels and lines are noted.
        rows: of each part of the kept content its index, the number of its post, -1 for none, and whether it only says
            who wrote the post and when.
        title: index of the title of the page, -1 if it is not among them.
    """
    opened = -1
    for index, number, says_nothing_else in rows:
        if says_nothing_else and index != title:
            attribution.lines.add(index)
        if says_nothing_else or number < 0:
            continue
        attribution.levels[index] = min(found.posts[number].depth, MAX_LEVEL)
        if number != opened:
            opened = number
            yield index, found.posts[number]


def _posts_and_lines(labels: Labels, found: Posts) -> tuple[Indices, Bools]:
    """Return the post of each block, and which only say who wrote a post and when, and what is of no post; (b,) each.

    A heading that says more is no such line, unless it is no link and of several posts, as ranks are; quotes have the
    name of their author. A post of whose text nothing is kept counts as none.
    """
    blocks, written, page = labels.blocks, labels.written, labels.blocks.page
    is_line = (found.is_line | _adverts(blocks, found)) & (unlinked_words(blocks) <= REPEATED_WORDS)
    in_posts = written[found.post_of[written] >= 0]
    lines = in_posts[is_line[in_posts]]
    headings = lines[page.within_at(page.nodes_of(_HEADING), blocks.node[lines]) > 0].tolist()
    said = Counter(labels.texts[block] for block in headings)
    again = {block for block in headings if said[labels.texts[block]] > 1 and not blocks.link_words[block]}
    quoted = page.within_at(page.nodes_of(_QUOTE), blocks.node[headings]) > 0
    for block, is_quoted in zip(headings, quoted.tolist(), strict=True):
        own = block not in again and _heads_post(labels, block, found.posts[found.post_of[block]])
        is_line[block] = not (is_quoted or own)
    told = np.zeros(len(found) + 1, dtype=np.bool_)
    told[found.post_of[in_posts[~is_line[in_posts]]]] = True
    post_of = np.where(told[found.post_of], found.post_of, -1)
    is_line[lines[post_of[lines] < 0]] = False
    return post_of, is_line | _lines_of_thread(blocks, found)


def _heads_post(labels: Labels, block: int, post: FoundPost) -> bool:
    """Return whether a heading says more than the title of the thread, which replies repeat, and who wrote the post."""
    text = _REPLY.sub("", labels.texts[block])
    facts = " ".join(fact for fact in (post.author, post.date_text, post.date) if fact)
    said = _SMALL.union(words_of(facts))
    rest = [
        word for word in words_of(text) if not word.isdecimal() and not any(map(str.startswith, said, repeat(word)))
    ]
    return bool(rest) and not titles_of(labels.blocks.page).have(text)


def _title(labels: Labels, headings: list[int]) -> int:
    """Return the block of the heading that is the title of the page, if it is the first to say it, as in a first post.

    Otherwise -1.
    """
    title = titles_of(labels.blocks.page).first_part_in(labels.blocks, headings)
    if title < 0:
        return -1
    said = "\n".join(labels.texts[block] for block in headings[: headings.index(title)]).casefold()
    return -1 if labels.texts[title].casefold() in said else title


def _adverts(blocks: Blocks, found: Posts) -> Bools:
    """Return the blocks, shape (b,), in what looks like a post of an engine, among its posts, but is none."""
    if profiled_posts(blocks) is None:
        return np.zeros(len(blocks), dtype=np.bool_)
    page, signatures, posts = blocks.page, places_of(blocks.page).signatures, [post.node for post in found.posts]
    known = {signatures[post] for post in posts}
    beside = np.isin(page.parent, page.parent[posts]).nonzero()[0].tolist()
    alike = np.array([node for node in beside if signatures[node] in known], dtype=np.intp)
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
        others = [word for word in words_of(rest) if word not in _SMALL]
        words = sum(len(word) if word[0] >= _WIDE else 1 for word in others)
        lines[block] = rest != text and words <= blocks.link_words[block]  # the name of a forum
    return lines


def shown_date(post: FoundPost) -> str:
    """Return the date of a post as the page shows it; if it leaves out the year, which is known, to the minute."""
    if post.date and post.date[:4] not in (post.date_text or ""):
        return post.date[:16].replace("T", " ")
    return (post.date_text or "").strip()


def _first(token: Token) -> int:
    """Return the first text node of a leaf, -1 if it has none."""
    if not token.rows:
        return token.first
    return next((cell.first for row in token.rows for cell in row.cells if cell.first >= 0), -1)
