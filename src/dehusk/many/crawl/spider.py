"""Process each response: a page, a redirect, a sitemap or none of these."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass, replace
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

from dehusk.many.crawl.archive import Archive, Exchange
from dehusk.many.crawl.downloads import MAX_HEADERS, HeadersTooLongError
from dehusk.many.crawl.frontier import ROBOTS_FILE, TASK, FetchTask, Frontier, Link, Outcome
from dehusk.many.crawl.guide import NO_GUIDANCE, GuideProcess
from dehusk.many.crawl.middleware import PrivateAddressError, closed_key, private_key
from dehusk.many.crawl.plan import CrawlPlan
from dehusk.many.crawl.summary import (
    ERROR,
    FAILED_RESPONSE,
    NOT_HTML,
    PAGE,
    PRIVATE,
    REDIRECT,
    ROBOTS,
    SITEMAP,
    TOO_BIG,
)
from dehusk.many.files.bodies import Body, decode_body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Headers
    from twisted.python.failure import Failure

_HTML = re.compile(rb"\s*(text/html|application/xhtml\+xml)\b", re.IGNORECASE)
_LINKS = LinkExtractor(tags=("a", "area", "frame"), attrs=("href", "src"), deny_extensions=(), unique=True)
_WRAPPED_FAILURE = re.compile(r"\[?<twisted\.python\.failure\.Failure [\w.]+: (.*?)>\]?")
_REDIRECTS = (301, 302, 303, 307, 308)
_MAX_SITEMAP = 50_000_000  # bytes after decompression, as the protocol allows
_SNIFFED = 4096  # bytes of a body that decide whether it is HTML


@dataclass
class CrawlState:
    """The state that the parts of one run share."""

    plan: CrawlPlan
    frontier: Frontier
    archive: Archive
    report: Callable[[dict[str, int]], None]
    """Called with the frontier's progress after each URL."""
    guide: GuideProcess | None = None
    """Finds TOC blocks, if the plan follows them first."""
    stopping: bool = False
    """Whether no more requests may start."""
    fault: str = ""
    """Why nothing more can be stored; "" if storing works."""


class SiteSpider(Spider):
    """Fetches the URLs of the frontier, stores pages, and adds their links to the frontier."""

    name = "dehusk"

    def __init__(self, *, state: CrawlState, **options: Any) -> None:
        super().__init__(**options)
        self.state = state

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **options: Any) -> Self:
        """Create the spider and make it check the headers of each response before the body arrives."""
        spider = super().from_crawler(crawler, *args, **options)
        crawler.signals.connect(spider.headers_received, signal=signals.headers_received)
        return spider

    def headers_received(self, headers: Headers, request: Request) -> None:
        """Stop the download of a response that is not HTML."""
        task = request.meta.get(TASK)
        content_type = headers.get(b"Content-Type")
        if task and task.kind == PAGE and content_type and not _HTML.match(content_type):
            raise StopDownload(fail=False)

    def parse(self, response: Response, **_: Any) -> None:
        """Process a page, a redirect or a failed response."""
        self._guard(response.meta[TASK], self._process_response, response)

    def parse_sitemap(self, response: Response, **_: Any) -> None:
        """Process robots.txt or a sitemap."""
        self._guard(response.meta[TASK], self._process_sitemap, response)

    def failed(self, failure: Failure) -> None:
        """Store why there is no response for a URL."""
        self._guard(failure.request.meta[TASK], self._process_failure, failure.value)  # type: ignore[attr-defined]

    def _guard(self, task: FetchTask, process: Callable[[FetchTask, Any], None], response: object) -> None:
        """Store an unexpected error as the outcome of the URL; end the crawl if nothing more can be stored."""
        try:
            process(task, response)
        except (sqlite3.Error, OSError) as error:
            self.state.stopping, self.state.fault = True, _one_line(error)
            raise
        except Exception as error:  # one page must not end a crawl
            self._finish(task, Outcome(ERROR, None, _one_line(error)))

    def _process_response(self, task: FetchTask, response: Response) -> None:
        target = response.headers.get(b"Location")
        if response.status in _REDIRECTS and target:
            url = urljoin(response.url, target.decode("utf-8", "replace").strip())
            self._store(task, response, Outcome(REDIRECT, response.status, url), [Link(url)])
        elif "download_stopped" in response.flags or not (
            response.headers.get(b"Content-Type") or _looks_like_html(response)
        ):
            content_type = (response.headers.get(b"Content-Type") or b"unknown type").decode("latin-1")
            self._finish(task, Outcome(NOT_HTML, response.status, content_type.split(";")[0].strip()))
        elif response.status != 200:
            self._store(task, response, Outcome(FAILED_RESPONSE, response.status), [])
        else:
            self._process_page(task, response)

    def _process_page(self, task: FetchTask, response: Response) -> None:
        self.state.frontier.begin_reading(task)
        limit = self.state.plan.max_bytes
        body = _decode(response, limit)
        problem = body.loss or (f"longer than {limit} bytes" if len(body.data) > limit else "")
        if "dataloss" in response.flags:
            problem = "the connection ended too early"
        links: list[Link] = []
        if not self.state.frontier.scope.is_list:
            html = HtmlResponse(response.url, headers=response.headers, body=body.data[:limit])
            links, unreadable = page_links(html)
            problem = problem or unreadable
        guidance = NO_GUIDANCE
        if self.state.guide is not None:
            guidance, died = self.state.guide.read(response.url, body.data[:limit], _content_type(response))
            if died:
                self.state.frontier.add_deadly(response.url)
            problem = problem or died
        outcome = Outcome(PAGE, 200, problem, is_article=guidance.is_article)
        self._store(task, response, outcome, guidance.marked(links))

    def _process_sitemap(self, task: FetchTask, response: Response) -> None:
        links: list[Link] = []
        message = ""
        if response.status != 200:
            message = "not found" if response.status in (404, 410) else ""
        elif task.kind == ROBOTS_FILE:
            links = [Link(url, SITEMAP) for url in sitemap_urls_from_robots(response.body, response.url)]
        else:
            links, message = _sitemap_links(response)
        if task.kind == ROBOTS_FILE and not links:
            links = [Link(urljoin(response.url, "/sitemap.xml"), SITEMAP)]
        self._finish(task, Outcome(SITEMAP, response.status, message), links)

    def _process_failure(self, task: FetchTask, error: BaseException) -> None:
        parts = urlsplit(task.url)
        stats = self.crawler.stats
        assert stats is not None  # noqa: S101 (a running crawler has them)
        if isinstance(error, PrivateAddressError):
            outcome = Outcome(PRIVATE, None, str(error))
        elif address := stats.get_value(private_key(parts.hostname or "")):
            outcome = Outcome(PRIVATE, None, f"{parts.hostname} is {address}")
        elif isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
            outcome = Outcome(ROBOTS, None, str(stats.get_value(closed_key(parts.netloc), "")))
        elif _is_too_big(error):
            limit, what = self.state.plan.max_bytes, ""
            if HeadersTooLongError.__name__ in str(error):
                limit, what = min(limit, MAX_HEADERS), "headers "
            outcome = Outcome(TOO_BIG, None, f"{what}longer than {limit} bytes")
        else:
            outcome = Outcome(ERROR, None, _one_line(error))
        self._finish(task, outcome)

    def _store(self, task: FetchTask, response: Response, outcome: Outcome, links: list[Link]) -> None:
        request = response.request
        assert request is not None  # noqa: S101 (every response has one)
        exchange = Exchange(
            url=task.url,
            request_headers=[("Host", urlsplit(task.url).netloc), *_header_lines(request.headers)],
            status=response.status,
            headers=[line for line in _header_lines(response.headers) if line[0].lower() != "transfer-encoding"],
            body=response.body,
            ip=str(response.ip_address or ""),
            truncated="disconnect" if "dataloss" in response.flags else "",
        )
        record, written = self.state.archive.write(exchange)
        stored = replace(outcome, bytes=len(response.body), record=record)
        self._finish(task, stored, links, written=written)

    def _finish(
        self,
        task: FetchTask,
        outcome: Outcome,
        links: list[Link] | None = None,
        *,
        written: tuple[int, int] | None = None,
    ) -> None:
        self.state.frontier.finish(task, outcome, links or [], written=written)
        self.state.report(self.state.frontier.progress())


def _looks_like_html(response: Response) -> bool:
    """Return whether a response without a content type starts like HTML, or is a failure without a body."""
    data = _decode(response, _SNIFFED).data
    return issubclass(responsetypes.from_body(data), HtmlResponse) or (not data and response.status != 200)


def _decode(response: Response, limit: int) -> Body:
    encoding = b",".join(response.headers.getlist(b"Content-Encoding")).decode("latin-1")
    return decode_body(response.body, {"content-encoding": encoding}, limit=limit)


def _header_lines(headers: Headers) -> Iterator[tuple[str, str]]:
    for name, values in headers.items():
        for value in values:
            yield name.decode("latin-1"), value.decode("latin-1").replace("\r", " ").replace("\n", " ")


def _content_type(response: Response) -> str:
    return (response.headers.get(b"Content-Type") or b"").decode("latin-1")


def page_links(response: HtmlResponse) -> tuple[list[Link], str]:
    """Return the links of a page, and why they cannot be read ("" if they can)."""
    try:
        if _forbids_following(response):
            return [], ""
        links = [Link(link.url) for link in _LINKS.extract_links(response) if not link.nofollow]
        refresh = get_meta_refresh(response, ignore_tags=())[1]
    except (ValueError, LookupError, RecursionError) as error:
        return [], f"links cannot be read: {_one_line(error)}"
    return links + ([Link(refresh)] if refresh else []), ""


def _forbids_following(response: HtmlResponse) -> bool:
    """Return whether a page asks robots not to follow its links."""
    values = [value.decode("latin-1") for value in response.headers.getlist(b"X-Robots-Tag")]
    values += response.xpath("//meta[translate(@name, 'ROBTS', 'robts')='robots']/@content").getall()
    directives = {directive.strip().lower() for value in values for directive in value.split(",")}
    return bool(directives & {"nofollow", "none"})


def _sitemap_links(response: Response) -> tuple[list[Link], str]:
    """Return the entries of a sitemap (XML or plain text, also gzip), and why it cannot be read ("" if it can)."""
    body = decode_body(response.body, {}, limit=_MAX_SITEMAP).data[:_MAX_SITEMAP]
    if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        lines = body.decode("utf-8", "replace").split()
        return [Link(line) for line in lines if line.startswith("http")], ""
    try:
        sitemap = Sitemap(body)
        kind = SITEMAP if sitemap.type == "sitemapindex" else PAGE
        return [Link(entry["loc"].strip(), kind) for entry in sitemap], ""
    except (ValueError, SyntaxError, StopIteration) as error:
        return [], f"cannot be read: {_one_line(error)}"


def _is_too_big(error: BaseException) -> bool:
    name = type(error).__name__
    signs = ("DOWNLOAD_MAXSIZE", HeadersTooLongError.__name__)
    is_named = any(sign in str(error) for sign in signs)
    return isinstance(error, CancelledError) or name == "DownloadCancelledError" or is_named


def _one_line(error: BaseException) -> str:
    """Return an error as one line; if Twisted wraps a failure, the failure itself."""
    text = _WRAPPED_FAILURE.sub(r"\1", f"{type(error).__name__}: {error}")
    return " ".join(text.split())[:300]
