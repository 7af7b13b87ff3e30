"""The posts of a page: comments, answers, reviews and messages, each with author, date, address and depth."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from dehusk.about.posts.authors import Name, Names, Region, find_authors, strength
from dehusk.about.posts.bodies import head_lines, post_of_blocks
from dehusk.about.posts.depths import find_depths
from dehusk.about.posts.extents import Extents, posts_around, unlinked_words
from dehusk.about.posts.kinds import REPLIES, find_kinds, is_teaser_list, seems_to_have_posts
from dehusk.about.posts.marks import DateMark, date_marks
from dehusk.about.posts.openings import find_opening, with_opening
from dehusk.about.posts.permalinks import find_permalinks
from dehusk.about.posts.profiles import ProfiledPosts, profiled_permalinks, profiled_posts
from dehusk.base.caching import cached_per_object
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices
from dehusk.blocks.units.marks import footnotes_of, marks_of
from dehusk.read.page import Bools, Page

RUNNING = 6
"""Words outside links that half of the posts have, at least."""
MAX_GROUPS = 12
"""Places of dates that are looked at, those with most dates; each takes time proportional to the page."""
MIN_STRENGTH = 1.0
"""Points that authors have on average if the markup does not name posts; see `strength`."""
LONG_BLOCK = 12
"""Words outside links of a block of running text."""
SURE_NAMED, SURE_DATED = 0.85, 0.9
"""Share of the posts with an author, and of those with a date that markup or a time of day marks, from which posts are
sure. Set by hand on 150 pages of wcxb-dev and magic-forum-a; so are the next three."""
SURE_STRENGTH, UNNAMED_STRENGTH, UNDATED_STRENGTH = 2.5, 3.0, 6.0
"""Points of the authors of sure posts that markup names, of others, and of those that it names, with other dates."""


@dataclass(frozen=True)
class FoundPost:
    """A post: its place on the page, and what the page says about it."""

    first: int
    end: int
    """Its first block, and one past the last."""
    node: int
    """Node of its element; of a post of several siblings the first."""
    author: str | None
    author_link: str | None
    """The address that the author's name links to, as written."""
    date: str | None
    """ISO 8601, to the day, minute or second."""
    date_text: str | None
    """The date as the page shows it."""
    depth: int
    kind: str | None
    is_signed: bool = False
    """Whether a block of its text names the author too, as short comments do that end with a name."""


@dataclass(frozen=True, eq=False)
class Posts:
    """The p posts of a page with b blocks, in document order."""

    posts: tuple[FoundPost, ...]
    post_of: Indices
    """(b,) post of each block, -1 outside posts."""
    is_line: Bools
    """(b,) whether each block is a line of names, dates, links or buttons of a post, not part of its text."""
    is_sure: bool = False
    """Whether the markup names posts and authors: that of a known engine, or classes, microdata and links."""
    regions: tuple[Region, ...] = ()
    """(p,) where the links of each post are; empty for posts that an engine's profile finds, or names alone."""

    def __len__(self) -> int:
        return len(self.posts)


@dataclass(frozen=True, eq=False)
class _List:
    """Posts found by the dates at one place of the page."""

    around: Extents
    marks: list[DateMark]
    regions: list[Region]
    authors: list[Name | None]
    score: float


@cached_per_object
def find_posts(blocks: Blocks) -> Posts:
    """Return the posts of a page; none for pages without dated or signed texts of several writers."""
    none = Posts((), np.full(len(blocks), -1), np.zeros(len(blocks), dtype=np.bool_))
    if not len(blocks):
        return none
    profiled = profiled_posts(blocks)
    if profiled is not None:
        return _by_profile(blocks, profiled)
    groups = date_marks(blocks)
    names = cache(lambda: Names(blocks))  # they take long, and most pages have no place with dates and texts
    found = max(_lists(blocks, names, groups), key=lambda one: one.score, default=None)
    if found is None:
        return none
    marks = {mark.node: mark for group in groups for mark in group}
    return _resolved(blocks, _opened(names(), found, [marks[node] for node in sorted(marks)]))


def permalinks_of(blocks: Blocks, found: Posts) -> list[str | None]:
    """Return the address of each of some posts of a page as written; finding them takes long, and few ask for them."""
    if found.regions:
        return find_permalinks(blocks, found.regions, [post.node for post in found.posts])
    profiled = profiled_posts(blocks)
    return [None] * len(found) if profiled is None else profiled_permalinks(blocks.page, profiled)


def says_authors(blocks: Blocks, kept: Indices) -> bool:
    """Return whether the markup is sure who wrote the posts that some kept blocks are in; most pages have none."""
    if profiled_posts(blocks) is None and not seems_to_have_posts(blocks, kept):
        return False  # finding posts takes long
    return find_posts(blocks).is_sure


def _by_profile(blocks: Blocks, profiled: ProfiledPosts) -> Posts:
    """Return the posts that the profile of an engine finds; their lines are what is outside their texts."""
    around = profiled.around
    depths = profiled.depths if any(profiled.depths) else find_depths(blocks, around)
    rows = zip(
        *(column.tolist() for column in (around.first, around.end, around.root)),
        profiled.authors,
        profiled.author_links,
        profiled.dates,
        depths,
        profiled.posts.kinds,
        profiled.is_signed,
        strict=True,
    )
    posts = tuple(
        FoundPost(first, end, root, author, link, date and date.date.value, date and date.text, depth, *rest)
        for first, end, root, author, link, date, depth, *rest in rows
    )
    post_of = post_of_blocks(blocks, around.first, around.end)
    return Posts(posts, post_of, (post_of >= 0) & ~profiled.in_body, is_sure=True)


def _opened(names: Names, found: _List, marks: list[DateMark]) -> _List:
    """Return a list of posts with the post before it that they reply to, if there is one."""
    opening = find_opening(names, found.around, marks, found.authors[0])
    if opening is None:
        return found
    root, stop, mark, author = opening
    blocks = names.blocks
    around = with_opening(blocks, found.around, root, stop, mark.node)
    listed = [mark, *found.marks]
    regions = list(_regions(blocks, around, listed))
    return _List(around, listed, regions, [author, *found.authors], found.score)


def _lists(blocks: Blocks, names: Callable[[], Names], groups: list[list[DateMark]]) -> Iterator[_List]:
    words = np.append(0, np.cumsum(unlinked_words(blocks)))
    for marks in sorted(groups, key=len, reverse=True)[:MAX_GROUPS]:
        if len(marks) < 2:
            continue
        around = posts_around(blocks, np.array([mark.node for mark in marks], dtype=np.intp))
        text = words[around.end] - words[around.first]
        if not len(text) or (text >= RUNNING).mean() < 0.5 or _are_notes(blocks.page, around):
            continue
        regions = list(_regions(blocks, around, marks))
        authors = find_authors(names(), regions)
        share = sum(author is not None for author in authors) / len(authors)
        kind = find_kinds(blocks.page, around)
        if share < 0.5 or (kind not in REPLIES and strength(authors) < _needed(marks, kind)):
            continue
        if kind not in REPLIES and is_teaser_list(blocks, regions, authors):
            continue
        yield _List(around, marks, regions, authors, float(text.sum()) * share * _quality(marks, authors))


def _are_notes(page: Page, around: Extents) -> bool:
    """Return whether most of some extents are footnotes, as references with dates are."""
    if not marks_of(page).references:
        return False
    notes = np.array(sorted(footnotes_of(page).notes), dtype=np.intp)
    return len(notes) > 0 and bool((page.within_at(notes, around.root) > 0).mean() > 0.5)


def _needed(marks: list[DateMark], kind: str | None) -> float:
    """Return the strength that authors need: more if dates are days in texts, as in articles and lists of events."""
    return MIN_STRENGTH + 0.5 * (_exact(marks) < 0.5) - 0.5 * (kind is not None)


def _exact(marks: list[DateMark]) -> float:
    """Return the share of dates that markup says to be dates, or that have a time of day."""
    return sum(mark.declared or bool(mark.date.time) for mark in marks) / len(marks)


def _is_sure(found: _List, kind: str | None) -> bool:
    """Return whether the markup says of nearly all posts who wrote them, and what they are or of when."""
    points, is_dated = strength(found.authors), _exact(found.marks) >= SURE_DATED
    if sum(author is not None for author in found.authors) < SURE_NAMED * len(found.authors):
        return False
    needed = SURE_STRENGTH if kind is not None else UNNAMED_STRENGTH
    return bool((is_dated and points >= needed) or (kind is not None and points >= UNDATED_STRENGTH))


def _resolved(blocks: Blocks, found: _List) -> Posts:
    page, around = blocks.page, found.around
    depths, kind = find_depths(blocks, around), find_kinds(page, around)
    posts = tuple(
        FoundPost(
            first=first,
            end=end,
            node=node,
            author=author.text if author else None,
            author_link=author.link if author else None,
            date=mark.date.value,
            date_text=mark.text,
            depth=depth,
            kind=kind,
        )
        for first, end, node, author, mark, depth in zip(
            *(column.tolist() for column in (around.first, around.end, around.root)),
            found.authors,
            found.marks,
            depths,
            strict=True,
        )
    )
    post_of = post_of_blocks(blocks, around.first, around.end)
    spans = [(mark.start, mark.end) for mark in found.marks]
    spans += [(author.start, author.end) for author in found.authors if author]
    lines = head_lines(blocks, post_of, around.root, spans)
    return Posts(posts, post_of, lines, is_sure=_is_sure(found, kind), regions=tuple(found.regions))


def _quality(marks: list[DateMark], authors: list[Name | None]) -> float:
    """Return how likely dates are those of the posts: in order, with time of day, not the same for each author."""
    n = len(marks)
    values = [mark.date.value or "" for mark in marks]
    timed = sum(bool(mark.date.time) or "T" in (mark.date.value or "") for mark in marks) / n
    valued = sum(map(bool, values)) / n
    steps = [(a <= b, a >= b) for a, b in itertools.pairwise(values) if a and b]
    order = max(sum(up for up, _ in steps), sum(down for _, down in steps)) / len(steps) if steps else 0.5
    shown = sum(mark.end > mark.start for mark in marks) / n
    declared = sum(mark.declared for mark in marks) / n
    fixed = _is_fixed(marks, authors)
    return 1 + timed + valued + 2 * (order > 0.9) + 0.5 * shown + 0.5 * declared - 3 * fixed * (0.1 if n < 4 else 1)


def _is_fixed(marks: list[DateMark], authors: list[Name | None]) -> bool:
    """Return whether all posts of an author have the same date, as that of his first visit."""
    dates: dict[str, set[str]] = {}
    named = [(author.text.casefold(), mark.text) for author, mark in zip(authors, marks, strict=True) if author]
    for author, date in named:
        dates.setdefault(author, set()).add(date)
    differ = len({date for _, date in named}) > 1
    return differ and len(dates) < len(named) and all(len(texts) == 1 for texts in dates.values())


def _regions(blocks: Blocks, around: Extents, marks: list[DateMark]) -> Iterator[Region]:
    running = unlinked_words(blocks) >= LONG_BLOCK
    columns = (around.first, around.end, around.root, around.stop)
    for first, end, root, stop, mark in zip(*(column.tolist() for column in columns), marks, strict=True):
        inside = np.flatnonzero(running[first:end])
        body = int(blocks.start[first + int(inside[0])]) if len(inside) else int(blocks.end[end - 1]) if end else 0
        yield Region(root, stop, mark.node, body, len(inside) > 0, mark.end)
