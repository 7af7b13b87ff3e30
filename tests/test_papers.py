"""`dehusk paper`: the main experiment of each paper, on few generated pages and on small sets of our own."""

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

from command_line import dehusk
from dehusk.base.errors import InputError
from dehusk.blocks import segment
from dehusk.cli import command
from dehusk.lab.evaluate import thesis
from dehusk.lab.evaluate.rivals import RIVALS, RULE, kept_text
from dehusk.lab.gold.datasets import read_set
from dehusk.lab.papers import cst, findoptimal, victor, wisdom
from dehusk.lab.papers.experiment import PAPERS, Experiment, compared, run_paper
from dehusk.lab.papers.shops import SET, shop_samples
from dehusk.lab.papers.shops.pages import generate
from dehusk.measures.metrics import word_bag
from dehusk.read import parse

WORDS = "the tea of the day is brewed with care and poured"
PAGE = f"<p>{WORDS}<p>short<p><a href=/x>{WORDS} {WORDS}</a><p>{WORDS} {WORDS} {WORDS}, twice"


@pytest.fixture(scope="module", autouse=True)
def _few_pages() -> Iterator[None]:
    """Few pages, runs and folds."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (cst, victor, wisdom, findoptimal):
            patch.setattr(module, "MOST", 2 if module is cst else 1)
        patch.setattr(cst, "RUNS", 2)
        patch.setattr(victor, "EXPERIMENTS", {"Exp-1": ()})
        patch.setattr(victor, "available", lambda: 1)
        for module in (victor, thesis):
            patch.setattr(module, "FOLDS", 2)
        yield


@pytest.fixture(scope="module")
def reports(_few_pages: None) -> dict[str, Experiment]:
    return {name: run_paper(name) for name in PAPERS}


def column(found: Experiment, name: str, table: int = 0) -> dict[str, str]:
    """Return a column of a table of a report, by the first cells."""
    head, *rows = list(found.tables.values())[table]
    return {row[0]: row[head.index(name)] for row in rows}


def write_set(folder: Path, name: str, most: int = 1) -> None:
    """Write generated pages as a set of that name."""
    samples = list(shop_samples(most))
    rows = [{"id": sample.id, "site": sample.site} for sample in samples]
    for part in ("html", "gold"):
        (folder / name / part).mkdir(parents=True)
    (folder / name / "pages.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for sample in samples:
        (folder / name / "html" / f"{sample.id}.html").write_bytes(sample.data)
        (folder / name / "gold" / f"{sample.id}.txt").write_text(sample.gold or "")


def test_the_floors_and_the_rule_by_hand() -> None:
    blocks = segment(parse(PAGE))
    kept = {name: keep(blocks).tolist() for name, keep in RIVALS.items()}
    assert kept["everything"] == [True] * 4
    assert kept["longest block"] == [False, False, False, True]
    assert kept[RULE] == [True, False, False, True]
    assert kept_text(blocks, RIVALS["longest block"](blocks)).endswith("twice")
    nothing = segment(parse(""))
    assert all(kept_text(nothing, keep(nothing)) == "" for keep in RIVALS.values())


@pytest.mark.parametrize(
    ("ours", "theirs", "said"), [(0.7, 0.6, "ahead of"), (0.5, 0.6, "behind"), (0.6001, 0.6, "level with")]
)
def test_the_finding_says_who_wins(ours: float, theirs: float, said: str) -> None:
    text = compared({"a": 0.1, "mine": ours}, {"rule": theirs, "b": 0.2}, "F")
    assert text == f"**F: mine ({ours:.3f}) is {said} the best rival, rule ({theirs:.3f}).**"


def test_generated_pages_know_their_content() -> None:
    for sample, page in zip(shop_samples(1), generate(most=1), strict=True):
        assert (sample.set, sample.site, sample.type) == (SET, page.site, page.category)
        assert sample.gold is not None
        assert sample.gold.startswith("<h>")
        whole = "\n".join(segment(parse(page.html)).texts)
        assert word_bag(whole, sample.gold_text).recall > 0.99
        assert word_bag(whole, sample.gold_text).precision < 0.8


def test_the_correct_string_of_a_generated_page_is_its_content() -> None:
    page = next(iter(generate(most=1)))
    [(document, correct)] = findoptimal.mark_content([page])
    marked = "".join(np.where(correct, list(document), " "))
    for part in page.content:
        assert findoptimal.folded_source(part).strip() in marked
    assert 0.1 < correct.mean() < 0.6


def test_balanced_accuracy_of_rules_that_do_not_look_is_a_half() -> None:
    page = next(iter(generate(most=1)))
    [(document, correct)] = findoptimal.mark_content([page])
    for name, figure in (("everything grey", 0.5), ("nothing grey", 0.5)):
        found = findoptimal.agreement(correct, findoptimal.RIVALS[name](document))
        assert findoptimal.balanced(found) == pytest.approx(figure)
    assert findoptimal.balanced(findoptimal.agreement(correct, correct)) == 1.0


@pytest.mark.parametrize("name", PAPERS)
def test_each_paper_reports_its_figures_floors_and_rivals(name: str, reports: dict[str, Experiment]) -> None:
    found = reports[name]
    text = found.markdown()
    assert text.startswith(f"# {found.title}\n\n**")
    [picture] = found.pictures.values()
    assert ET.fromstring(picture).tag.endswith("svg")  # noqa: S314 (our own text)
    assert f"![{found.title}]({name}.svg)" in text
    assert ".svg" not in found.markdown(pictures=False)
    for rows in found.tables.values():
        assert len({len(row) for row in rows}) == 1


def test_figures_of_the_papers_stand_beside_ours(reports: dict[str, Experiment]) -> None:
    assert column(reports["cst"], "accuracy by SVM")["the paper, after"] == "0.951"
    table = column(reports["victor"], "total")
    assert table["Exp-1, thesis"] == "73.92"
    assert {"everything", "longest block", RULE} <= set(table)
    rows = next(iter(reports["findoptimal"].tables.values()))
    assert ["one English site, 76 pages", "the paper", "(24, 10)", "0.975", "0.939", "0.872", ""] in rows


def test_wisdom_runs_on_open_sets_and_is_deterministic(tmp_path: Path) -> None:
    for name in wisdom.SETS:
        write_set(tmp_path, name)
    found = run_paper("wisdom", tmp_path)
    assert found == run_paper("wisdom", tmp_path)
    assert found.about.startswith("69 pages of 15 sites")
    recall = column(found, "R")
    assert float(recall["everything"]) > 0.99
    assert float(recall["M2, as printed"]) >= float(recall["WISDOM, as printed"])


def test_victor_runs_on_the_development_set(tmp_path: Path) -> None:
    write_set(tmp_path, "cleaneval-dev")
    found = run_paper("victor", tmp_path)
    assert found.about.startswith("23 documents of cleaneval-dev")
    f1 = {name: float(cell.split(" / ")[1]) for name, cell in column(found, "word-bag F1").items() if cell}
    assert f1["Exp-1"] > f1[RULE] > f1["longest block"]


def test_findoptimal_marks_articles_between_delimiters(tmp_path: Path) -> None:
    article = "a long story of tea " * 30
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "1.html").write_text(f"<nav>menu</nav><!-- story -->{article}<!--/story--><p>end")
    (tmp_path / "html" / "2.html").write_text("<nav>menu</nav><!-- story -->short<!--/story-->")
    (tmp_path / "pages.jsonl").write_text('{"id": "1", "site": "forbes.com"}\n{"id": "2", "site": "forbes.com"}\n')
    samples = list(read_set(tmp_path))
    [(document, correct)] = findoptimal.mark_articles(samples, findoptimal.NEWS["forbes.com"], "forbes.com")
    assert "".join(np.where(correct, list(document), "")) == article.strip() + " "
    assert findoptimal.mark_articles(samples, findoptimal.ANDROID) == []


def test_sets_that_are_missing_are_named(tmp_path: Path) -> None:
    for name, missing in (
        ("victor", "cleaneval-dev"),
        ("wisdom", "cleanportaleval-a"),
        ("findoptimal", "site-android"),
    ):
        with pytest.raises(InputError, match=f"has no set {missing}"):
            run_paper(name, tmp_path)
    with pytest.raises(InputError, match="cst takes no DATA"):
        run_paper("cst", tmp_path)


def test_the_command_prints_or_writes_the_report(tmp_path: Path, reports: dict[str, Experiment]) -> None:
    printed = CliRunner().invoke(command, ["paper", "wisdom"])
    assert (printed.exit_code, printed.stdout) == (0, reports["wisdom"].markdown(pictures=False))
    assert "wisdom: " in printed.stderr
    written = CliRunner().invoke(command, ["paper", "wisdom", "-o", str(tmp_path / "out")])
    assert (written.exit_code, written.stdout) == (0, "")
    assert (tmp_path / "out" / "report.md").read_text() == reports["wisdom"].markdown()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"report.md", "wisdom.svg"}


def test_wrong_arguments_are_one_line(tmp_path: Path) -> None:
    for arguments, said in (
        (["paper"], "Choose from: victor, cst, wisdom, findoptimal"),
        (["paper", "wisdm"], "Did you mean wisdom?"),
        (["paper", "wisdom", str(tmp_path / "nothing")], "does not exist"),
        (["paper", "cst", str(tmp_path)], "cst takes no DATA"),
        (["paper", "wisdom", "-o", str(tmp_path / "a" / "b")], "does not exist"),
    ):
        failed = dehusk(*arguments)
        assert (failed.returncode, failed.stderr.decode().count("\n")) == (2, 1)
        assert said in failed.stderr.decode()
