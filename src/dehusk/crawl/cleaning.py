"""From the pages of a crawl to clean records and to WISDOM's article and TOC blocks."""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urljoin

import numpy as np

from dehusk.clean import Document, clean
from dehusk.crawl.archive import Stored, stored_pages
from dehusk.crawl.plan import host_of
from dehusk.errors import InputError, Status
from dehusk.methods import PageMethod, load_method
from dehusk.methods.wisdom import BlockSet, Wisdom
from dehusk.page import Page
from dehusk.read import Limits, parse
from dehusk.site.model import Site
from dehusk.tags import numbers
from dehusk.write.json import dumps

CLEAN, WISDOM = "clean.jsonl", "wisdom.jsonl"
_ANCHOR = numbers("a")
_READ = (Status.OK, Status.NO_CONTENT, Status.TRUNCATED)
_FINE = (Status.OK, Status.NO_CONTENT)


@dataclass
class Cleaned:
    """What came of the pages of a job."""

    statuses: dict[str, int] = field(default_factory=dict)
    """Status -> pages."""
    extracted: int = 0
    """Pages of which something was kept."""
    warnings: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code: 0 all pages well, 1 some failed, 3 nothing extracted."""
        if any(count for status, count in self.statuses.items() if status not in _FINE):
            return 1
        return 0 if self.extracted else 3


@dataclass(frozen=True)
class Learned:
    """What the pages of one host said together."""

    site: Site
    wisdom: Wisdom


def clean_crawl(
    folder: str | Path,
    *,
    form: str = "text",
    limits: Limits | None = None,
    tell: Callable[[int], None] | None = None,
    **options: Any,
) -> Cleaned:
    """Learn each host of a crawl from its pages and clean them all by it.

    Writes `clean.jsonl`, a line of JSON a page as `dehusk clean` writes them for several pages, and `wisdom.jsonl`, a
    line a page with its article and TOC blocks, both in the order in which the pages were stored.

    Args:
        folder: the job's folder.
        form: one of `dehusk.write.FORMATS`.
        limits: bounds on what a page may cost.
        tell: is given how many pages were cleaned.
        **options: `method`, `style` and `favour` as `dehusk.clean` takes them; the method is one that takes a site.

    Raises:
        InputError: the folder has no pages, or cannot be written.
        ConfigError: options that do not fit.
    """
    place, limits = Path(folder), limits or Limits()
    known = learn(place, limits)
    methods = {
        host: load_method(options.get("method"), site=one.site, **_wishes(options)) for host, one in known.items()
    }
    found = Cleaned(warnings=[f"{host}: {one.site.warning}" for host, one in known.items() if one.site.warning])
    with TemporaryDirectory(dir=place, prefix=".clean-") as made:
        paths = Path(made) / CLEAN, Path(made) / WISDOM
        with paths[0].open("w", encoding="utf-8") as texts, paths[1].open("w", encoding="utf-8") as blocks:
            for number, stored in enumerate(stored_pages(place, limit=limits.bytes + 1), 1):
                host = host_of(stored.url)
                document = _cleaned(stored, methods.get(host), limits)
                _count(found, document)
                texts.write(record(stored, document, form))
                blocks.write(blocks_record(stored, document, known[host].wisdom if host in known else None))
                if tell:
                    tell(number)
        for path in paths:
            path.replace(place / path.name)
    return found


def learn(folder: Path, limits: Limits) -> dict[str, Learned]:
    """Return host -> what its pages that can be read said together.

    Raises:
        InputError: the folder has no pages.
    """
    hosts = dict.fromkeys(host_of(stored.url) for stored in stored_pages(folder, limit=limits.bytes + 1))
    if not hosts:
        raise InputError(f"{folder} has no pages to clean")
    found = {host: Learned(Site(mixed=True), Wisdom()) for host in hosts}
    for host, one in found.items():
        with suppress(InputError):  # none of its pages can be read: each says so when it is cleaned
            one.wisdom.fit(_taught(folder, host, one.site, limits))
    return {host: one for host, one in found.items() if one.site.pages}


def _taught(folder: Path, host: str, site: Site, limits: Limits) -> Iterator[Page]:
    """Yield the pages of a host that can be read, each after the site has learned it: one parse serves both."""
    for stored in stored_pages(folder, limit=limits.bytes + 1):
        if host_of(stored.url) == host:
            page = parse(stored.data, stored.url, stored.headers, limits=limits)
            if page.status in _READ:
                site.add(page)
                yield page


def record(stored: Stored, document: Document, form: str) -> str:
    """Return a page's line of clean text; `record` is its WARC record's id."""
    facts = {"page": stored.url, "record": stored.record, **document.facts(), "format": form}
    return dumps(facts | {"content": document.render(form)})


def blocks_record(stored: Stored, document: Document, wisdom: Wisdom | None) -> str:
    """Return a page's line of article and TOC blocks; both are empty where the page could not be read."""
    facts: dict[str, object] = {"url": stored.url, "record": stored.record, "status": str(document.status)}
    if wisdom is None or document.status not in _READ:
        return dumps(facts | {"article": [], "toc": [], "zero_api": None, "loaded": None})
    found = wisdom.blocks(document.page)
    toc = [block | {"links": links} for block, links in zip(_blocks(found.toc), _links(found.toc), strict=True)]
    shares = {"zero_api": round(found.zero_api, 4), "loaded": round(found.loaded, 4)}
    return dumps(facts | {"article": _blocks(found.article), "toc": toc} | shares)


def _blocks(found: BlockSet) -> list[dict[str, object]]:
    rows = zip(found.xpaths, found.scores.tolist(), found.cii.take(found.nodes).tolist(), found.texts, strict=True)
    return [
        {
            "xpath": xpath,
            "feature": found.feature,
            "score": round(score, 6),
            "cii": round(cii, 6) if math.isfinite(cii) else None,
            "text": text,
        }
        for xpath, score, cii, text in rows
    ]


def _links(found: BlockSet) -> list[list[dict[str, str]]]:
    """Return for each block its links that condensing left, as address and text."""
    page = found.page
    anchors = np.flatnonzero(page.is_one_of(_ANCHOR) & found.inside).tolist()
    links: list[list[dict[str, str]]] = []
    for root in found.nodes.tolist():
        inside = [node for node in anchors if root <= node < page.end[root]]
        links.append([{"url": url, "text": text} for node in inside for url, text in [_link(page, node)] if url])
    return links


def _link(page: Page, node: int) -> tuple[str, str]:
    start, end = (
        int(page.text_start[node]),
        int(page.text_start[page.end[node]]) if page.end[node] < len(page) else None,
    )
    href = (page.attribute(node, "href") or "").strip()
    try:
        url = urljoin(urljoin(page.url or "", page.meta.base or ""), href) if href else ""
    except ValueError:
        url = ""
    return url, " ".join(page.text[start:end].split())


def _cleaned(stored: Stored, method: PageMethod | None, limits: Limits) -> Document:
    document = clean(stored.data, url=stored.url, headers=stored.headers, method=method, limits=limits)
    if stored.truncated and document.status in _FINE:
        message = f"the answer was cut short: {stored.truncated}"
        return replace(document, status=Status.TRUNCATED, message=message)
    return document


def _count(found: Cleaned, document: Document) -> None:
    found.statuses[document.status] = found.statuses.get(document.status, 0) + 1
    found.extracted += bool(document.labels.kept.any())


def _wishes(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("style", "favour") if options.get(name) is not None}
