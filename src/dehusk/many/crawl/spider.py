"""The crawl in Scrapy: bounded downloads, public addresses only, polite requests, and what each response is."""

from __future__ import annotations

import codecs
import logging
import re
import sqlite3
from collections import deque
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, urljoin, urlsplit

from protego import Protego
from scrapy import Request, Spider, signals
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.core.scheduler import BaseScheduler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import CachingThreadedResolver
from scrapy.responsetypes import responsetypes
from scrapy.utils.response import get_meta_refresh
from scrapy.utils.sitemap import Sitemap, sitemap_urls_from_robots
from twisted.internet.defer import CancelledError
from twisted.internet.error import DNSLookupError
from twisted.python.failure import Failure

from dehusk.many.crawl.archive import Archive, Exchange
from dehusk.many.crawl.frontier import ROBOTS_FILE, TASK, FetchTask, Frontier, Link, Outcome
from dehusk.many.crawl.guide import NO_GUIDANCE, GuideProcess
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
    UNREACHABLE,
)
from dehusk.many.files.bodies import Body, decode_body
from dehusk.read import decode
from dehusk.read.text_pages import as_html, form_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler, CrawlerRunner
    from scrapy.http import Headers
    from twisted.internet.defer import Deferred

# ---------------------------------------------------------------- downloads
# Downloads whose headers are bounded: Scrapy limits the size of a body only.

MAX_HEADERS = 1_000_000
"""Bytes that the status line and the headers of a response may have, those before it (1xx) included."""


class HeadersTooLongError(Exception):
    """A response has more bytes of headers than allowed."""


class BoundedDownloadHandler(HTTP11DownloadHandler):
    """Scrapy's handler, but a connection is closed once the headers of a response exceed a number of bytes."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit = min(MAX_HEADERS, crawler.settings.getint("DOWNLOAD_MAXSIZE"))
        factory: Any = self._pool._factory  # Scrapy sets it, too

        class BoundedFactory(factory):  # type: ignore[misc]
            def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 (Twisted's)
                return _with_limit(super().buildProtocol(addr), limit)

        self._pool._factory = BoundedFactory


def _with_limit(protocol: Any, limit: int) -> Any:
    """Make a protocol of Twisted give up a response whose headers exceed the limit."""
    receive, received = protocol.dataReceived, 0

    def receive_some(data: bytes) -> None:
        nonlocal received
        if protocol._parser is not None:
            protocol._parser.MAX_LENGTH = limit  # of a line; Twisted's own is less than some headers have
        receive(data)
        parser = protocol._parser
        in_headers = parser is not None and parser.state in ("STATUS", "HEADER")
        received = received + len(data) if in_headers else 0
        if received > limit:
            received = 0
            transport = protocol.transport
            protocol._giveUp(Failure(HeadersTooLongError(f"headers longer than {limit} bytes")))  # type: ignore[no-untyped-call]
            transport.abortConnection()

    protocol.dataReceived = receive_some
    return protocol


# ---------------------------------------------------------------- public addresses
# Which IP addresses belong to the public internet.
#
# Python's `ipaddress` knows most of IANA's special-purpose registries. What it lacks is here, and the addresses that
# embed an IPv4 address, which a translator on the way may contact.

_NOT_PUBLIC = (
    IPv4Network("168.63.129.16/32"),  # the host's service of a virtual machine on Azure
    IPv4Network("192.0.0.0/24"),  # protocol assignments (RFC 6890), and a service of Oracle's cloud
    IPv4Network("192.88.99.0/24"),  # deprecated 6to4 relays (RFC 7526)
    IPv6Network("fec0::/10"),  # site-local (RFC 3879)
    IPv6Network("64:ff9b:1::/48"),  # NAT64 in a network of its own (RFC 8215)
    IPv6Network("100:0:0:1::/64"),  # dummy prefix (RFC 9780)
    IPv6Network("2001::/23"),  # protocol assignments (RFC 2928)
    IPv6Network("3fff::/20"),  # documentation (RFC 9637)
    IPv6Network("5f00::/16"),  # segment routing (RFC 9602)
)
_EMBEDDING = (
    IPv6Network("64:ff9b::/96"),  # NAT64 (RFC 6052)
    IPv6Network("::/96"),  # IPv4-compatible (RFC 4291)
    IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated (RFC 2765)
)
"""Networks whose last 32 bits are an IPv4 address."""
_ISATAP = (0x00005EFE, 0x02005EFE)
"""What precedes an IPv4 address in the last 64 bits of any network (RFC 5214)."""


def is_public(address: str) -> bool:
    """Return whether an IP address, and any IPv4 address embedded in it, is public.

    Raises:
        ValueError: not an IP address.
    """
    ip = ip_address(address.split("%", maxsplit=1)[0])
    if isinstance(ip, IPv6Address):
        if any(not is_public(str(embedded)) for embedded in _embedded(ip)):
            return False
        if ip.ipv4_mapped is not None or ip.sixtofour is not None:  # Python 3.11.2 calls 6to4 private
            return True
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _NOT_PUBLIC)


def _embedded(ip: IPv6Address) -> list[IPv4Address]:
    """Return the IPv4 addresses in an IPv6 address."""
    last = IPv4Address(int(ip) & 0xFFFFFFFF)
    found = [address for address in (ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())) if address is not None]
    has_last = any(ip in network for network in _EMBEDDING) or int(ip) >> 32 & 0xFFFFFFFF in _ISATAP
    return [*found, last] if has_last else found


# ---------------------------------------------------------------- middleware
# Extensions of Scrapy that keep a crawl polite: public addresses only, robots.txt by RFC 9309, bodies as transferred.
#
# Scrapy itself reads robots.txt. Here the response is adapted to RFC 9309: a robots.txt that fails with a server error
# (5xx) or cannot be reached forbids everything (2.3.1.4); any other failure forbids nothing (2.3.1.3).

MAX_ROBOTS = 512_000
"""Bytes of robots.txt that are read, after decompression, as RFC 9309 asks for at least (2.5); the rest is ignored."""
_LOG = logging.getLogger(__name__)
_FORBID_ALL = b"User-agent: *\nDisallow: /\n"
MAX_CRAWL_DELAY = 600.0
"""Longest Crawl-delay respected, in seconds; a longer one is taken for a mistake."""


class PrivateAddressError(IgnoreRequest):
    """A URL leads to an address outside the public internet."""


class PrivateNameError(DNSLookupError):
    """A host name resolves to an address outside the public internet."""


class PublicResolver(CachingThreadedResolver):
    """Resolves host names to public addresses only; the connection uses the address that was checked."""

    runner: CrawlerRunner

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> Self:
        """Create the resolver; Scrapy passes the runner of its crawlers."""
        resolver = super().from_crawler(crawler, reactor)
        resolver.runner = crawler
        return resolver

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802 (Twisted's)
        """Resolve a host name; fail with `PrivateNameError` if its address is not public."""

        def check(address: str) -> str:
            if is_public(address):
                return address
            for crawler in self.runner.crawlers:  # the spider stores it as the outcome of the URL
                if crawler.stats:
                    crawler.stats.set_value(private_key(name), address)
            raise PrivateNameError(f"{name} is {address}, which is not public")

        deferred: Deferred[str] = super().getHostByName(name, timeout)
        return deferred.addCallback(check)


def private_key(name: str) -> str:
    """Return the name of the statistic that contains the private address of a host."""
    return f"dehusk/private/{name}"


class PublicOnly:
    """Refuses URLs with private IP addresses, and all responses from private addresses."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware, unless private addresses are allowed."""
        if crawler.settings.getbool("DEHUSK_PRIVATE"):
            raise NotConfigured
        return cls()

    def process_request(self, request: Request) -> None:
        """Refuse a private IP address in a URL."""
        host = urlsplit(request.url).hostname or ""
        try:
            public = is_public(host)
        except ValueError:  # a name, which the resolver checks
            return
        if not public:
            raise PrivateAddressError(f"{host} is not public")

    def process_response(self, request: Request, response: Response) -> Response:  # noqa: ARG002 (Scrapy's signature)
        """Discard a response from a private address."""
        if response.ip_address is not None and not is_public(str(response.ip_address)):
            raise PrivateAddressError(f"{response.ip_address} is not public")
        return response


class RobotsResponses:
    """Adapts responses to requests for robots.txt to RFC 9309."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.robots_name: str = crawler.settings["ROBOTSTXT_USER_AGENT"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Replace a failed robots.txt by one that forbids everything or nothing; store its Crawl-delay."""
        if not _is_robots_request(request):
            return response
        host = urlsplit(request.url).netloc
        if response.status >= 500 or response.status == 429:
            return self._forbid_all(request, f"robots.txt returns {response.status}")
        if not 200 <= response.status < 300:
            return response.replace(body=b"")
        response = _readable_robots(response)
        delay = Protego.parse(response.body.decode("utf-8", "replace")).crawl_delay(self.robots_name)
        if delay:
            self.crawler.stats.set_value(delay_key(host), min(float(delay), MAX_CRAWL_DELAY))
        return response

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        """Replace an unreachable robots.txt by one that forbids everything."""
        host = urlsplit(request.url).hostname or ""
        is_private = isinstance(exception, IgnoreRequest) or self.crawler.stats.get_value(private_key(host))
        if not _is_robots_request(request) or is_private:  # the page's own request reports the private address
            return None
        return self._forbid_all(request, f"{UNREACHABLE}{type(exception).__name__}")

    def _forbid_all(self, request: Request, reason: str) -> Response:
        self.crawler.stats.set_value(closed_key(urlsplit(request.url).netloc), reason)
        return TextResponse(request.url, status=200, body=_FORBID_ALL)


def _readable_robots(response: Response) -> Response:
    """Return a robots.txt without its encoding and without the lines beyond `MAX_ROBOTS` bytes."""
    encoding = b",".join(response.headers.getlist(b"Content-Encoding")).decode("latin-1")
    data = decode_body(response.body, {"content-encoding": encoding}, limit=MAX_ROBOTS).data
    if len(data) > MAX_ROBOTS:
        data = data[: data.rfind(b"\n", 0, MAX_ROBOTS) + 1]
        _LOG.warning("%s: only the first %d bytes are read", response.url, len(data))
    headers = response.headers.copy()
    headers.pop(b"Content-Encoding", None)
    return response.replace(headers=headers, body=data)


def _is_robots_request(request: Request) -> bool:
    """Return whether Scrapy made this request to learn the rules of a host."""
    return TASK not in request.meta and urlsplit(request.url).path == "/robots.txt"


def closed_key(netloc: str) -> str:
    """Return the name of the statistic that contains the reason why a host's robots.txt forbids everything."""
    return f"dehusk/closed/{netloc}"


def delay_key(netloc: str) -> str:
    """Return the name of the statistic that contains a host's Crawl-delay."""
    return f"dehusk/delay/{netloc}"


class Throttle(AutoThrottle):
    """Scrapy's throttle, with the Crawl-delay of robots.txt as its minimum; ignores how long robots.txt takes."""

    def _adjust_delay(self, slot: Slot, latency: float, response: Response) -> None:
        super()._adjust_delay(slot, latency, response)
        stats = self.crawler.stats
        parts = urlsplit(response.url)
        if stats and parts.path != "/robots.txt":
            slot.delay = max(slot.delay, float(stats.get_value(delay_key(parts.netloc), 0.0)))


class Compression(HttpCompressionMiddleware):
    """Leaves pages compressed, as transferred, for the WARC file; decompresses sitemaps."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Decompress a response unless it is a page or a robots.txt, of which `RobotsResponses` reads the start."""
        task = request.meta.get(TASK)
        return (
            response
            if (task and task.kind == PAGE) or _is_robots_request(request)
            else super().process_response(request, response)
        )


# ---------------------------------------------------------------- spider

_OF_PAGES = re.compile(rb"\s*(text/html|application/xhtml\+xml|text/(?:x-)?markdown)\b", re.IGNORECASE)
_LINKS = LinkExtractor(tags=("a", "area", "frame"), attrs=("href", "src"), deny_extensions=(), unique=True)
_WRAPPED_FAILURE = re.compile(r"\[?<twisted\.python\.failure\.Failure [\w.]+: (.*?)>\]?")
_IN_ADDRESSES = "%/:=&?~#+!$,;'@()*[]-._"
"""Signs that are not percent-encoded in the address of a redirect."""
_NO_HOST = ("CannotResolveHostError", "DownloadConnectionRefusedError", "DownloadTimeoutError")
"""What it means that no robots.txt can be read, and no page either."""
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
        if task and task.kind == PAGE and content_type and not _OF_PAGES.match(content_type):
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
            url = urljoin(response.url, _location(target))
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
            links, unreadable = page_links(_as_html(response, body.data[:limit]))
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
            why = str(stats.get_value(closed_key(parts.netloc), ""))
            outcome = Outcome(ERROR if why.removeprefix(UNREACHABLE) in _NO_HOST else ROBOTS, None, why)
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


def _location(target: bytes) -> str:
    """Return where a redirect leads; bytes that are no UTF-8 are percent-encoded, as browsers do."""
    try:
        return target.decode().strip()
    except UnicodeDecodeError:
        return quote(target.strip(), safe=_IN_ADDRESSES)


def _as_html(response: Response, data: bytes) -> HtmlResponse:
    """Return the page from which links are read: Markdown is rendered."""
    kind, text = _content_type(response), data.decode("utf-8", "replace")
    form = form_of(text, {"Content-Type": kind}) if "markdown" in kind.lower() else "html"
    if form == "html":
        return HtmlResponse(response.url, headers=response.headers, body=data, encoding=_encoding(data, kind))
    return HtmlResponse(response.url, body=as_html(text, form).encode(), encoding="utf-8")


def _encoding(data: bytes, content_type: str) -> str | None:
    """Return the encoding in which dehusk reads a page; None if Python has no such encoding."""
    name = decode(data, {"Content-Type": content_type} if content_type else None).encoding.name
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


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


# ---------------------------------------------------------------- scheduler
# The requests that Scrapy makes are those of the frontier.


class FrontierScheduler(BaseScheduler):
    """Schedules the URLs of the frontier; requests that Scrapy retries come first."""

    def open(self, spider: Spider) -> None:
        """Connect to the spider, which has the frontier."""
        self.spider: SiteSpider = spider  # type: ignore[assignment]
        self._retries: deque[Request] = deque()

    def has_pending_requests(self) -> bool:
        """Return whether there is a request to make."""
        state = self.spider.state
        return not state.stopping and (bool(self._retries) or state.frontier.has_next())

    def enqueue_request(self, request: Request) -> bool:
        """Accept a request that is retried; the frontier already has its URL as in progress."""
        self._retries.append(request)
        return True

    def next_request(self) -> Request | None:
        """Return the next request; None while the outcomes of those in progress decide what comes next."""
        if self.spider.state.stopping:
            return None
        if self._retries:
            return self._retries.popleft()
        task = self.spider.state.frontier.take()
        return None if task is None else self._request(task)

    def _request(self, task: FetchTask) -> Request:
        return Request(
            task.url,
            callback=self.spider.parse if task.kind == PAGE else self.spider.parse_sitemap,
            errback=self.spider.failed,
            dont_filter=True,
            meta={TASK: task, "handle_httpstatus_all": True, "dont_obey_robotstxt": task.kind == ROBOTS_FILE},
        )
