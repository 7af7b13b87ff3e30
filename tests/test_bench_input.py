"""Faulty predictions, sets and tools: each gives one line of report, and none is scored silently."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from dehusk.base.errors import InputError, ModelError
from dehusk.cli import command
from dehusk.lab.evaluate import benchmark, leaks, site_groups, tools
from dehusk.lab.evaluate.predictions import BlockMark, Prediction, match_predictions, page_hash, read_predictions
from dehusk.lab.evaluate.scores import score, score_all, tabulate, unmeasured_notes
from dehusk.lab.evaluate.tools import PageView, Tool, find_tool, load_tool, to_outputs
from dehusk.lab.gold import page_keys
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.read import parse

TEXT = "Tea turns bitter when the water is too hot or the leaves stay in it for too long, as everybody knows by now."
MENU = "<ul><li><a href=/>home</a><li><a href=/all>all the teas we have</a><li><a href=/us>who we are and why</a></ul>"


def page(number: int) -> str:
    return f"<html><body>{MENU}<h1>Tea {number}</h1><p>{number} {TEXT} {number}</p></body></html>"


def write_set(root: Path, pages: Sequence[tuple[str, str, str]]) -> Path:
    """Write a set of (address, page, gold text)."""
    for name in ("html", "gold"):
        (root / name).mkdir(parents=True)
    rows = []
    for number, (url, html, gold) in enumerate(pages):
        rows.append(json.dumps({"id": f"p{number}", "url": url}))
        (root / "html" / f"p{number}.html").write_text(html)
        (root / "gold" / f"p{number}.txt").write_text(gold)
    (root / "pages.jsonl").write_text("\n".join(rows))
    return root


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    """Write a set: three pages of one site, one of another."""
    hosts = ("a", "a", "b", "a")
    pages = [(f"http://{h}.example/{n}", page(n), f"Tea {n}\n{n} {TEXT} {n}") for n, h in enumerate(hosts)]
    return write_set(tmp_path / "tea", pages)


def run(*arguments: str) -> int:
    return int(command.main(list(arguments), standalone_mode=False))


def load_unstable():
    def clean(views: Sequence[PageView]) -> list[str]:
        if "Tea 0" in views[0].html:
            raise ValueError("no")
        if "Tea 1" in views[0].html:
            os._exit(9)
        if "Tea 2" in views[0].html:
            time.sleep(60)
        return ["" for _ in views]

    return clean


def load_any(_name: str):
    return load_unstable()


def test_a_tool_that_raises_dies_or_hangs_fails_on_that_page(tea: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tools.OTHER_TOOLS, "unstable", Tool("unstable", "pytest", load_unstable))
    monkeypatch.setattr(benchmark, "load_tool", load_any)
    plan = benchmark.BenchmarkPlan(("unstable",), benchmark.choose_samples([tea], sample=None), seconds=2.0)
    predictions = list(benchmark.run_benchmark(plan))
    assert [prediction.error for prediction in predictions] == [
        "ValueError: no",
        "its process died (exit code 9)",
        "took longer than 2 s",
        "",
    ]
    scores = score_all(match_predictions(predictions, plan.samples).pairs)
    row = tabulate(scores).sets[0]
    assert (row.pages, row.failures, row.lost, row.f1) == (4, 3, 1, 0.0)


def test_a_tool_that_is_not_installed_is_reported(tea: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    def missing() -> object:
        raise ImportError("No module named 'nothing_there'")

    monkeypatch.setitem(tools.OTHER_TOOLS, "absent", Tool("absent", "nothing-of-this-name", missing))
    arguments = ["bench", "-o", str(tmp_path / "runs.jsonl"), str(tea)]
    assert run(*arguments, "--tools", "turbohtml,absent") == 0
    out, err = capsys.readouterr()
    note = "not installed, so they fail on every page: absent; install them: pip install 'dehusk[bench]'"
    assert f"dehusk: {note}\n" in err
    row = next(line for line in out.splitlines() if "| absent not installed" in line)
    assert [cell.strip() for cell in row.split("|")][2:4] == ["4", "4"]


def test_site_tools_get_the_pages_of_a_site_together(tea: Path) -> None:
    samples = benchmark.choose_samples([tea], sample=None)
    assert [[sample.id for sample in group] for group in site_groups.group_by_site(samples)] == [
        ["p0", "p1", "p3"],
        ["p2"],
    ]
    assert len(site_groups.lone_page_notes(samples)) == 1
    assert site_groups.lone_page_notes(samples)[0].startswith("tea: 1 of 4 pages without another page")
    texts = (
        "Green leaves are picked in spring, when the first shoots come out, and dried in the sun for half a day.",
        "A pot of clay keeps the warmth, but it takes the taste of everything that was ever brewed within its walls.",
        "Nobody knows who drank the first cup, though many villages between the two rivers claim that it was theirs.",
    )
    terms = "We send parcels to every island twice a week and take back what you do not like within thirty days."
    pages = [f"<html><body>{MENU}<h1>Tea {n}</h1><p>{text}</p><p>{terms}</p>" for n, text in enumerate(texts)]
    views = [PageView(html, f"http://a.example/{number}") for number, html in enumerate(pages)]
    for name in ("dehusk-site", "dehusk-cst", "dehusk-wisdom", "dehusk-alternation"):
        outputs = to_outputs(load_tool(name)(views))
        assert [text in prediction.text for text, prediction in zip(texts, outputs, strict=True)] == [True] * 3, name
        assert all(output.blocks and "<" in output.cleaneval for output in outputs)
    together = to_outputs(load_tool("dehusk-site")(views))
    alone = to_outputs(load_tool("dehusk-site")(views[:1]))
    assert terms not in together[0].text
    assert terms in alone[0].text


def test_a_page_of_unknown_site_is_a_site_by_itself() -> None:
    a, b = (Sample("s", name, page(1).encode(), None, None, None, TEXT) for name in "ab")
    assert site_groups.site_of_sample(a) == "s/a"
    assert len(site_groups.group_by_site([a, b])) == 2
    canonical = Sample("s", "c", b'<link rel=canonical href="http://www.tea.example/x"><p>x', None, None, None, TEXT)
    assert site_groups.site_of_sample(canonical) == "tea.example"


def test_site_predictions_are_repeated_when_the_pages_of_the_site_change(tea: Path) -> None:
    samples = benchmark.choose_samples([tea], sample=None)
    plan = benchmark.BenchmarkPlan(("dehusk-site", "turbohtml"), samples, seconds=60)
    done = list(benchmark.run_benchmark(plan))
    assert benchmark.missing_groups(plan, done) == {}
    assert len(benchmark.current_predictions(plan, done)) == 8
    fewer = benchmark.BenchmarkPlan(plan.tools, samples[:3], seconds=60)  # p3 is gone from the first site
    assert [[sample.id for sample in group] for group in benchmark.missing_groups(fewer, done)["dehusk-site"]] == [
        ["p0", "p1"]
    ]
    assert "turbohtml" not in benchmark.missing_groups(fewer, done)
    assert sorted(
        prediction.id
        for prediction in benchmark.current_predictions(fewer, done)
        if prediction.tool.startswith("dehusk")
    ) == ["p2"]
    # if one page of a site has no prediction, all pages of the site are cleaned again
    half = [prediction for prediction in done if prediction.id != "p1"]
    assert [[sample.id for sample in group] for group in benchmark.missing_groups(plan, half)["dehusk-site"]] == [
        ["p0", "p1", "p3"]
    ]
    assert [[sample.id for sample in group] for group in benchmark.missing_groups(plan, half)["turbohtml"]] == [["p1"]]


def test_a_changed_page_is_measured_again_and_not_scored_by_old_predictions(tea: Path, tmp_path: Path, capsys) -> None:
    runs = str(tmp_path / "runs.jsonl")
    arguments = ["bench", "-o", runs, "--tools", "turbohtml", str(tea)]
    assert run(*arguments) == 0
    (tea / "html" / "p1.html").write_text(page(7))
    assert run("eval", "--predictions", runs, str(tea)) == 0
    out, err = capsys.readouterr()
    version = find_tool("turbohtml").version
    problem = "ignored the prediction for tea/p1: the page has changed since it was made"
    assert f"dehusk: turbohtml {version}: {problem}\n" in err
    assert run(*arguments) == 0
    assert len(Path(runs).read_text().splitlines()) == 5
    out, err = capsys.readouterr()
    assert "changed" not in err
    assert "| 4     | 0        |" in out


def test_a_killed_run_resumes(tea: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs.jsonl"
    arguments = ["bench", "-q", "-o", str(runs), "--tools", "turbohtml,dehusk-web", str(tea)]
    script = f"from dehusk.cli import command; command.main({arguments!r})"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (runs.exists() and runs.read_text().count("\n") >= 2):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    first = runs.read_bytes()
    runs.write_bytes(first[: len(first) - 7])  # cut the last line too
    kept = first[: first[:-7].rfind(b"\n") + 1]
    assert run(*arguments) == 0
    assert runs.read_bytes().startswith(kept)
    predictions = list(read_predictions(runs))
    assert sorted((prediction.tool.split(" ")[0], prediction.id) for prediction in predictions) == sorted(
        (tool, f"p{number}") for tool in ("turbohtml", "dehusk-web") for number in range(4)
    )
    assert all(prediction.text and not prediction.error for prediction in predictions)


def test_gold_that_is_empty_or_not_on_the_page_is_reported(tmp_path: Path, capsys) -> None:
    pages = [
        ("http://a.example/0", page(0), TEXT),
        ("http://a.example/1", page(1), "Something quite different that nobody ever wrote there"),
        ("http://a.example/2", page(2), "  \n"),
    ]
    root = write_set(tmp_path / "odd", pages)
    assert run("bench", "-o", str(tmp_path / "runs.jsonl"), "--tools", "turbohtml", str(root)) == 0
    err = capsys.readouterr().err
    assert "dehusk: odd: 1 page (first: p1) with less than half of the words of the gold text;" in err
    assert "dehusk: odd/p2: its gold text is empty\n" in err


def test_the_error_says_why_no_prediction_matches() -> None:
    sample = Sample("tea", "1", b"x", None, None, None, TEXT)
    with pytest.raises(
        InputError, match="no such page with gold text or facts · no prediction matches the 1 page with gold text or"
    ):
        match_predictions([Prediction("tea", "9", "t", "x")], [sample])
    with pytest.raises(InputError, match="two pages have the id tea/1"):
        match_predictions([Prediction("tea", "1", "t", "x")], [sample, sample])
    with pytest.raises(InputError, match="tea/1: the page has changed since"):
        match_predictions([Prediction("tea", "1", "t", "x", seen="0" * 16)], [sample])
    assert not match_predictions([Prediction("tea", "1", "t", "x", seen=page_hash(sample))], [sample]).problems


def test_lines_of_dehusk_clean_are_predictions(tea: Path, tmp_path: Path, capsys) -> None:
    kernels = tmp_path / "kernels.jsonl"
    for form in ("text", "cleaneval"):
        assert run("clean", "-q", "-f", form, "-o", str(kernels), str(tea / "html")) == 0
        predictions = list(read_predictions(kernels))
        assert [prediction.id for prediction in predictions] == ["p0", "p1", "p2", "p3"]
        assert all(TEXT in prediction.text and "<p>" not in prediction.text for prediction in predictions)
        assert all(bool(prediction.cleaneval) == (form == "cleaneval") for prediction in predictions)
    assert run("eval", "--predictions", str(kernels), str(tea)) == 0
    assert "| kernels | 4 " in " ".join(capsys.readouterr().out.split())


def test_blocks_are_scored_if_a_prediction_has_them() -> None:
    html = page(1)
    sample = Sample("tea", "1", html.encode(), None, None, None, f"Tea 1\n1 {TEXT} 1")
    text = parse(html).text
    cut = text.index("Tea 1")

    def score_of(*marks: BlockMark):
        return score(sample, Prediction("tea", "1", "t", "x", blocks=marks))

    right = score_of(BlockMark(0, cut, 0.1, kept=False), BlockMark(cut, len(text), 0.9, kept=True))
    assert right.blocks is not None
    assert (right.blocks.snc.f, right.blocks.ic.f) == (1.0, 1.0)
    assert right.blocks.calibration is not None
    assert right.blocks.calibration.brier == pytest.approx(0.01)
    wrong = score_of(BlockMark(0, cut, None, kept=True), BlockMark(cut, len(text), 0.9, kept=False))
    assert wrong.blocks is not None
    assert (wrong.blocks.snc.AW, wrong.blocks.ic.AW, wrong.blocks.calibration) == (0, 0, None)
    outside = score_of(BlockMark(0, len(text) + 1, 0.5, kept=True))
    assert outside.blocks is None
    assert unmeasured_notes([outside, right]) == ["t: ignored the blocks of 1 page: they extend beyond the page"]
    assert tabulate([outside]).sets[0].snc is None


def test_json_contains_all_figures(tea: Path, tmp_path: Path, capsys) -> None:
    runs = str(tmp_path / "runs.jsonl")
    tools = ["--tools", "dehusk-web,turbohtml"]
    assert run("bench", "-q", "-o", runs, *tools, "-f", "json", str(tea)) == 0
    first = capsys.readouterr().out
    report = json.loads(first)
    assert [row["tool"].split(" ")[0] for row in report["by_set"]] == ["dehusk-web", "turbohtml"]
    web, turbo = report["by_set"]
    assert web["pages"] == 4
    assert web["sites"] == 2
    assert web["low"] <= web["f1"] <= web["high"]
    assert 0 <= web["brier"] <= 1
    assert (turbo["brier"], turbo["snc"]) == (None, None)
    assert {row["group"] for row in report["by_site"]} == {"tea: a.example"}
    assert set(report["sets"]) == {"tea"}
    assert run("eval", "--predictions", runs, "-f", "json", str(tea)) == 0
    assert json.loads(capsys.readouterr().out) == report
    assert run("eval", "-f", "json", str(tea)) == 0
    assert json.loads(capsys.readouterr().out)["groups"]["tea"]["pages"] == 4


def test_a_model_recognises_its_training_pages_in_any_set(tea: Path, tmp_path: Path, capsys) -> None:
    model = tmp_path / "model"
    assert run("train", str(tea), "-o", str(model), "--iterations", "5") == 0
    capsys.readouterr()
    assert run("eval", "--model", str(model), str(tea)) == 0
    out, err = capsys.readouterr()
    assert f"dehusk: {model}: trained on 4 of the 4 pages of tea, by URL or gold text\n" in err
    rows = [[cell.strip() for cell in line.split("|")][1:4] for line in out.splitlines() if line.startswith("| tea")]
    assert rows == [["tea", str(model), "4"], ["tea", "web", "4"]], "the shipped model is shown beside"
    assert run("eval", "--model", str(model), "-f", "json", str(tea)) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["shipped"]["model"] == "web"
    assert record["shipped"]["groups"]["tea"]["pages"] == record["groups"]["tea"]["pages"] == 4
    samples = list(read_set(tea))
    moved = Sample("new", "1", b"", "https://www.a.example/0#top", None, None, "another text")
    same = Sample("new", "2", b"", None, None, None, samples[1].gold_text.upper())
    other = Sample("new", "3", b"", "http://c.example/", None, None, " ".join(TEXT.split()[::-1]))
    assert leaks.training_notes(model, [moved, same, other]) == [
        "trained on 2 of the 3 pages of new, by URL or gold text"
    ]
    (model / page_keys.FILE).unlink()  # a model that does not list its pages
    assert leaks.training_notes(model, [moved]) == []
    (model / page_keys.FILE).write_bytes(b"\x93NUMPY")
    with pytest.raises(ModelError, match="is damaged"):
        leaks.training_notes(model, [moved])


def test_a_wrong_set_name_gets_the_nearest(tea: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown set 'tae'. Did you mean tea\? Known: tea"):
        run("bench", "-o", str(tmp_path / "runs.jsonl"), str(tea.with_name("tae")))
    with pytest.raises(InputError, match="nothing: no such set"):
        list(read_set(tea / "nothing"))
