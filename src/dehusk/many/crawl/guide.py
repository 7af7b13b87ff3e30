"""Crawling along the links that lead to more pages of a site, as a method finds them, such as those in TOC blocks.

A crawler that knows the informative structure of pages follows the links of TOC blocks first (Kao, Ho & Chen, section
5). What the method counts is learned while crawling, from the first 4, 8, … `MOST_LEARNED` pages; until then, each page
is its own site. A page's links therefore depend only on itself and on the pages before it, and a resumed crawl learns
again from what it has stored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from dehusk.base.errors import ChildError
from dehusk.base.processes.child import PAGE_MEMORY, Child
from dehusk.counts.own_counts import DeclaredCounts
from dehusk.label.declaration import FoundLinks
from dehusk.label.registry import link_searches
from dehusk.many.crawl.frontier import Link
from dehusk.many.crawl.reading import stored_pages
from dehusk.many.crawl.scope import parse_link
from dehusk.read import parse
from dehusk.read.page import Page

FEWEST_LEARNED, MOST_LEARNED = 4, 512
"""Pages after which the method learns for the first and the last time; each time, there are twice as many."""
MOST_BYTES = 2_000_000
"""Longer pages are stored and their links followed, but not searched for such links."""
_SECONDS = 60.0  # that a page may take, with the pages before it if the process is new
_PLACES = 1024  # places are told apart by as many numbers, so that their values stay a small table


@dataclass(frozen=True)
class Guidance:
    """What a page says about where to go on."""

    place_of: Mapping[str, int] = field(default_factory=dict)
    """Canonical URL of a link that the method found -> number of its place, from 1."""
    is_article: bool = False
    """Whether the page has more content than such links."""

    def marked(self, links: Iterable[Link]) -> list[Link]:
        """Return links with their places."""
        if not self.place_of:
            return list(links)
        urls = ((link, parse_link(link.url)) for link in links)
        return [link._replace(place=self.place_of.get(url.key, 0)) if url else link for link, url in urls]


NO_GUIDANCE = Guidance()


class LinkGuide:
    """Finds the links of a site's pages that lead on, in the order in which the pages are fetched.

    Args:
        order: the order of the crawl, which names the search (`dehusk.label.declaration.LinkSearch`).
    """

    def __init__(self, order: str) -> None:
        self._search = link_searches()[order]
        self._pages = 0
        self._pending: list[DeclaredCounts] = []
        self._find: Callable[[Page], FoundLinks] | None = None

    @classmethod
    def resumed(cls, folder: Path, order: str, limit: int, *, without: Collection[str] = ()) -> LinkGuide:
        """Return a guide that has read the pages of a job.

        Args:
            folder: the job folder.
            order: the order of the crawl.
            limit: maximum size of a page after decompression in bytes.
            without: URLs of pages that it must not read.
        """
        guide = cls(order)
        readable = (page for page in stored_pages(folder, limit=limit) if page.url not in without)
        pages = (page for page in readable if len(page.data) <= MOST_BYTES)
        for stored in islice(pages, MOST_LEARNED):
            guide._learn(_parsed(stored.url, stored.data, stored.headers.get("content-type", "")))
        return guide

    def read(self, url: str, data: bytes, content_type: str = "") -> Guidance:
        """Learn from a page, and return which of its links lead on.

        Args:
            url: its address.
            data: its body after decompression, at most `MOST_BYTES`.
            content_type: the header that names its encoding.
        """
        page = _parsed(url, data, content_type)
        self._learn(page)
        find = self._find or self._search.fit(self._search.counts.of([page]))
        found = find(page)
        return Guidance(_places(page, found), found.has_content)

    def _learn(self, page: Page) -> None:
        if self._pages >= MOST_LEARNED:
            return
        self._pages += 1
        counts: Any = self._search.counts
        self._pending.append(counts.of([page]))
        is_power_of_2 = self._pages & (self._pages - 1) == 0
        if self._pages >= FEWEST_LEARNED and is_power_of_2:
            self._pending = [counts.total(self._pending)]
            self._find = self._search.fit(self._pending[0])


class GuideProcess:
    """A guide in a child process, which a page may end; another one then reads the stored pages, but for that page.

    Args:
        folder: the job folder.
        order: the order of the crawl.
        limit: maximum size of a page after decompression in bytes.
        deadly: URLs of pages that ended the process before.
    """

    def __init__(self, folder: Path, order: str, limit: int, deadly: Collection[str] = ()) -> None:
        self._deadly = [*deadly]
        self._child: Child[tuple[str, bytes, str], Guidance] = Child(
            _reader, (folder, order, limit, self._deadly), seconds=_SECONDS, memory=PAGE_MEMORY, preload=__name__
        )

    def read(self, url: str, data: bytes, content_type: str = "") -> tuple[Guidance, str]:
        """Return what `LinkGuide.read` does, and why it could not ("" if it could)."""
        if len(data) > MOST_BYTES:
            return NO_GUIDANCE, ""
        try:
            return self._child.work((url, data, content_type)).result, ""
        except ChildError as error:
            self._deadly.append(url)
            self._child.stop()  # the next one begins without this page
            return NO_GUIDANCE, f"not searched for links that lead on: {error}"

    def close(self) -> None:
        """End the process."""
        self._child.stop()


def _reader(given: tuple[Path, str, int, Sequence[str]]) -> Callable[[tuple[str, bytes, str]], Guidance]:
    """Return the function of a child process."""
    folder, order, limit, deadly = given
    guide = LinkGuide.resumed(folder, order, limit, without={*deadly})
    return lambda page: guide.read(*page)


def _parsed(url: str, data: bytes, content_type: str) -> Page:
    return parse(data, url=url, headers={"Content-Type": content_type} if content_type else None)


def _places(page: Page, found: FoundLinks) -> dict[str, int]:
    """Return the canonical URL of each link that leads on, and the number of its place."""
    place_of: dict[str, int] = {}
    for href, place in zip(found.hrefs, found.places, strict=True):
        if key := _canonical(page, href):
            place_of.setdefault(key, place % _PLACES + 1)
    return place_of


def _canonical(page: Page, href: str) -> str:
    try:
        url = parse_link(urljoin(urljoin(page.url or "", page.meta.base or ""), href.strip()))
    except ValueError:
        return ""
    return url.key if url else ""
