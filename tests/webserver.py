"""A local web site for tests of the crawler: it serves pages from a table, records requests, and can answer wrongly."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Answer:
    """The server's answer for a path."""

    body: bytes | str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})
    length: int | None = None
    """Value of Content-Length; None: the length of the body."""
    reset: bool = False
    """Whether to close the connection without an answer."""
    wait: float = 0.0
    """Seconds before the answer."""

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else self.body.encode()


Pages = Mapping[str, Answer | str] | Callable[[str], Answer | str | None]
"""Path -> page or answer; anything else is answered with 404."""


@dataclass
class Site:
    """A running server."""

    url: str
    pages: Pages
    asked: list[str] = field(default_factory=list)
    """Path and query of every request, in order."""
    agents: set[str] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)
    """The types that requests ask for."""

    def answer(self, path: str) -> Answer:
        answer = self.pages(path) if callable(self.pages) else self.pages.get(path)
        if answer is None:
            return Answer("<html><p>not here", 404)
        return answer if isinstance(answer, Answer) else Answer(answer)


def page(*links: str, text: str = "") -> str:
    """Return a page with links."""
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return f"<html><head><title>{text or 'page'}</title></head><body><ul>{items}</ul><p>{text}</p></body></html>"


def redirect(to: str, status: int = 302) -> Answer:
    return Answer("", status, {"Location": to})


@contextmanager
def serving(pages: Pages) -> Iterator[Site]:
    """Serve pages until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.agents.add(self.headers.get("User-Agent", ""))
            site.accepted.add(self.headers.get("Accept", ""))
            answer = site.answer(self.path)
            time.sleep(answer.wait)
            if answer.reset:
                self.close_connection = True
                self.connection.close()
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.data) if answer.length is None else answer.length))
            self.end_headers()
            self.wfile.write(answer.data)
            self.close_connection |= answer.length is not None

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
            """Print nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Ignore errors: crawlers may disconnect, and some answers are reset."""

    server = Server(("127.0.0.1", 0), Handler)
    site = Site(f"http://127.0.0.1:{server.server_port}/", pages)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def paths(site: Site) -> list[str]:
    """Return what was requested in order, without robots.txt."""
    return [path for path in site.asked if urlsplit(path).path != "/robots.txt"]
