"""Crawling along the tables of contents of a site: which links of a page are in its TOC blocks, and what it is worth.

WISDOM's outlook (section 5): a crawler that knows the informative structure of pages follows the links of TOC blocks
first. What WISDOM needs is learned while crawling, from the first 4, 8, … `MOST_LEARNED` pages; until then, each page
is its own site, so that only its structure and the number of words in its links decide. A page's links therefore
depend only on itself and on the pages before it, and a resumed crawl learns again from what it has stored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import urljoin

import numpy as np

from dehusk.crawl.frontier import Link
from dehusk.crawl.reading import stored_pages
from dehusk.crawl.scope import parse_link
from dehusk.errors import ChildError
from dehusk.methods.wisdom import InformativeBlocks, Wisdom, WisdomCounts
from dehusk.methods.wisdom.link_estimates import places
from dehusk.page import Page
from dehusk.processes.child import PAGE_MEMORY, Child
from dehusk.read import parse

FEWEST_LEARNED, MOST_LEARNED = 4, 512
"""Pages after which WISDOM learns for the first and the last time; each time, there are twice as many."""
MOST_BYTES = 2_000_000
"""Longer pages are stored and their links followed, but they are not searched for TOC blocks."""
_SECONDS = 60.0  # that a page may take, with the pages before it if the process is new
_PLACES = 1024  # places are told apart by as many numbers, so that their values stay a small table


@dataclass(frozen=True)
class Guidance:
    """What a page says about where to go on."""

    place_of: Mapping[str, int] = field(default_factory=dict)
    """Canonical URL of a link in a TOC block -> number of its place, from 1."""
    is_article: bool = False
    """Whether the page has more text in article blocks than in the links of TOC blocks."""

    def marked(self, links: Iterable[Link]) -> list[Link]:
        """Return links with their places."""
        if not self.place_of:
            return list(links)
        urls = ((link, parse_link(link.url)) for link in links)
        return [link._replace(place=self.place_of.get(url.key, 0)) if url else link for link, url in urls]


NO_GUIDANCE = Guidance()


class TocGuide:
    """Finds the TOC blocks of a site's pages, in the order in which they are fetched."""

    def __init__(self) -> None:
        self._pages = 0
        self._pending: list[WisdomCounts] = []
        self._wisdom: Wisdom | None = None

    @classmethod
    def resumed(cls, folder: Path, limit: int, *, without: Collection[str] = ()) -> TocGuide:
        """Return a guide that has read the pages of a job.

        Args:
            folder: the job folder.
            limit: maximum size of a page after decompression in bytes.
            without: URLs of pages that it must not read.
        """
        guide = cls()
        readable = (page for page in stored_pages(folder, limit=limit) if page.url not in without)
        pages = (page for page in readable if len(page.data) <= MOST_BYTES)
        for stored in islice(pages, MOST_LEARNED):
            guide._learn(_parsed(stored.url, stored.data, stored.headers.get("content-type", "")))
        return guide

    def read(self, url: str, data: bytes, content_type: str = "") -> Guidance:
        """Learn from a page, and return which of its links are in TOC blocks.

        Args:
            url: its address.
            data: its body after decompression, at most `MOST_BYTES`.
            content_type: the header that names its encoding.
        """
        page = _parsed(url, data, content_type)
        self._learn(page)
        wisdom = self._wisdom or Wisdom().fit([page])
        found = wisdom.blocks(page)
        return Guidance(_places(found), _is_article(found))

    def _learn(self, page: Page) -> None:
        if self._pages >= MOST_LEARNED:
            return
        self._pages += 1
        self._pending.append(Wisdom().count([page]))
        is_power_of_2 = self._pages & (self._pages - 1) == 0
        if self._pages >= FEWEST_LEARNED and is_power_of_2:
            self._pending = [WisdomCounts.total(self._pending)]
            self._wisdom = Wisdom().fit_counts(self._pending[0])


class GuideProcess:
    """A guide in a child process, which a page may end; another one then reads the stored pages, but for that page.

    Args:
        folder: the job folder.
        limit: maximum size of a page after decompression in bytes.
        deadly: URLs of pages that ended the process before.
    """

    def __init__(self, folder: Path, limit: int, deadly: Collection[str] = ()) -> None:
        self._deadly = [*deadly]
        self._child: Child[tuple[str, bytes, str], Guidance] = Child(
            _reader, (folder, limit, self._deadly), seconds=_SECONDS, memory=PAGE_MEMORY, preload=__name__
        )

    def read(self, url: str, data: bytes, content_type: str = "") -> tuple[Guidance, str]:
        """Return what `TocGuide.read` does, and why it could not ("" if it could)."""
        if len(data) > MOST_BYTES:
            return NO_GUIDANCE, ""
        try:
            return self._child.work((url, data, content_type)).result, ""
        except ChildError as error:
            self._deadly.append(url)
            self._child.stop()  # the next one begins without this page
            return NO_GUIDANCE, f"not searched for TOC blocks: {error}"

    def close(self) -> None:
        """End the process."""
        self._child.stop()


def _reader(given: tuple[Path, int, Sequence[str]]) -> Callable[[tuple[str, bytes, str]], Guidance]:
    """Return the function of a child process."""
    folder, limit, deadly = given
    guide = TocGuide.resumed(folder, limit, without={*deadly})
    return lambda page: guide.read(*page)


def _parsed(url: str, data: bytes, content_type: str) -> Page:
    return parse(data, url=url, headers={"Content-Type": content_type} if content_type else None)


def _places(found: InformativeBlocks) -> dict[str, int]:
    """Return the canonical URL of each link in a TOC block, and the number of its place."""
    anchors = found.features.anchors
    page = anchors.page
    inside = np.flatnonzero(found.toc.inside.take(anchors.node) & anchors.in_site)
    numbers = (places(anchors).take(inside) % _PLACES).astype(np.int64) + 1
    hrefs = page.elements.values(anchors.node.take(inside), "href")
    place_of: dict[str, int] = {}
    for href, number in zip(hrefs, numbers.tolist(), strict=True):
        if key := _canonical(page, href or ""):
            place_of.setdefault(key, number)
    return place_of


def _canonical(page: Page, href: str) -> str:
    try:
        url = parse_link(urljoin(urljoin(page.url or "", page.meta.base or ""), href.strip()))
    except ValueError:
        return ""
    return url.key if url else ""


def _is_article(found: InformativeBlocks) -> bool:
    linked = found.article.blocks.linked
    return int((found.article.chars & ~linked).sum()) > int((found.toc.chars & linked).sum())
