"""The site of a page: addresses in the wild, prefixes of web archives, declared addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.counts.grouping import BY, by_site, site_name, site_of, without_archive

ARCHIVE = "https://web.archive.org/web"

HOSTS = [
    ("http://example.org/", "example.org"),
    ("HTTPS://WWW.Example.ORG:8080/Path?q=1#f", "example.org"),
    ("https://user:secret@www.example.org/", "example.org"),
    ("//example.org/a", "example.org"),
    ("example.org", "example.org"),
    ("www.example.org/a//b", "example.org"),
    ("example.org/?next=https://other.org/", "example.org"),
    ("http://example.org./", "example.org"),
    ("  http://example.org/ \n", "example.org"),
    ("http://www2.example.org/", "www2.example.org"),
    ("http://wwwexample.org/", "wwwexample.org"),
    ("http://example.org:99999/", "example.org"),
    ("http://192.168.0.1:80/a", "192.168.0.1"),
    ("http://[2001:db8::1]:80/a", "2001:db8::1"),
    ("http://müller.example/", "xn--mller-kva.example"),
    ("http://MÜLLER.example/", "xn--mller-kva.example"),
    ("http://xn--mller-kva.example/", "xn--mller-kva.example"),
    ("http://www.пример.example/", "xn--e1afmkfd.example"),
    ("http://ä..example/", "ä..example"),
    ("", ""),
    ("   ", ""),
    ("http://", ""),
    ("///path", ""),
    ("/path/page.html", ""),
    ("#part", ""),
    ("?q=1", ""),
    ("file:///home/pages/a.html", ""),
    ("http://[2001:db8::1/", ""),
    ("http://exa\u2100mple.org/", ""),
]


@pytest.mark.parametrize(("url", "host"), HOSTS)
def test_hosts(url, host):
    assert site_name(url) == host


ARCHIVED = [
    f"{ARCHIVE}/20170102030405/http://www.example.org/a",
    f"{ARCHIVE}/20170102030405if_/http://example.org/a",
    f"{ARCHIVE}/20170102030405id_/example.org/a",
    f"{ARCHIVE}/2017/https://example.org:443/a?next=http://other.org/",
    f"{ARCHIVE}/20170102030405/http:/example.org/a",
    "https:/web.archive.org/web/2017/http:/web.archive.org/web/2016/https:/example.org/a",
    f"{ARCHIVE}/20170102030405/example.org/login?next=http://other.org/",
    f"{ARCHIVE}/20170102030405/example.org/a//b",
    "http://web.archive.org/web/20050102030405/http://example.org/",
    "//web.archive.org/web/20050102030405/http://example.org/",
    "web.archive.org/web/20050102030405/http://example.org/",
    "https://Web.Archive.org/Web/20050102030405IM_/HTTP://EXAMPLE.org/",
    f"{ARCHIVE}/2017/{ARCHIVE}/2015/http://example.org/",
    f"{ARCHIVE}/20170102030405/https://archive.ph/20160102030405/http://example.org/a",
    "https://archive.today/20160102030405/http://example.org/a",
    "https://archive.is/2016/http://example.org/a",
    "https://wayback.archive-it.org/1234/20160102030405/http://example.org/a",
]


@pytest.mark.parametrize("url", ARCHIVED)
def test_prefixes_of_web_archives(url):
    assert site_name(url) == "example.org"


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        (f"{ARCHIVE}/20170102030405if_/http://example.org/a?b=//c", "http://example.org/a?b=//c"),
        (f"{ARCHIVE}/20170102030405/example.org/a", "http://example.org/a"),
        (f"{ARCHIVE}/20170102030405/", f"{ARCHIVE}/20170102030405/"),
        (f"{ARCHIVE}/about/http://example.org/", f"{ARCHIVE}/about/http://example.org/"),
        ("http://example.org/web/2017/http://other.org/", "http://example.org/web/2017/http://other.org/"),
        ("", ""),
    ],
)
def test_the_address_inside_an_archives_address(url, bare):
    assert without_archive(url) == bare


def test_an_address_nested_in_many_archives_takes_linear_time():
    assert site_name(f"{ARCHIVE}/2017/" * 50_000 + "http://example.org/") == "example.org"


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("http://news.example.co.uk/a", "example.co.uk"),
        ("http://www.example.co.uk/", "example.co.uk"),
        ("http://a.b.example.com/", "example.com"),
        ("http://co.uk/", "co.uk"),
        ("http://nachrichten.müller.de/", "xn--mller-kva.de"),
        ("http://localhost/", "localhost"),
        ("http://192.168.0.1/", "192.168.0.1"),
        ("http://[2001:db8::1]/", "2001:db8::1"),
        ("", ""),
        (f"{ARCHIVE}/2017/http://news.example.org/", "example.org"),
    ],
)
def test_registered_domains(url, domain):
    assert site_name(url, "domain") == domain


@pytest.mark.parametrize(
    ("url", "section"),
    [
        ("http://www.example.org/blog/a.html", "example.org/blog"),
        ("http://example.org/blog/2017/a", "example.org/blog"),
        ("http://example.org//blog/a", "example.org/blog"),
        ("http://example.org/a.html", "example.org"),
        ("http://example.org/?a=b/c", "example.org"),
        ("http://example.org", "example.org"),
        ("/blog/a.html", ""),
        (f"{ARCHIVE}/2017/http://example.org/blog/a", "example.org/blog"),
    ],
)
def test_sections(url, section):
    assert site_name(url, "section") == section


@given(st.text(alphabet="htp:/w.aeö[]@?#%0 \n\x00\u2100", max_size=30), st.sampled_from(BY))
def test_no_text_makes_site_name_fail(text, by):
    name = site_name(text, by)
    assert not set(name) & set("\n?#")
    assert site_of(dehusk.parse("<p>x", url=text), by) == name


def named(head: str, url: str | None = None) -> str:
    return site_of(dehusk.parse(f"<html><head>{head}</head><body><p>text", url=url))


CANONICAL = '<link rel=canonical href="{}">'
GRAPH = '<meta property="og:url" content="{}">'
BASE = '<base href="{}">'


def test_the_site_of_a_page_from_the_address_it_declares():
    assert named("", "http://www.a.example/x") == "a.example"
    for head in (CANONICAL, GRAPH, BASE):
        assert named(head.format("https://www.a.example/x")) == "a.example"
        assert named(head.format(f"{ARCHIVE}/20170102030405/http://www.a.example/x")) == "a.example"
        assert named(head.format("//a.example/x")) == "a.example"
        assert named(head.format(" http://a.example/x ")) == "a.example"


def test_the_url_comes_before_declared_addresses():
    heads = [CANONICAL.format("http://b.example/"), GRAPH.format("http://c.example/"), BASE.format("http://d.example/")]
    assert named("".join(heads), "http://a.example/") == "a.example"
    assert named("".join(reversed(heads))) == "b.example"
    assert named("".join(reversed(heads[1:]))) == "c.example"
    assert named(heads[0], "/page.html") == "b.example"
    assert named(GRAPH.format("http://e.example/") + heads[1]) == "e.example"


@pytest.mark.parametrize(
    "address", ["page-1.html", "news/page-1.html", "/page.html", "", "#", "?id=1.2", "http://[bad/"]
)
def test_addresses_that_name_no_host(address):
    """A relative address names no host, whatever its file is called."""
    for head in (CANONICAL, GRAPH, BASE):
        assert named(head.format(address)) == ""
    assert named(CANONICAL.format(address) + GRAPH.format("http://a.example/")) == "a.example"


def test_pages_by_site():
    urls = ["http://b.example/1", "http://www.a.example/", None, "http://b.example:80/2", "localhost/x", "http://[bad"]
    pages = [dehusk.parse("<p>x", url=url) for url in urls]
    assert by_site(pages) == {"b.example": [0, 3], "a.example": [1], "": [2, 5], "localhost": [4]}
    assert list(by_site(pages)) == ["b.example", "a.example", "", "localhost"]
    assert by_site(pages, "section") == by_site(pages)
    assert by_site([]) == {}


def test_an_archives_own_address_names_no_site():
    assert named('<base href="https://web-beta.archive.org/">') == ""
    assert named('<base href="https://web-beta.archive.org/web/2005/http://a.example/">') == "a.example"
    assert named('<base href="https://archive.org/">', url="http://archive.org/about") == "archive.org"
