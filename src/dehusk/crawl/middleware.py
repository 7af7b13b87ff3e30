"""Parts of Scrapy that keep a crawl in its place: no private addresses, robots.txt by RFC 9309, bytes as they came.

Scrapy reads robots.txt itself; here its answer is made what RFC 9309 says: one that fails with a status of the server's
(5xx) or cannot be reached forbids all (2.3.1.4), any other that is no success forbids nothing (2.3.1.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from protego import Protego
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response, TextResponse
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.error import DNSLookupError

from dehusk.crawl.plan import is_public
from dehusk.crawl.scheduler import TASK
from dehusk.crawl.summary import PAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler, CrawlerRunner
    from twisted.internet.defer import Deferred

_FORBID_ALL = b"User-agent: *\nDisallow: /\n"
LONGEST_DELAY = 600.0
"""Seconds of a Crawl-delay that are kept; more is taken for a mistake."""


class PrivateAddressError(IgnoreRequest):
    """An address leads to a machine that is not of the public internet."""


class PrivateNameError(DNSLookupError):
    """A name stands for a machine that is not of the public internet."""


class PublicResolver(CachingThreadedResolver):
    """Resolves names to public addresses only; the connection is made to the address that was checked."""

    runner: CrawlerRunner

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> Self:
        """Make the resolver; Scrapy gives it the process that its crawlers run in."""
        made = super().from_crawler(crawler, reactor)
        made.runner = crawler
        return made

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802 (Twisted's)
        """Return the name's address; fails where it is not public."""

        def checked(found: str) -> str:
            if is_public(found):
                return found
            for crawler in self.runner.crawlers:  # to be told as what became of the page
                if crawler.stats:
                    crawler.stats.set_value(private_key(name), found)
            raise PrivateNameError(f"{name} is {found}, which is not public")

        deferred: Deferred[str] = super().getHostByName(name, timeout)
        return deferred.addCallback(checked)


def private_key(name: str) -> str:
    """Return the name of the statistic that tells a host's private address."""
    return f"dehusk/private/{name}"


class PublicOnly:
    """Refuses numbers in addresses that are not public, and answers from there, however they were reached."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it; not where private addresses are allowed."""
        if crawler.settings.getbool("DEHUSK_PRIVATE"):
            raise NotConfigured
        return cls()

    def process_request(self, request: Request) -> None:
        """Refuse a private address that is given as a number."""
        host = urlsplit(request.url).hostname or ""
        try:
            public = is_public(host)
        except ValueError:  # a name, which the resolver looks at
            return
        if not public:
            raise PrivateAddressError(f"{host} is not public")

    def process_response(self, request: Request, response: Response) -> Response:  # noqa: ARG002 (Scrapy's signature)
        """Drop an answer that came from a private address."""
        if response.ip_address is not None and not is_public(str(response.ip_address)):
            raise PrivateAddressError(f"{response.ip_address} is not public")
        return response


class RobotsAnswers:
    """Makes of what robots.txt answered what RFC 9309 says."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.token: str = crawler.settings["ROBOTSTXT_USER_AGENT"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Make failures forbid all and other refusals nothing; keep the delay that is asked for."""
        if not _for_rules(request):
            return response
        host = urlsplit(request.url).netloc
        if response.status >= 500 or response.status == 429:
            return self._closed(request, f"robots.txt answers {response.status}")
        if not 200 <= response.status < 300:
            return response.replace(body=b"")
        delay = Protego.parse(response.body.decode("utf-8", "replace")).crawl_delay(self.token)
        if delay:
            self.crawler.stats.set_value(delay_key(host), min(float(delay), LONGEST_DELAY))
        return response

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        """Make a robots.txt that cannot be reached forbid all."""
        host = urlsplit(request.url).hostname or ""
        private = isinstance(exception, IgnoreRequest) or self.crawler.stats.get_value(private_key(host))
        if not _for_rules(request) or private:  # the page itself will say that its address is private
            return None
        return self._closed(request, f"robots.txt cannot be read: {type(exception).__name__}")

    def _closed(self, request: Request, why: str) -> Response:
        self.crawler.stats.set_value(closed_key(urlsplit(request.url).netloc), why)
        return TextResponse(request.url, status=200, body=_FORBID_ALL)


def _for_rules(request: Request) -> bool:
    """Return whether a request is the one that Scrapy makes for a host's rules."""
    return TASK not in request.meta and urlsplit(request.url).path == "/robots.txt"


def closed_key(netloc: str) -> str:
    """Return the name of the statistic that tells why a host's robots.txt forbids all."""
    return f"dehusk/closed/{netloc}"


def delay_key(netloc: str) -> str:
    """Return the name of the statistic that tells a host's Crawl-delay."""
    return f"dehusk/delay/{netloc}"


class Throttle(AutoThrottle):
    """Scrapy's throttle, which waits as long as robots.txt asks for at least."""

    def _adjust_delay(self, slot: Slot, latency: float, response: Response) -> None:
        super()._adjust_delay(slot, latency, response)
        stats = self.crawler.stats
        asked = stats.get_value(delay_key(urlsplit(response.url).netloc), 0.0) if stats else 0.0
        slot.delay = max(slot.delay, float(asked))


class Compression(HttpCompressionMiddleware):
    """Leaves pages as they were transferred, for the WARC file; robots.txt and sitemaps are unpacked."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Unpack an answer that is no page."""
        task = request.meta.get(TASK)
        return response if task and task.kind == PAGE else super().process_response(request, response)
