"""Cleaning pages straight from the web: `dehusk.clean_url` and `dehusk clean URL`."""

import json
import time
from pathlib import Path

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

import dehusk
from command_line import EXAMPLE
from command_line import dehusk as run
from crawl_workers import forked_workers
from dehusk.base.errors import FetchError
from dehusk.many.crawl import CrawlPlan
from webserver import Answer, paths, redirect, serving

__all__ = ["forked_workers"]

TEA = Answer(EXAMPLE.read_bytes(), headers={"Content-Type": "text/html; charset=utf-8"})
PRIVATE = CrawlPlan(private=True, delay=0)


def test_a_page_is_fetched_and_cleaned_against_its_final_address() -> None:
    with serving({"/tea": redirect("/blog/tea"), "/blog/tea": TEA}) as site:
        document = dehusk.clean_url(f"{site.url}tea", plan=PRIVATE, explain=True)
        assert document.status == "ok"
        assert document.text == dehusk.clean(EXAMPLE.read_bytes()).text
        assert f"[gunpowder]({site.url}blog/gunpowder)" in document.markdown
        assert document.blocks[0].reason
        printed = run("clean", "--private", "-f", "markdown", f"{site.url}tea")
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert printed.stdout.decode() == document.markdown


def test_an_incomplete_answer_is_a_truncated_page() -> None:
    cut = Answer(EXAMPLE.read_bytes(), headers=TEA.headers, length=10_000)
    with serving({"/": cut}) as site:
        document = dehusk.clean_url(site.url, plan=PRIVATE)
    assert (document.status, document.message) == (
        "truncated", "the response was cut short: the connection ended too early",
    )  # fmt: skip
    assert "How to brew green tea" in document.text


def test_private_addresses_are_refused() -> None:
    with serving({"/": TEA}) as site:
        with pytest.raises(FetchError, match="not on the public internet") as caught:
            dehusk.clean_url(site.url)
        assert caught.value.reason == "private"
        done = run("clean", site.url)
        assert paths(site) == []
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().startswith(f"dehusk: {site.url}: error: not on the public internet: ")
    assert done.stderr.count(b"\n") == 1


def test_robots_txt_is_obeyed() -> None:
    rules = Answer("User-agent: *\nDisallow: /secret", headers={"Content-Type": "text/plain"})
    with serving({"/robots.txt": rules, "/secret": TEA}) as site:
        done = run("clean", "--private", f"{site.url}secret")
        assert paths(site) == []
    assert done.returncode == 1
    assert done.stderr.decode() == f"dehusk: {site.url}secret: error: robots.txt forbids fetching it\n"


def test_a_list_may_mix_files_and_addresses(tmp_path: Path) -> None:
    with serving({"/a": TEA, "/b": TEA}) as site:
        lines = [f"{site.url}a", f"{EXAMPLE}\thttps://tea.example/blog/", f"{site.url}b", f"{site.url}gone"]
        (tmp_path / "list").write_text("\n".join(lines))
        start = time.monotonic()
        done = run("clean", "--private", "--workers", "2", "--list", tmp_path / "list")
        assert time.monotonic() - start > 2 * CrawlPlan.delay  # waits between the requests to one host
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["url"] for record in records] == [
        f"{site.url}a", "https://tea.example/blog/", f"{site.url}b", f"{site.url}gone",
    ]  # fmt: skip
    assert [record["status"] for record in records] == ["ok", "ok", "ok", "error"]
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        f"dehusk: {site.url}gone: error: not found (HTTP 404)",
        "dehusk: 4 pages: 3 ok, 1 error",
    ]


def test_pages_of_the_web_get_files_named_after_their_addresses(tmp_path: Path) -> None:
    with serving({"/": TEA, "/blog/tea.html": TEA}) as site:
        addresses = (site.url, f"{site.url}blog/tea.html")
        done = run("clean", "--private", "--output-dir", tmp_path, "-f", "markdown", *addresses)
    assert (done.returncode, done.stderr) == (0, b"dehusk: 2 pages: 2 ok\n")
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
    assert names == {"127.0.0.1/index.md", "127.0.0.1/blog/tea.md"}


def test_without_the_extra_the_pip_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "scrapy", None)
    with pytest.raises(dehusk.MissingExtraError, match=r"pip install 'dehusk\[crawl\]'"):
        dehusk.clean_url("https://tea.example/")
