"""Which elements of a page are posts, and where their fields are, by profiles of engines: one file each in `engines`.

A profile speaks of structure, never of a host. It names by CSS selectors which elements are posts, and where in a post
its author, its date, its text and its address are. Each field is a list of selectors; the first that finds something in
a post counts, and the others are for other versions of the engine. `li.message@data-author` is the value of an
attribute. `dehusk.about.posts.profiles` reads who wrote the posts, and the labeller keeps threads whole by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices
from dehusk.read.names import NameWords
from dehusk.read.page import Bools, Page

FOUND = 0.5
"""Share of the elements of posts that have a text, at least."""
_FIELDS = ("author", "date", "body", "permalink")
_CLASS, _QUOTED = pattern(r"\.([\w-]+)"), pattern("'[^']*'")
_SIGNS = NameWords(
    "a-profile-name activity-comment author_information b-post bigusername blockpost boardcomment comment-author "
    "comment-block comment-callout commentthread_comment comtr crawler-post css-175oi2r detailed-status "
    "dsq-comment-message dw-p-by dwqa-answer-item dwqa-question-item email-author field--name-comment-body "
    "field-name-comment-body forum_op ipscomment_author itemcomment itemdiscussion message-name messagecard "
    "messageuserinfo nodebb note-wrapper person-listing post-message-container post-signature post_block "
    "post_wrapper postbit postbitim postbitlegacy postprofile shreddit-comment shreddit-post "
    "spacing_log_answer_header sptopicpostsection status__wrapper subjecttable tagline timeline-comment "
    "topic-owner-post wpd-comment"
)
"""The signs of all profiles, in lower case: few pages have one of them, and reading all profiles takes 8 ms."""
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
class EnginePosts:
    """The p posts with a text that a profile finds, in document order."""

    profile: Profile
    found: dict[str, list[int]]
    """Selector of posts -> the nodes that it finds."""
    roots: Indices
    """The elements that may be posts, more than p if some have no text."""
    own: Indices
    """(p,) the element of each post."""
    kinds: list[str]
    bodies: list[list[int]]
    """(p,) the elements that hold the text of each."""


@cache
def known_profiles() -> tuple[Profile, ...]:
    """Return the profiles, by name."""
    import tomllib  # noqa: PLC0415 (few pages have a sign of an engine)
    from importlib.resources import files  # noqa: PLC0415

    folder = files("dehusk.blocks").joinpath("engines")
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=lambda path: path.name)
    return tuple(_profile(tomllib.loads(path.read_text("utf-8"))) for path in paths)


def _profile(table: dict[str, Any]) -> Profile:
    rules = (
        PostRule(one["kind"], one["root"], {name: tuple(one.get(name, ())) for name in _FIELDS})
        for one in table["posts"]
    )
    return Profile(table["name"], frozenset(table["signs"]), tuple(rules))


@cached_per_object
def engine_posts(page: Page) -> tuple[EnginePosts, ...]:
    """Return the posts of a page by each profile of which it has a sign and that finds a text in half of the posts."""
    classes = page.classes
    named = (classes.values[code] for code in classes.having(_SIGNS))
    names = frozenset(" ".join(named).split()).union(page.extra_tags)
    likely = [profile for profile in known_profiles() if not profile.signs.isdisjoint(names)] if names else []
    return tuple(filter(None, (_posts(page, profile) for profile in likely)))


def _posts(page: Page, profile: Profile) -> EnginePosts | None:
    """Return the posts of a page by a profile, None if less than half of them have a text."""
    rows = _selected(page, {rule.root for rule in profile.rules})
    kind_of = {node: rule.kind for rule in profile.rules for node in rows[rule.root] if node > 0}
    if not kind_of:
        return None  # as on pages without comments whose style names them
    roots = np.array(sorted(kind_of), dtype=np.intp)
    bodies = _field(page, profile, rows, roots, "body")
    if not bodies or len(bodies) < FOUND * len(roots):
        return None
    chosen = sorted(bodies)
    own = roots[chosen]
    texts = [[node for node, _ in bodies[index][0]] for index in chosen]
    return EnginePosts(profile, rows, roots, own, [kind_of[node] for node in own.tolist()], texts)


def places_of_field(page: Page, posts: EnginePosts, name: str) -> list[list[Place]]:
    """Return where a field of each post of a page may be, the likeliest first."""
    found = _field(page, posts.profile, posts.found, posts.roots, name)
    chosen = posts.roots.searchsorted(posts.own).tolist()
    return [[place for places in found.get(index, ()) for place in places] for index in chosen]


def with_text(blocks: Blocks, nodes: Sequence[int]) -> Bools:
    """Return which blocks, shape (b,), have text of some elements."""
    has_text = np.zeros(len(blocks), dtype=np.bool_)
    for node in nodes:
        has_text[blocks_of_text(blocks, node)] = True
    return has_text


def blocks_of_text(blocks: Blocks, node: int) -> slice:
    """Return the blocks that have text of an element."""
    start, end = text_range(blocks, node)
    return slice(int(blocks.block_of[start]), int(blocks.block_of[end - 1]) + 1) if end > start else slice(0, 0)


def text_range(blocks: Blocks, node: int) -> tuple[int, int]:
    """Return where the text of a node starts and ends in `Blocks.text`."""
    page = blocks.page
    bounds = blocks.source.searchsorted([page.text_start[node], page.text_end[node]])
    return int(bounds[0]), int(bounds[1])


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
            in_post: dict[int, list[Place]] = {}
            for node in rows[selector]:
                index = _innermost(page, roots, node)
                if index >= 0 and int(roots[index]) in of_rule:
                    in_post.setdefault(index, []).append((node, attribute))
            for index, one in in_post.items():
                found.setdefault(index, []).append(one)
    return found


def _innermost(page: Page, roots: Indices, node: int) -> int:
    """Return the index of the innermost of some elements that contains a node, -1 for none."""
    index = int(roots.searchsorted(node, "right")) - 1
    while index >= 0 and page.end[roots[index]] <= node:
        parent = int(page.parent[roots[index]])
        index = int(roots.searchsorted(parent, "right")) - 1 if parent > 0 else -1
    return index
