"""The rules of a crawl, its frontier and its decoding of bodies, without a network."""

import gzip
import zlib
from pathlib import Path

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

from dehusk.base.errors import ConfigError, InputError, MissingExtraError
from dehusk.cli.crawl import crawl_exit_code
from dehusk.many.crawl.frontier import Frontier, Link, Outcome
from dehusk.many.crawl.plan import CrawlPlan
from dehusk.many.crawl.scope import Scope, crawl_host, parse_link
from dehusk.many.crawl.spider import is_public
from dehusk.many.crawl.start_urls import complete_url
from dehusk.many.crawl.summary import LEFT_OUT, PAGE, CrawlSummary
from dehusk.many.files.bodies import decode_body

HOME = "https://www.tea.example/"


@pytest.mark.parametrize(
    ("ip", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::5db8:d822", True),
        ("2002:7f00:1::", False),
    ],
)
def test_public_addresses(ip: str, public: bool) -> None:
    assert is_public(ip) is public


def test_equivalent_urls_have_one_key() -> None:
    first, second = (
        parse_link("HTTP://WWW.Tea.example:80/a%7eb?y=2&x=1#part"),
        parse_link("http://www.tea.example/a~b?x=1&y=2"),
    )
    assert first is not None
    assert second is not None
    assert first.host == second.host == "tea.example"
    assert "#" not in first.url
    assert parse_link("http://tea.example?q=1").url == "http://tea.example/?q=1"
    assert parse_link("http://tea.example/2026/11/p7.html?d=3&a=1").pattern == "tea.example/0/0/p0.html?a&d"
    for strange in (
        "mailto:me@tea.example",
        "ftp://tea.example/",
        "http://[x/",
        "http://u:p@tea.example/",
        "http:///x",
        "x",
    ):
        assert parse_link(strange) is None, strange
    assert crawl_host("https://web.archive.org/web/2020/http://tea.example/") == "web.archive.org"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a/b.html", ""),
        ("a/a/b", ""),
        ("2011/11/11/11/tea", ""),
        ("a/b/a/b/a/b", "repeating"),
        ("in/in/in/", "repeating"),
        ("x" * 2001, "long"),
        ("/".join(map(str, range(25))), "long"),
        ("Photo.JPG", "file"),
        ("pdf", ""),
        ("tea.pdf?x", "file"),
    ],
)
def test_urls_of_endless_shape_are_refused(path: str, reason: str) -> None:
    link = parse_link(HOME + path)
    assert link is not None
    assert Scope(CrawlPlan(depth=2), HOME).refusal(link, 2) == reason
    assert Scope(CrawlPlan(depth=2), HOME).refusal(link, 3) == (reason or "depth")


def frontier(folder: Path, **settings: object) -> Frontier:
    opened = Frontier(folder, Scope(CrawlPlan(**settings), HOME))
    opened.add_start([Link(HOME)])
    return opened


def test_a_url_left_out_for_its_depth_is_requested_when_found_nearer(tmp_path: Path) -> None:
    opened = frontier(tmp_path, depth=1)
    home = opened.take()
    opened.finish(home, Outcome(PAGE, 200), [Link(HOME + "a"), Link("http://other.example/")])
    opened.finish(opened.take(), Outcome(PAGE, 200), [Link(HOME + "deep")])
    assert opened.take() is None
    assert opened.summary(HOME, "complete", 0).left_out == {"depth": 1}
    opened.add_start([Link(HOME + "deep")])
    assert opened.take().url == HOME + "deep"
    assert opened.summary(HOME, "complete", 0).left_out == {}
    assert opened.summary(HOME, "complete", 0).elsewhere == {"other.example": 1}
    opened.close()


def test_a_frontier_has_one_user_and_resumes(tmp_path: Path) -> None:
    first = frontier(tmp_path)
    assert first.take().url == HOME
    with pytest.raises(InputError, match="in use by another crawl"):
        frontier(tmp_path)
    first.close()
    second = frontier(tmp_path)
    assert second.take().url == HOME  # it was in progress, and its outcome is unknown
    second.close()
    (tmp_path / "frontier.sqlite").write_bytes(b"no base of data at all" * 99)
    with pytest.raises(InputError, match="not a crawl that can be resumed"):
        frontier(tmp_path)


def decoded(body: bytes, encoding: str, limit: int) -> tuple[bytes, str]:
    """Return the data of a body with content encodings, and what is lost of it."""
    result = decode_body(body, {"content-encoding": encoding}, limit=limit)
    return result.data, result.loss


def test_bodies_are_decompressed_as_far_as_possible() -> None:
    text = b"".join(b"<p>%d</p>" % number for number in range(5000))
    raw = zlib.compressobj(wbits=-15)
    packed = {
        "": text,
        "identity": text,
        "gzip": gzip.compress(text),
        "x-gzip": gzip.compress(text[:99]) + gzip.compress(text[99:]),
        "deflate": zlib.compress(text),
        "Deflate": raw.compress(text) + raw.flush(),
        "deflate, gzip": gzip.compress(zlib.compress(text)),
        "GZIP": text,
    }
    for encoding, body in packed.items():
        assert decoded(body, encoding, 10**6) == (text, ""), encoding
    data, loss = decoded(gzip.compress(text)[:-3000], "gzip", 10**6)
    assert 1000 < len(data) < len(text)
    assert text.startswith(data)
    assert loss
    damaged = bytearray(gzip.compress(text))
    damaged[len(damaged) // 2 :] = b"\xff" * 999
    data, loss = decoded(bytes(damaged), "gzip", 10**6)
    assert data[:1000] == text[:1000]
    assert loss
    assert decoded(gzip.compress(b"x" * 10**7), "gzip", 500) == (b"x" * 501, "")
    assert decoded(b"", "gzip", 10) == decoded(b"", "deflate", 10) == (b"", "")


def test_invalid_settings_are_refused() -> None:
    wrong: list[dict[str, object]] = [
        {"depth": 0}, {"pages": -1}, {"delay": -0.1}, {"minutes": 0}, {"agent": ""}, {"agent": "tea\nx"},
        {"hosts": ("http://x.example/",)}, {"hosts": ("",)}, {"timeout": float("nan")},
    ]  # fmt: skip
    for settings in wrong:
        with pytest.raises(ConfigError):
            CrawlPlan(**settings)
    for url in ("ftp://tea.example", "https://", "https://u:p@tea.example/", "two words", "http://x:99999/"):
        with pytest.raises(InputError):
            complete_url(url)
    assert complete_url("tea.example") == "https://tea.example/"
    assert CrawlPlan.from_record(CrawlPlan(hosts=("b.example",), minutes=2).record()) == CrawlPlan(
        hosts=("b.example",), minutes=2
    )
    assert CrawlPlan(agent="me/1 (+https://me.example)").robots_name == "me"


def test_exit_codes_follow_from_counts() -> None:
    def code(end: str = "complete", **counts: object) -> int:
        return crawl_exit_code(CrawlSummary(HOME, end, **counts))

    assert code(outcomes={"page": 2, "http-error": 1, "robots": 3}, statuses={"200": 2, "404": 1}) == 0
    assert code(outcomes={"page": 2, "http-error": 1}, statuses={"503": 1}) == 1
    assert code(outcomes={"page": 2, "error": 1}) == code(outcomes={"page": 1}, damaged=1) == 1
    assert code(outcomes={LEFT_OUT: 2}) == 3
    assert code("interrupted", outcomes={"page": 2}) == 130
    assert code("memusage_exceeded", outcomes={"page": 2}) == 1


def test_an_error_on_one_page_is_its_outcome_but_a_full_disk_ends_the_crawl(tmp_path: Path) -> None:
    from scrapy.http import HtmlResponse, Request

    from dehusk.many.crawl.frontier import TASK
    from dehusk.many.crawl.spider import CrawlState, SiteSpider

    class Failing:
        """An archive that raises."""

        def __init__(self, error: Exception) -> None:
            self.error = error

        def write(self, _: object) -> None:
            raise self.error

    def answer(error: Exception) -> CrawlState:
        state.archive = Failing(error)
        request = Request(HOME, meta={TASK: state.frontier.take()})
        response = HtmlResponse(HOME, body=b"<p>tea", headers={"Content-Type": "text/html"}, request=request)
        SiteSpider(state=state).parse(response)
        return state

    opened = frontier(tmp_path)
    opened.add_start([Link(HOME + "a")])
    state = CrawlState(opened.plan, opened, None, lambda _: None)
    assert not answer(ValueError("a fault")).stopping
    assert opened.summary(HOME, "complete", 0).outcomes == {"error": 1}
    with pytest.raises(OSError, match="disk full"):
        answer(OSError("disk full"))
    assert (state.stopping, state.fault) == (True, "OSError: disk full")
    assert opened.summary(HOME, state.fault, 0).waiting == 1
    opened.close()


def test_a_missing_extra_is_one_line_with_the_command_to_install_it(tmp_path: Path, monkeypatch) -> None:
    from dehusk.many.crawl import crawl, worker_process

    monkeypatch.setattr(worker_process, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"crawling needs scrapy.*pip install 'dehusk\[crawl\]'"):
        crawl(HOME, tmp_path / "job")
    assert not (tmp_path / "job").exists()
