"""What comes out of hostile pages: no output is larger than a documented multiple of the page, and all is fast."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from cpu_time import assert_quick
from dehusk import Limits
from dehusk.label.united.inputs import net_inputs
from dehusk.write import WRITERS
from dehusk.write.bounds import MIN_CELLS, largest, level_within, most_cells
from dehusk.write.json import dumps

SIZE = 40_000
"""Characters of a hostile page, about."""
MEMORY = 500
"""MB that a page at the limit of nodes may need."""


def repeated(unit: str, size: int = SIZE) -> str:
    return unit * (size // len(unit))


UNITS = (
    "<p>x", "a<br>", "<b>x</b> ", "<td>x", "<tr><td>x<td>y", "<ul><li>x", "<ol start=999999999><li>x", "<li>x",
    "<dl><dt>a<dd>b", "<blockquote>x", "<blockquote><p>x</blockquote>", "<i><p>x", "<b><i><u><s><p>x", "<h1>x", "<h6>x",
    "<code>x</code> ", "<pre>x</pre>", "<pre><code>x\n", "x\n", "<a href=x>y</a>", "<a href=x><p>y",
    "<img src=a alt=x>", "<a href=x><img src=a alt=x></a>", "<section><h2>a</h2>x",
    "<figure><img src=a alt=b><figcaption>c</figure>",
    "&lt;p&gt; ", "& ", "&", "* _ ` [ ", "* a\n", "\"'\\", "|", "<table><tr><td>x<td>y</table>", "<sup>1</sup>",
    "<math><mi>x</mi></math>", "<o:p>x</o:p><p>", "<option>x", "<svg></svg>x<p>", "<details><summary>x</summary>y",
    "😀 ", "<em>x</em><em>y</em>", "<table><caption>c<tr><th>x<td>y</table>", "<hr>x", "<q>x", "<td><p>x<p>y",
)  # fmt: skip
"""Repeated until the page is full, alone, in a table, in a `pre` and in 300 nested elements."""

AROUND = {
    "": "",
    "table": "<table><tr>",
    "pre": "<pre>",
    "list": "<ul>",
    "numbers": "<ol><li>" * 100,
    "bullets": "<ul><li>" * 100,
    "quotes": "<blockquote>" * 300,
    "bold": "<b>" * 300,
    "link": "<a href='" + "u" * 9_000 + "'>",
    "emphasis and links": ("<em><a href='" + "u" * 300 + "'>") * 30,
    "base": "<base href='https://example.org/" + "u" * 2_000 + "/'>",
    "address": "<link rel=canonical href='https://example.org/" + "u" * 2_000 + "/'>",
    "names": "".join(f"<x{'a' * 300}{number}>" for number in range(50)),
    "title": "<html lang='" + "l" * 3_000 + "'><title>" + "t" * 9_000 + "</title>",
    "heading": "<h1>" + "heading " * 2_000 + "</h1>",
    "classes": "<div class='" + "long-class " * 300 + "' id='" + "i" * 3_000 + "'>" * 20,
}

STEP = 4
"""Each thing around has every fourth unit in it, so each unit is in four of them; the deep profile tries them all."""

HUGE = 9_000_000_000_000_000
TABLES = {
    "a wide row and many short ones": repeated("<td>", 20_000) + repeated("<tr><td>x", 20_000),
    "rows with one cell far right": repeated("<tr>" + "<td>" * 99 + "<td>x<td>y"),
    "columns far apart": repeated("<tr><td>x" + "<td>" * 99 + "<td>y"),
    "huge spans": repeated(f"<tr><td colspan={HUGE} rowspan={HUGE}>x<td>y"),
    "spans of 1,000 columns": repeated("<tr><td colspan=1000>x<td colspan=1000>y"),
    "spans of 65,534 rows": repeated("<td rowspan=65534>x", 20_000) + repeated("<tr><td>y", 20_000),
    "spans across": repeated("<tr><td rowspan=999 colspan=9>x<td>y"),
    "one huge cell": f"<tr><td colspan={HUGE} rowspan={HUGE}>x</td></tr><tr><td>y<td>z",
    "nested 200 deep": repeated("<tr><td>x<td>y<table>" * 200),
    "headers nested 200 deep": repeated("<tr><th>x<th>y<tr><td>z<table>" * 200),
}


def cleaned(html: str, **options: object) -> dehusk.Document:
    return dehusk.clean(html.encode(), method="keep-all", **options)


FORMATS = [*(writer.name for writer in WRITERS), "overlay"]


def check(doc: dehusk.Document) -> None:
    for name in FORMATS:
        output = assert_quick(lambda name=name: doc.overlay if name == "overlay" else doc.render(name), 30)
        assert len(output) <= largest(name, doc.labels), name


@pytest.mark.parametrize("around", AROUND)
def test_no_output_is_larger_than_a_small_multiple_of_the_page(around: str) -> None:
    chosen = UNITS[list(AROUND).index(around) % STEP :: STEP] if around else UNITS
    for unit in dict.fromkeys((*chosen, "<sup>1</sup>")):  # numbers of notes depend on what is around them
        check(cleaned(AROUND[around] + repeated(unit, SIZE // 10)))


@given(st.sampled_from(list(AROUND)), st.sampled_from(UNITS))
def test_no_output_of_anything_in_anything_is_larger(around: str, unit: str) -> None:
    check(cleaned(AROUND[around] + repeated(unit, SIZE // 10)))


@pytest.mark.parametrize("unit", UNITS)
def test_outputs_of_larger_pages_grow_with_the_page(unit: str) -> None:
    check(cleaned(repeated(unit)))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(UNITS), min_size=2, max_size=4).map("".join))
def test_mixed_pages_are_bounded(unit: str) -> None:
    check(cleaned(repeated(unit, SIZE // 10)))


@pytest.mark.parametrize("name", TABLES)
def test_no_table_is_spread_out_beyond_the_bound(name: str) -> None:
    check(cleaned(f"<table>{TABLES[name]}"))


def test_a_table_of_200000_cells_is_cut_and_says_so() -> None:
    doc = cleaned("<table>" + ("<tr>" + "<td>1" * 1_000) * 200, limits=Limits(nodes=30_000))
    assert (doc.status, doc.message) == ("truncated", "more than 30000 nodes")
    assert doc.text.split("\n")[0] == "\t".join("1" * 1_000)
    check(doc)


def test_indentation_is_kept_where_it_is_short() -> None:
    html = "<ul><li>a<ul><li>b<ul><li>c</ul></ul></ul>"
    assert cleaned(html).text == "- a\n  - b\n    - c\n"


def test_indentation_takes_no_more_than_the_source() -> None:
    html = "<ul><li>a" * 100 + "<li>x" * 2_000
    lines = cleaned(html).text.splitlines()
    indents = [len(line) - len(line.lstrip()) for line in lines]
    assert 0 < sum(indents) <= len(html)
    assert indents[:-1] == sorted(indents[:-1])


@given(st.lists(st.integers(0, 20), max_size=30), st.integers(0, 200))
def test_a_level_is_the_largest_within_the_budget(levels: list[int], budget: int) -> None:
    found = level_within(np.array(levels, dtype=np.int32), budget)
    assert sum(min(level, found) for level in levels) <= budget
    assert found >= max(levels, default=0) or sum(min(level, found + 1) for level in levels) > budget


def test_a_table_may_be_spread_out_to_some_multiple_of_its_cells() -> None:
    assert (most_cells(3), most_cells(1_000_000)) == (MIN_CELLS, 4_000_000)


def test_links_that_would_repeat_a_long_base_stay_relative_and_a_note_says_so() -> None:
    base = "<base href='https://example.org/" + "u" * 1_000 + "/'>"
    few, many = cleaned(base + "<a href=x>y</a>" * 10), cleaned(base + "<a href=x>y</a>" * 200)
    note = "links stay relative: resolved, they would be several times as long as the page"
    assert few.render("html").count(f'href="https://example.org/{"u" * 1_000}/x"') == 10
    assert many.render("html").count('href="x"') == 200
    assert note in many.notes
    assert note not in few.notes


def test_a_source_of_too_many_tags_is_cut_before_it_is_parsed() -> None:
    doc = dehusk.clean("<p>é</p>" + "<!---->" * 400 + "<p>z", limits=Limits(nodes=100), method="keep-all")
    assert (doc.text, doc.status, doc.message) == ("é\n", "truncated", "more than 300 tags")


def test_a_pre_of_too_many_lines_is_cut_after_a_line() -> None:
    doc = dehusk.clean("<pre>" + "x\n" * 500 + "<pre>y", limits=Limits(nodes=100), method="keep-all")
    assert (doc.text, doc.message) == ("x\n" * 98, "more than 100 nodes")


def test_long_names_around_many_blocks_cost_no_more_than_the_page() -> None:
    words = " ".join(f"w{number}" for number in range(5_000))
    html = f"<div class='{words}'>" + "".join(f"<p id=q{chr(97 + n % 26)}{'x' * (n // 26)}>x" for n in range(800))
    inputs = net_inputs(cleaned(html).labels.blocks)
    assert len(inputs.names.start) - 1 >= 800
    assert len(inputs.names.row) <= 2_000_000


def test_attributes_of_a_large_page_are_read_again() -> None:
    doc = cleaned("<p>x" * 30_000 + "<p><a href='https://example.org/'>y</a>")
    assert doc.page.elements.nodes is None
    assert 'href="https://example.org/"' in doc.render("html")


def test_json_is_written_in_pieces_of_the_same_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.write.json._AT_ONCE", 3)
    for html in ("", "<p>a", "<p>\ud800<p>b<p>c", "<p>x" * 7):
        doc = dehusk.clean(html, method="keep-all", explain=True)
        assert doc.render("json") == dumps(doc.record())


MEASURE = """
import dehusk, sys, time
doc = dehusk.clean(sys.stdin.buffer.read())
assert len(doc.page) >= 290_000, len(doc.page)
output = doc.overlay if sys.argv[1] == "overlay" else doc.render(sys.argv[1])
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")), time.process_time())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured on Linux")
@pytest.mark.parametrize(
    ("unit", "count", "format_name"),
    [("<p>x", 150_000, "json"), ("<tr><td>x<td>y", 58_500, "text"), ("<p class=a><b>x</b> y", 73_000, "overlay")],
)
def test_memory_at_the_limit_of_nodes(unit: str, count: int, format_name: str) -> None:
    html = ("<table>" if unit.startswith("<tr>") else "") + unit * count
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, format_name], input=html.encode(), capture_output=True, check=True
    )
    memory, seconds = map(float, done.stdout.split())
    assert memory / 1000 < MEMORY
    assert seconds < 2 * Limits().seconds  # with all imports


SCRIPT = "<script>" + "var x = '<p>';\r\n" * 500 + "</script>"
DATA = json.dumps({"@type": "Article", "author": "Ann Leaf", "text": "x" * 5000})
LINKED = f"<script type=application/ld+json>{DATA}</script>"


@pytest.mark.parametrize("end", ["", SCRIPT + LINKED, "<plaintext>", "<math><mi><mglyph></mi></math>"])
def test_a_document_parses_its_page_once_however_much_is_asked_of_it(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element that was asked about cost a parse of the whole page where the parser's markup does not tell it."""
    calls, parse = [], turbohtml.parse
    monkeypatch.setattr(turbohtml, "parse", lambda text, **options: calls.append(text) or parse(text, **options))
    html = "<p>Words of a page that is long enough to be kept.</p><pre class=x>code()</pre>" * 200 + end
    doc = dehusk.clean(html)
    for name in ("text", "markdown", "html", "json", "tei"):
        doc.render(name)
    assert doc.chunks(max_words=50)
    assert doc.posts == []
    assert doc.metadata.authors == (("Ann Leaf",) if LINKED in end else ())
    assert len([text for text in calls if text]) == 1
