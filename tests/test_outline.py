"""The outline of a document: sections, lists, tables, figures, posts, and where each is."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import dehusk
from dehusk import Part
from dehusk.write.outline import read_outline
from strategies import htmls

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from markdown_back import text_fault


def outline(html: str) -> Part:
    return dehusk.clean(html, method="keep-all").outline


def sketch(part: Part) -> str:
    """Return a part as kind, text and level, with its parts in brackets."""
    own = part.kind + (f"{part.level}" if part.kind == "section" else "") + (f" {part.text!r}" if part.text else "")
    return own + (f"({', '.join(map(sketch, part.parts))})" if part.parts else "")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<h1>Tea</h1><p>Hot<h2>Green</h2><h3>Sencha</h3><p>Good<h2>Black</h2>",
            "section1 'Tea'(paragraph 'Hot', section2 'Green'(section3 'Sencha'(paragraph 'Good')), section2 'Black')",
        ),
        ("<p>a<br>b<p>c", "paragraph 'a\\nb', paragraph 'c'"),
        (
            "<ul><li>a<ol><li>b</ol><li>c</ul>",
            "list(item(paragraph 'a', list(item(paragraph 'b'))), item(paragraph 'c'))",
        ),
        (
            "<ul><li><h3>a</h3>b<li>c</ul><p>d",
            "list(item(section3 'a'(paragraph 'b')), item(paragraph 'c')), paragraph 'd'",
        ),
        (
            "<dl><dt>a<dd>b</dl><blockquote>c</blockquote><pre>d</pre><hr>f",
            "definitions(term 'a', description(paragraph 'b')), quote(paragraph 'c'), code 'd', rule, paragraph 'f'",
        ),
        (
            "<table><caption>t<tr><th>a<th>b<tr><td>c<td><b>d</b></table>",
            "caption 't', table(row(cell 'a', cell 'b'), row(cell 'c', cell 'd'))",
        ),
        (
            "<figure><img src=/a.png alt=pot><figcaption>A pot</figcaption></figure><p>a",
            "figure(image 'pot', caption 'A pot'), paragraph 'a'",
        ),
        (
            "<p>Pour <img src=/a.png alt=pot> it",
            "paragraph 'Pour it'",
        ),
        ("", ""),
    ],
    ids=["sections", "lines", "lists", "sections in items", "others", "tables", "figures", "images", "nothing"],
)
def test_the_tree(html: str, expected: str) -> None:
    assert sketch(outline(html)) == (f"document({expected})" if expected else "document")


POST = "<div class=comment id=c{0}><b class=author>{1}</b> <time>{0} May 2020</time><p>{2}</p>{3}</div>"
WORDS = "The water was far too hot for these leaves, and it stood much too long in the pot."


def test_posts_are_around_their_parts() -> None:
    posts = [
        POST.format(day, name, f"{WORDS} {day}", "") for day, name in ((1, "Ann Leaf"), (2, "Bo Pot"), (3, "Cy Cup"))
    ]
    found = outline(f"<h1>Why is it bitter?</h1><p>{WORDS}</p>{''.join(posts)}")
    parts = [part for part in found.walk() if part.kind == "post"]
    assert [(part.text, part.date) for part in parts] == [
        ("Ann Leaf", "2020-05-01"),
        ("Bo Pot", "2020-05-02"),
        ("Cy Cup", "2020-05-03"),
    ]
    for day, part in enumerate(parts, 1):
        assert f"{WORDS} {day}" in [each.text for each in part.walk()]
        assert part.xpath is not None
    before = next(part.text for part in found.walk() if part.kind == "paragraph")
    assert before == WORDS


def test_places_and_probabilities() -> None:
    html = "<h1>Tea</h1><p>Hot water.<ul><li>leaves<li>time</ul><table><tr><th>a<th>b<tr><td>c<td>d</table>"
    document = dehusk.clean(html, method="keep-all")
    by_kind = {part.kind: part for part in document.outline.walk()}
    assert by_kind["document"].blocks == (0, len(document.blocks))
    assert by_kind["list"].blocks == (2, 4)
    assert by_kind["table"].blocks == (4, 8)
    assert by_kind["row"].blocks == (6, 8)
    assert by_kind["list"].xpath == "/html/body/ul[1]"
    assert by_kind["cell"].xpath == "/html/body/table[1]/tbody[1]/tr[2]/td[2]"
    for part in document.outline.walk():
        start, end = part.span
        assert part.probability == 1
        if part.kind in ("paragraph", "cell"):
            assert document.page.text[start:end] == part.text


def test_blocks_without_a_finite_probability_have_no_part_in_a_mean() -> None:
    labels = dehusk.clean("<h1>Tea</h1><p>Hot<p>Water", method="keep-all").labels
    found = read_outline(replace(labels, probability=np.array([np.nan, 0.5, 0.25])))
    assert [part.probability for part in found.walk()] == [0.375, 0.375, 0.5, 0.25]
    none = read_outline(replace(labels, probability=np.full(3, np.nan)))
    assert {part.probability for part in none.walk()} == {None}


def test_the_record_is_the_outline() -> None:
    document = dehusk.clean("<h1>Tea</h1><p>Hot.", method="keep-all")
    record = document.record(evidence=True)["outline"]
    section = {"kind": "section", "text": "Tea", "level": 1, "probability": 1.0, "blocks": [0, 2], "span": [0, 7]}
    paragraph = {"kind": "paragraph", "text": "Hot.", "probability": 1.0, "blocks": [1, 2], "xpath": "/html/body/p[1]"}
    assert json.loads(json.dumps(record)) == {
        "kind": "document",
        "probability": 1.0,
        "blocks": [0, 2],
        "span": [0, 7],
        "parts": [section | {"xpath": "/html/body/h1[1]", "parts": [paragraph | {"span": [3, 7]}]}],
    }
    assert "outline" not in document.record()


SILENT = ("image", "post", "note")  # their texts are not in the text


@given(htmls)
def test_any_page_has_the_text_in_its_order(html: str) -> None:
    document = dehusk.clean(html, method="keep-all")
    parts = list(document.outline.walk())
    assert text_fault(document.text, "".join(part.text for part in parts if part.kind not in SILENT)) == ""
    for part in parts:
        assert part.blocks is None or 0 <= part.blocks[0] < part.blocks[1] <= len(document.blocks)
        inside = [each.blocks for each in part.parts if each.blocks is not None]
        assert all(part.blocks[0] <= first and end <= part.blocks[1] for first, end in inside)


def test_a_page_of_many_nested_parts() -> None:
    html = "<ul><li>a" * 200 + "<h2>b</h2><blockquote>c" * 200
    parts = list(outline(html).walk())
    assert len([part for part in parts if part.kind == "section"]) > 100
    json.dumps(outline(html).record())
