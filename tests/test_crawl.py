"""Crawling a local site: which URLs are requested, what is stored, and how a crawl resumes."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

from warcio.archiveiterator import ArchiveIterator

import dehusk
from crawl_workers import forked_workers
from dehusk.base.errors import InputError
from dehusk.cli.crawl import crawl_exit_code
from dehusk.many.crawl import CrawlPlan, CrawlSummary, crawl, stored_pages
from dehusk.many.crawl.job_folder import prepare_site, warc_files
from webserver import Answer, Site, page, paths, redirect, serving

__all__ = ["forked_workers"]

QUICK = CrawlPlan(private=True, delay=0, timeout=5)
PLAIN = {"Content-Type": "text/plain"}


def fetch(site: Site, folder: Path, **settings: object) -> CrawlSummary:
    return crawl(site.url, folder, plan=CrawlPlan(**{**vars(QUICK), **settings}))


def outcomes(folder: Path, site: Site) -> dict[str, tuple[str, str]]:
    """Return path -> state and message."""
    rows = map(json.loads, (folder / "addresses.jsonl").read_text("utf-8").splitlines())
    return {"/" + row["url"].removeprefix(site.url): (row["state"], row["message"]) for row in rows}


def records(folder: Path) -> list[tuple[str, str, bytes]]:
    """Return type, URL and payload of every record; warcio reads them and verifies their digests."""
    rows = []
    for path in warc_files(folder):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                uri = record.rec_headers.get_header("WARC-Target-URI") or ""
                rows.append((record.rec_type, uri, record.content_stream().read()))
    return rows


SMALL = {
    "/": page("/a", "/b#part", "/a?", "/moved", "/gone", "/broken", "/paper", "/photo.jpg", "http://other.example/"),
    "/a": page("/", "/c", "/secret/x"),
    "/b": page("mailto:me@example.org", "javascript:void(0)", "http://[bad/", "/c"),
    "/c": page("/d"),
    "/d": page(),
    "/moved": redirect("/b", 301),
    "/broken": Answer("<p>oops", 503),
    "/paper": Answer(b"%PDF-1.4", headers={"Content-Type": "application/pdf"}),
    "/robots.txt": Answer("User-agent: dehusk\nDisallow: /secret/\n", headers=PLAIN),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Path, CrawlSummary]:
    """A small site, and the folder and summary of its crawl."""
    folder = tmp_path_factory.mktemp("crawl") / "job"
    with serving(SMALL) as site:
        return site, folder, fetch(site, folder)


def test_each_url_is_requested_once_and_has_an_outcome(small: tuple[Site, Path, CrawlSummary]) -> None:
    site, folder, summary = small
    assert outcomes(folder, site) == {
        "/": ("page", ""),
        "/a": ("page", ""),
        "/b": ("page", ""),
        "/moved": ("redirect", f"{site.url}b"),
        "/gone": ("http-error", ""),
        "/broken": ("http-error", ""),
        "/paper": ("not-html", "application/pdf"),
        "/photo.jpg": ("left-out", "file"),
        "/secret/x": ("robots", ""),
        "/c": ("page", ""),
        "/d": ("page", ""),
    }
    asked = Counter(paths(site))
    assert asked.pop("/broken") == 3  # retried
    assert set(asked.values()) == {1}
    assert site.asked.count("/robots.txt") == 1
    assert site.agents == {QUICK.agent}
    assert (summary.pages, summary.end, summary.waiting) == (5, "complete", 0)
    assert summary.statuses == {"200": 6, "301": 1, "404": 1, "503": 1}
    assert summary.elsewhere == {"other.example": 1}
    assert (summary.failed, crawl_exit_code(summary)) == (1, 1)


def test_warcio_can_read_the_archive(small: tuple[Site, Path, CrawlSummary]) -> None:
    site, folder, _ = small
    archived = records(folder)
    assert [path.name for path in warc_files(folder)] == ["pages-00000.warc.gz"]
    assert archived[0][0] == "warcinfo"
    answers = {uri: data for type_, uri, data in archived if type_ == "response"}
    stored = ("", "a", "b", "c", "d", "moved", "gone", "broken")
    assert set(answers) == {site.url + name for name in stored}
    assert answers[site.url + "a"].decode() == SMALL["/a"]
    assert sorted(uri for type_, uri, _ in archived if type_ == "request") == sorted(answers)
    assert {page_.url: page_.data for page_ in stored_pages(folder, limit=10**6)} == {
        site.url + name: answers[site.url + name] for name in ("", "a", "b", "c", "d")
    }


def test_requests_are_archived_as_they_were_sent(small: tuple[Site, Path, CrawlSummary]) -> None:
    site, folder, _ = small
    with warc_files(folder)[0].open("rb") as stream:
        asked = next(record for record in ArchiveIterator(stream) if record.rec_type == "request")
        headers = asked.http_headers
        assert (headers.protocol, headers.statusline) == ("GET", "/ HTTP/1.1")
        assert headers.get_header("Host") == site.url.split("/")[2]
        assert headers.get_header("User-Agent") == QUICK.agent


def test_resuming_a_complete_crawl_requests_nothing(small: tuple[Site, Path, CrawlSummary]) -> None:
    _, folder, summary = small
    before = [path.read_bytes() for path in warc_files(folder)]
    with serving(SMALL) as other:
        with pytest.raises(InputError, match="contains a crawl of"):
            fetch(other, folder)
        with pytest.raises(InputError, match="was started with depth 10"):
            crawl(summary.url, folder, plan=CrawlPlan(private=True, depth=3))
        again = crawl(summary.url, folder, plan=QUICK)
    assert (again.outcomes, again.end) == (summary.outcomes, "complete")
    assert [path.read_bytes() for path in warc_files(folder)] == before


def test_loops_and_traps_end(tmp_path: Path) -> None:
    fixed = {
        "/": page("/day/1", "/list?at=1", "/in/", "/loop", "/run/1"),
        "/loop": redirect("/loop?again"),
        "/loop?again": redirect("/loop"),
    }

    def trap(path: str) -> Answer | str | None:
        if path in fixed:
            return fixed[path]
        name, _, query = path.partition("?")
        number = int(name.rsplit("/", 1)[-1] if name.rsplit("/", 1)[-1].isdigit() else 0)
        if name.startswith("/day/"):
            return page(f"/day/{number + 1}", f"/day/{number + 2}")
        if name == "/list":
            return page(*(f"/list?at={query[3:]}{digit}" for digit in "123"))
        if name.startswith("/run/"):
            return redirect(f"/run/{number + 1}")
        return page("in/") if name.startswith("/in/") else None

    with serving(trap) as site:
        summary = fetch(site, tmp_path / "job", per_pattern=20, per_path=6, depth=30)
    asked = Counter(path.split("?")[0].split("/")[1] for path in paths(site))
    assert asked == {"": 1, "day": 20, "list": 6, "in": 2, "loop": 2, "run": 11}
    assert max(Counter(paths(site)).values()) == 1
    assert summary.end == "complete"
    assert summary.left_out.keys() == {"per-pattern", "per-path", "repeating", "hops"}


def test_depth_and_pages_are_budgets(tmp_path: Path) -> None:
    def chain(path: str) -> str | None:
        number = int(path[1:] or 0) if path[1:].isdigit() or path == "/" else None
        return None if number is None else page(f"/{number + 1}", f"/{number + 50}")

    with serving(chain) as site:
        deep = fetch(site, tmp_path / "deep", depth=2)
        assert deep.pages == 6  # 0; 1, 50; 2, 51, 100
        assert deep.left_out == {"depth": 4}
        few = fetch(site, tmp_path / "few", pages=3, concurrency=8)
        assert (few.pages, few.end, crawl_exit_code(few)) == (3, "pages", 0)
        more = fetch(site, tmp_path / "few", pages=5)
        assert (more.pages, more.end) == (5, "pages")
    assert len({page_.url for page_ in stored_pages(tmp_path / "few", limit=10**6)}) == 5
    assert len(warc_files(tmp_path / "few")) == 2


def test_damaged_and_unusual_answers(tmp_path: Path) -> None:
    text = "<html><body><p>packed</p><a href=/linked>next</a></body></html>"
    html = {"Content-Type": "text/html"}
    pages = {
        "/": page(
            "/short", "/reset", "/slow", "/big", "/bomb", "/packed", "/false", "/torn", "/bare", "/noise", "/base"
        ),
        "/short": Answer(page("/seen", text="x" * 900), length=5000),
        "/reset": Answer(reset=True),
        "/slow": Answer("late", wait=3),
        "/big": Answer("<p>" + "x" * 200_000),
        "/bomb": Answer(gzip.compress(b"<p>" + b"x" * 5_000_000), headers={**html, "Content-Encoding": "gzip"}),
        "/packed": Answer(gzip.compress(text.encode()), headers={**html, "Content-Encoding": "gzip"}),
        "/false": Answer(text, headers={**html, "Content-Encoding": "gzip"}),
        "/torn": Answer(gzip.compress(text.encode() * 9)[:-9], headers={**html, "Content-Encoding": "gzip"}),
        "/bare": Answer("<!doctype html><html><p>no type", headers={}),
        "/noise": Answer(bytes(range(256)) * 9, headers={}),
        "/base": "<base href='http://[x'><a href=/linked>link</a>",
        "/seen": page(),
        "/linked": page(),
    }
    with serving(pages) as site:
        summary = fetch(site, tmp_path / "job", timeout=1, max_bytes=100_000)
    rows = outcomes(tmp_path / "job", site)
    states = {path: state for path, (state, _) in rows.items()}
    assert {path for path, state in states.items() if state == "page"} == {
        "/", "/short", "/bomb", "/packed", "/false", "/torn", "/bare", "/base", "/seen", "/linked",
    }  # fmt: skip
    assert states["/reset"] == states["/slow"] == "error"
    assert (states["/big"], states["/noise"]) == ("too-big", "not-html")
    assert rows["/short"][1] == "the connection ended too early"
    assert "gzip" in rows["/torn"][1]
    assert rows["/false"][1] == ""
    assert rows["/bomb"][1] == "longer than 100000 bytes"
    stored = {"/" + page_.url.removeprefix(site.url): page_ for page_ in stored_pages(tmp_path / "job", limit=100_000)}
    assert stored["/short"].truncated == "disconnect"
    assert b"x" * 900 in stored["/short"].data
    assert stored["/packed"].data == stored["/false"].data == text.encode()
    assert stored["/torn"].data.startswith(text.encode())
    assert len(stored["/bomb"].data) == 100_000
    assert summary.damaged >= 3
    assert crawl_exit_code(summary) == 1
    with warc_files(tmp_path / "job")[0].open("rb") as stream:  # warcio decompresses bodies, too
        for record in ArchiveIterator(stream):
            if record.rec_type == "response" and record.rec_headers.get_header("WARC-Target-URI").endswith("/packed"):
                assert record.content_stream().read() == text.encode()


@pytest.mark.parametrize(
    ("rules", "reason"), [(Answer("no", 503), "robots.txt returns 503"), (Answer(reset=True), "read")]
)
def test_an_unreadable_robots_txt_forbids_everything(tmp_path: Path, rules: Answer, reason: str) -> None:
    with serving({"/": page(), "/robots.txt": rules}) as site:
        summary = fetch(site, tmp_path / "job")
    assert set(site.asked) == {"/robots.txt"}
    assert (summary.pages, crawl_exit_code(summary)) == (0, 3)
    assert summary.message.startswith("robots: ")
    assert reason in summary.message


def test_crawl_delay_and_nofollow_are_obeyed(tmp_path: Path) -> None:
    pages = {
        "/": '<a href="/a">a</a><a rel="nofollow" href="/not">x</a>',
        "/a": Answer("<meta name=Robots content='noindex, NoFollow'><a href='/nor'>x</a>"),
        "/robots.txt": Answer("User-agent: *\nCrawl-delay: 0.7", headers=PLAIN),
    }
    with serving(pages) as site:
        summary = fetch(site, tmp_path / "job")
    assert paths(site) == ["/", "/a"]
    assert summary.seconds > 0.7


def test_only_named_hosts_are_crawled(tmp_path: Path) -> None:
    pages = {"/": page(), "/b": page("/c"), "/c": page()}
    with serving(pages) as site:
        other = site.url.replace("127.0.0.1", "localhost")
        pages["/"] = page(f"{other}b", "/moved")
        pages["/moved"] = redirect(f"{other}c")
        alone = fetch(site, tmp_path / "alone")
        assert (alone.pages, alone.elsewhere) == (1, {"localhost": 2})
        both = fetch(site, tmp_path / "both", hosts=("localhost",))
    assert {page_.url for page_ in stored_pages(tmp_path / "both", limit=10**6)} == {site.url, f"{other}b", f"{other}c"}
    assert both.outcomes == {"page": 3, "redirect": 1}


def test_headers_with_any_bytes_are_archived(tmp_path: Path) -> None:
    headers = {"Content-Type": "text/html", "X-Title": "Tee für zwei", "Location": "/nä"}
    with serving({"/": Answer("<p>tea", headers=headers), "/x": redirect("/ü")}) as site:
        assert fetch(site, tmp_path / "job").pages == 1
    (stored,) = stored_pages(tmp_path / "job", limit=10**6)
    assert stored.data == b"<p>tea"
    assert {type_ for type_, _, _ in records(tmp_path / "job")} == {"warcinfo", "response", "request"}


def test_sitemaps_are_followed(tmp_path: Path) -> None:
    xml = {"Content-Type": "application/xml"}

    def listing(kind: str, entry: str, *names: str) -> bytes:
        rows = "".join(f"<{entry}><loc>{site.url}{name}</loc></{entry}>" for name in names)
        return f'<{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</{kind}>'.encode()

    pages: dict[str, Answer | str] = {"/": page(), "/x": page(), "/y": page(), "/z": page("/far"), "/far": page()}
    with serving(pages) as site:
        pages["/robots.txt"] = Answer(f"Sitemap: {site.url}all.xml\nUser-agent: *\nDisallow: /y", headers=PLAIN)
        pages["/all.xml"] = Answer(
            listing("sitemapindex", "sitemap", "1.xml", "2.gz", "all.xml", "bad.xml"), headers=xml
        )
        pages["/1.xml"] = Answer(listing("urlset", "url", "x", "y"), headers=xml)
        pages["/2.gz"] = Answer(
            gzip.compress(listing("urlset", "url", "z")), headers={"Content-Type": "application/gzip"}
        )
        pages["/bad.xml"] = Answer(b"<", headers=xml)
        summary = fetch(site, tmp_path / "job", sitemap=True, depth=1)
    assert set(paths(site)) == {"/", "/x", "/z", "/all.xml", "/1.xml", "/2.gz", "/bad.xml"}
    assert max(Counter(paths(site)).values()) == 1
    assert (summary.pages, summary.left_out) == (3, {"depth": 1})


@pytest.mark.parametrize("host", ["localhost", "[::ffff:127.0.0.1]"])
def test_private_addresses_are_not_contacted(tmp_path: Path, host: str) -> None:
    with serving({"/": page()}) as site:
        url = site.url.replace("127.0.0.1", host)
        summary = crawl(url, tmp_path / "job", plan=CrawlPlan(delay=0, timeout=5))
        assert not site.asked
    assert (summary.outcomes, crawl_exit_code(summary)) == ({"private": 1}, 3)


def test_a_killed_crawl_resumes(tmp_path: Path) -> None:
    links = [f"/{number}" for number in range(1, 60)]
    pages = {"/": page(*links), **{link: Answer(page(*links), wait=0.005) for link in links}}
    folder = tmp_path / "job"
    with serving(pages) as site:
        prepare_site(folder, site.url, QUICK)
        for kill in (signal.SIGTERM, signal.SIGKILL):
            start = len(site.asked)
            worker = subprocess.Popen(
                [sys.executable, "-m", "dehusk.many.crawl.worker", str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            deadline = time.monotonic() + 60
            while len(site.asked) < start + 20 and time.monotonic() < deadline:
                time.sleep(0.005)
            os.kill(worker.pid, kill)
            worker.communicate()
            assert worker.returncode == (0 if kill == signal.SIGTERM else -kill)
        assert json.loads((folder / "summary.json").read_text())["end"] == "interrupted"
        assert warc_files(folder)[-1].suffix == ".open"
        with warc_files(folder)[-1].open("ab") as stream:
            stream.write(b"\x1f\x8b half a record")
        summary = crawl(site.url, folder, plan=QUICK)
    asked = Counter(paths(site))
    twice = [path for path, count in asked.items() if count > 1]
    assert len(twice) <= QUICK.concurrency  # only those in progress when it was killed
    assert set(asked) == {"/", *links}
    assert (summary.pages, summary.end) == (60, "complete")
    stored = [uri for type_, uri, _ in records(folder) if type_ == "response"]
    assert len(stored) == len(set(stored)) == 60


def test_a_full_disk_leaves_no_incomplete_record(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="no limits of processes here")
    limited = "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000)); "
    limited += "runpy.run_module('dehusk.many.crawl.worker', run_name='__main__')"
    links = [f"/{number}" for number in range(1, 20)]
    big = {link: page(text=Random(link).randbytes(80_000).hex()) for link in links}  # noqa: S311 (nothing secret)
    folder = tmp_path / "job"
    with serving({"/": page(*links), **big}) as site:
        prepare_site(folder, site.url, QUICK)
        command = [sys.executable, "-c", limited, str(folder)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as worker:
            worker.wait()
        assert json.loads((folder / "summary.json").read_text("utf-8"))["end"].startswith("OSError: ")
        summary = crawl(site.url, folder, plan=QUICK)
    stored = [uri for type_, uri, _ in records(folder) if type_ == "response"]
    assert len(stored) == len(set(stored)) == summary.pages == 20


def test_markdown_is_stored_and_its_links_are_followed(tmp_path: Path) -> None:
    headers = {"Content-Type": "text/markdown; charset=utf-8"}
    pages = {
        "/": Answer("# Tea\n\nSee [green](/green) and [black](black.md).\n", headers=headers),
        "/green": page(text="green"),
    }
    pages["/black.md"] = Answer("# Black tea\n\nGood leaves.\n", headers=headers)
    with serving(pages) as site:
        summary = fetch(site, tmp_path, markdown=True)
        assert set(paths(site)) == {"/", "/green", "/black.md"}
        assert {each.partition(",")[0] for each in site.accepted} == {"text/markdown"}
    assert summary.pages == 3
    documents = [
        dehusk.clean(each.data, url=each.url, headers=each.headers) for each in stored_pages(tmp_path, limit=10_000)
    ]
    assert sorted(document.page.form for document in documents) == ["html", "markdown", "markdown"]
    assert "# Black tea\n\nGood leaves.\n" in [document.markdown for document in documents]
    with serving(pages) as site:
        fetch(site, tmp_path / "html")
        assert {each.partition(",")[0] for each in site.accepted} == {"text/html"}
