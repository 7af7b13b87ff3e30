"""Crawl a local site of 2,000 pages with rules, redirects and a trap: without interruption, and killed five times."""

import argparse
import datetime as dt
import os
import platform
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

from warcio.archiveiterator import ArchiveIterator

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.many.crawl import CrawlPlan, CrawlSummary, clean_crawl, crawl
from dehusk.many.crawl.job_folder import prepare_site, warc_files
from sets import write_results

UNDISTURBED = "without interruption"
SECTIONS, ARTICLES = 39, 50
PAGES = 1 + 1 + SECTIONS + SECTIONS * (ARTICLES - 1) + 48  # home, entry to the trap, sections, articles, archive
FORBIDDEN = 40
ROBOTS = "User-agent: *\nDisallow: /forbidden/\nDisallow: /trap/*/9\n"


def text(random_: random.Random, count: int) -> str:
    return " ".join("".join(random_.choices("abdefgiklmnoprstuvw", k=random_.randint(3, 9))) for _ in range(count))


def page(name: str, links: list[str], words: int) -> bytes:
    body = text(random.Random(name), words)
    menu = "".join(f"<li><a href='/section/{number}/'>section {number}</a></li>" for number in range(SECTIONS))
    listed = "".join(f"<li><a href='{link}'>{text(random.Random(link), 5)}</a></li>" for link in links)
    html = f"<html><head><title>{name}</title></head><body><ul>{menu}</ul><ul>{listed}</ul><p>{body}</p></body></html>"
    return html.encode()


def site() -> dict[str, bytes]:
    """Return path -> page for all PAGES pages; the pages of the trap are endless and not included."""
    pages: dict[str, bytes] = {}
    forbidden = [f"/forbidden/{number}" for number in range(FORBIDDEN)]
    pages["/"] = page("/", ["/archive/0", "/door", "/moved/0", *forbidden], 50)
    pages["/door"] = page("/door", ["/trap/1"], 50)
    for section in range(SECTIONS):
        names = [
            f"/section/{section}/{text(random.Random(section * 99 + n), 2).replace(' ', '-')}"
            for n in range(1, ARTICLES)
        ]
        pages[f"/section/{section}/"] = page(f"/section/{section}/", names, 30)
        for index, name in enumerate(names):
            pages[name] = page(name, [*names[index - 3 : index], f"/moved/{index}", "/"], 400)
    for number in range(48):
        older = [f"/archive/{number + 1}"] if number < 47 else []
        pages[f"/archive/{number}"] = page(f"/archive/{number}", [*older, "/forbidden/1"], 100)
    return pages


@dataclass
class Served:
    """What was requested from the server."""

    url: str = ""
    asked: Counter[str] = field(default_factory=Counter)


def serve(pages: dict[str, bytes]) -> tuple[ThreadingHTTPServer, Served]:
    served = Served()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            served.asked[self.path] += 1
            status, kind, location, body = 200, "text/html; charset=utf-8", "", pages.get(self.path, b"")
            if self.path == "/robots.txt":
                kind, body = "text/plain", ROBOTS.encode()
            elif self.path.startswith("/moved/"):
                status, location = 301, f"/archive/{int(self.path.split('/')[-1]) % 48}"
            elif self.path.startswith("/trap/"):
                number = int(self.path.split("/")[2])
                body = page(self.path, [f"/trap/{number + 1}", f"/trap/{number + 2}/9"], 20)
            elif not body:
                status, body = 404, b"<p>not here"
            self.send_response(status)
            for name, value in (("Content-Type", kind), ("Location", location), ("Content-Length", str(len(body)))):
                if value:
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Ignore killed crawlers."""

    server = Server(("127.0.0.1", 0), Handler)
    served.url = f"http://127.0.0.1:{server.server_port}/"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, served


_TRAP_END = re.compile("/trap/.*/9$")
PLAN = CrawlPlan(private=True, delay=0, concurrency=8, pages=5000, depth=200, per_pattern=100)


def kill_five_times(folder: Path, served: Served, seed: int) -> None:
    """Start the crawl and kill it five times."""
    prepare_site(folder, served.url, PLAN)
    chance = random.Random(seed)
    for _ in range(5):
        goal = served.asked.total() + chance.randint(50, 350)
        worker = subprocess.Popen(
            [sys.executable, "-m", "dehusk.many.crawl.worker", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        while served.asked.total() < goal and worker.poll() is None:
            time.sleep(0.002)
        os.kill(worker.pid, signal.SIGKILL)
        worker.communicate()


def stored(folder: Path) -> tuple[Counter[str], dict[str, bytes], int]:
    """Return type -> records, URL -> payload, and the number of payloads stored twice; warcio verifies digests."""
    kinds: Counter[str] = Counter()
    payloads: dict[str, bytes] = {}
    twice = 0
    for path in warc_files(folder):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                kinds[record.rec_type] += 1
                payload = record.content_stream().read()
                if record.rec_type == "response":
                    url = record.rec_headers.get_header("WARC-Target-URI")
                    twice += url in payloads
                    payloads[url] = payload
    return kinds, payloads, twice


def row(name: str, folder: Path, served: Served, summary: CrawlSummary, seconds: float) -> list[object]:
    pages = site()
    kinds, payloads, twice = stored(folder)
    missing = sum(payloads.get(served.url + path[1:]) != body for path, body in pages.items())
    check = subprocess.run(
        [sys.executable, "-m", "warcio.cli", "check", *map(str, warc_files(folder))], capture_output=True, check=False
    )
    trap = sum(url.startswith(f"{served.url}trap/") for url in payloads)
    return [
        name,
        len(pages) - missing,
        twice,
        sum(count - 1 for path, count in served.asked.items() if path != "/robots.txt"),
        sum(count for path, count in served.asked.items() if path.startswith("/forbidden") or _TRAP_END.match(path)),
        trap,
        summary.outcomes.get("redirect", 0),
        summary.outcomes.get("robots", 0),
        f"{kinds['response']} + {kinds['request']}",
        "yes" if check.returncode == 0 else check.stdout.decode()[-200:],
        f"{seconds:.0f}",
    ]


HEAD = [
    "crawl",
    f"pages of {PAGES} stored, bytes equal",
    "stored twice",
    "requested again",
    "forbidden, requested",
    "in the trap",
    "redirects",
    "refused by robots.txt",
    "responses + requests",
    "valid for warcio",
    "seconds",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="seed for the moments of the kills")
    seed = parser.parse_args().seed
    pages = site()
    assert len(pages) == PAGES == 2000, len(pages)
    rows: list[list[object]] = [list(HEAD)]
    for name in (UNDISTURBED, "killed (SIGKILL) five times, then resumed"):
        server, served = serve(pages)
        with TemporaryDirectory(prefix="dehusk-") as made:
            folder, start = Path(made) / "job", time.monotonic()
            if name != UNDISTURBED:
                kill_five_times(folder, served, seed)
            summary = crawl(served.url, folder, plan=PLAN)
            rows.append(row(name, folder, served, summary, time.monotonic() - start))
            if name == UNDISTURBED:
                worker = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = -time.process_time() - worker.ru_utime - worker.ru_stime
                cleaned = clean_crawl(folder)
                children = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds += time.process_time() + children.ru_utime + children.ru_stime
                statuses = ", ".join(f"{status} {count}" for status, count in sorted(cleaned.statuses.items()))
                note = (
                    f"The worker of the crawl without interruption took {worker.ru_utime + worker.ru_stime:.0f} s of CPU "
                    f"and at most {worker.ru_maxrss / 1024:.0f} MB; the server ran on the same machine. `--clean` took "
                    f"{1000 * seconds / summary.pages:.0f} ms of CPU per page for learning, text and WISDOM blocks: "
                    f"{statuses}."
                )
        server.shutdown()
        server.server_close()
    table = markdown_table([[str(cell) for cell in column] for column in zip(*rows, strict=True)])
    report = (
        f"# Crawl of a local site\n\n`python bench/crawl.py`, {dt.date.today()}, Python {platform.python_version()}. "
        f"{PAGES:,} pages in {SECTIONS} sections with an archive, redirects into it, {FORBIDDEN} URLs that robots.txt "
        f"forbids, and an endless trap, of which `per_pattern={PLAN.per_pattern}` admits {PLAN.per_pattern} pages. "
        f"`delay=0`, {PLAN.concurrency} simultaneous requests. “Requested again” counts requests that the server had "
        f"answered before; after a kill these are the ones in progress, at most {PLAN.concurrency} for each kill.\n\n"
        f"{table}\n{note}\n"
    )
    write_results("crawl", report, {"rows": rows}, judges="none")


if __name__ == "__main__":
    main()
