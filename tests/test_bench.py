"""Tools side by side: children that hang or die, predictions of anyone, resumed runs, leaks, the report."""

import json
import os
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from dehusk.cli import command
from dehusk.errors import InputError
from dehusk.evaluate import benchmark, leaks
from dehusk.evaluate.gate import read_floors
from dehusk.evaluate.html_report import report
from dehusk.evaluate.predictions import Prediction, match, read_predictions
from dehusk.evaluate.scores import rows, score, score_all, tabulate
from dehusk.evaluate.tools import TOOLS, View, make, told
from dehusk.gold.datasets import Sample, read_set
from dehusk.measures.metrics import word_bag
from dehusk.processes.child import Child, ChildError

TEXT = "Tea turns bitter when the water is too hot or the leaves stay in it for too long, as everybody knows by now."


def page(number: int) -> str:
    return f"<html><body><nav><a href=/>home</a></nav><main><h1>Tea {number}</h1><p>{TEXT} {number}</p></main></body>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a set of four pages of two sites and two types."""
    place = tmp_path / "tea"
    for name in ("html", "gold"):
        (place / name).mkdir(parents=True)
    lines = []
    for number in range(4):
        url = f"http://{'ab'[number % 2]}.example/{number}"
        lines.append(json.dumps({"id": f"p{number}", "url": url, "type": ("article", "forum")[number // 2]}))
        (place / "html" / f"p{number}.html").write_text(page(number))
        (place / "gold" / f"p{number}.txt").write_text(f"Tea {number}\n{TEXT} {number}")
    (place / "pages.jsonl").write_text("\n".join(lines))
    return place


def sample(number: int, *, name: str = "tea", gold: str | None = TEXT, url: str | None = None) -> Sample:
    return Sample(name, str(number), b"", url, None, None, gold)


def troubled(_argument: object):
    def work(item: str) -> str:
        if item == "die":
            os._exit(3)
        if item == "hang":
            time.sleep(60)
        if item == "raise":
            raise ValueError("two\nlines")
        return item.upper()

    return work


def unmade(_argument: object):
    raise ImportError("not installed")


def test_a_child_that_raises_hangs_or_dies_costs_one_item() -> None:
    with Child(troubled, None, seconds=3.0) as child:
        assert child.work("a")[0] == "A"
        for item, said in (("raise", "ValueError: two lines"), ("die", "its process died"), ("hang", "took longer")):
            with pytest.raises(ChildError, match=said):
                child.work(item)
            assert child.work("b")[0] == "B"


def hungry(_argument: object):
    return lambda item: [0] * 4_000_000 if item == "much" else [0]


def test_a_child_says_its_memory_and_finishes_what_it_made() -> None:
    with Child(hungry, None, seconds=20.0, finish=len) as child:
        assert child.peak() is None  # there is no child yet
        found = [(child.work(item).result, child.peak()) for item in ("little", "much", "little")]
    assert [size for size, _ in found] == [1, 4_000_000, 1]
    little, much, after = (peak for _, peak in found)
    if little is not None:  # not every system says
        assert little + 25 < much == pytest.approx(after, abs=2)


def test_a_child_that_cannot_start_says_why() -> None:
    with Child(unmade, None, seconds=1.0) as child:
        for _ in range(2):
            with pytest.raises(ChildError, match="ImportError: not installed"):
                child.work("a")


def test_our_tools_are_there_and_others_are_named() -> None:
    assert told(make("dehusk-web")([View(page(1))]))[0].text.count("Tea") == 2
    with pytest.raises(InputError, match="no tool 'nobody'"):
        make("nobody")
    assert all(tool.version for tool in TOOLS.values() if tool.package in ("dehusk", "turbohtml"))


def test_predictions_of_anyone(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"id": "p1", "text": "a"}\n\n{"set": "tea", "id": 2, "tool": "t", "text": "b", "ms": 3}\n')
    assert list(read_predictions(path)) == [
        Prediction("", "p1", "mine", "a"),
        Prediction("tea", "2", "t", "b", ms=3.0),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"id": 1}',
        '{"text": "a"}',
        '{"id": 1, "text": null}',
        '{"id": null, "text": "a"}',
        '{"id": 1, "text": "a", "ms": "slow"}',
        '{"id": 1, "text": "a", "mb": NaN}',
        '{"id": 1, "text": "a", "blocks": [[0, 5, 1.5, true]]}',
        '{"id": 1, "text": "a", "blocks": [[5, 0, 0.5, true]]}',
        '{"id": 1, "text": "a", "blocks": [[0, 5]]}',
        '{"page": "a.html", "content": "a", "format": "html", "status": "ok"}',
    ],
)
def test_lines_that_are_no_predictions_are_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"id": "p1", "text": "a"}\n' + line)
    with pytest.raises(InputError, match=r"line 2"):
        list(read_predictions(path))


def test_what_does_not_fit_is_said_and_never_silently_scored() -> None:
    samples = [sample(1), sample(2), sample(3, gold=""), sample(4, gold=None)]
    given = [
        Prediction("tea", "1", "t", TEXT),
        Prediction("tea", "1", "t", "again"),
        Prediction("tea", "9", "t", "of no page"),
        Prediction("", "2", "u", TEXT),
    ]
    found = match(given, samples)
    assert len(found.pairs) == 6  # two tools on three pages with gold
    assert found.problems == [
        "t: a second prediction for tea/1, left out",
        "t: no one page tea/9",
        "t: no prediction for 2 pages, the first tea/2; they count as failures",
        "u: no prediction for 2 pages, the first tea/1; they count as failures",
        "tea/3: its gold text is empty",
    ]
    scores = [score(*pair) for pair in found.pairs]
    by_tool = {row.tool: row for row in rows(scores, lambda one: one.set)}
    assert (by_tool["t"].pages, by_tool["t"].failures) == (3, 2)
    assert by_tool["t"].f1 == pytest.approx((1 + 0 + word_bag("", "").f1) / 3)


def test_nothing_to_judge_is_an_error() -> None:
    with pytest.raises(InputError, match="no pages with gold"):
        match([Prediction("tea", "1", "t", "")], [sample(1, gold=None)])
    with pytest.raises(InputError, match="none of the predictions"):
        match([Prediction("tea", "7", "t", "")], [sample(1)])


def test_an_id_that_two_sets_have_needs_its_set() -> None:
    found = match([Prediction("", "1", "t", "x"), Prediction("a", "1", "t", "x")], [sample(1, name=n) for n in "ab"])
    assert found.problems[0] == "t: no one page ?/1"


def test_a_run_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    samples = benchmark.choose([folder], sample=None)
    task = benchmark.BenchmarkPlan(("dehusk-web", "turbohtml"), samples, seconds=60)
    every = list(benchmark.run(task))
    assert [one.error for one in every] == [""] * 8
    assert all(one.ms is not None and one.ms >= 0 for one in every)
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(one.line() for one in every[:3]) + every[3].line()[:20])
    done = benchmark.resumed(path)
    assert done == every[:3]
    assert path.read_text() == "".join(one.line() for one in every[:3])
    rest = list(benchmark.run(task, done))
    assert [(one.tool, one.id, one.text) for one in [*done, *rest]] == [(o.tool, o.id, o.text) for o in every]


def test_samples_follow_the_seed(folder: Path) -> None:
    chosen = [[one.id for one in benchmark.choose([folder], sample=2, seed=seed)] for seed in (0, 0, 1, 2, 3)]
    assert chosen[0] == chosen[1]
    assert len({tuple(one) for one in chosen}) > 1
    with pytest.raises(InputError, match="two sets are called tea"):
        benchmark.choose([folder, folder], sample=None)


def test_training_and_shared_pages_are_said() -> None:
    ours = leaks.notes(["dehusk-web 1", "other 1"], [sample(1, name="chaos-a")])
    assert ours == ["dehusk-web 1: trained on pages of chaos-a, so that figures there are no measure"]
    several = [sample(n, name=name, gold=f"text {n}") for n, name in enumerate(("dragnet-a", "own", "chaos-a"))]
    once = leaks.notes(["dehusk 1", "dehusk-web 1", "other 1"], several)
    assert once == [
        "dehusk 1, dehusk-web 1: trained on pages of chaos-a, dragnet-a, so that figures there are no measure"
    ]
    assert leaks.notes(["dehusk-cleaneval 1"], [sample(1, name="chaos-a")]) == []
    both = leaks.no_measure(["dehusk-web 1", "dehusk-cleaneval 1", "other 1"], [sample(1, name="chaos-a")])
    assert both == {("dehusk-web 1", "chaos-a")}
    samples = [
        sample(1, name="a", url="https://www.x.example/1/#top"),
        sample(1, name="b", gold="another text", url="http://x.example/1"),
        sample(2, name="b", gold=TEXT.upper()),
    ]
    assert leaks.shared(samples) == ["a and b share 2 pages"]


def test_the_report_holds_every_figure_and_loads_nothing(folder: Path) -> None:
    samples = list(read_set(folder))
    given = [Prediction("tea", one.id, "a <b>", TEXT, ms=1.0) for one in samples]
    given.append(Prediction("tea", "p0", "dehusk", "", error="died"))
    matched = match(given, samples)
    scores = score_all(matched.pairs)
    made = report(tabulate(scores), title="Tea & figures", notes=matched.problems, hashes={"tea": "0123"})
    for row in rows(scores, lambda one: one.set):
        assert f"{row.f1:.3f}" in made
    assert "a &lt;b&gt;" in made
    best = max(rows(scores, lambda one: one.set), key=lambda row: row.f1)
    assert f"<td><b>{best.f1:.3f}</b></td>" in made
    leaky = report(tabulate(scores), title="", notes=[], hashes={}, trained={(best.tool, "tea")})
    assert f"<td>{best.f1:.3f}†</td>" in leaky
    assert "tea: 0123" in made
    assert "http" not in made
    for plot in made.split("<svg")[1:]:
        ET.fromstring("<svg" + plot.split("</svg>")[0] + "</svg>")  # noqa: S314 (we wrote it)


def test_who_was_trained_on_a_set_is_best_in_no_part_of_it(folder: Path) -> None:
    pairs = [
        (one, Prediction("tea", one.id, tool, text))
        for one in read_set(folder)
        for tool, text in (("seen", one.gold_text), ("unseen", TEXT[:20]))
    ]
    tables = tabulate(score_all(pairs))
    parts = 1 + 2 + 2  # the set, its page types, its sites
    unseen = next(row.f1 for row in tables.sets if row.tool == "unseen")
    made = report(tables, title="", notes=[], hashes={}, trained={("seen", "tea"), ("unseen", "other")})
    assert made.count(f"<td><b>{unseen:.3f}</b></td>") == parts
    assert made.count("<td>1.000†</td>") == parts
    assert made.count(">seen †</text>") == 1  # the plot
    assert report(tables, title="", notes=[], hashes={}).count("<td><b>1.000</b></td>") == parts


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, page_ = str(tmp_path / "runs.jsonl"), str(tmp_path / "report.html")
    arguments = ["bench", "-q", "-o", runs, "--tools", "dehusk-web", "--sample", "3", "--report", page_, str(folder)]
    for _ in range(2):
        assert command.main(arguments, standalone_mode=False) == 0
        assert "| tea " in capsys.readouterr().out
    assert len(Path(runs).read_text().splitlines()) == 3
    assert Path(page_).read_text().startswith("<!DOCTYPE html>")
    assert command.main(["eval", "--predictions", runs, str(folder)], standalone_mode=False) == 0
    out, err = capsys.readouterr()
    assert "dehusk-web" in out
    assert "no prediction for 1 pages" in err


ROOT = Path(__file__).parents[1]


def test_quality_is_not_below_its_floor(tmp_path: Path) -> None:
    runs, tools = str(tmp_path / "runs.jsonl"), "dehusk,dehusk-web,dehusk-cleaneval"
    gate = ["--gate", str(ROOT / "bench/quality.json"), str(ROOT / "examples/gold-pages")]
    assert command.main(["bench", "-q", "-o", runs, "--tools", tools, *gate], standalone_mode=False) == 0


def test_a_gate_fails_under_a_floor_and_on_other_pages(folder: Path, tmp_path: Path, capsys) -> None:
    floors = tmp_path / "floors.json"
    arguments = ["bench", "-q", "-o", str(tmp_path / "runs.jsonl"), "--tools", "turbohtml", str(folder)]

    def run(*more: str) -> int:
        return int(command.main([*arguments, *more], standalone_mode=False))

    assert run("--pin", str(floors)) == 0
    assert run("--gate", str(floors)) == 0
    pinned = json.loads(floors.read_text())
    pinned["floors"][0]["f1"] += 0.1
    floors.write_text(json.dumps(pinned))
    assert run("--gate", str(floors)) == 1
    assert "is under the floor" in capsys.readouterr().err
    with pytest.raises(InputError, match="is lower than the floor"):
        run("--pin", str(floors))
    assert run("--pin", str(floors), "--lower") == 0
    (folder / "gold" / "p0.txt").write_text("another gold text")
    assert run("--gate", str(floors)) == 1
    assert "other pages" in capsys.readouterr().err
    with pytest.raises(InputError, match="none of the floors"):
        command.main([*arguments[:5], "dehusk-web", str(folder), "--gate", str(floors)], standalone_mode=False)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"floors": [{"tool": "a"}]}'])
def test_a_file_without_floors_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "floors.json"
    path.write_text(content)
    with pytest.raises(InputError, match="has no floors"):
        read_floors(path)
