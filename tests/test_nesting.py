"""The guard against sources that nest so deep that the parser fails, or leave so much open that it multiplies them."""

import json
import random
import subprocess
import sys

import pytest
import turbohtml

import dehusk
from dehusk.compiled.tree import deep_parts, estimate
from dehusk.read.guards import DEEP, guarded, without_deep_tables, without_drawn_templates
from dehusk.read.parsing import parse
from oracle import nesting as oracle

MOST = 900_000
KILLER = "<div>" * 502 + "<table><td><font><table><td></table> <div></font>"
"""Ends a process that hands it to turbohtml 1.15.4."""
DRAWN = "<svg><template><desc><b></template></desc></svg><b><p>x</b>"
"""Another one, of 60 bytes."""
PIECES = [
    *("<table>", "<td>", "<tr>", "<tbody>", "<font>", "<b>", "<a>", "<nobr>", "<div>", "<p>", "x"),
    *("</table>", "</td>", "</font>", "</b>", "</div>", "</p>"),
]
TEXT = "Words of a page that is long enough to be kept by any method at all. "
CLEAN = """
import sys, json, dehusk
for page in json.load(sys.stdin):
    document = dehusk.clean(page)
    print(json.dumps([document.status, document.text]), flush=True)
"""


def cleaned(pages: list[str]) -> list[tuple[str, str]]:
    """Return status and text of pages, cleaned in a process that must not die; it tells which one ended it."""
    command = [sys.executable, "-c", CLEAN]
    result = subprocess.run(command, input=json.dumps(pages), capture_output=True, text=True, check=False)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert (result.returncode, result.stderr) == (0, ""), pages[len(found)]
    return [(status, text) for status, text in found]


def test_the_known_page_does_not_end_the_process():
    elements = ["font", "b", "i", "a", "nobr", "strong", "code"]
    found = cleaned([KILLER.replace("font", element) + f"<p>{TEXT * 5}" for element in elements])
    assert [(status, text.startswith("Words of a page")) for status, text in found] == [("ok", True)] * len(elements)


def test_pages_like_the_known_one_do_not_end_the_process():
    """Each of them goes to the parser as dehusk hands it over; one in a hundred would end the process otherwise."""
    script = "import sys, json, dehusk\nfor page in json.load(sys.stdin): dehusk.parse(page)\nprint('done')"
    maker = random.Random(7)  # noqa: S311 (no secret)
    pages = []
    for _ in range(2000):
        parts = KILLER[502 * 5 :].replace("><", "> <").split()
        for _ in range(maker.choice([0, 1, 2, 4])):
            parts.insert(maker.randrange(len(parts) + 1), maker.choice(PIECES))
        opening = maker.choice(["<div>", "<div>", "<span>", "<b>", "<section><p>"])
        pages.append(opening * maker.randrange(496, 512) + "".join(parts))
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, input=json.dumps(pages), capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout.strip()) == (0, "done")


def test_a_template_in_a_drawing_does_not_end_the_process():
    pages = [
        DRAWN.replace("<svg", f"<{drawing}").replace("<template", f"<{template}")
        for drawing in ("svg", "math", "SVG class=x")
        for template in ("template", "TEMPLATE id=a")
    ]
    assert {status for status, _ in cleaned(pages)} <= {"ok", "no-content"}


@pytest.mark.parametrize(
    "source",
    [
        "<svg></svg><template><p>a</template>",
        "<template><svg></svg></template>",
        "<script>'<svg>'</script><template></template>",
        "<!-- <svg> --><template></template>",
        "<svg><templates></templates></svg></template>",
        "<svg><template>",
    ],
)
def test_other_templates_stay_what_they_are(source: str):
    assert without_drawn_templates(source.encode()) == source.encode()


def test_the_text_of_the_templates_of_such_a_page_stays():
    page = parse("<svg><template></template></svg><p>one<template><p>two</template><TEMPLATE/>three")
    assert page.notes == ("templates are read as other elements because one is inside a drawing or a formula",)
    assert page.text.endswith("onetwothree")


def test_deep_tables_keep_their_text():
    page = parse(KILLER.replace("x", "") + "the words of the cell")
    assert page.notes[0] == f"tables below depth {DEEP} are read as blocks"
    assert "the words of the cell" in page.text


@pytest.mark.parametrize(
    ("source", "depth", "unclosed"),
    [
        (b"", 0, 0),
        (b"<p>a<p>b<p>c", 1, 0),
        (b"<ul><li>a<li>b</ul><br><img>", 2, 0),
        (b"<div><b><i></b></div><b>", 5, 2),
        (b"<div title='</div>'><!-- </div> --><div>", 2, 0),
        (b"<script>'</div><div>'</script><p>", 1, 0),
        (b"<table><tr><td><div></table><p>", 4, 0),
        (b"<td><b></td></b>", 3, 1),
        (b"</b></b></b><b>", 2, 1),
        (b"<a b='>", 0, 0),
        (b'<div><n c=">', 1, 0),
        (b"<div =a='>'>", 1, 0),
    ],
)
def test_nesting(source, depth, unclosed):
    assert estimate(source) == (depth, unclosed)


SIGNS = [
    *("<a ", "<div ", "b", "=", "'", '"', ">", " ", "/", "</div>", "<!--", "-->", "<script>", "</script>", "<table>"),
    *("<td>", "</table>", "x", "<p", "</", "\n", "<b>", "<!", "<?", "<![", "<svg>", "</svg>", "<select>", "<style>"),
]


def test_the_estimate_is_that_of_the_oracle():
    maker = random.Random(5)  # noqa: S311 (no secret)
    for number in range(3000):
        source = "".join(maker.choice(SIGNS) for _ in range(maker.randrange(1, 14)))
        source = ("<div>" * (DEEP - 2) * (number % 4 == 0) + source).encode()
        assert estimate(source) == oracle.estimate(source), source
        assert deep_parts(source) == oracle.deep_parts(source), source


WORDS = "<p>Words and more words of a page that are long enough to be kept by all means, and then a few more.</p>"
HIDING = {
    "noframes": f"<noframes>{KILLER}</noframes>",
    "noframes of a frameset": f"<frameset><noframes>{KILLER}</noframes></frameset>",
    "title": f"<title>x\n{KILLER}",
    "script": f"<p>x<script>\n<body>\n{KILLER}{WORDS}",
    "style/": f"<style />{KILLER}{WORDS}",
    "textarea": f"<textarea>{KILLER}{WORDS}",
    "iframe/": f"<iframe />{KILLER}{WORDS}",
    "noscript": f"<noscript><iframe src=x>{KILLER}{WORDS}</noscript>",
    "style in a drawing": f"<svg><style></svg>{KILLER}{WORDS}",
    "style in a drawing with an end": f"<svg><style></svg>{KILLER}</style>{WORDS}",
    "section of a drawing": f"<svg><![CDATA[<style>]]></svg>{KILLER}</style>{WORDS}",
    "declaration": f"<!x <style>{KILLER}</style>{WORDS}",
    "instruction": f"<?x <style>{KILLER}</style>{WORDS}",
    "xmp in a select": f"<select><xmp></select>{KILLER}</xmp>{WORDS}",
    "title in a formula": f"<math><title></math>{KILLER}</title>{WORDS}",
}
"""Pages that hide the known one from a look at their tags."""
SAID = "It is late, and I have said what I wanted to say in some words. " * 12
HIDING |= {
    f"data, {name}": f"<div id=app></div><script>data = {json.dumps({'title': 'Tea', 'body': markup + SAID})};</script>"
    for name, markup in {"deep": KILLER, "drawn": DRAWN, "deeper": KILLER.removeprefix("<div>" * 3)}.items()
}


def test_raw_text_does_not_hide_the_known_page():
    assert {status for status, _ in cleaned([*HIDING.values()])} <= {"ok", "no-content"}


@pytest.mark.parametrize("closed", ["", "</b>" * 3000, "<object></b></object>" * 3000])
def test_formatting_that_multiplies_is_dropped_whatever_end_tags_there_are(closed):
    """End tags without an element do not hide those that stay open: they were counted as if they closed one."""
    source = closed + "".join(f"<b id={i}>x<p>" for i in range(3000))
    text, notes = guarded(source, source.encode(), MOST)
    assert notes == ("formatting tags dropped because too many are not closed",)
    assert sum(1 for _ in turbohtml.parse(text, positions=False).descendants) < 20_000


def test_ordinary_pages_pass_as_they_are():
    source = ("<div><table><tr><td><b>x</b><p>y<p>z</table></div>" * 2000) + "<i>" * 20
    assert guarded(source, source.encode(), MOST) == (source, ())


def test_only_parts_of_tables_change():
    source = b"<div>" * DEEP + b"<TABLE class=a><td>1</TD></table><p>2"
    assert without_deep_tables(source) == b"<div>" * DEEP + b"<div class=a><div>1</div></div><p>2"


def test_a_page_is_cleaned_beside_the_deep_table():
    text = "This paragraph stands before everything else, and it is long enough. " * 4
    document = dehusk.clean(f"<p>{text}</p>{KILLER}")
    assert document.status == "ok"
    assert text.strip() in document.text
