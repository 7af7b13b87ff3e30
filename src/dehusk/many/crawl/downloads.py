"""Downloads whose headers are bounded: Scrapy limits the size of a body only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from twisted.python.failure import Failure

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

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
