"""The addresses of links, resolved all at once, against what defines them."""

from itertools import product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dehusk.compiled.text import resolve_all
from dehusk.read import parse
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page
from oracle import addresses as oracle
from oracle import cases
from strategies import htmls

BASES = (
    *("", "http://x.org", "http://x.org/", "https://x.org/a/b.html", "https://x.org/a/b/?q=c/d#e", "http://x.org/a//b"),
    *("http://x.org/a/./b", "http://x.org/a/../b", "http://x.org?q", "http://x.org#f", "http://x.org:80/a"),
    *("ftp://x.org/a/", "http://x.org/a b/", "http://x.org/a;b/c;d", "http://é.org/a"),
    *("http://[::1]/a/", "https://x.org/a/%7e/é?é"),
)
PARTS = (
    *("http:", "HTTPS:", "https://", "http://", "//", "/", "\\", ".", "..", "../", "./", "a", "b.html", "~", "%41"),
    *("%", "%4", "?", "?q=1", "&amp", "#", "#n", ":", "@", ";", "=", "mailto:", "tel:", "javascript:", "data:", "x:"),
    *(
        "ftp:",
        " ",
        "\t",
        "é",
        "😀",
        "\ud800",
        "[",
        "]",
        "(",
        "x.org",
        "x.org:80",
        "x.org:99999",
        "\u00ad",
        "&",
        "+",
        "*",
    ),
    *("'", "\n", "http", "httpx"),
)
random_addresses = st.one_of(st.none(), st.lists(st.sampled_from(PARTS), max_size=6).map("".join))


def check(addresses: Addresses, given_addresses: list[str | None]) -> None:
    found = resolve_all(addresses, given_addresses)
    assert found == oracle.resolve_all(addresses, given_addresses)
    assert [addresses.resolve(each) if each else None for each in given_addresses] == found


@given(st.sampled_from(BASES), st.lists(random_addresses, max_size=12))
@example("", ["a" * 2000, "a" * 2001, "/" + "a" * 2000])
@example("https://x.org/a/b", ["a" * 2000, "a" * 2001, "/" + "a" * 2000, "#" + "a" * 2000, "http://" + "a" * 2000])
def test_random_addresses(base: str, given_addresses: list[str | None]) -> None:
    check(Addresses(base), given_addresses)


def test_addresses_of_two_parts() -> None:
    for base in BASES:
        check(Addresses(base), list(PARTS))
    for base in (BASES[0], BASES[3]):
        check(Addresses(base), list(map("".join, product(PARTS, PARTS))))


def check_addresses(page: Page) -> None:
    hrefs = [dict(given).get("href") for given in page.elements.attributes().values()]
    for base in BASES:
        check(Addresses(base), hrefs)


def test_addresses_of_pages() -> None:
    for source in cases.sources(8):
        if len(source) < 20_000:
            check_addresses(parse(source))


@settings(max_examples=50)
@given(htmls)
def test_addresses_of_random_pages(html: str) -> None:
    check_addresses(parse(html))
