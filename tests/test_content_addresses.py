"""Addresses of links and images: resolved as browsers do, safe, and valid in every format."""

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import dehusk
from cpu_time import assert_quick
from dehusk import parse
from dehusk.base.tags import numbers
from dehusk.read.addresses import MAX_BASE, Addresses, without_tracking
from dehusk.write.content.images import find_images, image_source

PAGE = Addresses("https://example.org/a/b.html", "https://example.org/a/b.html")
UNKNOWN = Addresses()

RESOLVED = {
    "c": "https://example.org/a/c",
    "../c d.html": "https://example.org/c%20d.html",
    "/x?q=1&p=2#top": "https://example.org/x?q=1&p=2#top",
    "?q=1": "https://example.org/a/b.html?q=1",
    "#top": "https://example.org/a/b.html#top",
    "//other.org/x": "https://other.org/x",
    "  http://other.org/x\n": "http://other.org/x",
    "http://oth\ner.org/x": "http://other.org/x",
    "https:c": "https://example.org/a/c",
    "http:/other.org": "http://other.org",
    "https:////other.org/x": "https://other.org/x",
    "\\\\other.org\\x?\\": "https://other.org/x?%5C",
    "HTTP://Other.org/": "http://Other.org/",
    "ftp://other.org/x": "ftp://other.org/x",
    "mailto:a b@c.org": "mailto:a%20b@c.org",
    "tel:+1 234": "tel:+1%20234",
    "Foo_(bar)_[baz]'\"`|{}<>^": "https://example.org/a/Foo_%28bar%29_%5Bbaz%5D%27%22%60%7C%7B%7D%3C%3E%5E",
    "http://[::1]:80/[x]": "http://[::1]:80/%5Bx%5D",
    "100%": "https://example.org/a/100%25",
    "a%20b": "https://example.org/a/a%20b",
    "Köln/日本": "https://example.org/a/Köln/日本",
    "a\u202eb\u00a0c": "https://example.org/a/a%E2%80%AEb%C2%A0c",
    "a\ud800b": "https://example.org/a/a%EF%BF%BDb",
}


@pytest.mark.parametrize("address", RESOLVED)
def test_an_address_is_resolved_as_browsers_do_and_encoded(address):
    assert PAGE.resolve(address) == RESOLVED[address]


@pytest.mark.parametrize("address", ["../c", "/x?q", "#top", "//other.org/x", "c%20d"])
def test_without_a_base_relative_addresses_stay_relative(address):
    assert UNKNOWN.resolve(address) == address


UNSAFE = [
    "javascript:alert(1)",
    " \x01\x1f JaVaScRiPt:alert(1)",
    "java\tscr\nipt:alert(1)",
    "java\x00script:alert(1)",
    "java%00script:alert(1)",
    "java\u200bscript:alert(1)",
    "javascript%3Aalert(1)",
    "%6Aavascript:alert(1)",
    "java\ud800script:alert(1)",
    "javascript://example.org/%0aalert(1)",
    "vbscript:x",
    "livescript:x",
    "data:text/html,x",
    "DATA:image/svg+xml;base64,PHN2Zz4=",
    "view-source:javascript:1",
    "blob:https://example.org/1",
    "file:///etc/passwd",
    "about:blank",
    "x-unknown:1",
]
USELESS = ["", "  \n", "http://", "http://[bad", "http://[::1", "http://h:99999/", "http://h:x/", "mailto:", "tel:"]


@pytest.mark.parametrize("address", UNSAFE + USELESS)
@pytest.mark.parametrize("addresses", [PAGE, UNKNOWN])
def test_an_unsafe_or_invalid_address_is_none(addresses, address):
    assert addresses.resolve(address) is None


def test_an_address_of_a_megabyte_takes_little_time_and_space():
    for address in ("(" * 10**6, "../" * 350_000, "javascript%3A" * 80_000, "\\" * 10**6, "%" * 10**6, "a#" * 500_000):
        result = PAGE.resolve(address)
        assert result is None or len(result) <= 3 * len(address) + len(PAGE.base)


@given(st.text(max_size=40) | st.text(alphabet="javscript:/\\?#&%[]()<> \t\n.@", max_size=40))
def test_every_result_is_a_safe_destination_in_markdown(address):
    for addresses in (PAGE, UNKNOWN):
        result = addresses.resolve(address)
        if result is None:
            continue
        assert not re.search(r"[\x00-\x20\"'<>\\^`{|}()\ud800-\udfff]", result)
        assert urlsplit(result).scheme in {"", "http", "https", "ftp", "mailto", "tel"}
        assert addresses.resolve(result) == result, "resolving twice changes nothing"
        result = result.replace("&", "&amp;")
        assert '<a href="' in MarkdownIt().render(f"[x]({result})")


def test_the_base_is_the_url_then_the_base_element_then_the_canonical_address():
    canonical = '<link rel=canonical href="http://c.org/x/">'
    assert Addresses.of(parse(canonical, "http://u.org/y")).resolve("z") == "http://u.org/z"
    assert Addresses.of(parse("<base href='/b/'>" + canonical, "http://u.org/y")).resolve("z") == "http://u.org/b/z"
    assert Addresses.of(parse("<base href='http://b.org/'>" + canonical)).resolve("z") == "http://b.org/z"
    assert Addresses.of(parse("<base href='b/'>" + canonical)).resolve("z") == "http://c.org/x/b/z"
    assert Addresses.of(parse(canonical)).resolve("z") == "http://c.org/x/z"
    assert Addresses.of(parse('<meta property="og:url" content="http://o.org/x/">')).resolve("z") == "http://o.org/x/z"
    assert Addresses.of(parse("<p>")).resolve("z") == "z"


@pytest.mark.parametrize(
    "href", ["javascript:x", "data:text/html,", "http://[bad", "x y", "http://h/" + "a" * MAX_BASE]
)
def test_a_bad_base_is_ignored(href):
    assert Addresses.of(parse(f"<base href='{href}'><link rel=canonical href='{href}'>")).base == ""


def test_a_link_within_the_page_has_a_target():
    assert PAGE.target("#fn1") == "fn1"
    assert PAGE.target("https://example.org/a/b.html#fn%201") == "fn 1"
    assert PAGE.target("/a/b.html#x") == "x"
    assert PAGE.target("/a/c.html#x") is None
    assert PAGE.target("/a/b.html") is None
    assert PAGE.target("#") is None


def test_tracking_parameters_go_and_everything_else_stays():
    assert (
        without_tracking("http://x.org/?utm_source=a&b=%C3%A4+1&fbclid=2&a=&c#f") == "http://x.org/?b=%C3%A4+1&a=&c#f"
    )
    assert without_tracking("http://x.org/p?gclid=1&mc_cid=2&UTM_Medium=3") == "http://x.org/p"
    assert without_tracking("http://x.org/p?id=1&ref=main") == "http://x.org/p?id=1&ref=main"
    assert without_tracking("x?utm_source=1") == "x?utm_source=1", "a relative address is not a web address"
    assert without_tracking("mailto:a@b?subject=x") == "mailto:a@b?subject=x"
    assert without_tracking("http://x.org/?" + "&" * 10**6) == "http://x.org/"


IMAGES = {
    "src=a.jpg": "a.jpg",
    "src=a.jpg srcset='b.jpg 300w, c.jpg 1200w, d.jpg 600w'": "c.jpg",
    "src=a.jpg srcset='b.jpg, c.jpg 2x'": "c.jpg",
    "src=a.jpg srcset='b,w_1.jpg 1x,c,w_2.jpg 3x'": "c,w_2.jpg",
    "srcset=' ,b.jpg,, c.jpg, '": "b.jpg",
    "srcset='a.jpg 640w 480h, b.jpg 2x'": "b.jpg",
    "srcset='a.jpg 640w 480h, b.jpg 320w 240h'": "a.jpg",
    "srcset='a.jpg 240h 320w,b.jpg 480h 640w'": "b.jpg",
    "srcset='a.jpg 360w, b.jpg 200w c.jpg 400w'": "a.jpg",
    "srcset='a.jpg (1x, of, 2) 1x, b.jpg 2x'": "b.jpg",
    "srcset='a.jpg 1x (3x, c.jpg 9x'": "a.jpg",
    "srcset='data:image/gif;base64,R0 1x, b.jpg 2x,'": "b.jpg",
    "srcset='data:image/gif;base64,R0,a.jpg'": None,
    "src=a.jpg srcset='data:image/gif;base64,R0 9999w'": "a.jpg",
    "src='data:image/gif;base64,R0' data-src=b.jpg": "b.jpg",
    "src='/img/blank.gif' data-original=b.jpg": "b.jpg",
    "src='/img/blank.gif' data-srcset='b.jpg 1x, c.jpg 2x'": "c.jpg",
    "src=placeholder.png loading=lazy data-url=b.jpg": "b.jpg",
    "src=/pagespeed_static/1.JiBnMqyl6S.gif data-pagespeed-lazy-src=b.jpg": "b.jpg",
    "src=a.jpg data-url=/share": "a.jpg",
    "src=/pixel-art.png data-url=/product/5": "/pixel-art.png",
    "src=spacer.gif": None,
    "src=spacer.gif alt=spacer": None,
    "src=spacer.gif alt='Tea in spring'": "spacer.gif",
    "src=a.jpg data-src='{\"x\": 1}'": "a.jpg",
    "src='a b.jpg'": "a%20b.jpg",
    "src='data:image/png;base64,R0'": None,
    "src='javascript:x' data-src='javascript:y'": None,
    "alt=x": None,
}


@pytest.mark.parametrize("attributes", IMAGES)
def test_the_best_address_of_an_image(attributes):
    page = parse(f"<p>x<img {attributes}>")
    assert list(find_images(page, UNKNOWN).sources.values()) == ([IMAGES[attributes]] if IMAGES[attributes] else [])


PLACEHOLDERS = """
    blank.png pixel.gif 1x1.png clear.gif loading.svg spacer10.gif blank_300x200.gif pixel_1x1.gif
    transparent-pixel.png lazy-placeholder.svg placeholder@2x.png placeholder.3fa9c1b2.svg pixel.gif?x=a/b
    img-placeholder-640x480.png ajax-loading.gif pixel_trans.gif Blank.GIF lazy_load.gif empty.png#x
"""


@pytest.mark.parametrize("name", PLACEHOLDERS.split())
def test_names_of_placeholders(name):
    attributes = f"src=/img/{name} data-url=b.jpg"
    assert list(find_images(parse(f"<p>x<img {attributes}>"), UNKNOWN).sources.values()) == ["b.jpg"]


PICTURES = """
    pixel-art.png pixel-7.png crystal-clear.png nuclear.png loading-dock.png lazy-sunday.png a.png blanket.png
    downloading.svg empty-room.png clear/tea.png 640x480.png 101x150.png image.png load.svg
"""


@pytest.mark.parametrize("name", PICTURES.split())
def test_names_that_only_contain_words_of_placeholders(name):
    attributes = f"src=/img/{name} data-url=b.jpg"
    assert list(find_images(parse(f"<p>x<img {attributes}>"), UNKNOWN).sources.values()) == [f"/img/{name}"]


def test_a_picture_has_the_sources_of_its_image():
    page = parse(
        "<picture><source srcset='b.webp 800w'><source data-srcset='c.jpg 900w'><img src=a.jpg></picture><img src=d>"
    )
    assert list(find_images(page, UNKNOWN).sources.values()) == ["c.jpg", "d"]


def test_a_noscript_copy_is_known_and_gives_its_address_to_the_placeholder():
    lazy = "<img src='data:image/gif;base64,R0' alt=x><noscript><img src=/a.jpg alt=x></noscript>"
    same = "<img data-src=http://h/b-300x200.jpg><noscript><img src=http://h/b.jpg></noscript>"
    other = "<img src=http://h/c.jpg><noscript><img src=http://h/d.jpg></noscript>"
    found = find_images(parse(lazy + same + other), UNKNOWN)
    assert list(found.sources.values())[:2] == ["/a.jpg", "http://h/b.jpg"] or len(found.copies) == 2
    assert len(found.copies) == 2
    shown = [source for node, source in sorted(found.sources.items()) if node not in found.copies]
    assert shown == ["/a.jpg", "http://h/b-300x200.jpg", "http://h/c.jpg", "http://h/d.jpg"]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<img src=38/a.jpg?q=2><img data-src=900/a.jpg><noscript><img src=900/a.jpg></noscript>", ["900/a.jpg"]),
        ("<img src=38/a.jpg><img src=900/a.jpg>", ["38/a.jpg", "900/a.jpg"]),
        ("<img src=38/a.jpg>and<img data-src=900/a.jpg>", ["38/a.jpg", "900/a.jpg"]),
        ("<img src=38/a.jpg><img data-src=900/b.jpg>", ["38/a.jpg", "900/b.jpg"]),
    ],
    ids=["a preview", "none is late", "text between", "two pictures"],
)
def test_a_preview_before_the_picture_that_is_loaded_late_is_left_out(body: str, shown: list[str]) -> None:
    page = parse(f"<figure>{body}</figure>")
    found = find_images(page, UNKNOWN, page.nodes_of(numbers("img")).tolist())
    assert [source for node, source in sorted(found.sources.items()) if node not in found.copies] == shown


def test_without_the_address_of_the_page_different_images_are_no_copies():
    body = "<img src=/one.jpg><noscript><img src=/two.jpg></noscript><p>x<img src=t/a-300x200.jpg>"
    found = find_images(parse(body + "<noscript><img src=t/a.jpg?x></noscript>"), UNKNOWN)
    shown = [source for node, source in sorted(found.sources.items()) if node not in found.copies]
    assert shown == ["/one.jpg", "/two.jpg", "t/a-300x200.jpg"]


GALLERY = "<ul><li><img src=a.jpg><li><img src=b.jpg><li><img src=c.jpg></ul>"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (GALLERY * 2, "abc"),
        (GALLERY * 3, "abc"),
        (f"{GALLERY}<p>Tea.</p>{GALLERY}", "abcabc"),
        (GALLERY + GALLERY.replace("c.jpg", "d.jpg"), "abcabd"),
        (f"<p>Rated {'<img src=a.jpg>' * 3}{'<img src=b.jpg>' * 2}</p>", "aaabb"),
        ("<table>" + "<tr><td>Tea<td><img src=a.jpg><td><img src=b.jpg>" * 2 + "</table>", "abab"),
    ],
)
def test_a_gallery_that_comes_again_is_written_once(body, shown):
    assert (
        "".join(re.findall(r"\((\w)\.jpg\)", dehusk.clean(f"<p>Tea.</p>{body}<p>Cup.</p>", method="keep-all").markdown))
        == shown
    )


def test_many_images_in_one_picture_take_little_time():
    page = parse("<picture>" + "<source srcset='a 2x'>" * 20_000 + "<img src=b>" * 2_000)
    assert len(page.attributes) == 22_000
    found = assert_quick(lambda: find_images(page, UNKNOWN), 5)
    assert list(found.sources.values()) == ["a", *["b"] * 1999]


def test_attributes_of_a_megabyte_take_little_time():
    for value in (
        "," * 10**6,
        "a" + "," * 10**6 + "b",
        "a (" * 300_000,
        ", " * 500_000,
        "a 1w," * 200_000,
        "a" * 10**6,
        " " * 10**6,
        "blank" * 200_000,
        "1" * 50 + "y.gif",
    ):
        image_source((("srcset", value), ("data-src", value), ("src", value)), UNKNOWN)
