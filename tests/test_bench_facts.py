"""The benches of facts, of whole units and of annotators, on cases whose results are known."""

import sys
from pathlib import Path

import numpy as np
import pytest

from dehusk.blocks import segment
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.lab.evaluate.predictions import BlockMark, Prediction
from dehusk.lab.gold import Annotation
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.gold.hand_labels import HandLabels, write_hand_labels
from dehusk.measures.agreement import ContentAgreement
from dehusk.read import parse

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import annotators
import completeness
import facts
import facts_and_relations

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
PAGE = "<p>Sold by us</p>" + "".join(f"<p>{' '.join(WORDS[n : n + 4])} and more of this product</p>" for n in (0, 4, 8))


def write_set(root: Path, rows: str, page: str = PAGE, gold: str = "") -> Path:
    """Write a set of one page."""
    for name in ("html", "gold"):
        (root / name).mkdir(parents=True)
    (root / "html" / "1.html").write_text(page)
    if gold:
        (root / "gold" / "1.txt").write_text(gold)
    (root / "pages.jsonl").write_text(rows)
    return root


def test_values_that_are_not_on_the_page_are_no_facts(tmp_path: Path) -> None:
    write_set(tmp_path / "product-a", '{"id": "1", "attributes": {"stock": ["InStock"], "brand": ["one two three"]}}')
    write_set(tmp_path / facts.SHOP, '{"id": "1"}', gold="five six\n2011\n")
    write_set(tmp_path / "recipes-a", '{"id": "1", "facts": ["one two", "not on it"]}')
    read = {name: facts.read_samples(tmp_path, name)[0] for name in ("product-a", facts.SHOP, "recipes-a")}
    assert {name: sample.facts for name, sample in read.items()} == {
        "product-a": ("one two three",),
        facts.SHOP: ("five six",),
        "recipes-a": ("one two", "not on it"),
    }
    assert read[facts.SHOP].gold is None


def test_predictions_count_for_the_pages_that_they_cover(tmp_path: Path) -> None:
    samples = [
        Sample(name, number, b"", None, None, None, None, facts=("x",))
        for name, number in (("a", "1"), ("a", "2"), ("b", "1"))
    ]
    file = tmp_path / "folds.jsonl"
    file.write_text(Prediction("a", "1", "folds", "x").line())
    pairs = list(facts.of_files([file], samples))
    assert [(sample.set, sample.id, prediction.text) for sample, prediction in pairs] == [("a", "1", "x")]


def test_template_is_text_on_half_of_the_pages_of_a_shop() -> None:
    pages = [PAGE.replace("more", f"more{n}") for n in range(4)]
    samples = [
        Sample("shop", str(n), page.encode(), None, None, None, None, facts=("one two three",))
        for n, page in enumerate(pages)
    ]
    shop = facts.Shop(samples)
    assert shop.is_template("Sold by us")
    assert not shop.is_template("one two three four and more0 of this product")
    row = shop.row(1)
    assert row[0] == "1"
    assert [len(cells) for cells in shop.rows()] == [5] * (2 + len(facts.SIZES))


def test_marks_decide_blocks_by_half_of_their_characters() -> None:
    blocks = segment(parse("<p>abcd</p><p>efgh</p><p>ijkl</p>"))
    marks = (BlockMark(0, 6, None, True), BlockMark(6, 9, None, False), BlockMark(11, 12, 0.9, True))
    assert completeness.by_marks(blocks, marks).tolist() == [True, True, False]
    assert completeness.by_marks(blocks, ()).tolist() == [False] * 3


def test_blocks_are_kept_by_text_or_by_marks() -> None:
    blocks = segment(parse(PAGE))
    text = blocks.texts[1]
    by_text, by_marks = (
        Prediction("s", "1", "a tool", text),
        Prediction("s", "1", "a model", "", blocks=(BlockMark(0, 10, 1.0, True),)),
    )
    kept = dict(completeness.kept_by_predictions([by_text, by_marks], blocks))
    assert kept["a tool"].tolist() == [False, True, False, False]
    assert kept["a model"].tolist() == [True, False, False, False]


def test_figures_of_units_are_means_over_pages() -> None:
    some = completeness.Completeness(tables=completeness.UnitCounts(4, 4, 1))
    one, none = completeness.Completeness(tables=completeness.UnitCounts(1, 1, 1)), completeness.Completeness()
    lines = completeness.table(
        {("s", "t"): [some, one, none]}, completeness.KINDS, lambda units: units.whole_share
    ).splitlines()
    assert [cell.strip() for cell in lines[2].strip("|").split("|")] == ["s", "t", "0.625 (2)", "-", "-", "-"]


def test_annotators_are_compared_on_the_pages_that_both_labelled(tmp_path: Path) -> None:
    write_set(tmp_path / "shop", '{"id": "1"}')
    blocks = segment(parse(PAGE.encode()))
    files = []
    for person, codes in (
        ("ann", [OTHER, PARAGRAPH, PARAGRAPH, PARAGRAPH]),
        ("bob", [OTHER, PARAGRAPH, PARAGRAPH, OTHER]),
    ):
        annotation = Annotation.from_labels(PAGE.encode(), blocks, codes, annotator=person)
        labels = [HandLabels("shop", "1", "shop", "product", "train", annotation)]
        if person == "ann":
            labels.append(HandLabels("other", "2", "other", "product", "test", annotation))
        files.append(tmp_path / f"{person}.jsonl")
        write_hand_labels(files[-1], labels)
    counts = annotators.compare(tmp_path, *files)
    words = blocks.words.tolist()
    assert counts["all"] == counts["product"]
    assert counts["all"] == (
        1,
        ContentAgreement(words[1] + words[2], words[3], 0, words[0]),
        ContentAgreement(2, 1, 0, 1),
    )
    assert counts["all"][2].kappa == pytest.approx(0.5)
    assert np.isclose(counts["all"][2].f1, 0.8)


def test_facts_of_a_product_are_what_the_page_shows_of_it_not_of_the_shop() -> None:
    data = """<script type="application/ld+json">{"@type": "Product", "brand": {"name": "BRAND"},
        "offers": {"price": "9.99"}}</script><p>BRAND</p><p>Price: $9.99</p><table><tr><td>Colour<td>red
        <tr><td>Rated<td><style>p {}</style>4 of 5<script>f()</script> stars<tr><td>Size<td>9</table>"""
    found = {}
    for brand, url in (("Babybjörn", "http://www.babybjorn.example/"), ("Caran d\u2019Ache", "http://shop.example/")):
        sample = Sample("a", "1", data.replace("BRAND", brand).encode(), url, None, None, None)
        found[brand] = facts_and_relations.facts_of(sample)
    pairs = [("pair", "Colour red"), ("pair", "Rated 4 of 5 stars"), ("pair", "Size 9")]
    assert found["Babybjörn"] == [("price", "Price: $9.99"), *pairs]
    assert found["Caran d\u2019Ache"] == [("price", "Price: $9.99"), ("brand", "caran d ache"), *pairs]
