"""Training in the studio: labelled pages, pages kept aside, a model accepted or discarded; what to label next."""

import time
from pathlib import Path

import numpy as np
import pytest

from studio_server import Served, browser, served, window

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")
pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")

from dehusk.base.errors import ConfigError, GoldError, InputError
from dehusk.blocks import segment
from dehusk.blocks.annotation import SOURCES
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.read import parse
from dehusk.studio.adding import Adding
from dehusk.studio.choosing import next_pages
from dehusk.studio.labelling import Change, apply_changes, set_note
from dehusk.studio.model_list import default_settings, set_default_model
from dehusk.studio.opened import ViewSettings
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources
from dehusk.studio.training import StudioTraining, accept, discard, figures, result_of
from dehusk.studio.training_set import plan_training

__all__ = ["browser"]

PROSE = "The water should be hot but not boiling, and the leaves need three minutes to give all that they have. "
PAGE = """<!DOCTYPE html><html lang="en"><head><title>Tea {n}</title>
<link rel="canonical" href="https://{host}/{n}"></head><body><nav><a href="/">Home</a> <a href="/x">About tea</a></nav>
<main><h1>Tea number {n}</h1><p>{prose}First of {n}.</p><p>{prose}Second of {n}.</p></main>
<aside><p>Tasting notes of our readers</p><p>Sweet, a little smoky, with a long finish, they write of {n}.</p></aside>
<footer>All about tea</footer></body></html>
"""


def serve(folder: Path, count: int):
    pages = folder / "pages" / "html"
    pages.mkdir(parents=True)
    rows = []
    for n in range(count):
        host = f"tea-{n // 2}.example"
        (pages / f"{n}.html").write_text(PAGE.format(n=n, host=host, prose=PROSE), "utf-8")
        rows.append(f'{{"id": "{n}", "url": "https://{host}/{n}"}}')
    (folder / "pages" / "pages.jsonl").write_text("\n".join(rows), "utf-8")
    return served(folder / "project", [str(folder / "pages")])


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("train"), 12) as running:
        yield running


@pytest.fixture
def project(studio: Served):
    found: Project = studio.studio.project
    with found.writing() as connection:
        for statement in ("DELETE FROM change", "DELETE FROM labelling", "UPDATE page SET labelled = 0"):
            connection.execute(statement)
    discard(found)
    set_default_model(found, None)
    return found


def label(studio: Served, pages, *, only: int | None = None, source: int = -1) -> None:
    """Label everything of pages as content, but the menu and the footer, unlike any shipped model would."""
    for page in pages:
        body = studio.studio.opened.body(page)
        blocks = segment(parse(body.data, body.url))
        other = [
            block for block, text in enumerate(blocks.texts) if text.startswith(("Home", "All about", "Tea number"))
        ]
        content = [block for block in range(len(blocks)) if block not in other]
        for chosen, code in ((other, OTHER), (content, PARAGRAPH)):
            if only is None or only == code:
                change = Change(page, len(blocks), chosen, code, source)
                apply_changes(studio.studio.project, "Ann", [change], {page: body.data})


def finished(training: StudioTraining):
    until = time.monotonic() + 60
    while training.progress is not None and training.progress.state == "running" and time.monotonic() < until:
        time.sleep(0.05)
    assert training.progress is not None
    return training.progress


def test_too_few_pages_say_what_is_missing(studio: Served, project: Project) -> None:
    assert "label 4 more pages" in plan_training(project).problem
    label(studio, [1, 2, 3])
    assert "label 1 more page" in plan_training(project).problem
    with pytest.raises(GoldError, match="1 more page"):
        StudioTraining(project).start("victor")
    with pytest.raises(ConfigError, match="method"):
        StudioTraining(project).start("magic")


def test_pages_without_noise_are_too_little(studio: Served, project: Project) -> None:
    label(studio, range(1, 7), only=PARAGRAPH)
    assert "no block labelled as other" in plan_training(project).problem


def test_whole_sites_are_kept_aside_and_stay_aside(studio: Served, project: Project) -> None:
    label(studio, range(1, 9))
    plan = plan_training(project)
    assert plan.problem == ""
    aside = {row.site for row in plan.rows if row.is_aside}
    assert aside
    assert aside.isdisjoint({row.site for row in plan.rows if not row.is_aside})
    assert plan_training(project) == plan
    assert any("say little" in note for note in plan.notes)


def test_one_site_is_split_by_page_and_said_so(studio: Served, project: Project) -> None:
    label(studio, range(1, 5))
    with project.writing() as connection:
        connection.execute("UPDATE page SET host = 'one.example' WHERE id <= 4")
    try:
        plan = plan_training(project)
    finally:
        with project.writing() as connection:
            connection.execute("UPDATE page SET host = 'tea-' || (id - 1) / 2 || '.example' WHERE id <= 4")
    assert sum(row.is_aside for row in plan.rows) == 1
    assert any("one site" in note for note in plan.notes)


def test_a_model_is_trained_judged_and_accepted(studio: Served, project: Project) -> None:
    label(studio, range(1, 11))
    training = StudioTraining(project)
    training.start("victor")
    with pytest.raises(InputError, match="under way"):
        training.start("victor")
    assert finished(training).state == "done"
    record = result_of(project)
    assert record is not None
    found = figures(record["rows"])
    assert found["all"]["after"]["f1"] > found["all"]["before"]["f1"]
    assert {row["page"] for row in found["page"]} == {row.page for row in plan_training(project).rows if row.is_aside}
    assert set(found["sides"]) == {"before", "after", "shipped", "taught"}
    assert found["all"]["taught"]["f1"] > found["all"]["before"]["f1"]  # by one other page of each site
    name = accept(project)
    assert result_of(project) is None
    settings = default_settings(project)
    assert settings == ViewSettings(method="victor", model=str(project.models / name))
    more = project.folder.parent / "more.html"
    more.write_text(PAGE.format(n=99, host="new.example", prose=PROSE), "utf-8")
    Adding(project, find_sources([str(more)]), workers=1).run()
    by_model = studio.studio.opened.document(13).labels
    row = project.reading.execute("SELECT words FROM page WHERE id = 13").fetchone()
    assert row["words"] == int(by_model.blocks.words[by_model.kept].sum())
    assert "Tasting notes" in studio.studio.opened.document(13).text
    with project.writing() as connection:
        connection.execute("DELETE FROM page WHERE id = 13")
    with pytest.raises(InputError, match="no trained model"):
        accept(project)
    set_default_model(project, None)
    assert default_settings(project) == ViewSettings()


def test_blocks_without_a_label_can_count_as_cleaned_now(studio: Served, project: Project) -> None:
    label(studio, range(1, 9), only=PARAGRAPH)
    label(studio, [1, 8], only=OTHER)
    training = StudioTraining(project)
    training.start("victor", fill=True)
    assert finished(training).state == "done"


def test_training_is_cancelled_without_a_result(studio: Served, project: Project) -> None:
    label(studio, range(1, 9))
    training = StudioTraining(project)
    training.start("victor")
    training.cancel()
    assert finished(training).state == "cancelled"
    assert result_of(project) is None


def test_flagged_pages_are_left_out_and_counted(studio: Served, project: Project) -> None:
    label(studio, range(1, 9))
    before = plan_training(project)
    pages = [row.page for row in before.rows][:3]
    for page, flag in zip(pages, ("broken", "wrong language", "not an article"), strict=True):
        set_note(project, page, "Ann", flag=flag)
    plan = plan_training(project)
    for page in pages:
        set_note(project, page, "Ann", flag="")
    assert {row.page for row in plan.rows} == {row.page for row in before.rows} - set(pages[:2])
    assert "2 labelled pages left out because of a flag: 1 broken, 1 wrong language." in plan.notes
    assert plan_training(project).plain() == before.plain()


def test_pages_to_label_next_are_unsure_different_and_of_new_sites(studio: Served, project: Project) -> None:
    label(studio, [1])
    with project.writing() as connection:
        connection.execute("UPDATE page SET confidence = 0.9")
        connection.execute("UPDATE page SET confidence = 0.05 WHERE id = 9")
        connection.execute("UPDATE page SET flag = 'broken' WHERE id = 12")
    chosen = next_pages(project, 20)
    with project.writing() as connection:
        connection.execute("UPDATE page SET flag = ''")
    pages = [row["page"] for row in chosen]
    assert pages[0] == 9
    assert chosen[0]["reasons"][:2] == ["confidence 0.05", "first page of its site"]
    assert set(pages) == set(range(2, 12))
    assert pages.index(2) > 4, "another page of a labelled site comes after the new sites"
    assert np.all(np.diff([row["score"] for row in chosen]) <= 1e-9)
    assert len(next_pages(project, 3)) == 3


def test_training_in_the_browser(studio: Served, browser, project: Project) -> None:
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/train"))
        view.get_by_text("label 4 more pages").wait_for()
        assert view.locator("#start .primary").is_disabled()
        assert view.locator("#next-pages li").count() == 12
        label(studio, range(1, 11))
        view.reload()
        view.wait_for_function("() => !document.querySelector('#start .primary').disabled")
        view.keyboard.press("t")
        view.wait_for_selector("#train[data-state=running]")
        view.reload()
        view.wait_for_selector("#train[data-state=done]")
        view.locator("#verdict .better").wait_for()
        view.reload()
        view.locator("#verdict .better").wait_for()
        pages = view.locator("#figures tbody tr").count() - 1
        assert pages == sum(row.is_aside for row in plan_training(project).rows)
        view.get_by_role("button", name="By set").click()
        assert view.locator("#figures tbody tr").first.inner_text().startswith("pages")
        view.keyboard.press("A")
        view.locator("#result").wait_for(state="hidden")
        view.wait_for_function("() => document.getElementById('default').value.startsWith('united-')")
        view.goto(f"{studio.address}/page/12")
        view.wait_for_selector("#page[data-ready]")
        assert view.locator("#settings [name=method]").input_value() == "united"
        view.go_back()
        view.locator("#default").select_option("")
        view.get_by_text("now cleans by the default method").wait_for()
    assert default_settings(project) == ViewSettings()


def test_labels_given_all_at_once_are_left_out_if_wanted(studio: Served, browser, project: Project) -> None:
    label(studio, range(1, 8), source=SOURCES.index("all"))
    label(studio, [8, 9], source=SOURCES.index("single"))
    assert {row.page for row in plan_training(project, one_by_one=True).rows} == {8, 9}
    with window(browser) as shown:
        shown.allow("409")
        view = shown.page
        view.goto(studio.url("/train"))
        view.get_by_label("Leave out labels that were given all at once").check()
        view.get_by_role("button", name="Train", exact=True).click()
        view.get_by_text("Training needs 4 labelled pages; there are 2").wait_for()


def test_a_result_is_discarded_and_training_cancelled_in_the_browser(studio: Served, browser, project: Project) -> None:
    label(studio, range(1, 11))
    with window(browser, width=900, dark=True) as shown:
        view = shown.page
        view.goto(studio.url("/train"))
        view.locator("#start .primary").click()
        view.locator("#cancel").click()
        view.get_by_text("Training was cancelled").wait_for()
        view.locator("#start .primary").click()
        view.locator("#verdict .better").wait_for(timeout=60_000)
        view.keyboard.press("D")
        view.locator("#result").wait_for(state="hidden")
    assert result_of(project) is None
