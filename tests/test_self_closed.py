"""Self-closed elements on pages that an XML writer saved, and on pages that only look like it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpu_time import assert_linear
from dehusk.blocks import segment
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.read.self_closed import expand, expand_in_noscript, expand_raw

TEN = "<br/>" * 10  # enough void elements with a slash to call a page XML


def outline(page: Page) -> list[str]:
    return [
        f"{page.depth[i]} {page.text[page.text_start[i] : page.text_end[i]] if page.is_text[i] else page.tag_name(i)}"
        for i in range(len(page))
    ]


def expanded(html: str) -> str:
    return expand(html, html.encode())[0]


SAVED_AS_XML = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" lang="de">
<head><meta charset="utf-8"/><title/><script src="a.js"/><style type="text/css"/><link rel="x" href="y"/></head>
<body>
<div class="ad"/>
<a name="top"/>
<h1>Eine Frage</h1>
<iframe src="http://example.org/"/>
<p>Erster <i class="icon"/>Beitrag<br/>zweite Zeile</p>
<svg viewBox="0 0 9 9"><path d="M0 0"/><a href="x"/></svg>
<form action="s"><textarea name="t"/><select name="u"/></form>
<p>Zweiter Beitrag</p>
</body></html>"""


def test_a_page_saved_by_an_xml_writer() -> None:
    page = parse(SAVED_AS_XML)
    assert segment(page).texts == ["Eine Frage", "Erster Beitrag", "zweite Zeile", "Zweiter Beitrag"]
    assert not segment(page).linked.any()
    assert page.notes == ("9 self-closed elements expanded, as in XML",)
    assert [entry for entry in outline(page) if entry[2:] in ("div", "a", "h1", "i", "p")] == [
        "1 div", "1 a", "1 h1", "1 p", "2 i", "1 p",
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16"])
def test_in_any_encoding(encoding: str) -> None:
    html = f"<html><head><meta name='a' content='b'/><script src='x'/></head><body><p>Grüße{TEN}</p></body></html>"
    page = parse(html.encode(encoding), headers={"Content-Type": f"text/html; charset={encoding}"})
    assert page.text == "Grüße"


def test_a_page_cut_short_is_still_xml() -> None:
    whole = f"<html><head><script src='x'/></head><body><p>one{TEN}</p><p>two</p><div class='x y'"
    for cut in (len(whole), len(whole) - 1, len(whole) - 4, len(whole) - 13, whole.index("</p") + 2):
        assert parse(whole[:cut]).text.startswith("one")


@pytest.mark.parametrize(
    "html",
    [
        "<p>a</p><div/><p>b</p>",
        f"<div/><p>a</p>{TEN}<br>",
        f"<div/><p class=x>a</p>{TEN}",
        f"<div/><input disabled/>{TEN}",
        f"<div/><b><i>a</b></i>{TEN}",
        f"<div/><a href=u/>a{TEN}",
        f"<script src='x'/></script><p>a</p>{TEN}",
        "<svg><path d='x'/></svg>" * 20,
        f"<math><mi/></math>{TEN}",
        "<br/>" * 40,
    ],
)
def test_other_pages_are_read_as_in_a_browser(html: str) -> None:
    assert expand(html, html.encode()) == (html, ())


@pytest.mark.parametrize(
    "inert",
    [
        "<script>x = '<div/>';</script>",
        "<style>/* <div/> */</style>",
        "<!-- <div/> -->",
        "<!-- <script> <div/> -->",
        "<![CDATA[ <div/> ]]>",
        "<p title='&lt;div/>'>p</p>",
        '<p title="a > <div/> b">p</p>',
        "<svg><div/><title/><style/></svg>",
        "<math><mi/><div/></math>",
        "<?pi <div/?>",
        "<textarea>&lt;div/></textarea>",
        "<title><div/></title>",
        "<br/><BR /><img src='a/'/>",
    ],
)
def test_what_only_looks_like_an_element_is_left_alone(inert: str) -> None:
    assert expanded(f"<div/>{TEN}{inert}<hr/><i/>") == f"<div></div>{TEN}{inert}<hr/><i></i>"


def test_names_of_any_kind_keep_their_letters() -> None:
    html = f"<DIV Class='a'/><fb:like /><x-y\n/>{TEN}"
    assert expanded(html) == f"<DIV Class='a'></DIV><fb:like ></fb:like><x-y\n></x-y>{TEN}"


def test_an_iframe_cannot_swallow_the_end_of_its_noscript() -> None:
    page = parse("<body>a<noscript><iframe src=x height='0'/> </noscript><p>all the text<br>of the page")
    assert page.text == "a all the textof the page"
    assert page.notes == ("1 self-closed element expanded, as in XML",)
    for other in ("<noscript><iframe src=x></noscript><p>lost", "<iframe src=x/><p>lost</p><noscript></noscript>"):
        assert parse(f"<body>a{other}").text == "a"


@pytest.mark.parametrize("tag", ["script", "title", "style", "iframe"])
def test_a_page_without_any_text_is_read_again(tag: str) -> None:
    page = parse(f"<head><meta name=a><{tag} src=x async /></head><body><p>all the text<br>of the page")
    assert page.text == "all the textof the page"
    assert page.notes == ("1 self-closed element expanded, as in XML",)
    assert expand_raw("<script src=a/>")[0] == "<script src=a></script>"


_WORDS = st.integers(0, 999).map("w{} ".format)
_NAMES = st.sampled_from(
    [
        "div",
        "p",
        "a",
        "i",
        "span",
        "li",
        "td",
        "script",
        "style",
        "title",
        "iframe",
        "textarea",
        "br",
        "img",
        "svg",
        "x:y",
    ]
)
_CONTAINERS = st.sampled_from(["div", "section", "ul", "b", "span", "noscript"])
_ATTRIBUTES = st.sampled_from(["", " class='a'", ' title="x > y"', " alt='/'", "\n id = 'n' "])
_INERT = st.sampled_from(
    ["<!-- <i/> -->", "<script>s < '<i/>'</script>", "<style>s</style>", "<?php <i/?>", "<svg><a/></svg>"]
)
_LEAVES = st.one_of(_WORDS, _INERT, st.builds("<{}{}/>".format, _NAMES, _ATTRIBUTES))
_XML = st.lists(
    st.recursive(
        _LEAVES,
        lambda inner: st.builds(
            "<{0}{1}>{2}</{0}>".format, _CONTAINERS, _ATTRIBUTES, st.lists(inner, max_size=5).map("".join)
        ),
        max_leaves=25,
    )
).map(lambda pieces: "".join([TEN, *pieces]))


def words(html: str) -> list[str]:
    return [word for word in " ".join(segment(parse(html)).texts).split() if word[0] == "w"]


@given(_XML)
def test_expanding_twice_changes_nothing_more(html: str) -> None:
    once = expanded(html)
    assert expanded(once) == once
    assert once.replace("></", "/></").count("<") >= html.count("<")


@given(_XML)
def test_no_word_is_lost(html: str) -> None:
    before, after = words(html.replace("<br/>", "<br>", 1)), words(html)  # one open br: not XML, so left to the parser
    remaining = iter(after)
    assert all(word in remaining for word in before)


@pytest.mark.parametrize(
    "shape",
    [
        "<!--",
        "<a '",
        '<a b="',
        "<a b='c'",
        "<![CDATA[",
        "<script>",
        "<div/>",
        "<a ",
        "</a ",
        "<?",
        "<iframe ",
        "<a b=/",
    ],
)
def test_time_grows_with_the_size_of_the_page(shape: str) -> None:
    def prepare(count: int) -> Callable[[], object]:
        html = "<script/><noscript><iframe/></noscript>" + shape * count
        return lambda: (expand(html, html.encode()), expand_raw(html), expand_in_noscript(html))

    assert_linear(prepare, 10_000)
