"""TEI: valid by the schema of all of TEI P5 for any page, with the kept text in order; what each element becomes."""

import re
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from dehusk.blocks.labels import LABELS
from dehusk.read import elements, parsing
from dehusk.write import tei, to_html
from dehusk.write.tei_text import target_attribute, xml_text
from dehusk.write.tokens import Edge, Run, RunKind, Token, TokenKind
from tei_schema import body_text, valid
from test_writers import GOLDEN, SECTION, blocks_of, kept_texts, label, lowered, pages, without, words, written

URL = "https://example.org/tea/page"


def body(html: str) -> str:
    """Return the content of the body, after the check that the document is valid."""
    output = written("tei", label(html, url=URL))
    valid(output)
    return re.search(r"<body>\n(.*)</body>", output, re.DOTALL)[1]


def header(html: str, **options: object) -> str:
    output = dehusk.clean(html, method="keep-all", **options).render("tei")
    valid(output)
    return re.search(r"<teiHeader>\n(.*)</teiHeader>", output, re.DOTALL)[1]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.md")), ids=lambda path: path.stem)
def test_golden_pages_are_valid(path):
    page = next(match[3] for match in SECTION.finditer(path.read_text("utf-8")) if match[2] == "page")
    for keep in (bool, lambda text: "drop" not in text):
        valid(written("tei", label(page, keep)))


@settings(max_examples=75, deadline=None)
@given(pages, st.integers(0, 2**31), st.booleans())
def test_any_page_is_valid_and_has_the_kept_text_in_order(source, seed, every_tag):
    chance = np.random.default_rng(seed)
    labels = label(source, lambda _: bool(chance.random() < 0.7), every_tag=every_tag)
    labels.label[:] = chance.integers(0, len(LABELS), len(labels))
    share = chance.choice([0, 0.3])
    labels = without(labels, lambda _: bool(chance.random() < share))
    text = lowered(body_text(valid(written("tei", labels))))
    assert "".join(words([text])) == lowered("".join(words(kept_texts(labels))))
    of_html = [lowered(each) for each in blocks_of(to_html(labels))]
    assert ends(words([text])) >= ends(words(of_html)), "words stay apart"


def ends(found: list[str]) -> set[int]:
    """Return where words end, in characters other than spaces."""
    return set(accumulate(map(len, found)))


CHARACTERS = st.text(st.characters(), max_size=20)


@given(CHARACTERS, CHARACTERS, CHARACTERS)
def test_any_characters_are_well_formed(text, title, address):
    meta = f"<title>{title}</title><meta name=author content='{text}'><meta name=keywords content='{text},{title}'>"
    page = f"{meta}<h2>{text}</h2><a href='{address}'>y</a><img src='{address}' alt='{text}'><pre>{text}</pre>"
    valid(dehusk.clean(page, method="keep-all", url=f"https://example.org/{address}").render("tei"))


def test_what_xml_does_not_allow_is_left_out():
    assert xml_text("a\x00b\x0bc\ud800d\uffffe\rf") == "abcdef"
    assert xml_text("<&>]]>\t\u0085\U0001f375") == "&lt;&amp;&gt;]]&gt;\t\u0085\U0001f375"
    assert "x y" in header("<title>x&#1; y</title><p>tea")


@pytest.mark.parametrize(
    ("address", "written_as"),
    [
        ("https://ex.org/a?b=[c]", None),
        ("https://ex.org/%zz", None),
        ("https://ex.org/a#b#c", None),
        ("https://ex.org:port/", None),
        ("1:2", None),
        ("https://ex.org:/a", "https://ex.org/a"),
        ("https://me:pw@ex.org:80/ä?b&c#d", "https://me:pw@ex.org:80/ä?b&amp;c#d"),
        ("https://[::1]/", "https://[::1]/"),
        ("../a/b:c", "../a/b:c"),
        ("mailto:ann@ex.org", "mailto:ann@ex.org"),
    ],
)
def test_only_addresses_become_targets(address, written_as):
    attribute = target_attribute("target", address)
    assert attribute == (f' target="{written_as}"' if written_as else "")
    document = f"<p><ref{attribute}>x</ref></p>"
    valid(written("tei", label("<p>x")).replace("<p>x</p>", document))


def test_headings_open_nested_divisions():
    html = "<p>a<h3>b</h3><p>c<h1>d</h1><h4>e</h4><p>f<h2>g</h2><h2>h</h2>"
    divisions = body(html).replace("\n", "").replace("<head>", "").replace("</head>", "")
    inside = "<div>d<div>e<p>f</p></div><div>g</div><div>h</div></div>"
    assert divisions == f"<p>a</p><div>b<p>c</p></div>{inside}"


def test_headings_where_no_division_may_stand():
    assert body("<blockquote><h3>a</h3><p>b</blockquote>") == (
        '<quote>\n<ab type="head" rend="h3">a</ab>\n<p>b</p>\n</quote>\n'
    )


DEFINITIONS = {
    "<dl><dt>a<dd>b</dl>": "<label>a</label>\n<item>b</item>\n",
    "<dl><dt>a<dt>b<dd>c<dt>d</dl>": "<label>a<lb/>b</label>\n<item>c</item>\n<label>d</label>\n<item/>\n",
    "<dl><dt>a<dd>b<dd>c</dl>": "<label>a</label>\n<item>\n<p>b</p>\n<p>c</p>\n</item>\n",
    "<dl><dd>a<dt>b<dd>c</dl>": "<label/>\n<item>a</item>\n<label>b</label>\n<item>c</item>\n",
    "<dl><dt>a<dd><ul><li>b</ul></dl>": (
        '<label>a</label>\n<item>\n<list rend="bulleted">\n<item>b</item>\n</list>\n</item>\n'
    ),
}


@pytest.mark.parametrize("html", DEFINITIONS)
def test_each_term_has_a_label_and_an_item(html):
    assert body(html) == f'<list type="gloss">\n{DEFINITIONS[html]}</list>\n'


def test_cells_keep_their_spans_and_roles():
    html = "<table><caption>c<tr><th>a<th colspan=2>b<tr><th rowspan=0>d<td colspan=9e9>e<td>f<tr><td>g<td>h</table>"
    rows = '<row role="label"><cell>a</cell><cell cols="2">b</cell></row>\n'
    rows += '<row><cell role="label" rows="2">d</cell><cell cols="3">e</cell><cell>f</cell></row>\n'
    rows += "<row><cell>g</cell><cell>h</cell></row>\n"
    assert body(html) == f"<table>\n<head>c</head>\n{rows}</table>\n"


def test_pictures_are_figures_with_captions():
    html = "<figure><img src=/i.png alt='A pot'><figcaption>Tea</figcaption></figure><p>x <img src=/j.png> y"
    assert body(html) == (
        '<figure>\n<graphic url="https://example.org/i.png"/><figDesc>A pot</figDesc>\n<head>Tea</head>\n</figure>\n'
        '<p>x <figure><graphic url="https://example.org/j.png"/></figure> y</p>\n'
    )
    only = '<figure><graphic url="https://example.org/i.png"/></figure>\n<p/>\n'
    assert body("<p><img src=/i.png>") in ("<p/>\n", only), "a body needs a paragraph"


def test_several_styles_are_one_element():
    assert body("<p><b>a <i>b</i></b> <s>c</s> <a href=#x><b>d</b></a>") == (
        '<p><hi rend="bold">a </hi><hi rend="bold italic">b</hi> <hi rend="strike">c</hi> '
        '<ref target="https://example.org/tea/page#x"><hi rend="bold">d</hi></ref></p>\n'
    )


def test_a_link_of_several_lines_is_one_element():
    target = 'target="https://example.org/x"'
    assert (
        body("<p><a href=/x>a<br>b</a> <a href=/x>c</a>")
        == f"<p><ref {target}>a<lb/>b</ref> <ref {target}>c</ref></p>\n"
    )
    assert body("<p><b>a <a>b</a> c</b>") == '<p><hi rend="bold">a b c</hi></p>\n', "without an address no link"


def test_footnotes_of_a_page():
    html = """<p>Tea<sup><a href="#fn1" id="ref1">1</a></sup><p><math><mi>x</mi></math>
        <ol class=footnotes><li id="fn1">Or <i>coffee</i>. <a href="#ref1">↩</a></li></ol>"""
    assert body(html) == (
        '<p>Tea<ref xml:id="ref-1" type="note" target="#note-1">1</ref></p>\n'
        '<p><formula notation="TeX" rend="inline">x</formula></p>\n'
        '<note xml:id="note-1" place="foot" n="1" target="#ref-1">Or <hi rend="italic">coffee</hi>.</note>\n'
    )


def test_footnotes_and_references_point_at_each_other(monkeypatch):
    def text(value, kind=RunKind.TEXT):
        return Run(kind, value)

    paragraph = [text("a"), text("1", RunKind.REFERENCE), text("1", RunKind.REFERENCE), text("2", RunKind.REFERENCE)]
    formula = Run(RunKind.FORMULA, "a<b", display=True)
    tokens = [
        Token(TokenKind.PARAGRAPH, 0, runs=[*paragraph, formula]),
        Token(TokenKind.NOTE, 0, Edge.OPEN, text="1"),
        Token(TokenKind.PARAGRAPH, 0, runs=[text("b")]),
        Token(TokenKind.NOTE, 0, Edge.CLOSE),
        Token(TokenKind.NOTE, 0, Edge.OPEN, text="1"),
        Token(TokenKind.NOTE, 0, Edge.CLOSE),
    ]
    monkeypatch.setattr(tei, "read_tokens", lambda _: tokens)
    assert body("<p>a") == (
        '<p>a<ref xml:id="ref-1" type="note" target="#note-1">1</ref><ref type="note" target="#note-1">1</ref>'
        '<hi rend="superscript">2</hi><formula notation="TeX" rend="display">a&lt;b</formula></p>\n'
        '<note xml:id="note-1" place="foot" n="1" target="#ref-1">b</note>\n'
        '<note place="foot" n="1" target="#ref-1">\n</note>\n'
    )


def test_images_and_tracking_parameters_can_be_left_out():
    document = dehusk.clean("<p>a <img src=/i.png alt=b> <a href=/x?utm_source=y>c</a>", method="keep-all", url=URL)
    left_out = document.render("tei", images=False, tracking=False)
    assert valid(left_out) is not None
    assert '<p>a <ref target="https://example.org/x">c</ref></p>' in left_out
    assert "utm_source" in document.render("tei")
    assert "<figDesc>b</figDesc>" in document.render("tei")


def test_the_header_says_what_is_known_of_the_page():
    html = """<html lang=en><title>Tea &amp; I</title><meta property=og:site_name content="The Tea Room">
        <meta name=author content="Ann Leaf"><meta property=article:published_time content="2026-05-03">
        <meta name=keywords content="tea, water"><meta name=description content="On tea.">
        <link rel=license href="https://creativecommons.org/licenses/by/4.0/"><h1>Tea &amp; I</h1><p>Boil it."""
    found = header(html, url="https://example.org/tea?a=1&b=2")
    for each in (
        "<title>Tea &amp; I</title>\n",
        "<author>Ann Leaf</author>",
        "<publisher>The Tea Room</publisher>\n<availability>",
        '<licence target="https://creativecommons.org/licenses/by/4.0/">https://creativecommons.org/licenses/by/4.0/<',
        '<date type="published" when="2026-05-03">2026-05-03</date>',
        '<idno type="URI">https://example.org/tea?a=1&amp;b=2</idno>',
        f'<application ident="dehusk" version="{dehusk.__version__}">',
        "<keywords>\n<term>tea</term>\n<term>water</term>\n</keywords>",
        "<abstract>\n<p>On tea.</p>\n</abstract>",
        '<language ident="en"/>',
    ):
        assert each in found


def test_what_is_not_declared_is_less_certain():
    found = header("<h1>Tea</h1><p class=byline>By Ann Leaf<p>Boil it.", url="https://example.org/tea")
    assert '<author cert="medium">Ann Leaf</author>' in found
    assert '<publisher cert="medium">example.org</publisher>' in found


def test_a_large_page_is_not_parsed_again_for_each_link(monkeypatch):
    """The parser's tree of a large page is freed; each look at an attribute parses the page again."""
    parsed = []
    monkeypatch.setattr(parsing, "LARGE", 10)
    monkeypatch.setattr(
        elements, "parse_document", lambda text, parse=elements.parse_document: parsed.append(text) or parse(text)
    )
    html = "".join(f"<p>Some text with <a href='/{i}'>link number {i}</a> in it.</p>" for i in range(50))
    output = dehusk.clean(html, method="keep-all", url=URL).render("tei")
    assert output.count("<ref target=") == 50
    assert len(parsed) < 10
