"""A server that plays evil.example, and a browser for which it is that."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from studio_server import CHROMIUM, SWITCHES


class Trap(ThreadingHTTPServer):
    """Whatever a browser asks evil.example for comes here."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        """The first line of each request."""
        self.pages: dict[str, bytes] = {}
        """Path -> HTML; all others have no content."""
        trap = self

        class Handler(BaseHTTPRequestHandler):
            def handle(self) -> None:
                line = self.rfile.readline(2_000).decode("latin-1").strip()
                trap.seen.append(line)
                while self.rfile.readline(10_000).strip():
                    pass
                page = trap.pages.get([*line.split(), "", ""][1].partition("?")[0])
                head = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n"
                self.wfile.write(b"HTTP/1.0 204 No Content\r\n\r\n" if page is None else head + page)

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def trap() -> Iterator[Trap]:
    server = Trap()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def trapped(browser, trap: Trap):
    """A browser for which evil.example is the trap."""
    rule = f"--host-resolver-rules=MAP evil.example 127.0.0.1:{trap.server_port}, MAP rebound.example 127.0.0.1"
    started = browser.browser_type.launch(executable_path=CHROMIUM, args=[*SWITCHES, "--no-proxy-server", rule])
    yield started
    started.close()
