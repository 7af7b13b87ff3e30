"""Parts of a page that React streams: each stands where its script puts it in a browser."""

from functools import partial

import pytest

import dehusk
from cpu_time import assert_linear
from dehusk.read.islands.streams import in_place

PROSE = "<p>Some introduction that is long enough to be a paragraph of text, with many words.</p>"


def part(number: int, content: str, call: str = "") -> str:
    call = call or f'$RC("B:{number}","S:{number}")'
    return f'<div hidden id="S:{number}">{content}</div><script>{call}</script>'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('a<template id="B:0"></template>b' + part(0, "x"), "axb<script>"),
        ('a<!--$?--><template id="B:0"></template>wait<!--/$-->b' + part(0, "x"), "a<!--$?-->x<!--/$-->b<script>"),
        (
            'a<!--$?--><template id="B:0"></template>w<!--$-->i<!--/$-->t<!--/$-->b' + part(0, "x"),
            "a<!--$?-->x<!--/$-->b<script>",
        ),
        (
            '<template id="B:0"></template>' + part(0, '[<template id="B:1"></template>]') + part(1, "x"),
            "[x]<script>",
        ),
        (
            '<template id="B:0"></template>'
            + part(0, '<template id="P:1"></template>')
            + part(1, "x", '$RS("S:1","P:1")'),
            "x<script>",
        ),
        ('<template id="B:0"></template>' + part(0, "x", '$RR("B:0","S:0",[["a.css"]])'), "x<script>"),
        ('<template id="B:0"></template>' + part(0, "<div>x</div>", 'f=1;$RC("B:0","S:0")'), "<div>x</div><script>"),
    ],
)
def test_a_part_is_put_into_its_place(source: str, expected: str) -> None:
    assert in_place(source).startswith(expected)


@pytest.mark.parametrize(
    "source",
    [
        '<template id="B:0"></template><div hidden id="S:0">x</div>',
        '<template id="B:0"></template><script>$RC("B:0","S:0")</script>',
        'a<div hidden id="S:0">x<script>$RC("B:0","S:0")</script>',
        "<p>$RC( is a word",
    ],
)
def test_what_no_script_puts_anywhere_stays(source: str) -> None:
    assert in_place(source) == source


def test_a_part_without_a_place_stays_hidden() -> None:
    found = in_place(part(0, "x") + '<template id="B:1"></template>' + part(1, "y"))
    assert found.startswith('<script>$RC("B:0","S:0")</script>y<script>')
    assert found.endswith("<div hidden>x</div>")


def test_a_page_has_its_streamed_parts_in_order() -> None:
    body = f'{PROSE}<!--$?--><template id="B:0"></template><p>Loading</p><!--/$-->{PROSE}'
    document = dehusk.clean(f"<body>{body}{part(0, '<pre>npm i tea</pre>')}", method="keep-all")
    assert [line for line in document.text.split("\n\n") if "introduction" not in line] == ["npm i tea"]
    assert "parts that React streams are in their places" in document.labels.blocks.page.notes


@pytest.mark.parametrize(
    "piece",
    [
        '<template id="B:0"></template><div hidden id="S:0">x</div><script>$RC("B:0","S:0")</script>',
        '<!--$?--><template id="B:0"></template>',
        '<div hidden id="S:0"></div><script>',
        '</div><script>$RC("B:0","S:0")',
    ],
)
def test_parts_take_linear_time(piece: str) -> None:
    start = '<div hidden id="S:0">x</div><script>$RC("B:0","S:0")</script>'
    assert_linear(lambda size: partial(in_place, start + piece * size), 10_000)
