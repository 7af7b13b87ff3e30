"""Reports in the studio: methods judged on the pages with gold, where they fail, what they cost; files of results."""

import json
import os
import time
from pathlib import Path

import pytest

from made_tool import load_made
from studio_server import Served, browser, served, window

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

import dehusk
from dehusk.base.errors import ConfigError, GoldError, InputError, MissingExtraError
from dehusk.blocks import segment
from dehusk.blocks.annotation import UNLABELLED
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.lab.evaluate import benchmark, tools
from dehusk.lab.evaluate.predictions import Prediction
from dehusk.studio.adding import Adding
from dehusk.studio.bodies import read_body
from dehusk.studio.gold_pages import find_gold_pages
from dehusk.studio.judgements import remove_setup, setup_pages, setup_rows, tool_text
from dehusk.studio.labelling import Change, apply_changes
from dehusk.studio.opened import HOST, ViewSettings
from dehusk.studio.page_gold import find_gold, judged_texts
from dehusk.studio.project import Project
from dehusk.studio.reporting import StudioReport
from dehusk.studio.result_files import list_result_files, predictions_in, remove_result_file, store_figures, tables_in
from dehusk.studio.setups import name_of_setup, offered_methods, query_of, setup_of, setup_of_tool
from dehusk.studio.site_learning import SiteLearning
from dehusk.studio.sources import find_sources
from tea_pages import TEMPLATES, write_sites

__all__ = ["browser"]

EXAMPLES = Path(__file__).parent.parent / "examples" / "gold-pages"
EVERYTHING = ViewSettings("keep-all")
UNITED = ViewSettings("united", "united")
FIGURES = {
    "sets": {"tea": "0123"},
    "notes": ["one page is short"],
    "by_set": [
        {"tool": "dehusk 1", "group": "tea", "pages": 7, "f1": 0.98, "low": 0.9, "high": 1.0, "ms": 3.1, "snc": None},
        {"tool": "other 2", "group": "tea", "pages": 7, "f1": 0.81, "low": None, "high": None, "ms": 30.0, "snc": None},
    ],
    "by_type": [],
}


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with served(tmp_path_factory.mktemp("report") / "project", [str(EXAMPLES)]) as running:
        yield running


@pytest.fixture
def project(studio: Served):
    found: Project = studio.studio.project
    with found.writing() as connection:
        for table in ("change", "labelling", "judgement", "result_file"):
            connection.execute(f"DELETE FROM {table}")  # noqa: S608 (four names)
        connection.execute("UPDATE page SET labelled = 0, flag = ''")
    studio.studio.report.progress = None
    return found


def finished(report: StudioReport):
    until = time.monotonic() + 60
    while report.progress is not None and report.progress.state == "running" and time.monotonic() < until:
        time.sleep(0.02)
    assert report.progress is not None
    return report.progress


def judged(project: Project, *settings: ViewSettings, **options) -> dict[str, dict]:
    report = StudioReport(project)
    report.start(settings, **options)
    assert finished(report).state == "done", report.progress
    return {row["name"]: row for row in setup_rows(project, report.gold())}


def label(studio: Served, page: int, *, only: int | None = None) -> None:
    """Label the first block of a page as other and the rest as content, or some blocks only."""
    body = studio.studio.opened.body(page)
    blocks = segment(studio.studio.opened.document(page).page)
    chosen = list(range(len(blocks)))[:only]
    codes = [OTHER if block == 0 else PARAGRAPH for block in chosen]
    apply_changes(studio.studio.project, "Ann", [Change(page, len(blocks), chosen, codes)], {page: body.data})


def test_gold_is_labels_or_a_file_beside_the_page(studio: Served, project: Project, tmp_path) -> None:
    assert find_gold_pages(project).plain() == {"pages": 7, "labelled": 0, "files": 7, "flagged": 0}
    before = find_gold_pages(project).stamps
    label(studio, 1)
    with project.writing() as connection:
        connection.execute("UPDATE page SET flag = 'broken' WHERE id = 2")
    found = find_gold_pages(project)
    assert found.plain() == {"pages": 6, "labelled": 1, "files": 5, "flagged": 1}
    assert found.stamps[1] != before[1]
    assert found.stamps[3] == before[3]
    empty = Project(tmp_path / "empty")
    (tmp_path / "alone.html").write_text("<p>Tea</p>")
    Adding(empty, find_sources([str(tmp_path / "alone.html")]), workers=1).run()
    assert find_gold_pages(empty).stamps == {}
    with pytest.raises(GoldError, match="no page has gold"):
        StudioReport(empty).start([EVERYTHING])
    empty.close()


def test_methods_are_judged_and_compared(project: Project) -> None:
    rows = judged(project, EVERYTHING, UNITED)
    assert set(rows) == {"keep-all", "united"}
    assert rows["united"]["f1"] > rows["keep-all"]["f1"]
    assert rows["keep-all"]["recall"] > 0.99
    for row in rows.values():
        assert row["pages"] == 7
        assert row["low"] <= row["f1"] <= row["high"]
        assert 0 < row["ms"] < 1000
        assert (row["failures"], row["lost"], row["outdated"]) == (0, 0, 0)


def test_figures_are_those_of_the_page_view(studio: Served, project: Project) -> None:
    judged(project, EVERYTHING)
    worst = setup_pages(project, find_gold_pages(project), setup_of(EVERYTHING))
    assert worst["total"] == 7
    assert [row["f1"] for row in worst["pages"]] == sorted(row["f1"] for row in worst["pages"])
    from dehusk.studio.web.page_view import compared

    for row in worst["pages"]:
        found = compared(studio.studio, row["page"], {"with": "gold", "settings": {"method": "keep-all"}})
        assert found["f1"] == pytest.approx(row["f1"], abs=1e-4)
        assert found["precision"] == pytest.approx(row["precision"], abs=1e-4)


def test_pages_are_sorted_by_any_figure_and_name_who_does_better(project: Project) -> None:
    judged(project, EVERYTHING, UNITED)
    gold, setup = find_gold_pages(project), setup_of(EVERYTHING)
    for sort in ("extra", "missing", "ms", "precision", "recall", "lead"):
        values = [row[sort] for row in setup_pages(project, gold, setup, sort=sort, descending=True)["pages"]]
        assert values == sorted(values, reverse=True), sort
    names = [row["name"].casefold() for row in setup_pages(project, gold, setup, sort="name")["pages"]]
    assert names == sorted(names)
    first = setup_pages(project, gold, setup, sort="lead", descending=True, most=1)
    assert len(first["pages"]) == 1
    assert first["pages"][0]["best"]["name"] == "united"
    assert first["pages"][0]["lead"] > 0.1
    with pytest.raises(ConfigError, match="order"):
        setup_pages(project, gold, setup, sort="colour")


def test_only_what_is_missing_or_out_of_date_is_computed(studio: Served, project: Project) -> None:
    judged(project, EVERYTHING)
    report = StudioReport(project)
    report.start([EVERYTHING, UNITED])
    assert finished(report).of == 7, "united only"
    label(studio, 1)
    rows = {row["name"]: row for row in setup_rows(project, report.gold(anew=True))}
    assert (rows["united"]["pages"], rows["united"]["outdated"]) == (6, 1)
    report.start([EVERYTHING, UNITED])
    assert finished(report).of == 2
    report.start([EVERYTHING], again=True)
    assert finished(report).of == 7
    project.rules.write_text('["tea.example"]\ndrop = ["aside"]\n', "utf-8")
    try:
        assert judged(project, ViewSettings("keep-all", rules=False))["keep-all · without rules"]["pages"] == 7
        rows = {row["name"]: row for row in setup_rows(project, report.gold())}
        assert rows["keep-all"]["pages"] == 0, "other rules may keep something else"
        assert rows["keep-all"]["f1"] is None
    finally:
        project.rules.unlink()


def test_a_sample_is_always_the_same(project: Project) -> None:
    assert judged(project, EVERYTHING, most=3)["keep-all"]["pages"] == 3
    report = StudioReport(project)
    report.start([EVERYTHING], most=3)
    assert finished(report).of == 0


def test_blocks_without_a_label_do_not_count(studio: Served, project: Project) -> None:
    label(studio, 1, only=3)
    document = studio.studio.opened.document(1, EVERYTHING)
    gold = find_gold(project, 1, document)
    assert gold is not None
    assert gold.is_partial
    assert int((gold.codes != UNLABELLED).sum()) == 3
    texts = judged_texts(document, gold)
    blocks = segment(document.page).texts
    assert texts.kept.splitlines() == blocks[:3]
    assert texts.gold.splitlines() == blocks[1:3]
    assert [texts.kept[start:end] for start, end, _ in texts.places] == blocks[:3]
    judged(project, EVERYTHING)
    rows = setup_pages(project, find_gold_pages(project), setup_of(EVERYTHING))["pages"]
    of_page = next(row for row in rows if row["page"] == 1)
    assert of_page["recall"] == 1
    assert of_page["extra"] == len(blocks[0].split())


def test_methods_that_need_a_site_are_judged_on_pages_with_company(project: Project) -> None:
    report = StudioReport(project)
    report.start([ViewSettings("cst", site=HOST)])
    progress = finished(report)
    assert progress.of == 0
    assert "7 pages without another page of the same host" in progress.notes[0]
    with project.writing() as connection:
        hosts = [tuple(row) for row in connection.execute("SELECT host, id FROM page")]
        connection.execute("UPDATE page SET host = 'one.example' WHERE id <= 3")
    try:
        assert judged(project, ViewSettings("cst", site=HOST))["cst"]["pages"] == 3
    finally:
        with project.writing() as connection:
            connection.executemany("UPDATE page SET host = ? WHERE id = ?", hosts)


def test_judging_is_cancelled_and_goes_on(project: Project) -> None:
    report = StudioReport(project)
    report.start([EVERYTHING, UNITED])
    with pytest.raises(InputError, match="under way"):
        report.start([EVERYTHING])
    report.cancel()
    assert finished(report).state == "cancelled"
    report.start([EVERYTHING, UNITED])
    assert finished(report).state == "done"
    assert [row["pages"] for row in setup_rows(project, report.gold())] == [7, 7]
    with pytest.raises(InputError, match="at least one"):
        report.start([])


def test_a_damaged_model_fails_with_its_reason(project: Project) -> None:
    report = StudioReport(project)
    report.start([ViewSettings("victor", str(project.folder / "nothing"))])
    progress = finished(report)
    assert progress.state == "failed"
    assert "nothing" in progress.message
    assert setup_rows(project, report.gold()) == []


def test_texts_of_other_tools_are_judged(studio: Served, project: Project) -> None:
    label(studio, 2, only=3)
    names = {row["id"]: row["name"] for row in project.reading.execute("SELECT id, name FROM page")}
    sha = project.reading.execute("SELECT sha FROM page WHERE id = 1").fetchone()["sha"]
    text = studio.studio.opened.document(1, EVERYTHING).text
    report = StudioReport(project)
    report.add_predictions(
        [
            Prediction("x", "another name", "tool 1", text, ms=7.5, seen=sha[:16]),
            Prediction("x", "another name", "tool 1", text, seen="0" * 16),
            Prediction("x", Path(names[3]).stem, "tool 1", "", error="it crashed"),
            Prediction("x", Path(names[2]).stem, "tool 1", "some"),
        ]
    )
    progress = finished(report)
    assert any("1 prediction of no page" in note for note in progress.notes)
    assert any("labelled in part" in note for note in progress.notes)
    [row] = setup_rows(project, report.gold())
    assert (row["name"], row["query"], row["pages"], row["failures"], row["ms"]) == ("tool 1", None, 2, 1, 7.5)
    setup = setup_of_tool("tool 1")
    pages = setup_pages(project, report.gold(), setup)["pages"]
    assert (pages[0]["page"], pages[0]["f1"], pages[0]["failure"]) == (3, 0, "it crashed")
    assert pages[1]["recall"] > 0.99
    assert tool_text(project, 1, setup) == text
    with pytest.raises(KeyError):
        tool_text(project, 4, setup)
    with pytest.raises(InputError, match="none of 1 prediction"):
        report.add_predictions([Prediction("x", "stranger", "tool 1", "text")])
    remove_setup(project, setup)
    assert setup_rows(project, report.gold()) == []


def test_setups_have_names_and_queries(project: Project) -> None:
    offered = offered_methods(project)
    assert [row["method"] for row in offered if row["problem"]] == ["alternation"]
    assert {"united", "web", "cleaneval"} <= {row["model"] for row in offered}
    setup = setup_of(ViewSettings("united", "united", style="body", favour=0.7, site=HOST, rules=False))
    assert name_of_setup(setup, []) == "united · body · favour 0.7 · site · without rules"
    assert query_of(setup) == {
        "method": "united", "model": "united", "style": "body", "favour": "0.7", "site": "yes", "rules": "no",
    }  # fmt: skip
    assert name_of_setup(setup_of(ViewSettings("victor", "/gone/mine")), []) == "victor · mine (removed)"
    assert query_of(setup_of_tool("x 1")) is None


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> str:
    """Have a tool, "made", and one that is not installed; the title of the first."""
    load = tools.OTHER_TOOLS["turbohtml"].load
    monkeypatch.setattr(benchmark, "load_tool", load_made)
    monkeypatch.setitem(tools.OTHER_TOOLS, "made", tools.Tool("made", "turbohtml", load))
    monkeypatch.setitem(tools.OTHER_TOOLS, "absent", tools.Tool("absent", "no-such-package", load))
    return benchmark.tool_title("made")


def test_installed_tools_are_judged_beside_methods(project: Project, made: str) -> None:
    rows = judged(project, EVERYTHING, tools=["made"])
    assert set(rows) == {"keep-all", made}
    row = rows[made]
    assert (row["query"], row["pages"], row["failures"], row["lost"]) == (None, 7, 1, 0)
    assert row["ms"] >= 20, "CPU time in the tool's process"
    assert 0 < row["precision"] < rows["keep-all"]["precision"], "scripts and styles are in its texts"
    setup = setup_of_tool(made)
    failed, *others = setup_pages(project, find_gold_pages(project), setup)["pages"]
    assert (failed["f1"], failed["ms"], failed["failure"]) == (0, None, "ValueError: no lanterns")
    assert tool_text(project, failed["page"], setup) == ""
    assert all(page["recall"] > 0.9 for page in others)
    report = StudioReport(project)
    report.start([], tools=["made"])
    assert finished(report).of == 0, "another time only what is missing"


@pytest.mark.usefixtures("made")
def test_tools_that_are_not_there_are_named(project: Project) -> None:
    report = StudioReport(project)
    with pytest.raises(MissingExtraError, match=r"running absent needs no-such-package.*pip install 'dehusk\[bench\]'"):
        report.start([], tools=["made", "absent"])
    for name in ("dehusk", "deboiler", "mad"):
        with pytest.raises(InputError, match="tool"):
            report.start([], tools=[name])
    assert setup_rows(project, find_gold_pages(project)) == []
    assert report.progress is None


@pytest.mark.usefixtures("made")
def test_a_tool_that_hangs_is_cancelled(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_text("<h1>Tea</h1><p>This never ends.", "utf-8")
    (tmp_path / "tea.txt").write_text("Tea\nThis never ends.", "utf-8")
    project = Project(tmp_path / "project")
    Adding(project, find_sources([str(tmp_path / "tea.html")]), workers=1).run()
    report = StudioReport(project)
    report.start([], tools=["made"])
    until = time.monotonic() + 30
    while report.progress is not None and "page 1 of 1" not in report.progress.step and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.2)
    began = time.monotonic()
    report.cancel()
    assert time.monotonic() - began < 5
    assert finished(report).state == "cancelled"
    assert setup_rows(project, report.gold()) == [], "a killed process is no failure of the tool"
    project.close()


def test_trafilatura_is_judged(project: Project) -> None:
    pytest.importorskip("trafilatura")
    [row] = judged(project, tools=["trafilatura"]).values()
    assert row["name"].startswith("trafilatura ")
    assert (row["pages"], row["failures"]) == (7, 0)
    assert row["ms"] > 0
    assert row["f1"] > 0.5


def test_methods_that_learn_whole_sites_are_judged_on_learned_ones(tmp_path: Path) -> None:
    write_sites(tmp_path / "tea", TEMPLATES[:2])
    project, wanted = Project(tmp_path / "project"), ViewSettings("alternation", site=HOST)
    Adding(project, find_sources([str(tmp_path / "tea")]), workers=1).run()
    rows = project.reading.execute("SELECT id, host FROM page").fetchall()
    for host in (TEMPLATES[0].host, TEMPLATES[1].host):
        page = next(row["id"] for row in rows if row["host"] == host)
        body = read_body(project, page).data
        blocks = len(segment(dehusk.parse(body)))
        apply_changes(project, "Ann", [Change(page, blocks, list(range(blocks)), PARAGRAPH)], {page: body})
    assert "alternation" in [row["method"] for row in offered_methods(project) if row["problem"]]
    assert SiteLearning(project, TEMPLATES[0].host).run().state == "done"
    assert not [row["method"] for row in offered_methods(project) if row["problem"]]
    report = StudioReport(project)
    report.start([wanted])
    assert finished(report).notes == ("alternation is not judged on 1 page of sites that are not learned",)
    [row] = setup_rows(project, report.gold())
    assert (row["name"], row["pages"], row["failures"], row["precision"]) == ("alternation", 1, 0, 1)
    assert 0 < row["recall"] < 1
    report.start([wanted])
    assert finished(report).of == 0, "nothing is out of date"
    assert SiteLearning(project, TEMPLATES[0].host).run().state == "done"
    report.start([wanted])
    assert finished(report).of == 1, "the site was learned again"
    project.close()


def test_figures_become_tables() -> None:
    tables = {table["name"]: table for table in tables_in(FIGURES)}
    assert list(tables) == ["sets", "notes", "by_set"]
    assert tables["by_set"]["columns"] == ["tool", "group", "pages", "f1", "low", "high", "ms"], "none without a value"
    assert tables["by_set"]["rows"][1] == ["other 2", "tea", 7, 0.81, None, None, 30.0]
    nested = tables_in({"f1": {"a": {"tea": 1, "milk": 2}, "b": {"tea": 3}}, "ms": {"x": 1}, "deep": {"y": {"z": [1]}}})
    assert nested[0] == {"name": "f1", "columns": ["", "tea", "milk"], "rows": [["a", 1, 2], ["b", 3, None]]}
    assert [table["name"] for table in nested] == ["f1", "ms", "deep › y › z"]
    assert tables_in([]) == tables_in("text") == tables_in({"empty": {}}) == []


def test_files_of_results_are_kept_and_removed(project: Project) -> None:
    text = "\ufeff" + json.dumps(FIGURES)
    assert predictions_in("figures.json", text) is None
    assert store_figures(project, "figures.json", text) == 3
    assert store_figures(project, "figures.json", text) == 3
    [file] = list_result_files(project)
    assert file["name"] == "figures.json"
    remove_result_file(project, file["id"])
    assert list_result_files(project) == []
    for damaged in ("{", "[]", "", "[" * 100_000):
        with pytest.raises(InputError, match=r"x\.json"):
            store_figures(project, "x.json", damaged)
    lines = '{"id": "1", "text": "a", "tool": "t"}\n{"id": "2", "text": "b"}\n'
    found = predictions_in("runs.jsonl", lines)
    assert found is not None
    assert [prediction.tool for prediction in found] == ["t", "runs"]
    with pytest.raises(InputError, match="line 2"):
        predictions_in("runs.jsonl", '{"id": "1", "text": "a"}\n{"id": 3}\n')


@pytest.mark.usefixtures("project")
def test_the_report_in_the_browser(studio: Served, browser, tmp_path) -> None:
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/report"))
        view.get_by_text("Nothing is measured yet").wait_for()
        assert "7 pages with gold" in view.locator("#gold").inner_text()
        view.keyboard.press("e")
        assert view.evaluate("() => document.activeElement.name") == "setup"
        view.locator('[data-model="cleaneval"]').uncheck()
        view.keyboard.press("m")
        view.wait_for_selector("#report[data-state=done]", timeout=60_000)
        view.wait_for_function("() => document.querySelectorAll('#methods tbody tr').length === 3")
        assert view.locator("#methods tbody tr").first.inner_text().startswith("united")
        assert view.locator("#plot .point").count() == 3
        view.wait_for_selector("#diff[data-page]")
        scores = [float(cell) for cell in view.locator("#pages tbody td:nth-child(2)").all_inner_texts()]
        assert scores == sorted(scores)
        with view.expect_download() as saved:
            view.keyboard.press("H")
        saved.value.save_as(tmp_path / "report.html")
        rows = view.locator("#methods tbody").text_content()
        file = browser.new_page()
        asked: list[str] = []
        file.on("request", lambda request: asked.append(request.url))
        file.goto((tmp_path / "report.html").as_uri())
        assert asked == [(tmp_path / "report.html").as_uri()]
        assert file.locator("#methods tbody").text_content() == rows
        assert file.locator("#plot .point").count() == 3
        assert file.locator("details").count() == len(scores)
        file.locator("summary").first.click()
        assert file.locator("details").first.locator(".diff-row").first.is_visible()
        if picture := os.environ.get("REPORT_PICTURE"):
            file.screenshot(path=picture, full_page=True)
        file.close()


@pytest.mark.usefixtures("project")
def test_a_tool_stands_in_the_table_and_the_plot(studio: Served, browser, made: str) -> None:
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/report"))
        view.get_by_text("Nothing is measured yet").wait_for()
        view.get_by_text("Not installed:").get_by_text("pip install 'dehusk[bench]'").wait_for()
        assert "absent" in view.get_by_text("Not installed:").inner_text()
        assert view.locator('[data-tool="absent"]').count() == 0
        view.evaluate("() => document.querySelectorAll('[name=setup]').forEach((box) => { box.checked = false; })")
        view.locator('[data-tool="made"]').check()
        view.locator('[data-method="keep-all"]').check()
        view.keyboard.press("m")
        view.wait_for_selector("#report[data-state=done]", timeout=60_000)
        view.locator("#methods tbody tr").nth(1).wait_for()
        assert f"{made} (other tool)" in view.locator("#methods tbody").inner_text()
        assert view.locator("#plot .point rect").count() == 1
        view.locator(f'#plot .point[aria-label^="{made}"] rect').click()
        view.get_by_text(f"Worst pages of {made}").wait_for()
        view.locator("#diff-facts").get_by_text("ValueError: no lanterns").wait_for()


def test_a_page_is_compared_with_a_tool(studio: Served, project: Project, made: str, monkeypatch) -> None:
    from dehusk.studio.web.answers import BadRequestError
    from dehusk.studio.web.page_view import compared

    pages = {Path(row["name"]).stem: row["id"] for row in project.reading.execute("SELECT id, name FROM page")}
    request = {"with": "tool:made", "settings": {"method": "united"}}
    found = compared(studio.studio, pages["article"], request)
    assert found["name"] == "made"
    assert found["words"]["right"] > 0
    blocks = segment(studio.studio.opened.document(pages["article"]).page)
    assert found["kept"] == [True] * len(blocks), made
    with pytest.raises(InputError, match="made fails on this page: ValueError: no lanterns"):
        compared(studio.studio, pages["product"], request)
    with pytest.raises(MissingExtraError, match="absent"):
        compared(studio.studio, pages["article"], request | {"with": "tool:absent"})
    with pytest.raises(BadRequestError, match="tool: and a name"):
        compared(studio.studio, pages["article"], request | {"with": "tools"})
    monkeypatch.delattr(benchmark, "load_tool")
    assert compared(studio.studio, pages["article"], request) == found, "the tool does not run again"


@pytest.mark.usefixtures("made")
def test_a_tool_is_a_choice_of_compare(studio: Served, browser, project: Project) -> None:
    pages = {Path(row["name"]).stem: row["id"] for row in project.reading.execute("SELECT id, name FROM page")}
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url(f"/page/{pages['article']}"))
        view.wait_for_selector("#page[data-ready]")
        view.locator("#tab-compare").click()
        choice = view.locator("#compare [name=with]")
        assert "absent" not in choice.inner_text()
        choice.select_option("tool:made")
        view.locator("#diff-facts").get_by_text("only in made").wait_for()
        assert "F1" not in view.locator("#diff-facts").inner_text(), "a tool is no gold"
        view.locator("#diff ins").first.wait_for()


def open_report(view, studio: Served) -> None:
    view.goto(studio.url("/report"))
    view.wait_for_function("() => document.querySelectorAll('#methods tbody tr').length === 2")
    view.wait_for_selector("#diff[data-page]")


def test_every_action_on_results_has_a_key(studio: Served, browser, project: Project) -> None:
    judged(project, EVERYTHING, UNITED)
    chosen = "() => document.querySelector('#methods .chosen').innerText.split('\\t')[0].trim()"
    with window(browser, width=900, dark=True) as shown:
        view = shown.page
        open_report(view, studio)
        assert view.evaluate(chosen) == "united"
        view.keyboard.press("J")
        assert view.evaluate(chosen) == "keep-all"
        view.get_by_text("Worst pages of keep-all").wait_for()
        view.wait_for_selector("#diff[data-page]")
        assert view.locator("#plot .point.chosen").get_attribute("aria-label").startswith("keep-all: F1 0.")
        view.keyboard.press("y")
        assert "precision 0." in view.locator("#plot .point.chosen").get_attribute("aria-label")
        view.keyboard.press("d")
        view.locator("#diff .current").wait_for()
        first = view.locator("#diff").get_attribute("data-page")
        view.keyboard.press("j")
        view.wait_for_function(
            "page => ![page, undefined].includes(document.getElementById('diff').dataset.page)", arg=first
        )
        view.keyboard.press("k")
        view.wait_for_function("page => document.getElementById('diff').dataset.page === page", arg=first)
        before = view.locator("#diff").get_attribute("class")
        view.keyboard.press("c")
        assert view.locator("#diff").get_attribute("class") != before
        view.keyboard.press("w")
        view.locator("#pages th[aria-sort] [data-key=precision]").wait_for()
        view.keyboard.press("W")
        view.locator("#pages th[aria-sort=descending]").wait_for()
        view.keyboard.press("s")
        assert view.locator("#methods th[aria-sort] button").get_attribute("data-key") == "low"
        view.keyboard.press("S")
        assert view.locator("#methods th").nth(2).get_attribute("aria-sort") == "ascending"
        view.wait_for_selector("#diff[data-page]")  # sorting shows the first page anew
        page = view.locator("#diff").get_attribute("data-page")
        view.keyboard.press("Enter")
        view.wait_for_selector("#page[data-ready]")
        assert f"/page/{page}?" in view.url
        assert view.locator("#settings [name=method]").input_value() == "keep-all"
        view.go_back()
        view.wait_for_selector("#diff[data-page]")
        assert view.evaluate(chosen) == "keep-all", "the address says which method was looked at"
        view.keyboard.press("x")
        view.wait_for_function("() => document.querySelectorAll('#methods tbody tr').length === 1")


def test_columns_are_sorted_and_points_chosen_by_mouse_and_keys(studio: Served, browser, project: Project) -> None:
    judged(project, EVERYTHING, UNITED)
    with window(browser) as shown:
        view = shown.page
        open_report(view, studio)
        view.locator("#methods [data-key=ms]").click()
        assert view.locator("#methods th[aria-sort=ascending] [data-key=ms]").count() == 1
        times = [float(cell) for cell in view.locator("#methods tbody td:nth-child(6)").all_inner_texts()]
        assert times == sorted(times)
        view.locator("#pages [data-key=extra]").click()
        view.locator("#pages th[aria-sort=descending] [data-key=extra]").wait_for()
        point = view.locator('#plot .point[aria-label^="keep-all"]')
        point.focus()
        view.keyboard.press("Enter")
        view.get_by_text("keep-all", exact=True).locator("xpath=ancestor::tr[contains(@class, 'chosen')]").wait_for()
        view.locator("#pages tbody tr").nth(2).click()
        title = view.locator("#pages tbody tr.chosen .pick").inner_text()
        view.wait_for_function("title => document.getElementById('diff-title').textContent === title", arg=title)


def test_result_files_in_the_browser(studio: Served, browser, project: Project, tmp_path) -> None:
    figures, runs, bad = (tmp_path / name for name in ("figures.json", "runs.jsonl", "bad.json"))
    figures.write_text(json.dumps(FIGURES), "utf-8")
    name = Path(project.reading.execute("SELECT name FROM page WHERE id = 1").fetchone()["name"]).stem
    runs.write_text(json.dumps({"id": name, "tool": "tool <b>1</b>", "text": "green", "ms": 2}) + "\n", "utf-8")
    bad.write_text("{", "utf-8")
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/report"))
        view.get_by_text("Nothing is measured yet").wait_for()
        view.evaluate(
            "() => document.getElementById('file').addEventListener('click', (event) => { "
            "event.preventDefault(); event.target.dataset.asked = 'yes'; }, { once: true })"
        )
        view.keyboard.press("f")
        assert view.locator("#file").get_attribute("data-asked") == "yes"
        view.locator("#file").set_input_files(str(figures))
        view.locator('details[data-file="figures.json"] table').nth(2).wait_for()
        assert view.locator("#files .point").count() == 2
        view.locator("#files table").nth(2).locator("th").nth(3).locator("button").click()
        assert view.locator("#files table").nth(2).locator("tbody tr").first.inner_text().startswith("dehusk 1")
        view.locator("#file").set_input_files(str(runs))
        view.locator("#methods").get_by_text("tool <b>1</b>").wait_for(timeout=60_000)
        view.locator("#diff ins").first.wait_for()
        view.get_by_role("button", name="Remove", exact=True).last.click()
        view.get_by_text("None is open").wait_for()
    with served(tmp_path / "other", [str(EXAMPLES)]) as other:
        context = browser.new_context()
        page = context.new_page()
        page.goto(other.url("/report"))
        page.locator("#file").set_input_files(str(bad))
        page.locator("#toast").get_by_text("bad.json is neither").wait_for()
        context.close()


def test_a_project_without_gold_says_what_to_do(browser, tmp_path) -> None:
    (tmp_path / "tea.html").write_text("<h1>Tea</h1><p>Hot water and leaves.", "utf-8")
    with served(tmp_path / "project", [str(tmp_path / "tea.html")]) as running, window(browser) as shown:
        view = shown.page
        view.goto(running.url("/report"))
        view.get_by_text("No page of this project has gold yet").wait_for()
        assert view.locator("#start .primary").is_disabled()
        (tmp_path / "tea.txt").write_text("Tea\nHot water and leaves.", "utf-8")
        view.reload()
        view.locator("#gold").get_by_text("1 page with gold").wait_for()
        assert view.locator("#start .primary").is_enabled()


@pytest.mark.usefixtures("project")
def test_judging_is_cancelled_in_the_browser(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/report"))
        view.get_by_text("Nothing is measured yet").wait_for()
        view.keyboard.press("m")
        view.locator("#cancel").wait_for()
        view.keyboard.press("Escape")
        view.wait_for_selector("#report[data-state=cancelled]")
        assert view.locator("#start .primary").is_enabled()
