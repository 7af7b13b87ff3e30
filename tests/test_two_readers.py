"""`bench/two_readers.py`: pages for two people, and their labels as files that are compared."""

import json
import sys
from pathlib import Path

import pytest

from dehusk.base.errors import GoldError
from dehusk.blocks import segment
from dehusk.blocks.annotation import Annotation
from dehusk.lab.gold.hand_labels import HandLabels
from dehusk.read import parse

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import annotators
import two_readers

PAGE = b"<nav><a href=/>Home</a></nav><h1>Tea</h1><p>Pour the water on the leaves.<p>Imprint"
CONTENT, NOISE = 2, 4


def annotation(codes: list[int], annotator: str) -> Annotation:
    return Annotation.from_labels(PAGE, segment(parse(PAGE)), codes, annotator=annotator)


@pytest.fixture
def labels(tmp_path: Path) -> list[HandLabels]:
    """A set of one page, and the labels of a session of the language model."""
    (tmp_path / "data" / "teas" / "html").mkdir(parents=True)
    (tmp_path / "data" / "teas" / "html" / "a.html").write_bytes(PAGE)
    (tmp_path / "data" / "teas" / "pages.jsonl").write_text(json.dumps({"id": "a", "url": "https://tea.example/"}))
    model = annotation([NOISE, CONTENT, CONTENT, NOISE], "a")
    return [HandLabels("teas", "a", "tea.example", "article", "test", model)]


def test_pages_are_written_and_labels_come_back(tmp_path: Path, labels: list[HandLabels]) -> None:
    folder = tmp_path / "readers"
    assert two_readers.prepare(tmp_path / "data", folder, labels) == 1
    assert [path.read_bytes() for path in (folder / "pages").iterdir()] == [PAGE]
    steps = (folder / "README.md").read_text()
    assert f"dehusk studio {folder}/pages --project {folder}/project --annotator Ann" in steps
    for name, codes in (("Ann", [NOISE, CONTENT, CONTENT, NOISE]), ("Bo", [NOISE, CONTENT, CONTENT, CONTENT])):
        stored = folder / "project" / "annotations" / name
        stored.mkdir(parents=True)
        annotation(codes, name).save(stored / "000001-teas-a.html.anno.json")
        assert two_readers.collect(folder, name, labels) == 1
    compared = annotators.compare(tmp_path / "data", folder / "Ann.jsonl", folder / "Bo.jsonl")
    number, _, by_block = compared["all"]
    assert (number, by_block.both, by_block.only_first, by_block.only_second, by_block.neither) == (1, 2, 0, 1, 1)


def test_nothing_labelled_is_an_empty_file(tmp_path: Path, labels: list[HandLabels]) -> None:
    assert two_readers.collect(tmp_path, "Ann", labels) == 0
    assert (tmp_path / "Ann.jsonl").read_text() == ""


def test_a_page_that_changed_is_an_error(tmp_path: Path, labels: list[HandLabels]) -> None:
    (tmp_path / "data" / "teas" / "html" / "a.html").write_bytes(PAGE + b" of others")
    with pytest.raises(GoldError, match="teas/a: the page has changed"):
        two_readers.prepare(tmp_path / "data", tmp_path / "readers", labels)


def test_sixty_pages_that_were_read_twice_are_chosen() -> None:
    chosen = two_readers.chosen()
    assert len(chosen) == len({of_page.name for of_page in chosen}) == two_readers.PAGES
    assert len({of_page.kind for of_page in chosen}) > 4
