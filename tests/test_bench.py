"""`dehusk bench`: child processes, predictions from any tool, resumed runs, leaks, the report, the quality gate."""

import json
import os
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import pytest

from dehusk.base.errors import ChildError, InputError
from dehusk.base.processes.child import Child
from dehusk.cli import command
from dehusk.lab.evaluate import benchmark, leaks
from dehusk.lab.evaluate.gate import read_floors
from dehusk.lab.evaluate.html_report import render_report
from dehusk.lab.evaluate.predictions import Prediction, match_predictions, read_predictions
from dehusk.lab.evaluate.scores import figure_rows, score, score_all, tabulate
from dehusk.lab.evaluate.table_columns import ORDER, QUALITY
from dehusk.lab.evaluate.text_report import tool_table
from dehusk.lab.evaluate.tools import PageView, known_tools, load_tool, to_outputs
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.label.registry import declarations
from dehusk.measures.metrics import word_bag

TEXT = "Tea turns bitter when the water is too hot or the leaves stay in it for too long, as everybody knows by now."


def page(number: int) -> str:
    return f"<html><body><nav><a href=/>home</a></nav><main><h1>Tea {number}</h1><p>{TEXT} {number}</p></main></body>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a set of four pages, from two sites and of two types."""
    root = tmp_path / "tea"
    for name in ("html", "gold"):
        (root / name).mkdir(parents=True)
    lines = []
    for number in range(4):
        url = f"http://{'ab'[number % 2]}.example/{number}"
        lines.append(json.dumps({"id": f"p{number}", "url": url, "type": ("article", "forum")[number // 2]}))
        (root / "html" / f"p{number}.html").write_text(page(number))
        (root / "gold" / f"p{number}.txt").write_text(f"Tea {number}\n{TEXT} {number}")
    (root / "pages.jsonl").write_text("\n".join(lines))
    return root


def sample(number: int, *, name: str = "tea", gold: str | None = TEXT, url: str | None = None) -> Sample:
    return Sample(name, str(number), b"", url, None, None, gold)


def misbehaving(_argument: object):
    def work(item: str) -> str:
        if item == "die":
            os._exit(3)
        if item == "hang":
            time.sleep(60)
        if item == "raise":
            raise ValueError("two\nlines")
        return item.upper()

    return work


def failing_start(_argument: object):
    raise ImportError("not installed")


def test_a_child_that_raises_hangs_or_dies_costs_one_item() -> None:
    with Child(misbehaving, None, seconds=3.0) as child:
        assert child.work("a")[0] == "A"
        for item, message in (("raise", "ValueError: two lines"), ("die", "its process died"), ("hang", "took longer")):
            with pytest.raises(ChildError, match=message):
                child.work(item)
            assert child.work("b")[0] == "B"


def memory_hungry(_argument: object):
    return lambda item: [0] * 4_000_000 if item == "much" else [0]


def test_a_child_reports_its_memory_and_finishes_its_results() -> None:
    with Child(memory_hungry, None, seconds=20.0, finish=len) as child:
        assert child.peak() is None  # no child has started
        results = [(child.work(item).result, child.peak()) for item in ("little", "much", "little")]
    assert [size for size, _ in results] == [1, 4_000_000, 1]
    little, much, after = (peak for _, peak in results)
    if little is not None:  # not every system reports it
        assert little + 25 < much == pytest.approx(after, abs=2)


def test_a_child_that_cannot_start_says_why() -> None:
    with Child(failing_start, None, seconds=1.0) as child:
        for _ in range(2):
            with pytest.raises(ChildError, match="ImportError: not installed"):
                child.work("a")


def test_dehusk_and_its_parser_are_installed_tools_and_unknown_tools_get_the_nearest_name() -> None:
    assert to_outputs(load_tool("dehusk-web")([PageView(page(1))]))[0].text.count("Tea") == 2
    with pytest.raises(InputError, match=r"unknown tool 'trafilatur'. Did you mean trafilatura\?"):
        load_tool("trafilatur")
    assert all(tool.version for tool in known_tools().values() if tool.package in ("dehusk", "turbohtml"))


def test_every_method_is_a_tool() -> None:
    """A tool for each preset, and one with the site for each method that can use it; no list to extend."""
    by_site = {name for name, tool in known_tools().items() if tool.by_site and tool.package == "dehusk"}
    assert by_site == {
        f"dehusk-{declared.name}" if declared.site == "required" else "dehusk-with-site"
        for declared in declarations()
        if declared.site != "no"
    }
    presets = {f"dehusk-{preset}" for declared in declarations() for preset in declared.presets}
    assert {"dehusk", *presets} <= known_tools().keys()


def test_predictions_need_only_an_id_and_a_text(tmp_path: Path) -> None:
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
def test_the_error_names_a_line_that_is_not_a_prediction(tmp_path: Path, line: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"id": "p1", "text": "a"}\n' + line)
    with pytest.raises(InputError, match=r"line 2"):
        list(read_predictions(path))


def test_predictions_that_match_no_page_are_reported_and_not_scored() -> None:
    samples = [sample(1), sample(2), sample(3, gold=""), sample(4, gold=None)]
    given = [
        Prediction("tea", "1", "t", TEXT),
        Prediction("tea", "1", "t", "again"),
        Prediction("tea", "9", "t", "for no page"),
        Prediction("", "2", "u", TEXT),
    ]
    matched = match_predictions(given, samples)
    assert len(matched.pairs) == 6  # two tools on three pages with gold
    assert matched.problems == [
        "t: ignored a second prediction for tea/1",
        "t: ignored the prediction for tea/9: no such page with gold text or facts",
        "t: no prediction for 2 pages (first: tea/2); counted as failures",
        "u: no prediction for 2 pages (first: tea/1); counted as failures",
        "tea/3: its gold text is empty",
    ]
    scores = [score(*pair) for pair in matched.pairs]
    by_tool = {row.tool: row for row in figure_rows(scores, lambda page: page.set)}
    assert (by_tool["t"].pages, by_tool["t"].failures) == (3, 2)
    assert by_tool["t"].f1 == pytest.approx((1 + 0 + word_bag("", "").f1) / 3)


def test_nothing_to_judge_is_an_error() -> None:
    with pytest.raises(InputError, match="none of the pages has a gold text"):
        match_predictions([Prediction("tea", "1", "t", "")], [sample(1, gold=None)])
    with pytest.raises(InputError, match="no prediction matches"):
        match_predictions([Prediction("tea", "7", "t", "")], [sample(1)])


def test_an_id_that_two_sets_have_needs_its_set() -> None:
    given = [Prediction("", "1", "t", "x"), Prediction("a", "1", "t", "x")]
    matched = match_predictions(given, [sample(1, name=name) for name in "ab"])
    assert matched.problems[0] == (
        "t: ignored the prediction for 1: several sets have a page with this id; add the key set"
    )


def test_an_interrupted_run_resumes(folder: Path, tmp_path: Path) -> None:
    samples = benchmark.choose_samples([folder], sample=None)
    plan = benchmark.BenchmarkPlan(("dehusk-web", "turbohtml"), samples, seconds=60)
    complete = list(benchmark.run_benchmark(plan))
    assert [prediction.error for prediction in complete] == [""] * 8
    assert all(prediction.ms is not None and prediction.ms >= 0 for prediction in complete)
    path = tmp_path / "runs.jsonl"
    first_lines = "".join(prediction.line() for prediction in complete[:3])
    path.write_text(first_lines + complete[3].line()[:20])
    done = benchmark.read_unfinished(path)
    assert done == complete[:3]
    assert path.read_text() == first_lines
    resumed = [*done, *benchmark.run_benchmark(plan, done)]
    assert [(p.tool, p.id, p.text) for p in resumed] == [(p.tool, p.id, p.text) for p in complete]


def test_samples_follow_the_seed(folder: Path) -> None:
    seeds = (0, 0, 1, 2, 3)
    samples = [benchmark.choose_samples([folder], sample=2, seed=seed) for seed in seeds]
    ids = [tuple(page.id for page in chosen) for chosen in samples]
    assert ids[0] == ids[1]
    assert len(set(ids)) > 1
    with pytest.raises(InputError, match="two sets have the name tea"):
        benchmark.choose_samples([folder, folder], sample=None)


def test_training_pages_and_shared_pages_are_reported() -> None:
    notes = leaks.leak_notes(["dehusk-web 1", "other 1"], [sample(1, name="chaos-a")])
    assert notes == ["dehusk-web 1: trained on chaos-a; figures on it do not show quality on unseen pages"]
    several = [sample(n, name=name, gold=f"text {n}") for n, name in enumerate(("dragnet-a", "own", "chaos-a"))]
    notes = leaks.leak_notes(["dehusk 1", "dehusk-web 1", "other 1"], several)
    assert notes == [
        "dehusk 1, dehusk-web 1: trained on chaos-a, dragnet-a; figures on it do not show quality on unseen pages"
    ]
    assert leaks.leak_notes(["dehusk-cleaneval 1"], [sample(1, name="chaos-a")]) == []
    trained = leaks.trained_sets(["dehusk-web 1", "dehusk-cleaneval 1", "other 1"], [sample(1, name="chaos-a")])
    assert trained == {("dehusk-web 1", "chaos-a")}
    samples = [
        sample(1, name="a", url="https://www.x.example/1/#top"),
        sample(1, name="b", gold="another text", url="http://x.example/1"),
        sample(2, name="b", gold=TEXT.upper()),
    ]
    assert leaks.shared_page_notes(samples) == ["a and b share 2 pages"]


def test_the_report_contains_every_figure_and_loads_nothing(folder: Path) -> None:
    samples = list(read_set(folder))
    given = [Prediction("tea", page.id, "a <b>", TEXT, ms=1.0) for page in samples]
    given.append(Prediction("tea", "p0", "dehusk", "", error="died"))
    matched = match_predictions(given, samples)
    scores = score_all(matched.pairs)
    html = render_report(tabulate(scores), title="Tea & figures", notes=matched.problems, hashes={"tea": "0123"})
    for row in figure_rows(scores, lambda page: page.set):
        assert f"{row.f1:.3f}" in html
    assert "a &lt;b&gt;" in html
    best = max(figure_rows(scores, lambda page: page.set), key=lambda row: row.f1)
    assert f"<td><b>{best.f1:.3f}</b></td>" in html
    leaky = render_report(tabulate(scores), title="", notes=[], hashes={}, trained={(best.tool, "tea")})
    assert f"<td>{best.f1:.3f}†</td>" in leaky
    assert "tea: 0123" in html
    assert "http" not in html
    for plot in html.split("<svg")[1:]:
        ET.fromstring("<svg" + plot.split("</svg>")[0] + "</svg>")  # noqa: S314 (the test wrote it)


def test_a_tool_trained_on_a_set_is_best_in_no_part_of_it(folder: Path) -> None:
    pairs = [
        (page, Prediction("tea", page.id, tool, text))
        for page in read_set(folder)
        for tool, text in (("seen", page.gold_text), ("unseen", TEXT[:20]))
    ]
    tables = tabulate(score_all(pairs))
    parts = 1 + 2 + 2  # the set, its page types, its sites
    unseen = next(row.f1 for row in tables.sets if row.tool == "unseen")
    html = render_report(tables, title="", notes=[], hashes={}, trained={("seen", "tea"), ("unseen", "other")})
    assert html.count(f"<td><b>{unseen:.3f}</b></td>") == parts
    assert html.count("<td>1.000†</td>") == parts
    assert html.count(">seen †</text>") == 1  # the plot
    assert render_report(tables, title="", notes=[], hashes={}).count("<td><b>1.000</b></td>") == parts


def test_the_command_resumes_and_writes_a_report(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, html = str(tmp_path / "runs.jsonl"), str(tmp_path / "report.html")
    arguments = ["bench", "-q", "-o", runs, "--tools", "dehusk-web", "--sample", "3", "--report", html, str(folder)]
    for _ in range(2):
        assert command.main(arguments, standalone_mode=False) == 0
        assert capsys.readouterr().out.startswith("tea: means over 3 pages of 2 sites.\n\n| tool ")
    assert len(Path(runs).read_text().splitlines()) == 3
    assert Path(html).read_text().startswith("<!DOCTYPE html>")
    assert command.main(["eval", "--predictions", runs, str(folder)], standalone_mode=False) == 0
    out, err = capsys.readouterr()
    assert "dehusk-web" in out
    assert "no prediction for 1 page (first:" in err
    assert "to write all figures" in err
    markdown = tmp_path / "report.md"
    assert command.main([*arguments[:-2], str(markdown), str(folder)], standalone_mode=False) == 0
    assert all(column.head in markdown.read_text() for column in (*QUALITY, *ORDER))


def test_the_gate_fails_below_a_floor_and_on_other_pages(folder: Path, tmp_path: Path, capsys) -> None:
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
    assert "is below the floor" in capsys.readouterr().err
    with pytest.raises(InputError, match="is below the pinned"):
        run("--pin", str(floors))
    assert run("--pin", str(floors), "--lower") == 0
    (folder / "gold" / "p0.txt").write_text("another gold text")
    assert run("--gate", str(floors)) == 1
    assert "the pages differ" in capsys.readouterr().err
    with pytest.raises(InputError, match="the file contains no floor"):
        command.main([*arguments[:5], "dehusk-web", str(folder), "--gate", str(floors)], standalone_mode=False)


@pytest.mark.parametrize("content", ["", "[]", "[1]", "{}", '{"floors": [[1]]}', '{"floors": [{"tool": "a"}]}'])
def test_the_error_names_a_file_without_floors(tmp_path: Path, content: str) -> None:
    path = tmp_path / "floors.json"
    path.write_text(content)
    with pytest.raises(InputError, match="floors cannot be read"):
        read_floors(path)


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("sets", [1, 6])
def test_the_table_fits_the_terminal(width: int, sets: int) -> None:
    tools = ["dehusk 0.1.0", "trafilatura 2.3.1", "deboiler 2023.46.150"]
    pairs = [
        (
            sample(n, name=f"a-set-{n}", url="http://a.example/"),
            Prediction(f"a-set-{n}", str(n), tool, TEXT, ms=1.0, mb=9.0),
        )
        for n in range(sets)
        for tool in tools
    ]
    tables = tabulate(score_all(pairs))
    text = tool_table(tables, width=width)
    assert max(map(len, text.splitlines())) <= width
    assert all(tool in text for tool in tools)
    assert text.count("1.000") >= sets * len(tools)
    assert len(text.splitlines()) <= 4 * (len(tools) + 4)
    wide = tool_table(tables, width=1000)
    assert all(row.group in text and row.group in wide for row in tables.sets)


def test_a_narrow_table_keeps_f1() -> None:
    tables = tabulate(score_all([(sample(1), Prediction("tea", "1", "a-tool 1.0", TEXT, ms=1.0, mb=9.0))]))
    head = tool_table(tables, width=40).splitlines()[2]
    assert [cell.strip() for cell in head.strip("|").split("|")] == ["tool", "P", "R", "F1"]


def test_a_wrong_tool_name_gets_the_nearest(folder: Path, tmp_path: Path) -> None:
    arguments = ["bench", "-o", str(tmp_path / "runs.jsonl"), "--tools", "dehusk,trafilatur", str(folder)]
    with pytest.raises(click.UsageError, match=r"unknown tool 'trafilatur'. Did you mean trafilatura\?"):
        command.main(arguments, standalone_mode=False)
