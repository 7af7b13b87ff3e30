"""What is done with each answer: page, redirect, sitemap or none of them."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urljoin, urlsplit

from scrapy import Spider, signals
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.responsetypes import responsetypes
from scrapy.utils.response import get_meta_refresh
from scrapy.utils.sitemap import Sitemap, sitemap_urls_from_robots
from twisted.internet.defer import CancelledError

from dehusk.crawl.archive import Archive, Exchange
from dehusk.crawl.body import decoded
from dehusk.crawl.frontier import FetchTask, Frontier, Link, Outcome
from dehusk.crawl.middleware import PrivateAddressError, closed_key, private_key
from dehusk.crawl.plan import CrawlPlan
from dehusk.crawl.scheduler import TASK
from dehusk.crawl.summary import ERROR, FAILED_ANSWER, NOT_HTML, PAGE, PRIVATE, REDIRECT, ROBOTS, SITEMAP, TOO_BIG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Headers
    from twisted.python.failure import Failure

_HTML = re.compile(rb"\s*(text/html|application/xhtml\+xml)\b", re.IGNORECASE)
_LINKS = LinkExtractor(tags=("a", "area", "frame"), attrs=("href", "src"), deny_extensions=(), unique=True)
_WRAPPED = re.compile(r"\[?<twisted\.python\.failure\.Failure [\w.]+: (.*?)>\]?")
_MOVED = (301, 302, 303, 307, 308)


@dataclass
class CrawlState:
    """What a run works on."""

    plan: CrawlPlan
    frontier: Frontier
    archive: Archive
    tell: Callable[[dict[str, int]], None]
    """Is given how far the crawl is after each address."""
    stopping: bool = False
    """Whether nothing new is to be asked for."""
    fault: str = ""
    """Why nothing can be kept any more."""


class SiteSpider(Spider):
    """Fetches what the frontier hands out, stores pages and gives the frontier where they lead."""

    name = "dehusk"

    def __init__(self, *, job: CrawlState, **options: Any) -> None:
        super().__init__(**options)
        self.job = job

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **options: Any) -> Self:
        """Make the spider, which looks at an answer's headers before its body comes."""
        made = super().from_crawler(crawler, *args, **options)
        crawler.signals.connect(made.headers_received, signal=signals.headers_received)
        return made

    def headers_received(self, headers: Headers, request: Request) -> None:
        """Stop an answer that says to be no HTML."""
        task = request.meta.get(TASK)
        kind = headers.get(b"Content-Type")
        if task and task.kind == PAGE and kind and not _HTML.match(kind):
            raise StopDownload(fail=False)

    def parse(self, response: Response, **_: Any) -> None:
        """Store a page, a redirect or a failed answer."""
        self._guarded(response.meta[TASK], self._answered, response)

    def listed(self, response: Response, **_: Any) -> None:
        """Add what robots.txt or a sitemap lists."""
        self._guarded(response.meta[TASK], self._list, response)

    def failed(self, failure: Failure) -> None:
        """Keep why an address gave no answer."""
        self._guarded(failure.request.meta[TASK], self._refused, failure.value)  # type: ignore[attr-defined]

    def _guarded(self, task: FetchTask, work: Callable[[FetchTask, Any], None], answer: object) -> None:
        """Keep a fault of ours as what became of the address; where nothing can be kept any more, end the crawl."""
        try:
            work(task, answer)
        except (sqlite3.Error, OSError) as error:
            self.job.stopping, self.job.fault = True, _reason(error)
            raise
        except Exception as error:  # (one page's fault must not end a crawl)
            self._done(task, Outcome(ERROR, None, _reason(error)))

    def _answered(self, task: FetchTask, response: Response) -> None:
        target = response.headers.get(b"Location")
        if response.status in _MOVED and target:
            address = urljoin(response.url, target.decode("utf-8", "replace").strip())
            self._store(task, response, Outcome(REDIRECT, response.status, address), [Link(address)])
        elif "download_stopped" in response.flags or not (response.headers.get(b"Content-Type") or _sniffed(response)):
            kind = (response.headers.get(b"Content-Type") or b"unknown type").decode("latin-1").split(";")[0].strip()
            self._done(task, Outcome(NOT_HTML, response.status, kind))
        elif response.status != 200:
            self._store(task, response, Outcome(FAILED_ANSWER, response.status), [])
        else:
            self._page(task, response)

    def _list(self, task: FetchTask, response: Response) -> None:
        found: list[Link] = []
        said = ""
        if response.status != 200:
            said = "none there" if response.status in (404, 410) else ""
        elif task.kind == "robots":
            found = [Link(url, SITEMAP) for url in sitemap_urls_from_robots(response.body, response.url)]
        else:
            found, said = _of_sitemap(response)
        if task.kind == "robots" and not found:
            found = [Link(urljoin(response.url, "/sitemap.xml"), SITEMAP)]
        self._done(task, Outcome(SITEMAP, response.status, said), found)

    def _refused(self, task: FetchTask, error: BaseException) -> None:
        parts = urlsplit(task.url)
        stats = self.crawler.stats
        assert stats is not None  # noqa: S101 (a crawler that runs has them)
        if isinstance(error, PrivateAddressError):
            outcome = Outcome(PRIVATE, None, str(error))
        elif found := stats.get_value(private_key(parts.hostname or "")):
            outcome = Outcome(PRIVATE, None, f"{parts.hostname} is {found}")
        elif isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
            outcome = Outcome(ROBOTS, None, str(stats.get_value(closed_key(parts.netloc), "")))
        elif _too_big(error):
            outcome = Outcome(TOO_BIG, None, f"longer than {self.job.plan.max_bytes} bytes")
        else:
            outcome = Outcome(ERROR, None, _reason(error))
        self._done(task, outcome)

    def _page(self, task: FetchTask, response: Response) -> None:
        data, said = decoded(response.body, _encoding(response), self.job.plan.max_bytes)
        if "dataloss" in response.flags:
            said = "connection ended too early"
        followed = not self.job.frontier.scope.listed
        links, wrong = _links(HtmlResponse(response.url, headers=response.headers, body=data)) if followed else ([], "")
        self._store(task, response, Outcome(PAGE, 200, said or wrong), links)

    def _store(self, task: FetchTask, response: Response, outcome: Outcome, links: list[Link]) -> None:
        request = response.request
        assert request is not None  # noqa: S101 (every answer has one)
        exchange = Exchange(
            url=task.url,
            sent=[("Host", urlsplit(task.url).netloc), *_lines(request.headers)],
            status=response.status,
            headers=[row for row in _lines(response.headers) if row[0].lower() != "transfer-encoding"],
            body=response.body,
            ip=str(response.ip_address or ""),
            truncated="disconnect" if "dataloss" in response.flags else "",
        )
        record, written = self.job.archive.write(exchange)
        kept = Outcome(outcome.state, outcome.http, outcome.message, len(response.body), record)
        self._done(task, kept, links, written=written)

    def _done(
        self,
        task: FetchTask,
        outcome: Outcome,
        links: list[Link] | None = None,
        *,
        written: tuple[int, int] | None = None,
    ) -> None:
        self.job.frontier.done(task, outcome, links or [], written=written)
        self.job.tell(self.job.frontier.progress())


def _sniffed(response: Response) -> bool:
    """Return whether an answer that does not say what it is begins like HTML, or is a failure without a body."""
    data, _ = decoded(response.body, _encoding(response), 4096)
    return issubclass(responsetypes.from_body(data), HtmlResponse) or (not data and response.status != 200)


def _encoding(response: Response) -> str:
    return b",".join(response.headers.getlist(b"Content-Encoding")).decode("latin-1")


def _lines(headers: Headers) -> Iterator[tuple[str, str]]:
    for name, values in headers.items():
        for value in values:
            yield name.decode("latin-1"), value.decode("latin-1").replace("\r", " ").replace("\n", " ")


def _links(response: HtmlResponse) -> tuple[list[Link], str]:
    """Return where a page leads, and what hindered."""
    try:
        if _closed(response):
            return [], ""
        found = [Link(link.url) for link in _LINKS.extract_links(response) if not link.nofollow]
        refresh = get_meta_refresh(response, ignore_tags=())[1]
    except (ValueError, LookupError, RecursionError) as error:
        return [], f"links cannot be read: {_reason(error)}"
    return found + ([Link(refresh)] if refresh else []), ""


def _closed(response: HtmlResponse) -> bool:
    """Return whether a page asks robots not to follow its links."""
    said = [value.decode("latin-1") for value in response.headers.getlist(b"X-Robots-Tag")]
    said += response.xpath("//meta[translate(@name, 'ROBTS', 'robts')='robots']/@content").getall()
    words = {word.strip().lower() for one in said for word in one.split(",")}
    return bool(words & {"nofollow", "none"})


def _of_sitemap(response: Response) -> tuple[list[Link], str]:
    body = response.body
    if body.startswith(b"\x1f\x8b"):  # a file that is packed, not a way of transfer
        body, _ = decoded(body, "gzip", 50_000_000)  # what the protocol allows a sitemap
    if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        lines = body.decode("utf-8", "replace").split()
        return [Link(line) for line in lines if line.startswith("http")], ""
    try:
        sitemap = Sitemap(body)
        kind = SITEMAP if sitemap.type == "sitemapindex" else PAGE
        return [Link(entry["loc"].strip(), kind) for entry in sitemap], ""
    except (ValueError, SyntaxError, StopIteration) as error:
        return [], f"cannot be read: {_reason(error)}"


def _too_big(error: BaseException) -> bool:
    name = type(error).__name__
    return isinstance(error, CancelledError) or name == "DownloadCancelledError" or "DOWNLOAD_MAXSIZE" in str(error)


def _reason(error: BaseException) -> str:
    """Return an error in one line, and of a failure that Twisted wraps the failure itself."""
    said = _WRAPPED.sub(r"\1", f"{type(error).__name__}: {error}")
    return " ".join(said.split())[:300]
