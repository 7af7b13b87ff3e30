"""The quality gate on pages of our own: no method falls below its floor, and no few pages decide."""

import sys
from pathlib import Path

import pytest

from dehusk.cli import command
from dehusk.lab.evaluate.gate import read_floors
from dehusk.lab.gold.datasets import read_set

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "bench"))

from gate_pages import text_of, write_gate_pages  # noqa: E402 (what the line before finds)

FLOORS = ROOT / "bench" / "quality.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gate") / "gate-pages"
    folder.mkdir()
    write_gate_pages(folder)
    return folder


def test_each_page_of_the_gate_has_its_gold(folder: Path) -> None:
    pages = list(read_set(folder))
    assert len({page.data for page in pages}) == len(pages) >= 60
    assert all(len(page.gold or "") >= 80 for page in pages)
    assert {floor.pages for floor in read_floors(FLOORS)} == {len(pages)}


def test_no_method_is_below_its_floor(folder: Path, tmp_path: Path) -> None:
    runs = ["bench", "-q", "-o", str(tmp_path / "runs.jsonl"), "--tools", "dehusk,dehusk-web,dehusk-cleaneval"]
    assert command.main([*runs, "--gate", str(FLOORS), str(folder)], standalone_mode=False) == 0


def test_the_gold_of_markdown_is_its_words() -> None:
    markdown = "# Tea\n\nHot *and* ~~mild~~ [strong](/x).\n\n- one\n- `two`\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    listing = "\n```\nx = 1\n```\n\n![A pot](p.jpg)\n"
    words = ["Tea", "Hot", "and", "mild", "strong.", "one", "two", "a", "b", "1", "2", "x", "=", "1"]
    assert text_of(markdown + listing).split() == words
