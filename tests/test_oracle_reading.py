"""The columns of a page, and what is read from the attributes of its elements, against what defines them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.tags import TAG_NUMBER
from dehusk.read.decoding import decode
from dehusk.read.nodes import NodeColumns, read_nodes
from oracle import cases
from oracle import reading as oracle
from strategies import htmls

SECTION = "<p>What is in a script may be text of the page.</p>" * 3
ODD = (
    *("<plaintext>a &amp; b\nc<p>", "<pre>\n\na\nb</pre>", "<listing>a\n", "<textarea>\nb</textarea>", "<xmp>\n<b>"),
    *("<math><mi>a<p>b</math>", "<math><mglyph>c</mglyph></math>", "<math><mtext><mglyph><style>d", "</math>"),
    *("<math><annotation-xml encoding='TEXT/html'><p>e", "<math><annotation-xml><svg><desc><p>f", "<mi><malignmark>"),
    *("<svg><title>g</title><p>h", "<svg viewbox=0><foreignobject><p>i</svg>", "<svg><![CDATA[j]]>k</svg>", "</svg>"),
    *("<template><p id=t>l<template>m</template></template>", "<svg><style>n</style></svg>", "<frameset><frame>"),
    *(f"<script>{SECTION}</script>", f"<iframe>{SECTION}</noscript></iframe>", f"<noframes>{SECTION}</noframes>"),
    *("<title>o &lt; p</title>", f"<textarea>{SECTION}", "<noscript><p>q</noscript>", "<script><!--<script>r</script>"),
    *("<p hidden>s", "<p style='DISPLAY :\u00a0none'>t", "<p style=visibility:h\u0131dden>u", "<p aria-hidden=true>"),
    *("<img alt=' a\u00a0&lt;\u00a0'>", '<a"b="c\'d>', "<p é=1 a\"b='<>&amp;\"' =c>", "<xa&lt;b>", "<body class=z>"),
    *("<html lang=cs>", "<base href=/v>", "<link rel=Canonical href=/w>", "<meta property=x content=y>", "<table><p>"),
)
odd_htmls = st.lists(st.one_of(st.sampled_from(ODD), htmls), max_size=6).map("".join)


def found(columns: NodeColumns) -> dict[str, Any]:
    names, elements = [*TAG_NUMBER, *columns.extra_tags], columns.elements
    tags = [names[tag] if tag else "" for tag in columns.tag.tolist()]
    spans = zip(columns.text_start.tolist(), columns.text_end.tolist(), strict=True)
    return {
        "tags": tags,
        "spans": list(spans),
        "hidden": columns.hidden_nodes.tolist(),
        "attributes": elements.attributes(),
        "places": list(zip(elements.document_index.tolist(), elements.number.tolist(), strict=True)),
        "extra_tags": list(columns.extra_tags),
        "has_templates": elements.has_templates,
        **{name: getattr(columns, name).tolist() for name in ("parent", "end", "alt_nodes", "line_nodes")},
        **{
            name: getattr(columns, name)
            for name in ("text", "flattened", "cut", "capped", "meta", "frames", "swallowed", "swallowing")
        },
    }


def check(source: str, max_nodes: int = 300_000, max_depth: int = 512) -> None:
    """Compare the columns, and what is read of attributes once the tree and its markup are gone."""
    columns = read_nodes(source, max_nodes=max_nodes, max_depth=max_depth)
    expected = oracle.columns(source, max_nodes, max_depth)
    assert found(columns) == expected
    for name, (codes, values) in (("class", columns.classes), ("id", columns.ids)):
        given = [dict(expected["attributes"].get(row, ())).get(name, "") for row in range(len(codes))]
        assert [values[code] for code in codes.tolist()] == given
        assert list(values) == list(dict.fromkeys(["", *given]))
    columns.elements.release()
    assert columns.elements.attributes() == expected["attributes"]


def test_pages() -> None:
    for source in cases.sources(8):
        if len(source) < 20_000:
            check(decode(source, None).text)


@given(odd_htmls, st.booleans())
def test_random_pages(html: str, is_exact: bool) -> None:
    """A `plaintext` at the end makes the markup of the parser's tree ambiguous."""
    check(f"{html}</xmp></script><math><mglyph></mglyph></math>" if is_exact else html)


@given(odd_htmls, st.integers(1, 30), st.integers(1, 9))
def test_random_pages_beyond_limits(html: str, max_nodes: int, max_depth: int) -> None:
    check(html, max_nodes, max_depth)


@pytest.mark.parametrize("tail", ["", "<plaintext>"])
def test_documents_beyond_the_limit_of_their_nodes(tail: str) -> None:
    for n in range(1002 - 8, 1002):
        check("<!---->" * n + "<template><p></template><x-y>" + tail, 1)
        check(f"<p>{'<!---->' * n}a<b>c</b><img alt=d>{tail}", 1)


def test_drawings_and_elements_as_deep_as_the_parser_nests() -> None:
    for deep in ("<svg>", "<b>", "<math>", "<svg><g>", "<div><template>", "<math><mi>"):
        check(deep * 520 + "<p>a" + SECTION)
