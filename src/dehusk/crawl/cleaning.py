"""From the pages of a crawl to clean records and to WISDOM's article and TOC blocks."""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any
from urllib.parse import urljoin

import numpy as np

from dehusk.cleaning import clean
from dehusk.crawl.archive import RecordPosition, StoredPage, page_at, page_places
from dehusk.crawl.plan import host_of
from dehusk.document import Document
from dehusk.errors import InputError, Status
from dehusk.methods import DEFAULT, PageMethod, load_method
from dehusk.methods.registry import declaration
from dehusk.methods.wisdom import BlockSet, Wisdom
from dehusk.page import Page
from dehusk.read import Limits, parse
from dehusk.site.model import ENOUGH, Site
from dehusk.tags import numbers
from dehusk.write.json import dumps

CLEAN, WISDOM = "clean.jsonl", "wisdom.jsonl"
_ANCHOR = numbers("a")
_READ = (Status.OK, Status.NO_CONTENT, Status.TRUNCATED)


@dataclass
class CleaningSummary:
    """What came of the pages of a job."""

    statuses: dict[str, int] = field(default_factory=dict)
    """Status -> pages."""
    extracted: int = 0
    """Pages of which something was kept."""
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LearnedHost:
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
) -> CleaningSummary:
    """Learn each host of a crawl from its pages, where they are enough, and clean them all.

    Writes `clean.jsonl`, a line of JSON a page as `dehusk clean` writes them for several pages, and `wisdom.jsonl`, a
    line a page with its article and TOC blocks, both in the order in which the pages were stored. The pages
    of a host that has fewer than five are cleaned each alone, and have no blocks of WISDOM's.

    Args:
        folder: the job's folder.
        form: an output format, see `dehusk.write.format_names`.
        limits: bounds on what a page may cost.
        tell: is given how many pages were cleaned.
        **options: `method`, `style` and `favour` as `dehusk.clean` takes them; the method is one that takes a site.

    Raises:
        InputError: the folder has no pages, or cannot be written.
        ConfigError: options that do not fit.
    """
    place, limits = Path(folder), limits or Limits()
    hosts = _hosts(place)
    made = _Methods(options.get("method"), _wishes(options), limits)
    found = CleaningSummary(warnings=made.few(hosts))
    with TemporaryDirectory(dir=place, prefix=".clean-") as spool:
        texts, blocks = _Rows(Path(spool) / CLEAN), _Rows(Path(spool) / WISDOM)
        for host, pages in hosts.items():  # one after the other: a list may have thousands, and each is learned
            learned, method = made.of(pages)
            if learned and learned.site.warning:
                found.warnings.append(f"{host}: {learned.site.warning}")
            for number, at in pages:
                stored = page_at(at, limit=limits.bytes + 1)
                document = _cleaned(stored, method, limits)
                _count(found, document)
                texts.add(number, record(stored, document, form))
                blocks.add(number, blocks_record(stored, document, learned.wisdom if learned else None))
                if tell:
                    tell(sum(found.statuses.values()))
        for rows in (texts, blocks):
            rows.end().replace(place / rows.path.name)
    return found


_Pages = list[tuple[int, RecordPosition]]  # number in the order in which they were stored, and where


def _hosts(folder: Path) -> dict[str, _Pages]:
    """Return host -> its pages.

    Raises:
        InputError: the folder has no pages.
    """
    found: dict[str, _Pages] = {}
    for number, (url, at) in enumerate(page_places(folder)):
        found.setdefault(host_of(url), []).append((number, at))
    if not found:
        raise InputError(f"{folder} has no pages to clean")
    return found


class _Methods:
    """The methods for hosts; as `dehusk corpus` does, those of few pages are cleaned page by page.

    Raises:
        ConfigError: options that do not fit.
    """

    def __init__(self, name: str | None, wishes: dict[str, Any], limits: Limits) -> None:
        self.name, self.wishes, self.limits = name, wishes, limits
        load_method(name, site=Site().fit(["<p>one page"]), **wishes)  # what is wrong is said before any page is read
        self.alone = load_method(None if declaration(name or DEFAULT).site == "required" else name, **wishes)

    def few(self, hosts: dict[str, _Pages]) -> list[str]:
        """Return a warning where there are hosts of few pages."""
        counts = [len(pages) for pages in hosts.values() if len(pages) < ENOUGH]
        if not counts:
            return []
        which = next(iter(hosts)) if len(hosts) == 1 else f"{len(counts)} of {len(hosts)} hosts"
        how = f", by method {DEFAULT}" if declaration(self.name or DEFAULT).site == "required" else ""
        return [f"{which}: fewer than {ENOUGH} pages, each is cleaned alone{how} and without WISDOM's blocks"]

    def of(self, pages: _Pages) -> tuple[LearnedHost | None, PageMethod]:
        """Return what a host's pages say together, if they are enough, and the method that cleans them."""
        learned = LearnedHost(Site(mixed=True), Wisdom())
        if len(pages) >= ENOUGH:
            with suppress(InputError):  # none of its pages can be read: each says so when it is cleaned
                learned.wisdom.fit(_taught(pages, learned.site, self.limits))
                return learned, load_method(self.name, site=learned.site, **self.wishes)
        return None, self.alone


def _taught(pages: _Pages, site: Site, limits: Limits) -> Iterator[Page]:
    """Yield the pages of a host that can be read, each after the site has learned it: one parse serves both."""
    for _, at in pages:
        stored = page_at(at, limit=limits.bytes + 1)
        page = parse(stored.data, stored.url, stored.headers, limits=limits)
        if page.status in _READ:
            site.add(page)
            yield page


class _Rows:
    """Lines that come host by host and end in the order in which the pages were stored."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream = TemporaryFile(dir=path.parent)  # noqa: SIM115 (closed by `end`, or with the process)
        self._at: dict[int, tuple[int, int]] = {}

    def add(self, number: int, line: str) -> None:
        """Add the line of a page."""
        data = line.encode()
        self._at[number] = self._stream.tell(), len(data)
        self._stream.write(data)

    def end(self) -> Path:
        """Write the lines in their order and return the file."""
        with self.path.open("wb") as out, self._stream:
            for _, (start, length) in sorted(self._at.items()):
                self._stream.seek(start)
                out.write(self._stream.read(length))
        return self.path


def record(stored: StoredPage, document: Document, form: str) -> str:
    """Return a page's line of clean text; `record` is its WARC record's id."""
    facts = {"page": stored.url, "record": stored.record, **document.facts(), "format": form}
    return dumps(facts | {"content": document.render(form)})


def blocks_record(stored: StoredPage, document: Document, wisdom: Wisdom | None) -> str:
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


def _cleaned(stored: StoredPage, method: PageMethod | None, limits: Limits) -> Document:
    document = clean(stored.data, url=stored.url, headers=stored.headers, method=method, limits=limits)
    if stored.truncated and document.status.is_fine:
        message = f"the answer was cut short: {stored.truncated}"
        return replace(document, status=Status.TRUNCATED, message=message)
    return document


def _count(found: CleaningSummary, document: Document) -> None:
    found.statuses[document.status] = found.statuses.get(document.status, 0) + 1
    found.extracted += bool(document.labels.kept.any())


def _wishes(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("style", "favour") if options.get(name) is not None}
