"""Who wrote the posts of engines whose markup says so, by the profiles of `dehusk.blocks.post_profiles`.

A field that finds nothing stays empty: no author is better than a wrong one. Pages on which a profile finds authors in
less than half of the posts with a text are read in the general way (`finding`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dehusk.about.posts.authors import LONG_NAME, MAX_NAME, clean_name
from dehusk.about.posts.extents import Extents, block_at
from dehusk.about.posts.marks import DateMark, declared_dates
from dehusk.base.caching import cached_per_object
from dehusk.blocks import Blocks
from dehusk.blocks.post_profiles import EnginePosts, Place, engine_posts, places_of_field, text_range, with_text
from dehusk.blocks.units.keys import Indices
from dehusk.read.page import Bools, Page

SIGNED = 0.5
"""Share of the posts with a text that have an author, at least."""


@dataclass(frozen=True, eq=False)
class ProfiledPosts:
    """The p posts that a profile finds, in document order."""

    posts: EnginePosts
    around: Extents
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


@cached_per_object
def profiled_posts(blocks: Blocks) -> ProfiledPosts | None:
    """Return the posts of a page by the profile of its engine; None if it has none, or the page does not fit it."""
    return next(filter(None, (_read(blocks, posts) for posts in engine_posts(blocks.page))), None)


def _read(blocks: Blocks, posts: EnginePosts) -> ProfiledPosts | None:
    """Return who wrote some posts, and when; None if less than half of them have an author."""
    page = blocks.page
    signatures = [_signature(blocks, places) for places in places_of_field(page, posts, "author")]
    if sum(one.name is not None for one in signatures) < SIGNED * len(signatures):
        return None
    dates = ([node for node, _ in places] for places in places_of_field(page, posts, "date"))
    in_body = with_text(blocks, [node for nodes in posts.bodies for node in nodes])
    return ProfiledPosts(
        posts=posts,
        around=_extents(blocks, posts.own),
        authors=[one.name for one in signatures],
        author_links=[one.link for one in signatures],
        dates=declared_dates(blocks, list(dates)),
        depths=[depth - 1 for depth in page.within(posts.own)[posts.own].tolist()],
        is_signed=[one.block >= 0 and bool(in_body[one.block]) for one in signatures],
        in_body=in_body,
    )


def profiled_permalinks(page: Page, found: ProfiledPosts) -> list[str | None]:
    """Return the address of each of the posts that a profile finds, as written, or "#" and its id."""
    places = places_of_field(page, found.posts, "permalink")
    return [_address(page, root, one) for root, one in zip(found.around.root.tolist(), places, strict=True)]


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
