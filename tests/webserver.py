"""A site on this machine for tests of the crawler: pages from a table, requests noted, answers that are broken."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Answer:
    """What the server gives for a path."""

    body: bytes | str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})
    length: int | None = None
    """What Content-Length says, where it is not the body's length."""
    reset: bool = False
    """Whether the connection is closed without an answer."""
    wait: float = 0.0

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else self.body.encode()


Pages = Mapping[str, Answer | str] | Callable[[str], Answer | str | None]


@dataclass
class Site:
    """A server that runs."""

    url: str
    pages: Pages
    asked: list[str] = field(default_factory=list)
    """Path and query of every request in order."""
    agents: set[str] = field(default_factory=set)

    def answer(self, path: str) -> Answer:
        found = self.pages(path) if callable(self.pages) else self.pages.get(path)
        if found is None:
            return Answer("<html><p>not here", 404)
        return found if isinstance(found, Answer) else Answer(found)


def page(*links: str, text: str = "") -> str:
    """Return a page with links."""
    listed = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return f"<html><head><title>{text or 'page'}</title></head><body><ul>{listed}</ul><p>{text}</p></body></html>"


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
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A crawler that goes away, or an answer that is reset, is no fault of the test."""

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
    """Return what was asked for, without robots.txt, in order."""
    return [path for path in site.asked if urlsplit(path).path != "/robots.txt"]
