"""Hostile servers: endless headers and pages, huge robots.txt, names that change their address; workers that end."""

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

from crawl_workers import forked_workers
from dehusk.base.errors import FetchError
from dehusk.many.crawl import CrawlPlan, crawl, fetch
from dehusk.many.crawl.crawling import prepare_site
from dehusk.many.crawl.spider import MAX_HEADERS, MAX_ROBOTS, is_public
from webserver import Answer, page, serving

__all__ = ["forked_workers"]
PLAN = CrawlPlan(delay=0, private=True, max_bytes=2_000_000, timeout=20)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@contextmanager
def answering(head: bytes, part: bytes) -> Iterator[tuple[str, list[int]]]:
    """Serve an answer without an end, but no robots.txt; yield the address and how many bytes each client took."""
    taken: list[int] = []

    def answer(client: socket.socket) -> None:
        size = 0
        try:
            if b"/robots.txt" in client.recv(65_536):
                client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            client.sendall(head)
            while True:
                client.sendall(part)
                size += len(part)
        except OSError:
            taken.append(size)
        finally:
            client.close()

    def accept() -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(client,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/", taken
        server.shutdown(socket.SHUT_RDWR)


ENDLESS = {
    "headers": (HEAD, b"X: yyyyyyyyyyyyy\r\n" * 1000, f"headers longer than {MAX_HEADERS} bytes"),
    "responses before the response": (
        b"",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 1000,
        f"headers longer than {MAX_HEADERS}",
    ),
    "a line of a header": (HEAD + b"X: ", b"y" * 30_000, f"headers longer than {MAX_HEADERS}"),
    "a page": (HEAD + b"\r\n", b"<p>words " * 3000, f"longer than {PLAN.max_bytes} bytes"),
    "a page that compresses well": (
        HEAD + b"Content-Encoding: gzip\r\n\r\n",
        gzip.compress(b"<p>words " * 300_000),
        f"longer than {PLAN.max_bytes} bytes",
    ),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_is_too_large(name: str) -> None:
    head, part, message = ENDLESS[name]
    with answering(head, part) as (url, taken):
        with pytest.raises(FetchError, match=message):
            fetch(url, plan=PLAN)
        time.sleep(0.1)
        assert sum(taken) < 3 * 20_000_000  # what the system's buffers take; three requests


RULES = b"User-agent: *\nDisallow: /closed\n"


@pytest.mark.parametrize("packed", [False, True])
def test_of_a_huge_robots_txt_the_start_counts(tmp_path: Path, packed: bool) -> None:
    body = RULES + b"Disallow: /x\n" * 2_000_000 + b"Disallow: /open\n"  # 26 MB; 30 kB packed
    headers = {"Content-Type": "text/plain"} | ({"Content-Encoding": "gzip"} if packed else {})
    robots = Answer(
        gzip.compress(body) if packed else body[: MAX_ROBOTS + 100_000] + b"\nDisallow: /open\n", 200, headers
    )
    pages = {"/robots.txt": robots, "/": page("/closed", "/open"), "/open": page(), "/closed": page()}
    with serving(pages) as site:
        summary = crawl(site.url, tmp_path / "job", plan=PLAN)
    assert summary.outcomes == {"page": 2, "robots": 1}
    assert "/closed" not in site.asked
    assert "only the first" in (tmp_path / "job" / "crawl.log").read_text("utf-8")


def test_a_robots_txt_beyond_the_limit_of_a_download_forbids_everything(tmp_path: Path) -> None:
    robots = Answer(RULES + b"#" * 3_000_000, 200, {"Content-Type": "text/plain"})
    with serving({"/robots.txt": robots, "/": page()}) as site:
        summary = crawl(site.url, tmp_path / "job", plan=PLAN)
    assert summary.outcomes == {"robots": 1}
    assert summary.message.startswith("robots")


PUBLIC = ["8.8.8.8", "2606:4700::1111", "64:ff9b::8.8.8.8", "2002:808:808::1", "::ffff:8.8.8.8"]
PRIVATE = [
    *(
        "64:ff9b:1::a00:1",
        "64:ff9b:1::808:808",
        "64:ff9b::10.0.0.1",
        "::10.0.0.1",
        "::ffff:0:10.0.0.1",
        "::ffff:10.0.0.1",
    ),
    *("fec0::1", "168.63.129.16", "169.254.169.254", "fd00:ec2::254", "100.100.100.200", "192.0.0.192", "192.88.99.1"),
    *(
        "2002:a00:1::1",
        "2001:0:a00:1::1",
        "fe80::1%eth0",
        "::",
        "::1",
        "0.0.0.0",  # noqa: S104
        "240.0.0.1",
        "ff02::1",
        "2001:db8::1",
    ),
    *("2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:192.168.0.1", "3fff::1", "5f00::1", "100::1", "100:0:0:1::1"),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


REBINDING = """
import socket, sys
from pathlib import Path
from dehusk.many.crawl import spider, worker
answers = ["127.0.0.2", "127.0.0.1"]
def name_server(host, *_):  # each answer differs from the one before
    answers.append(answers.pop(0))
    return answers[-1]
def addresses(host, port, *_, **__):
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (name_server(host), port or 0))]
socket.gethostbyname, socket.getaddrinfo = name_server, addresses
spider.is_public = lambda address: address == "127.0.0.2"
worker.main(Path(sys.argv[1]))
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="127.0.0.2 is an address of this machine on Linux only"
)
def test_a_name_that_changes_its_address_reaches_only_the_address_that_was_checked(tmp_path: Path) -> None:
    reached: list[str] = []

    def serve(server: socket.socket) -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            reached.append(client.getsockname()[0])
            client.recv(65_536)
            links = b"".join(b"<a href=/%d>x</a>" % number for number in range(5))
            client.sendall(HEAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(links) + links)
            client.close()

    first = socket.create_server(("127.0.0.2", 0))
    port = first.getsockname()[1]
    with first, socket.create_server(("127.0.0.1", port)) as second:
        for server in (first, second):
            threading.Thread(target=serve, args=(server,), daemon=True).start()
        prepare_site(tmp_path / "job", f"http://rebinding.example:{port}/", CrawlPlan(delay=0, timeout=5))
        done = subprocess.run(
            [sys.executable, "-c", REBINDING, str(tmp_path / "job")], stdin=subprocess.PIPE, timeout=60, check=False
        )
        for server in (first, second):
            server.shutdown(socket.SHUT_RDWR)
    assert done.returncode == 0
    assert set(reached) <= {"127.0.0.2"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_worker_itself_within_a_long_crawl_delay(tmp_path: Path, number: signal.Signals) -> None:
    rules = Answer("User-agent: *\nCrawl-delay: 1e300", headers={"Content-Type": "text/plain"})
    with serving({"/robots.txt": rules, "/": page("/a", "/b"), "/a": page(), "/b": page()}) as site:
        prepare_site(tmp_path / "job", site.url, PLAN)
        worker = subprocess.Popen(
            [sys.executable, "-m", "dehusk.many.crawl.worker", str(tmp_path / "job")],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        with worker:
            until = time.monotonic() + 60
            while "/" not in site.asked and time.monotonic() < until:
                time.sleep(0.02)
            time.sleep(1)
            os.kill(worker.pid, number)
            assert worker.wait(15) == 0
    assert json.loads((tmp_path / "job" / "summary.json").read_text("utf-8"))["end"] in ("interrupted", "pages")


ORPHAN = """
import os, subprocess, sys
read, write = os.pipe()  # nobody closes the worker's input
worker = subprocess.Popen([sys.executable, "-m", "dehusk.many.crawl.worker", sys.argv[1]], stdin=read, stdout=2,
                          pass_fds=[write])
print(worker.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the worker in /proc")
def test_a_worker_ends_with_its_parent_even_if_its_input_stays_open(tmp_path: Path) -> None:
    rules = Answer("User-agent: *\nCrawl-delay: 300", headers={"Content-Type": "text/plain"})
    with serving({"/robots.txt": rules, "/": page("/a", "/b"), "/a": page(), "/b": page()}) as site:
        prepare_site(tmp_path / "job", site.url, PLAN)
        command = [sys.executable, "-c", ORPHAN, str(tmp_path / "job")]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as parent:
            assert parent.stdout is not None
            worker = int(parent.stdout.readline())
            until = time.monotonic() + 60
            while "/" not in site.asked and time.monotonic() < until:
                time.sleep(0.02)
            parent.kill()
        until = time.monotonic() + 15
        while Path(f"/proc/{worker}").exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert not Path(f"/proc/{worker}").exists()
