"""Posts of engines whose markup says who wrote what, by profiles: one small file each in the folder `engines`.

A profile speaks of structure, never of a host. It names by CSS selectors which elements are posts, and where in a post
its author, its date, its text and its address are. Each field is a list of selectors; the first that finds something in
a post counts, and the others are for other versions of the engine. `li.message@data-author` is the value of an
attribute. A field that finds nothing stays empty: no author is better than a wrong one. Pages on which a profile finds
texts or authors in less than half of the posts are read in the general way (`finding`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from dehusk.about.posts.authors import LONG_NAME, MAX_NAME, clean_name
from dehusk.about.posts.extents import Extents, block_at
from dehusk.about.posts.marks import DateMark, declared_dates, text_range
from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices
from dehusk.read.names import NameWords
from dehusk.read.page import Bools, Page

FOUND = 0.5
"""Share of the elements of posts that have a text, and of those with a text that have an author, at least."""
_FIELDS = ("author", "date", "body", "permalink")
_CLASS, _QUOTED = pattern(r"\.([\w-]+)"), pattern("'[^']*'")
Place = tuple[int, str]
"""An element that holds a field, and the attribute that has its value; "" if it is the text."""


@dataclass(frozen=True)
class PostRule:
    """Which elements are posts of one kind, and where their fields are."""

    kind: str
    root: str
    fields: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Profile:
    """How an engine writes its threads."""

    name: str
    signs: frozenset[str]
    """Classes, or names of elements of its own, of which a page of the engine has at least one."""
    rules: tuple[PostRule, ...]


@dataclass(frozen=True, eq=False)
class ProfiledPosts:
    """The p posts that a profile finds, in document order."""

    profile: Profile
    roots: Indices
    """The elements that may be posts, more than p if some have no text."""
    around: Extents
    kinds: list[str]
    authors: list[str | None]
    author_links: list[str | None]
    dates: list[DateMark | None]
    depths: list[int]
    """How many of the other posts each is inside."""
    is_signed: list[bool]
    """Whether a block of the text of each has its author's name, too."""
    in_body: Bools
    """(b,) which blocks have a part of the text of a post."""


class _Signature(NamedTuple):
    """An author's name, the address that it links to, and its block; -1 if it is in none."""

    name: str | None = None
    link: str | None = None
    block: int = -1


@cache
def known_profiles() -> tuple[Profile, ...]:
    """Return the profiles, by name."""
    folder = files("dehusk.about.posts").joinpath("engines")
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=lambda path: path.name)
    return tuple(_profile(tomllib.loads(path.read_text("utf-8"))) for path in paths)


@cache
def _signs() -> NameWords:
    """Return the signs of all profiles: few pages have one of them."""
    return NameWords(" ".join(sign.lower() for profile in known_profiles() for sign in sorted(profile.signs)))


def _profile(table: dict[str, Any]) -> Profile:
    rules = (
        PostRule(one["kind"], one["root"], {name: tuple(one.get(name, ())) for name in _FIELDS})
        for one in table["posts"]
    )
    return Profile(table["name"], frozenset(table["signs"]), tuple(rules))


@cached_per_object
def profiled_posts(blocks: Blocks) -> ProfiledPosts | None:
    """Return the posts of a page by the profile of its engine; None if it has none, or the page does not fit it."""
    classes = blocks.page.classes
    named = (classes.values[code] for code in classes.having(_signs()))
    names = frozenset(" ".join(named).split()).union(blocks.page.extra_tags)
    for profile in known_profiles() if names else ():
        if not profile.signs.isdisjoint(names) and (found := _read(blocks, profile)) is not None:
            return found
    return None


def _read(blocks: Blocks, profile: Profile) -> ProfiledPosts | None:
    """Return the posts of a page by a profile, None if it fits less than half of them."""
    page = blocks.page
    rows = _selected(page, {rule.root for rule in profile.rules})
    kind_of = {node: rule.kind for rule in profile.rules for node in rows[rule.root] if node > 0}
    if not kind_of:
        return None  # as on pages without comments whose style names them
    roots = np.array(sorted(kind_of), dtype=np.intp)
    bodies = _field(page, profile, rows, roots, "body")
    if not bodies or len(bodies) < FOUND * len(roots):
        return None
    chosen, authors = sorted(bodies), _field(page, profile, rows, roots, "author")
    signatures = [_signature(blocks, _all(authors, index)) for index in chosen]
    if sum(one.name is not None for one in signatures) < FOUND * len(chosen):
        return None
    own, dates = roots[chosen], _field(page, profile, rows, roots, "date")
    in_body = _with_text(blocks, [node for index in chosen for node, _ in bodies[index][0]])
    return ProfiledPosts(
        profile=profile,
        roots=roots,
        around=_extents(blocks, own),
        kinds=[kind_of[node] for node in own.tolist()],
        authors=[one.name for one in signatures],
        author_links=[one.link for one in signatures],
        dates=declared_dates(blocks, [[node for node, _ in _all(dates, index)] for index in chosen]),
        depths=[depth - 1 for depth in page.within(own)[own].tolist()],
        is_signed=[one.block >= 0 and bool(in_body[one.block]) for one in signatures],
        in_body=in_body,
    )


def profiled_permalinks(page: Page, posts: ProfiledPosts) -> list[str | None]:
    """Return the address of each of the posts that a profile finds, as written, or "#" and its id."""
    rows = _selected(page, {rule.root for rule in posts.profile.rules})
    fields, own = _field(page, posts.profile, rows, posts.roots, "permalink"), posts.around.root
    chosen = zip(own.tolist(), posts.roots.searchsorted(own).tolist(), strict=True)
    return [_address(page, root, _all(fields, index)) for root, index in chosen]


def _selected(page: Page, selectors: set[str]) -> dict[str, list[int]]:
    """Return selector -> the nodes that it finds; the page is not searched for classes that it has not."""
    elements, names = page.elements, _words_of_classes(page)
    found = {one: elements.select(one, contents=False) if _may_find(one, names) else [] for one in selectors}
    return {one: elements.rows_of(selected).tolist() for one, selected in found.items()}


@cached_per_object
def _words_of_classes(page: Page) -> frozenset[str]:
    return frozenset(" ".join(page.class_names).lower().split())


def _may_find(selector: str, classes: frozenset[str]) -> bool:
    """Return whether a page with some classes, in lower case, may have what a selector finds."""
    if ":not(" in selector:
        return True
    return any(classes.issuperset(_CLASS.findall(part)) for part in _QUOTED.sub("", selector.lower()).split(","))


def _split(place: str) -> tuple[str, str]:
    """Return the selector of a place and its attribute, "" for the text."""
    selector, _, attribute = place.partition("@")
    return selector, attribute


def _field(
    page: Page, profile: Profile, rows: dict[str, list[int]], roots: Indices, name: str
) -> dict[int, list[list[Place]]]:
    """Return index in `roots` -> where a field may be in the post: a list for each selector that finds something."""
    found: dict[int, list[list[Place]]] = {}
    rows = rows | _selected(page, {_split(one)[0] for rule in profile.rules for one in rule.fields[name]})
    for rule in profile.rules:
        of_rule = frozenset(rows[rule.root])
        for selector, attribute in map(_split, rule.fields[name]):
            places: dict[int, list[Place]] = {}
            for node in rows[selector]:
                index = _innermost(page, roots, node)
                if index >= 0 and int(roots[index]) in of_rule:
                    places.setdefault(index, []).append((node, attribute))
            for index, one in places.items():
                found.setdefault(index, []).append(one)
    return found


def _all(fields: dict[int, list[list[Place]]], index: int) -> list[Place]:
    """Return all places of a field in a post, the likeliest first."""
    return [place for places in fields.get(index, ()) for place in places]


def _with_text(blocks: Blocks, nodes: Sequence[int]) -> Bools:
    """Return which blocks, shape (b,), have text of some elements."""
    has_text = np.zeros(len(blocks), dtype=np.bool_)
    for start, end in (text_range(blocks, node) for node in nodes):
        if end > start:
            has_text[blocks.block_of[start] : blocks.block_of[end - 1] + 1] = True
    return has_text


def _innermost(page: Page, roots: Indices, node: int) -> int:
    """Return the index of the innermost of some elements that contains a node, -1 for none."""
    index = int(roots.searchsorted(node, "right")) - 1
    while index >= 0 and page.end[roots[index]] <= node:
        parent = int(page.parent[roots[index]])
        index = int(roots.searchsorted(parent, "right")) - 1 if parent > 0 else -1
    return index


def _signature(blocks: Blocks, places: Sequence[Place]) -> _Signature:
    """Return what the first of some places says that has a name."""
    page = blocks.page
    for node, attribute in places:
        start, end = text_range(blocks, node)
        said = (page.attribute(node, attribute) or "") if attribute else blocks.text[start:end]
        text = clean_name(said[:LONG_NAME])
        if text and len(text) <= MAX_NAME:
            if attribute:
                return _Signature(text)
            link = next(filter(None, (page.attribute(one, "href") for one in _around(page, node))), None)
            return _Signature(text, link, int(blocks.block_of[start]))
    return _Signature()


def _around(page: Page, node: int) -> Iterator[int]:
    """Yield an element, those inside it if they are few, and the one around it."""
    yield node
    yield from range(node + 1, min(int(page.end[node]), node + 4))
    if page.parent[node] > 0:
        yield int(page.parent[node])


def _address(page: Page, root: int, places: Sequence[Place]) -> str | None:
    """Return the address in the first of some links that has one, else "#" and the id of the post."""
    for node, attribute in [*places, (root, "id")]:
        value = (page.attribute(node, attribute or "href") or "").strip()
        if value and (attribute != "id" or " " not in value):
            return f"#{value}" if attribute == "id" else value
    return None


def _extents(blocks: Blocks, roots: Indices) -> Extents:
    """Return where posts start and end: one ends where a reply inside it starts."""
    page = blocks.page
    stop = np.minimum(page.end[roots].astype(np.intp), np.append(roots[1:], len(page)))
    first = block_at(blocks, roots)
    return Extents(roots, roots, roots, first, np.maximum(block_at(blocks, stop), first), stop)
