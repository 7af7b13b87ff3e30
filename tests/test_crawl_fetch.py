"""Fetching one page by the rules of a crawl."""

import gzip

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

from crawl_workers import forked_workers
from dehusk.base.errors import FetchError, InputError
from dehusk.many.crawl import CrawlPlan, fetch
from webserver import Answer, page, paths, redirect, serving

__all__ = ["forked_workers"]

QUICK = CrawlPlan(private=True, delay=0, timeout=1, max_bytes=100_000)
HTML = {"Content-Type": "text/html; charset=latin-1"}


def test_a_page_is_fetched_with_its_headers_and_nothing_else() -> None:
    with serving({"/tea": Answer(page("/linked").encode(), headers=HTML)}) as site:
        fetched = fetch(f"{site.url}tea", plan=QUICK)
        assert paths(site) == ["/tea"]
        assert site.agents == {QUICK.agent}
    assert (fetched.url, fetched.data.decode(), fetched.truncated) == (f"{site.url}tea", page("/linked"), "")
    assert fetched.headers["content-type"] == HTML["Content-Type"]


def test_redirects_are_followed_to_other_hosts_and_bodies_are_decompressed() -> None:
    compressed = Answer(gzip.compress(b"<p>tea"), headers={**HTML, "Content-Encoding": "gzip"})
    with serving({"/moved": redirect("/tea"), "/tea": compressed}) as site:
        other = site.url.replace("127.0.0.1", "localhost")
        with serving({"/": redirect(f"{other}moved")}) as first:
            fetched = fetch(first.url, plan=QUICK)
    assert (fetched.url, fetched.data) == (f"{other}tea", b"<p>tea")
    assert "content-encoding" not in fetched.headers


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://nosuchhost.invalid/", "the host name cannot be resolved"),
        ("http://127.0.0.1:9/", "the connection was refused"),
    ],
)
def test_an_unreachable_host_is_not_blamed_on_robots_txt(url: str, message: str) -> None:
    with pytest.raises(FetchError, match=message) as failed:
        fetch(url, plan=QUICK)
    assert failed.value.reason == "error"


def test_an_incomplete_page_says_so() -> None:
    with serving({"/": Answer("<p>tea" + " " * 900, length=5000)}) as site:
        fetched = fetch(site.url, plan=QUICK)
    assert fetched.data.startswith(b"<p>tea")
    assert fetched.truncated == "the connection ended too early"


FAILURES = {
    "/secret": ("robots", "robots.txt forbids"),
    "/gone": ("http-error", "not found (HTTP 404)"),
    "/refused": ("http-error", "HTTP 403"),
    "/big": ("too-big", "too large: longer than 100000 bytes"),
    "/slow": ("error", "no response within 1 s"),
    "/paper": ("not-html", "application/pdf"),
    "/loop": ("redirect", "cannot be followed"),
    "/mail": ("redirect", "mailto:me@tea.example"),
    "/run0": ("redirect", "more than 10 redirects"),
    "/elsewhere": ("robots", "robots.txt forbids"),
}


@pytest.mark.parametrize("path", FAILURES)
def test_a_page_that_cannot_be_fetched_is_one_error(path: str) -> None:
    pages = {
        "/refused": Answer("", 403),
        "/big": Answer("<p>" + "x" * 200_000),
        "/slow": Answer("late", wait=2),
        "/paper": Answer(b"%PDF", headers={"Content-Type": "application/pdf"}),
        "/loop": redirect("/loop"),
        "/mail": redirect("mailto:me@tea.example"),
        "/elsewhere": redirect("/secret"),
        "/robots.txt": Answer("User-agent: *\nDisallow: /secret", headers={"Content-Type": "text/plain"}),
    } | {f"/run{number}": redirect(f"/run{number + 1}") for number in range(20)}
    reason, message = FAILURES[path]
    with serving(pages) as site, pytest.raises(FetchError) as failed:
        fetch(site.url + path[1:], plan=QUICK)
    assert failed.value.reason == reason
    assert str(failed.value).startswith(site.url + path[1:])
    assert message in str(failed.value)
    assert "\n" not in str(failed.value)


def test_private_addresses_are_not_contacted() -> None:
    with serving({"/": page()}) as site:
        for url in (site.url, site.url.replace("127.0.0.1", "localhost")):
            with pytest.raises(FetchError, match="not on the public internet") as failed:
                fetch(url)
            assert failed.value.reason == "private"
        assert not site.asked


def test_what_is_not_a_web_address_is_refused_at_once() -> None:
    for url in ("ftp://tea.example/", "two words", "http://[x/", ""):
        with pytest.raises(InputError):
            fetch(url)


def test_a_crawl_delay_does_not_hold_back_the_only_page() -> None:
    rules = Answer("User-agent: *\nCrawl-delay: 60", headers={"Content-Type": "text/plain"})
    with serving({"/": page(text="tea"), "/robots.txt": rules}) as site:
        assert b"tea" in fetch(site.url, plan=QUICK).data
