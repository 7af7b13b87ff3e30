"""`dehusk crawl` as a user types it, with clean records, WISDOM blocks, errors and signals."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

import dehusk
from command_line import dehusk as run
from crawl_workers import forked_workers
from dehusk.many.crawl import clean_crawl
from made_sites import FOOTER, article, words
from made_sites import page as shop_page
from webserver import Answer, page, serving

__all__ = ["forked_workers"]
ARTICLES = 6


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The job folder of a small site crawled with --clean, and the URL of the site."""
    folder = tmp_path_factory.mktemp("crawl")
    names = [f"/page{number}" for number in range(ARTICLES)]
    listed = "".join(f'<li><a href="{name}">{words(100 + at, 5)}</a></li>' for at, name in enumerate(names))
    pages: dict[str, Answer | str] = {
        name: shop_page(article(number), host="", name=name) for number, name in enumerate(names)
    }
    pages["/"] = shop_page([], host="", extra=f"<ul class=toc>{listed}</ul>")
    with serving(pages) as site:
        done = run("crawl", site.url, "-o", "job", "--private", "--delay", "0", "--clean", "-f", "markdown", cwd=folder)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == b""
    messages = done.stderr.decode().splitlines()
    assert messages[0].startswith(f"pages      {ARTICLES + 1}, ")
    assert messages[-1] == f"cleaned    no-content 1, ok {ARTICLES}" or messages[-1] == f"cleaned    ok {ARTICLES + 1}"
    return folder / "job", site.url


def lines(folder: Path, name: str) -> dict[str, dict]:
    rows = map(json.loads, (folder / name).read_text("utf-8").splitlines())
    return {row["url"]: row for row in rows}


def test_pages_become_clean_records(job: tuple[Path, str]) -> None:
    folder, url = job
    rows = lines(folder, "clean.jsonl")
    assert set(rows) == {url, *(f"{url}page{number}" for number in range(ARTICLES))}
    for number in range(ARTICLES):
        row = rows[f"{url}page{number}"]
        assert (row["status"], row["format"]) == ("ok", "markdown")
        assert row["text"].split() == f"# /page{number} {' '.join(article(number))}".split(), "after the title"
        assert row["id"].startswith("urn:uuid:")


def test_pages_become_article_and_toc_blocks(job: tuple[Path, str]) -> None:
    folder, url = job
    rows = lines(folder, "wisdom.jsonl")
    assert article(3)[0] in rows[f"{url}page3"]["article"][0]["text"]
    toc = rows[url]["toc"]
    assert [f"{url}page{number}" for number in range(ARTICLES)] == [
        link["url"] for block in toc for link in block["links"] if "/page" in link["url"]
    ]
    assert all(set(block) == {"xpath", "feature", "score", "cii", "skeleton", "text", "api", "links"} for block in toc)
    assert all(FOOTER not in block["text"] for row in rows.values() for block in row["toc"])


def test_options_of_clean_are_used(job: tuple[Path, str]) -> None:
    folder, url = job
    cleaned = clean_crawl(folder, method="site")
    by_site = lines(folder, "clean.jsonl")[f"{url}page1"]
    assert by_site["format"] == "text"
    assert by_site["text"].split() == " ".join(article(1)).split()
    assert cleaned.statuses["ok"] == cleaned.extracted
    with pytest.raises(dehusk.ConfigError):
        clean_crawl(folder, method="site", style="body")
    assert not list(folder.glob(".clean-*"))


USAGE = [
    (("-o", "x"), "Missing argument 'URL' (or option '--list')"),
    (("http://x.example/", "-o", "x", "--list", "urls.txt"), "give URL or --list, not both"),
    (("-o", "x", "--list", "urls.txt"), "urls.txt, line 3: 'tea' is not a complete web address"),
    (("-o", "x", "--list", "empty.txt"), "empty.txt contains no URLs"),
    (("-o", "x", "--list", "latin.txt"), "latin.txt is not UTF-8 text"),
    (("-o", "x", "--list", "missing.txt"), "'missing.txt': No such file"),
    (("-o", "x", "--list", "good.txt", "--depth", "3"), "depth cannot be used with a list"),
    (("-o", "x", "--list", "good.txt", "--host", "y.example"), "hosts cannot be used with a list"),
    (("http://x.example/",), "Missing option '-o'"),
    (("ftp://x.example/", "-o", "x"), "is not a web address"),
    (("http://u:p@x.example/", "-o", "x"), "user name or password"),
    (("http://x.example/", "-o", "x", "--host", "http://y/"), "is not a host name"),
    (("http://x.example/", "-o", "x", "--pages", "0"), "0 is not in the range"),
    (("http://x.example/", "-o", "x", "--minutes", "0"), "0 is not in the range"),
    (("http://x.example/", "-o", "x", "--agent", ""), "agent must start with a name"),
    (("http://x.example/", "-o", "x", "--format", "html"), "--format requires --clean"),
    (
        ("http://x.example/", "-o", "x", "--clean", "--method", "site", "--style", "body"),
        "method site: unknown option 'style'",
    ),
    (
        ("http://x.example/", "-o", "x", "--clean", "--method", "victor"),
        "method victor cannot clean a crawl; these can: united",
    ),
    (("http://x.example/", "-o", "full"), "is not empty and contains no crawl"),
    (("http://x.example/", "-o", "torn"), "cannot be used"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_wrong_usage_is_one_line_and_code_2(tmp_path: Path, monkeypatch, capfd, arguments, message: str) -> None:
    for name, file in (("full", "notes.txt"), ("torn", "job.json")):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text("{")
    lists = {"urls": b"http://x.example/\n\ntea\n", "empty": b"# tea\n", "latin": b"\xe9", "good": b"http://x.example/"}
    for name, lines_ in lists.items():
        (tmp_path / f"{name}.txt").write_bytes(lines_)
    from dehusk.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["dehusk", "crawl", *arguments])
    with pytest.raises(SystemExit) as done:
        main()
    assert done.value.code == 2
    assert message in capfd.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "x").exists()


def test_no_pages_is_code_3_with_a_reason(tmp_path: Path) -> None:
    with serving({}) as site:
        done = run("crawl", site.url, "-o", tmp_path / "job", "--private", "--clean", "--delay", "0")
    assert done.returncode == 3
    assert "start URL  http-error" in done.stderr.decode()


def test_minutes_limit_a_run(tmp_path: Path) -> None:
    def endless(path: str) -> Answer | str:
        return Answer(page(f"/x{path}y", f"/{path[1:]}z"), wait=0.1)

    with serving(endless) as site:
        done = run("crawl", site.url, "-o", tmp_path / "job", "--private", "--delay", "0", "--minutes", "0.02", "-q")
        assert (done.returncode, done.stderr) == (0, b"")
        summary = json.loads((tmp_path / "job" / "summary.json").read_text("utf-8"))
        assert summary["end"] == "minutes"
        assert summary["waiting"] > 0


WITH_DEFAULT_SIGNALS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # nohup and background jobs ignore it
from dehusk.cli import main
main()
"""
EXIT_CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -signal.SIGKILL}


@pytest.mark.parametrize("number", EXIT_CODES)
def test_a_signal_to_the_command_ends_the_crawl_gracefully(tmp_path: Path, number: signal.Signals) -> None:
    pages = {"/": page(*(f"/{name}" for name in range(40)))} | {
        f"/{name}": Answer(page(), wait=0.05) for name in range(40)
    }
    summary = tmp_path / "job" / "summary.json"
    with serving(pages) as site:
        arguments = ["crawl", site.url, "-o", str(tmp_path / "job"), "--private", "--delay", "0"]
        with subprocess.Popen(
            [sys.executable, "-c", WITH_DEFAULT_SIGNALS, *arguments], stderr=subprocess.PIPE
        ) as process:
            wait_for(lambda: len(site.asked) > 8)
            process.send_signal(number)
            process.communicate()
        wait_for(summary.exists)  # if the command was killed, its worker ends a little later
        assert process.returncode == EXIT_CODES[number]
        assert json.loads(summary.read_text("utf-8"))["end"] == "interrupted"
        assert len(site.asked) < 40
        assert run(*arguments, "-q").returncode == 0
    assert len(site.asked) == len(set(site.asked)) + 1 == 43  # robots.txt twice, and no page


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the worker in /proc")
@pytest.mark.parametrize("number", EXIT_CODES)
def test_the_worker_ends_with_the_command_even_during_a_long_crawl_delay(tmp_path: Path, number) -> None:
    rules = Answer("User-agent: *\nCrawl-delay: 300", headers={"Content-Type": "text/plain"})
    pages = {"/robots.txt": rules, "/": page("/a", "/b", "/c"), "/a": page(), "/b": page(), "/c": page()}
    with serving(pages) as site:
        arguments = ["crawl", site.url, "-o", str(tmp_path / "job"), "--private", "--delay", "0", "-q"]
        with subprocess.Popen([sys.executable, "-c", WITH_DEFAULT_SIGNALS, *arguments]) as process:
            wait_for(lambda: "/" in site.asked)
            (worker,) = children(process.pid)
            wait_for(lambda: any((tmp_path / "job").glob("pages-*")))  # the page is being stored
            time.sleep(0.5)  # now the next request waits for the delay
            process.send_signal(number)
            process.wait()
        wait_for(lambda: not Path(f"/proc/{worker}").exists())
        summary = json.loads((tmp_path / "job" / "summary.json").read_text("utf-8"))
        assert (summary["end"], summary["outcomes"], summary["waiting"]) == ("interrupted", {"page": 1}, 3)
        assert site.asked == ["/robots.txt", "/"]


def children(parent: int) -> list[int]:
    """Return the running child processes of a process."""
    pids = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, owner = path.read_text().rpartition(") ")[2].split()[:2]
        except OSError:  # it has just ended
            continue
        if int(owner) == parent and state != "Z":
            pids.append(int(path.parent.name))
    return pids


def wait_for(done: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not done() and time.monotonic() < until:
        time.sleep(0.01)
    assert done()


def test_a_list_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    with serving(lambda _: page("/linked", text=words(1, 60))) as site:
        (tmp_path / "urls.txt").write_bytes(f"\ufeff{site.url}a\r\n# {site.url}b\n\n{site.url}a\n".encode())
        arguments = ("-o", tmp_path / "job", "--private", "--delay", "0", "--clean")
        done = run("crawl", "--list", tmp_path / "urls.txt", *arguments)
        assert (done.returncode, done.stdout) == (0, b"")
        messages = done.stderr.decode().splitlines()
        assert messages[0].startswith("pages      1, ")
        assert messages[-2:] == [
            "dehusk: 127.0.0.1: fewer than 5 pages; each page is cleaned individually, without article and TOC blocks",
            "cleaned    ok 1",
        ]
        more = run("crawl", "--list", "-", *arguments, "-q", given=f"{site.url}a\n{site.url}c\n".encode())
        assert (more.returncode, more.stderr) == (0, b"")
    assert [path for path in site.asked if path != "/robots.txt"] == ["/a", "/c"]
    assert list(lines(tmp_path / "job", "clean.jsonl").values())[1]["text"].strip() == words(1, 60)


def test_progress_shows_pages_and_waiting_addresses(monkeypatch) -> None:
    import io
    import sys
    from importlib import import_module

    module = import_module("dehusk.cli.crawl")
    written = io.StringIO()
    written.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", written)
    with module._progress("crawling", quiet=False) as tell:
        tell({"pages": 3, "waiting": 17, "of": 40})
        tell({"pages": 40, "waiting": 9, "of": 40})
    with module._progress("cleaning", quiet=False) as tell:
        tell({"pages": 30, "of": 30})
    for shown in ("crawling", "  7% 3/40  17 waiting", "100% 40/40", "9 waiting", "cleaning", "100% 30/30"):
        assert shown in written.getvalue()
    written.truncate(0)
    with module._progress("crawling", quiet=True) as tell:
        tell({"pages": 3, "waiting": 17, "of": 40})
    assert "crawling" not in written.getvalue()
