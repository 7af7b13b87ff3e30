"""`dehusk eval` and `dehusk bench` on pages with facts."""

import json
from pathlib import Path

import pytest

from dehusk.base.errors import InputError
from dehusk.cli import command
from dehusk.lab.evaluate.benchmark import choose_samples
from dehusk.lab.evaluate.fact_scores import FactRow, fact_rows, facts_not_on_page_notes, judge_facts, score_facts
from dehusk.lab.evaluate.html_report import render_report
from dehusk.lab.evaluate.predictions import Prediction, match_predictions
from dehusk.lab.evaluate.scores import score_all, tabulate
from dehusk.lab.evaluate.text_report import fact_table, markdown_report, tool_table
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.label.baseline import KeepAll

STEPS = ["Boil a litre of water.", "Pour it over two spoons of leaves.", "Wait for three minutes."]
PAGE = f"<nav>Home</nav><h1>Green tea</h1><ol><li>{'<li>'.join(STEPS)}</ol>"
FACTS = ["Green tea", *STEPS]


def sample(number: int, **changes: object) -> Sample:
    fields = {"url": f"http://{'ab'[number % 2]}.example/{number}", "site": None, "type": None, "gold": None}
    return Sample(set="tea", id=f"p{number}", data=PAGE.encode(), **{**fields, "facts": tuple(FACTS), **changes})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a set of three pages with facts, of which the last has a gold text too."""
    root = tmp_path / "tea"
    for name in ("html", "gold"):
        (root / name).mkdir(parents=True)
    rows = []
    for number in range(3):
        rows.append(json.dumps({"id": f"p{number}", "url": f"http://{'ab'[number % 2]}.example/", "facts": FACTS}))
        (root / "html" / f"p{number}.html").write_text(PAGE)
    (root / "gold" / "p2.txt").write_text("\n".join(FACTS))
    (root / "pages.jsonl").write_text("\n".join(rows))
    return root


def without_gold(folder: Path) -> Path:
    (folder / "gold" / "p2.txt").unlink()
    return folder


def predictions() -> list[Prediction]:
    texts = ["\n".join(FACTS), "green TEA: wait for three minutes", ""]
    good = [Prediction("tea", f"p{n}", "good 1", text, ms=2.0, mb=50.0) for n, text in enumerate(texts[:2])]
    return [*good, Prediction("tea", "p2", "good 1", "", error="died"), Prediction("tea", "p0", "poor 1", "Home")]


def run(*arguments: object) -> int:
    return int(command.main([str(argument) for argument in arguments], standalone_mode=False))


def test_scores_by_hand() -> None:
    samples = [sample(0), sample(1), sample(2), sample(3, facts=(), gold="text")]
    matched = match_predictions(predictions(), samples)
    good, poor = fact_rows(score_facts(matched.pairs), lambda score: score.set)
    words = (2 + 5 + 7 + 4 + 6) / 3
    assert good == FactRow("good 1", "tea", 3, 2, 1, 0.5, good.low, good.high, 1 / 3, words, 2.0, 50.0)
    assert good.low is not None
    assert good.high is not None
    assert good.low <= 0.5 <= good.high
    assert (poor.pages, poor.failures, poor.kept, poor.whole, poor.words) == (3, 2, 0, 0, 1 / 3)
    assert {score.id for score in score_all(matched.pairs)} == {"p3"}


def test_a_method_is_judged_by_the_text_of_its_kept_blocks() -> None:
    scores = judge_facts("all", KeepAll(), [sample(0), sample(1, facts=())])
    assert [(score.tool, score.facts.kept, score.facts.whole, score.facts.words) for score in scores] == [
        ("all", 4, 1, 19)
    ]


def test_facts_that_are_not_on_their_page_are_reported() -> None:
    samples = [sample(0), sample(1, facts=(*FACTS, "two sugars", "milk")), sample(2, facts=())]
    assert facts_not_on_page_notes(samples) == ["tea: 2 of 10 facts not on their page as dehusk reads it (1 page)"]
    assert facts_not_on_page_notes(samples[:1]) == []


def test_pages_with_facts_are_chosen_and_others_are_an_error(folder: Path) -> None:
    assert [page.id for page in choose_samples([folder], sample=None)] == ["p0", "p1", "p2"]
    (without_gold(folder) / "pages.jsonl").write_text('{"id": "p0"}')
    with pytest.raises(InputError, match="no page in the sets has a gold text or facts"):
        choose_samples([folder], sample=None)
    with pytest.raises(InputError, match="none of the pages has a gold text or facts"):
        match_predictions(predictions(), read_set(folder))


@pytest.mark.parametrize("width", [60, 200])
def test_text_and_reports_show_facts_beside_the_figures_of_gold_texts(folder: Path, width: int) -> None:
    pairs = match_predictions(predictions(), read_set(folder)).pairs
    tables = tabulate(score_all(pairs), score_facts(pairs))
    text = tool_table(tables, width=width)
    assert "tea: means over 1 pages" in text
    assert "tea, facts: means over 3 pages of 2 sites." in text
    assert max(map(len, text.splitlines())) <= width
    for report in (
        text,
        markdown_report(tables, notes=[], hashes={}),
        render_report(tables, title="", notes=[], hashes={}),
    ):
        assert all(head in report for head in ("F1", "facts kept", "pages whole", "words kept"))
        assert "0.500" in report
        assert "0.333" in report


def test_reports_without_gold_texts_show_facts_only(folder: Path) -> None:
    pairs = match_predictions(predictions(), read_set(without_gold(folder))).pairs
    tables = tabulate(score_all(pairs), score_facts(pairs))
    text, html = tool_table(tables, width=100), render_report(tables, title="", notes=[], hashes={})
    assert text.startswith("tea, facts: ")
    assert "F1" not in text
    assert "3 pages of 1 set, 2 tools" in html
    assert "F1 on all sets" not in html
    assert '<td class="fail">1</td>' in html
    assert "0.500" in markdown_report(tables, notes=[], hashes={})


def test_reports_without_facts_do_not_mention_them() -> None:
    pairs = [(sample(0, facts=(), gold="text"), Prediction("tea", "p0", "good 1", "text"))]
    tables = tabulate(score_all(pairs), score_facts(pairs))
    for report in (tool_table(tables, width=100), render_report(tables, title="", notes=[], hashes={})):
        assert "acts kept" not in report


def test_bench_and_eval_know_facts(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, html = tmp_path / "runs.jsonl", tmp_path / "report.html"
    assert run("bench", "-q", "-o", runs, "--tools", "turbohtml", "--report", html, without_gold(folder)) == 0
    assert capsys.readouterr().out.startswith("tea, facts: means over 3 pages of 2 sites.")
    assert "facts kept" in html.read_text()
    assert run("eval", "-f", "json", "--predictions", runs, folder) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["by_set"] == []
    assert [(row["group"], row["pages"]) for row in record["facts_by_set"]] == [("tea", 3)]


def test_eval_judges_a_model_on_facts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("eval", "-q", folder) == 0
    out = capsys.readouterr().out
    assert "Means over documents" in out
    assert "Pages with facts" in out
    assert run("eval", "-q", "-f", "json", folder) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["groups"]["tea"]["pages"] == 1
    assert record["facts"]["tea"]["pages"] == 3
    assert run("eval", "-q", without_gold(folder)) == 0
    out = capsys.readouterr().out
    assert "Means over documents" not in out
    (row,) = [line for line in out.splitlines() if line.startswith("| tea ")]
    assert row.startswith("| tea | united | 3 ")


def test_the_table_of_models() -> None:
    row = FactRow("mine", "tea", 3, 1, 0, 0.5, None, None, 0.25, 1234.5, None, None)
    lines = fact_table([row]).splitlines()
    assert [cell.strip() for cell in lines[2].strip("|").split("|")] == [
        "set", "model", "pages", "facts kept", "95 %", "pages whole", "words kept"
    ]  # fmt: skip
    assert [cell.strip() for cell in lines[4].strip("|").split("|")] == [
        "tea", "mine", "3", "0.500", "-", "0.250", "1,234"
    ]  # fmt: skip
