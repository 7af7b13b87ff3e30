"""The looks at a source before it is parsed against what defines them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.compiled import tree
from dehusk.read.decoding import decode
from oracle import cases
from oracle import guards as oracle
from strategies import htmls

ENDS = (0, 1, 15, 16, 17, 31, 32, 33, 62, 63, 64, 65, 126, 127, 128, 129, 238, 239, 240, 241, 255, 256, 480, 481)
"""Sizes around those of the blocks that are looked at together."""
paddings = st.builds(
    "{}{}".format, st.sampled_from(["x" * size for size in ENDS]), st.sampled_from(["", "é", "漢", "😀"])
)
NAMES = ("p", "DIV", "br", "Link", "svg", "math", "script", "title", "x-y", "blockquote", "blockquoted", "textarea")
TAGS = (
    *(f"<{name}{close}" for name in NAMES for close in (">", "/>", " /", "/")),
    *(f"</{name}{close}" for name in NAMES for close in (">", " >")),
    *("</Template>", "</templates", "</templat", "</ template>", "< p/>", "<p", "<", "/>", ">", "/"),
    *("<p\x1f/>", "<p\x0b/>"),
)
sources = st.lists(st.one_of(st.sampled_from(TAGS), paddings), max_size=8).map("".join)


def check(source: str) -> None:
    raw = source.encode("utf-8", "surrogatepass")
    assert tree.has_self_closed(raw) == oracle.has_self_closed(raw)
    assert tree.count_tags(raw) == oracle.count_tags(raw)
    assert tree.ends_template(raw) == oracle.ends_template(raw)
    assert tree.draws_template(raw) == oracle.draws_template(raw)
    assert tree.starts_as_xml(source) == oracle.starts_as_xml(source)
    found = tree.without_controls(source)
    assert found == oracle.without_controls(source)
    assert (found is source) == (found == source)


def test_sources_of_pages() -> None:
    for source in cases.sources(4):
        check(decode(source, None).text)


def test_single_tags() -> None:
    for tag in TAGS:
        for source in (tag, f"/>{tag}", f"{tag}/>", f"<x-y>/>{tag}", f"{tag}<x-y/>"):
            check(source)


@given(sources)
def test_random_sources(source: str) -> None:
    check(source)


@given(
    st.lists(st.sampled_from((b"<", b"</TEMPLATE", b"</templat", b"/>", b"<b", b"\xff" * 60, b"x" * 240)), max_size=9)
)
def test_random_bytes(parts: list[bytes]) -> None:
    raw = b"".join(parts)
    assert tree.has_self_closed(raw) == oracle.has_self_closed(raw)
    assert tree.count_tags(raw) == oracle.count_tags(raw)
    assert tree.ends_template(raw) == oracle.ends_template(raw)


PARTS_OF_DRAWINGS = (
    *(b"<svg>", b"</SVG>", b"<math ", b"</math/", b"<svgs>", b"<svg", b"<style>", b"</STYLE ", b"</styles>", b"<xmp\n"),
    *(b"<script/", b"</script>", b"</script", b"<title>", b"<template>", b"<TEMPLATE\t", b"</template>", b"<template"),
    *(b"<!--", b"<!-->", b"<!--->", b"-->", b"--!>", b"->", b"<!-", b"-", b"!", b"<", b"</", b">", b"/", b"<p x='"),
)


@given(st.lists(st.sampled_from(PARTS_OF_DRAWINGS), max_size=12).map(b"".join))
def test_templates_in_drawings(raw: bytes) -> None:
    for each in (raw, b"<svg>" + raw, b"<svg>" + raw + b"<template>"):
        assert tree.draws_template(each) == oracle.draws_template(each), each


@settings(max_examples=40)
@given(paddings, st.sampled_from(("", "\ud800", "é", "漢", "😀")), paddings)
def test_control_characters_at_every_place(before: str, wide: str, after: str) -> None:
    for sign in map(chr, range(40)):
        text = before + sign + wide + after
        assert tree.without_controls(text) == oracle.without_controls(text)


PARTS_OF_XML = (
    *("<a>", "</a>", "<A>", "<b x='>'>", "</b>", "<br/>", "<br></br>", "<br>", "<BR></BR>", "<svg>", "</svg>", "<g />"),
    *("<p class=x>", "<p x='1'y=\"2\">", '<p x = "\'">', "<p x>", "<p é='1'/>", "<p\u00a0x='1'/>", "<p / >"),
    *("</p x='>'>", "<script>", "</script >", "<Script>a</scripts></SCRIPT/", "<title><b></title>", "<textarea>"),
    *("<style></style", "é", "<!-->", "<!--->", "<!-- <p> -->", "<!-- --!>", "<!--", "<![CDATA[ <p> ]]>", "<![cdata[>"),
    *("<!DOCTYPE x>", "<?xml >", "<!>", "</>", "< p>", "<", "<p", "</p", "<p x='", '<p x=">', "<blinK>", "</blink>"),
    *("<lin\u212a>", "</\u017fcript>", "\ud800", "😀", "<image>", "<math>", "</math>", "<bgsound/>", "<basefont>"),
    *("<command ></command>", "x" * 300, "<i>" * 99),
)
parts_of_xml = st.lists(st.sampled_from(PARTS_OF_XML), max_size=9).map("".join)


@given(parts_of_xml, st.integers(0, 70))
def test_starts_of_pages_in_xml(text: str, more: int) -> None:
    """Those in which all is closed, which random ones seldom are, and those that the end of the start cuts."""
    fitting = re.sub(r"<(a|b|svg|math)\b([^>]*)>", r"<\1\2></\1>", text)
    for each in (text, fitting, " " * (2048 - more) + text, "<svg>" + text, f"<p>{fitting}</p>\U0001f600"):
        assert tree.starts_as_xml(each) == oracle.starts_as_xml(each), each


def test_starts_with_letters_that_only_other_rules_take_for_those_of_ascii() -> None:
    for text in ("<lin\u212a>", "<lin\u212a></link>", "<script></\u017fcript><b></script>", "<\u017fvg>", "<b\u0130>"):
        assert tree.starts_as_xml(text) == oracle.starts_as_xml(text)


@settings(max_examples=40)
@given(htmls)
def test_starts_of_random_pages(html: str) -> None:
    check(html)


@given(st.lists(st.sampled_from((b"ab", b"abc", b"b", b"c", b"x" * 70)), max_size=9).map(b"".join))
def test_a_text_is_found_by_two_of_its_bytes(raw: bytes) -> None:
    for text, rare in ((b"abc", 0), (b"abc", 1), (b"bcab", 2)):
        assert tree.has_text(raw, text, rare) == (text in raw)
    with pytest.raises(ValueError, match="two bytes"):
        tree.has_text(raw, b"abc", 2)
