"""Labels of many pages in one file: the format, its errors, and the pages they are joined with."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dehusk.base.errors import GoldError, InputError
from dehusk.blocks import segment
from dehusk.blocks.labels import HEADER, LIST, OTHER, PARAGRAPH
from dehusk.lab.gold import Annotation
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.gold.hand_labels import HandLabels, read_hand_labels, write_hand_labels
from dehusk.lab.train.labelled_pages import label_by_hand
from dehusk.label.baseline import KeepAll
from dehusk.read import parse

PAGE = b"<nav>Home</nav><h1>Courts</h1><p>All cases:</p><ul><li>One v. Two</ul><p>Print"
CODES = [OTHER, HEADER, PARAGRAPH, LIST, -1]


def sample(name: str = "1", data: bytes = PAGE) -> Sample:
    return Sample("courts", name, data, "http://courts.example/", None, "list", None)


def labels(
    name: str = "1", *, annotator: str = "ann", site: str = "courts.example", split: str = "train"
) -> HandLabels:
    annotation = Annotation.from_labels(PAGE, segment(parse(PAGE)), CODES, annotator=annotator)
    return HandLabels("courts", name, site, "list", split, annotation, "en", ("unsure",))


def bare(of_page: HandLabels) -> HandLabels:
    """Return labels without excerpts of the page's text."""
    spans = tuple(span._replace(excerpt="") for span in of_page.annotation.spans)
    return replace(of_page, annotation=replace(of_page.annotation, spans=spans))


def test_labels_are_read_as_written_and_hold_no_text(tmp_path: Path) -> None:
    written = [labels("1"), replace(labels("2"), language=None, flags=())]
    path = tmp_path / "labels" / "pages.jsonl"
    write_hand_labels(path, written)
    assert read_hand_labels(path) == [bare(of_page) for of_page in written]
    text = path.read_text("utf-8")
    assert "Courts" not in text
    assert "cases" not in text
    first = json.loads(text.splitlines()[0])
    keys = ["set", "id", "page", "text", "site", "kind", "language", "split", "annotator", "flags", "spans"]
    assert list(first) == keys
    assert first["spans"][:2] == [[0, 4, "other"], [4, 10, "header"]]


def test_pages_get_their_labels() -> None:
    (page,) = label_by_hand([bare(labels())], [sample("0"), sample("1")], KeepAll())
    assert (page.name, page.site, page.agreement) == ("courts/1", "courts.example", None)
    assert page.codes.tolist() == CODES
    assert page.sample.gold == "Courts All cases: One v. Two"
    assert (page.sample.type, page.sample.language) == ("list", "en")


def test_labels_of_other_sets_are_skipped() -> None:
    other = replace(labels(), set="cities")
    assert label_by_hand([other], [sample()], KeepAll()) == []


def test_a_page_that_changed_is_an_error() -> None:
    with pytest.raises(GoldError, match=r"^courts/1: the page has changed since it was labelled$"):
        label_by_hand([labels()], [sample(data=PAGE + b"!")], KeepAll())


def test_a_text_that_is_read_differently_is_an_error() -> None:
    annotation = replace(labels().annotation, text="0" * 64)
    with pytest.raises(GoldError, match="courts/1: annotation of another text"):
        label_by_hand([replace(labels(), annotation=annotation)], [sample()], KeepAll())


def test_a_labelled_page_that_its_set_lacks_is_an_error() -> None:
    with pytest.raises(GoldError, match=r"^courts/2: labelled, but not in its set \(1 such labels\)$"):
        label_by_hand([labels("2")], [sample()], KeepAll())


def test_two_annotators_of_a_page_are_an_error() -> None:
    both = [labels(), labels(annotator="bob")]
    with pytest.raises(GoldError, match=r"^courts/1: labelled by ann and bob; choose one of them$"):
        label_by_hand(both, [sample()], KeepAll())


def test_two_annotators_may_label_a_page_in_one_file(tmp_path: Path) -> None:
    both = [bare(labels()), bare(labels(annotator="bob"))]
    write_hand_labels(tmp_path / "both.jsonl", both)
    assert read_hand_labels(tmp_path / "both.jsonl") == both


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        (labels("1"), "courts/1: labelled twice by ann"),
        (labels("2", split="test"), "courts/2: site courts.example has pages for training and for testing"),
    ],
)
def test_labels_that_contradict_each_other_are_an_error(tmp_path: Path, second: HandLabels, problem: str) -> None:
    path = tmp_path / "pages.jsonl"
    with pytest.raises(GoldError, match=f"^{problem}$"):
        write_hand_labels(path, [labels(), second])
    assert not path.exists()
    path.write_text(labels().line() + second.line(), "utf-8")
    with pytest.raises(GoldError) as error:
        read_hand_labels(path)
    assert str(error.value) == f"{path}: {problem}"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": 1}, "id must be a text"),
        ({"site": ""}, "site must be a text"),
        ({"page": "abc"}, "page must be a SHA-256 in hexadecimal"),
        ({"split": "dev"}, "unknown split 'dev'. Known: train, test"),
        ({"language": 3}, "language must be a text or null"),
        ({"flags": "unsure"}, "flags must be a list of texts"),
        ({"spans": None}, "spans must be a list"),
        ({"spans": [[0, 4, "other", "Home"]]}, "span 1 must be [start, end, label]"),
        ({"spans": [[0, 4, "menu"]]}, "span 1: unknown label 'menu'"),
        ({"spans": [[0, 4, "other"], [3, 5, "list"]]}, "span 2 overlaps the previous span or comes before it"),
        ({"note": ""}, "unknown key 'note'"),
    ],
)
def test_the_error_names_the_line_and_the_problem(tmp_path: Path, change: dict[str, object], problem: str) -> None:
    path = tmp_path / "pages.jsonl"
    row = json.loads(labels("2").line()) | change
    path.write_text(labels().line() + "\n" + json.dumps(row), "utf-8")
    with pytest.raises(GoldError) as error:
        read_hand_labels(path)
    assert str(error.value).startswith(f"{path}: line 3: {problem}")


@pytest.mark.parametrize(
    ("line", "problem"),
    [(b"{", "not JSON in UTF-8"), (b"[]", "labels must be an object"), (b"{}", "missing key 'annotator'")],
)
def test_other_content_is_an_error(tmp_path: Path, line: bytes, problem: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(line)
    with pytest.raises(GoldError, match=f"line 1: {problem}"):
        read_hand_labels(path)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read: No such file"):
        read_hand_labels(tmp_path / "none.jsonl")
