"""`bench/webmainbench.py` on three pages of our own in WebMainBench's layout, from their JSON Lines to its report."""

import json
import sys
from pathlib import Path

import pytest

from dehusk.lab.sets.building import build
from dehusk.lab.sets.catalogue import PublishedSet

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import sets  # noqa: E402
import webmainbench as bench  # noqa: E402

STORY = "Green tea leaves are steamed soon after they are picked, so that they keep their colour and their taste."
MENU = '<nav><a href="/a">Home</a> <a href="/b">Shop</a> <a href="/c">Contact us</a></nav>'
TABLE = "<table><tr><th>tea</th><th>grams</th></tr><tr><td>green</td><td>2</td></tr></table>"


def line(number: int, body: str, main: str, gold: str, level: str, corrected: str | None = None) -> str:
    """Return a line of the file: a page whose main elements are marked."""
    marked = main.replace("<p>", '<p cc-select="true">').replace("<table>", '<table cc-select="true">')
    row = {
        "track_id": f"tea-{number}", "url": f"https://leaf.example/{number}", "main_html": main,
        "html": f"<html><body>{MENU}{body}{marked}</body></html>", "convert_main_content": gold,
        "meta": {"language": "en", "style": "Article", "level": level, "table": [], "code": [], "equation": []},
    }  # fmt: skip
    return json.dumps(row if corrected is None else {**row, "groundtruth_content": corrected}) + "\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with the set of three pages."""
    story = f"{STORY}\n\n{STORY.replace('Green', 'White')}"
    paragraphs = "".join(f"<p>{text}</p>" for text in story.split("\n\n"))
    grams = "| tea | grams |\n| --- | --- |\n| green | 2 |"
    lines = [
        line(1, "", paragraphs, f"{story}\n\n", "simple", corrected=story),
        line(2, "", f"{paragraphs}{TABLE}", f"{story}\n\n{grams}", "mid", corrected=f"{story}\n\n{grams}"),
        line(3, "<p>Buy now</p>", paragraphs, f"{story}\n\n", "hard"),
    ]
    (tmp_path / "WebMainBench_545.jsonl").write_text("".join(lines), "utf-8")
    published = PublishedSet(
        "webmainbench-545", "Tea", 3, "ours", "", "", "", "", layout="webmainbench", unmeasured="it is a test"
    )
    build(published, tmp_path / "WebMainBench_545.jsonl", tmp_path / "data")
    return tmp_path / "data"


def run(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(sys, "argv", ["webmainbench.py", str(data)])
    monkeypatch.setattr(sets, "RESULTS", tmp_path / "results")
    monkeypatch.setattr("shipped.RESULTS", tmp_path / "results")
    bench.main()
    return tmp_path / "results"


def test_a_bench_from_lines_to_report(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    results = run(data, monkeypatch, tmp_path)
    tables = json.loads((results / "webmainbench.json").read_text("utf-8"))["tables"]["webmainbench-545"]
    rouge = {row[0]: row[1:] for row in tables["ROUGE-5 F1"][1:]}
    assert rouge.keys() == bench.TOOLS.keys()
    assert rouge["nothing"] == ["3", "0", "0.0000", "0.0000", "0.0000", "0.0000"]
    assert all(row[1] == "0" for row in rouge.values())  # no tool failed
    assert float(rouge["longest block"][2]) < float(rouge["dehusk, Markdown"][2])
    assert float(rouge["everything"][2]) < float(rouge["dehusk, Markdown"][2])
    edits = {row[0]: dict(zip(tables["Edit similarity"][0], row, strict=True)) for row in tables["Edit similarity"][1:]}
    assert edits["dehusk, Markdown"]["tables"] == "1.0000 (1)"
    assert edits["nothing"][bench.TREES] == "0.0000 (1)"
    assert edits["dehusk, Markdown"]["text"].endswith("(2)")  # two pages are corrected
    assert edits["dehusk, Markdown"]["code"] == ""
    assert "## Edit similarity on webmainbench-545" in (results / "webmainbench.md").read_text("utf-8")


def test_a_tool_that_fails_is_counted(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(html: str, url: str | None) -> str:
        raise RuntimeError(html, url)

    monkeypatch.setattr(bench, "TOOLS", {"broken": fail})
    figures = bench.judged(next(bench.pages_of(data / "webmainbench-545")))["broken"]
    assert figures.failed
    assert (figures.rouge, figures.edits["text"]) == (0, 0)


def test_without_the_set_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = run(tmp_path, monkeypatch, tmp_path)
    assert not results.exists()
    said = capsys.readouterr().err
    assert said == (
        f"{tmp_path} holds no webmainbench or webmainbench-545: "
        f"dehusk sets get {tmp_path} webmainbench webmainbench-545\n"
    )
