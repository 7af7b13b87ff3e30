"""Extensions of Scrapy that keep a crawl polite: public addresses only, robots.txt by RFC 9309, bodies as transferred.

Scrapy itself reads robots.txt. Here the response is adapted to RFC 9309: a robots.txt that fails with a server error
(5xx) or cannot be reached forbids everything (2.3.1.4); any other failure forbids nothing (2.3.1.3).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from protego import Protego
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response, TextResponse
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.error import DNSLookupError

from dehusk.many.crawl.frontier import TASK
from dehusk.many.crawl.public_addresses import is_public
from dehusk.many.crawl.summary import PAGE, UNREACHABLE
from dehusk.many.files.bodies import decode_body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler, CrawlerRunner
    from twisted.internet.defer import Deferred

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
