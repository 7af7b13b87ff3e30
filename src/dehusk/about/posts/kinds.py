"""What kind of posts a list holds, and whether it is a list of teasers instead."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from dehusk.about.dates import read_dates
from dehusk.about.posts.authors import ACTION, PROFILE, Name, Region
from dehusk.about.posts.extents import Extents
from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, TAG_NUMBER, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.post_profiles import text_range
from dehusk.blocks.units.keys import Indices
from dehusk.read.names import NameWords
from dehusk.read.page import Bools, Page

_TYPES = {
    "comment": "comment",
    "usercomments": "comment",
    "answer": "answer",
    "question": "question",
    "review": "review",
    "userreview": "review",
    "criticreview": "review",
    "discussionforumposting": "post",
    "socialmediaposting": "post",
}
_NAMES = pattern(
    r"(?:^|[-_\s])(?:(comment|cmt|comm|commentaire|kommentare?|comentario|komentarz?e?|reactie)s?"
    r"|(answer|antwort|antworten|respuesta)s?|(review)s?"
    r"|(post|posting|message|msg|reply|response|topic-reply)s?)(?:$|[-_\s\d])",
    re.IGNORECASE,
)
_WORDS = NameWords("comm cmt answer review post message msg reply response mentar reactie antwort respuesta")
"""One of them is in all that `_NAMES` matches, in small letters."""
_KINDS = ("comment", "answer", "review", "post")
_CAMEL = pattern(r"([a-z])([A-Z])")
_HEADING = numbers(HEADINGS)
REPLIES = ("comment", "answer", "review")
"""Kinds that teasers are never named."""
_ANCHOR = np.array([TAG_NUMBER["a"]], dtype=np.uint16)
_RECENT = 8_192  # names of classes and ids that are remembered: they recur from page to page
TITLE_WORDS = 3
"""Words of the link that a teaser starts with, at least."""
MIN_NAMED = 3
"""Elements of one class with a text of their own that are named as posts, on a page that seems to have posts."""


def find_kinds(page: Page, around: Extents) -> str | None:
    """Return the kind that the markup of most posts names: comment, answer, review, question or post; else None."""
    declared = _declared_types(page)
    counts = Counter(
        kind
        for node, outer in zip(around.root.tolist(), around.outer.tolist(), strict=True)
        if (kind := _kind(page, node, outer, declared))
    )
    kind, count = counts.most_common(1)[0] if counts else ("", 0)
    return kind if 2 * count >= len(around.root) else None


def seems_to_have_posts(blocks: Blocks, kept: Indices) -> bool:
    """Return whether kept blocks are in some elements that one class, or their ids, name as posts: a fast look.

    Args:
        blocks: the blocks of a page.
        kept: the kept blocks, in document order.
    """
    page, first = blocks.page, blocks.first[kept]
    for names, codes in ((page.classes, page.class_code), (page.ids, page.id_code)):
        is_post = np.zeros(len(names.values), dtype=np.bool_)
        is_post[[code for code in names.having(_WORDS) if kind_of_name(names.values[code])]] = True
        nodes = is_post[codes].nonzero()[0] if is_post.any() else codes[:0]
        if len(nodes) < MIN_NAMED:
            continue
        start, end = first.searchsorted(nodes), first.searchsorted(page.end[nodes])
        group = codes[nodes] if codes is page.class_code else np.zeros(len(nodes), dtype=np.intp)
        has_kept = end > start
        own = set(zip(group[has_kept].tolist(), start[has_kept].tolist(), strict=True))  # a class and a first block
        if max(Counter(code for code, _ in own).values(), default=0) >= MIN_NAMED:
            return True
    return False


@lru_cache(_RECENT)
def kind_of_name(name: str) -> str | None:
    """Return the kind of posts that a class or an id names; None if it names none."""
    match = _NAMES.search(_CAMEL.sub(r"\1-\2", name))
    return match and next(kind for kind, group in zip(_KINDS, match.groups(), strict=True) if group)


@cached_per_object
def _declared_types(page: Page) -> dict[int, str]:
    elements = page.elements.select("[itemtype]", contents=False)
    rows = page.elements.rows_of(elements).tolist()
    types = (
        (row, (element.attr("itemtype") or "").rstrip("/").rpartition("/")[2].lower())
        for row, element in zip(rows, elements, strict=True)
    )
    return {row: _TYPES[name] for row, name in types if row > 0 and name in _TYPES}


def _kind(page: Page, root: int, outer: int, declared: dict[int, str]) -> str | None:
    named = None
    for node in _levels(page, root, outer):
        if node in declared:
            return declared[node]
        names = f"{page.class_names[int(page.class_code[node])]} {page.id_names[int(page.id_code[node])]}"
        named = named or kind_of_name(names)
    return named


def _levels(page: Page, root: int, outer: int) -> Iterator[int]:
    """Yield an element of a post and those around it that are its own, and the next one."""
    yield root
    node = root
    for _ in range(4):
        if node <= outer and node != root:
            return
        node = int(page.parent[node])
        if node <= 0:
            return
        yield node


def is_teaser_list(blocks: Blocks, regions: list[Region], authors: list[Name | None]) -> bool:
    """Return whether most entries have a title that leads to another page."""
    headings = blocks.page.within(blocks.page.nodes_of(_HEADING)) > 0
    pairs = zip(regions, authors, strict=True)
    teasers = sum(_is_teaser(blocks, headings, region, author) for region, author in pairs)
    return 2 * teasers > len(regions)


def _is_teaser(blocks: Blocks, headings: Bools, region: Region, author: Name | None) -> bool:
    """Return whether an entry has a link to another page in or around a heading, twice, or of several words."""
    page = blocks.page
    seen: set[str] = set()
    links = page.nodes_of(_ANCHOR)
    low, high = links.searchsorted([region.first, region.stop])
    head = region.body_start if region.is_long else max(region.date_end, author.end if author else 0)
    for node in links[low:high].tolist():
        href = (page.attribute(node, "href") or "").strip()
        own = author is not None and author.link == href
        if own or not _leads_away(page, href) or node <= region.date_node < page.end[node]:
            continue
        start, end = text_range(blocks, node)
        text = blocks.text[start:end]
        is_title = href in seen or (len(text.split()) >= TITLE_WORDS and not read_dates(text))
        if (text and headings[node : page.end[node]].any()) or (is_title and start <= head):
            return True
        seen.add(href)
    return False


def _leads_away(page: Page, href: str) -> bool:
    """Return whether a link leads to another page, neither to a part of this one nor to a person or an action."""
    if not href or "#" in href or ACTION.search(href) or PROFILE.search(href):
        return False
    own, path = _path(page.url or ""), _path(href)
    return len(own) < 2 or not path.startswith(own)


def _path(address: str) -> str:
    """Return the path of an address, and its query."""
    address = address.partition("#")[0]
    return "/" + address.partition("//")[2].partition("/")[2] if "//" in address else address.removeprefix(".")
