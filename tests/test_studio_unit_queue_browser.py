"""The queue in a browser: keys decide, everything is announced, nothing is lost, and two annotators meet in it."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from studio_server import Served, browser, served, window
from test_studio_access import violations
from test_studio_queue_browser import Studio, allow_dead

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

from dehusk.blocks.annotation import SOURCES
from dehusk.studio.labelling import Change, apply_changes, seconds_on, sources_of

__all__ = ["browser"]
EXAMPLES = Path(__file__).parent.parent / "examples"
UNITS = 3  # of each page, unsure whatever the net says
PAGES = 8


@pytest.fixture
def studio(tmp_path):
    (tmp_path / "pages").mkdir()
    for page in range(1, PAGES + 1):
        text = "".join(f"<p>Tea {page} of the kind {block} gives three cups." for block in range(UNITS))
        (tmp_path / "pages" / f"{page}.html").write_text(
            f"<title>Page {page}</title><h1>Teas {page}</h1>{text}", "utf-8"
        )
    with served(tmp_path / "project", [str(tmp_path / "pages")]) as running:
        with running.studio.project.writing() as connection:
            connection.execute("DELETE FROM unsure")
            for page in range(1, PAGES + 1):
                for block in range(1, UNITS + 1):
                    values = (
                        page,
                        block,
                        block + 1,
                        0.5 + page / 1000 + block / 100,
                        10 * page + block,
                        10 * page + block,
                    )
                    connection.execute("INSERT INTO unsure VALUES (?, ?, ?, 'block', ?, 1, ?, ?)", values)
        yield running


def open_queue(view: Any, studio: Served, annotator: str = "Ann", second: str = "0.2") -> None:
    view.goto(studio.url("/"))
    view.goto(f"{studio.address}/queue?annotator={annotator}")
    view.locator("#own").wait_for()
    if second != "0.2":
        view.get_by_label("Second readings").select_option(second)


def press(view: Any, *keys: str) -> None:
    """Press keys, each once the next unit is announced."""
    for key in keys:
        before = view.locator("#spoken").inner_text()
        view.keyboard.press(key)
        view.wait_for_function("text => document.getElementById('spoken').textContent.trim() !== text", arg=before)


def saved(view: Any) -> None:
    view.wait_for_function("() => !Object.keys(localStorage).some((key) => /^dehusk \\w+ /.test(key))")


def labels(studio: Any, annotator: str = "Ann") -> dict[tuple[int, int], int]:
    """Return page and block -> label."""
    rows = studio.project.reading.execute("SELECT page, codes FROM labelling WHERE annotator = ?", (annotator,))
    return {
        (page, block): code
        for page, codes in rows
        for block, code in enumerate(memoryview(codes).cast("b").tolist())
        if code >= 0
    }


def test_keys_decide_units_of_different_pages_and_undo_takes_them_back(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        open_queue(view, studio)
        assert view.locator("#spoken").inner_text().startswith("Unsure, ")
        assert "Tea 1 of the kind 0" in view.locator("#own").inner_text()
        assert view.locator("#lines .heading").all_inner_texts() in ([], ["Teas 1"])
        press(view, "k", "d", "s", "d")
        saved(view)
        found = labels(studio.studio)
        assert len(found) == 3
        assert sorted(code == 4 for code in found.values()) == [False, True, True]
        assert len({page for page, _ in found}) == 3, "the units of one page do not follow each other"
        [(page, block), *_] = found
        view.wait_for_load_state("networkidle")
        assert all(0 < seconds_on(studio.studio.project, each, "Ann") < 60 for each, _ in found)
        assert SOURCES[sources_of(studio.studio.project, page, "Ann", UNITS + 1)[block]] == "single"
        press(view, "u")
        assert view.locator("#spoken").inner_text().startswith("undone; Unsure")
        saved(view)
        assert len(labels(studio.studio)) == 2
        press(view, "u", "Control+z", "u")
        saved(view)
        assert labels(studio.studio) == {}
        assert "Tea 1 of the kind 0" in view.locator("#own").inner_text(), "where it began"
        view.keyboard.press("u")
        view.get_by_text("there is nothing to undo").wait_for()


def test_undo_takes_back_no_label_that_another_tab_gave_meanwhile(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        open_queue(view, studio)
        press(view, "d")
        saved(view)
        [((page, block), _)] = labels(studio.studio).items()
        other = block % UNITS + 1
        apply_changes(studio.studio.project, "Ann", [Change(page, UNITS + 1, [other], 2)], {page: b"<p>"})
        view.keyboard.press("u")
        view.get_by_text("newer labels from elsewhere").wait_for()
        assert labels(studio.studio) == {(page, block): 4, (page, other): 2}


def test_the_next_unit_is_there_at_once(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        open_queue(view, studio)
        view.wait_for_load_state("networkidle")
        took = view.evaluate("""async () => {
            const took = [];
            for (let turn = 0; turn < 10; turn += 1) {
                const spoken = document.getElementById("spoken");
                const shown = new Promise((resolve) => {
                    new MutationObserver(resolve).observe(spoken, { childList: true });
                });
                const start = performance.now();
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", bubbles: true }));
                await shown;
                took.push(performance.now() - start);
                await new Promise((resolve) => setTimeout(resolve, 200));
            }
            return took;
        }""")
        assert sorted(took)[5] < 100, took


def test_after_ten_decisions_the_queue_says_what_they_were_worth(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        open_queue(view, studio)
        press(view, *"kkkkkdddd")
        assert view.locator("#gain").inner_text() == ""
        press(view, "k")
        view.get_by_role("status").filter(
            has_text="4 of the last 10 decisions corrected the tool. At this rate"
        ).wait_for()
        assert "and the 14 unsure units left would correct about 6 (2 to 10)" in view.locator("#gain").inner_text()
        view.wait_for_function("() => document.getElementById('left').textContent === '14 unsure'")


def test_a_unit_is_labelled_by_names_and_roles_alone(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/"))
        view.locator("#rows [data-page]").first.wait_for()
        view.keyboard.press("Control+k")
        view.keyboard.type("to queue")
        view.keyboard.press("Enter")
        view.get_by_role("region", name="Unsure").wait_for()
        assert "three cups" in view.get_by_role("group", name="The unit").inner_text()
        drop = view.get_by_role("toolbar", name="Decisions").get_by_role("button", name="Drop")
        drop.focus()
        view.keyboard.press("Enter")
        view.locator("#spoken").filter(has_text="dropped; Unsure").wait_for()
        saved(view)
        assert set(labels(studio.studio).values()) == {4}


def test_the_list_opens_the_queue_of_its_pages(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/"))
        view.goto(f"{studio.address}/?search=kind+teas")
        view.locator("#rows [data-page]").first.wait_for()
        view.keyboard.press("Q")
        view.wait_for_url("**/queue?search=kind+teas")
        view.locator("#own").wait_for()
        view.goto(f"{studio.address}/queue?search=nothing")
        view.get_by_text("Nothing is left to decide in these pages.").wait_for()
        assert view.get_by_role("button", name="Keep").is_disabled()


def test_units_that_cannot_be_shown_are_told_with_the_reason(studio: Served, browser) -> None:
    studio.studio.project.rules.write_text("[broken")
    with window(browser) as shown:
        shown.allow("400 (Bad Request)")
        shown.page.goto(studio.url("/queue"))
        shown.page.get_by_text(f"{PAGES * UNITS} units cannot be shown: rules rules.toml: ").wait_for()


def test_buttons_show_the_keys_that_people_choose(studio: Served, browser) -> None:
    with window(browser) as opened:
        view = opened.page
        open_queue(view, studio)
        keep = view.locator("#decisions button", has_text="Keep")
        assert keep.locator("kbd").inner_text() == "k"
        view.keyboard.press("?")
        view.locator("#help .changeable", has_text=re.compile("^k$")).click()
        view.keyboard.press("y")
        assert keep.locator("kbd").inner_text() == "y"
        view.reload()
        view.locator("#own").wait_for()
        assert keep.locator("kbd").inner_text() == "y"
        before = view.locator("#own").inner_text()
        press(view, "y")
        assert view.locator("#own").inner_text() != before


def test_two_annotators_read_apart_disagree_and_settle_it(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        open_queue(view, studio)
        press(view, "k", "k")
        saved(view)
        open_queue(view, studio, "Ben", "1")
        view.locator("#turn", has_text="Second reading").wait_for()
        assert "Ann:" not in view.locator("#main").inner_text(), "nobody is told what she said"
        press(view, "d", "k")
        saved(view)
        for _ in range(PAGES * UNITS):  # units that were there already, and those that came before the disagreement did
            if view.locator("#turn").inner_text() == "Disagreement":
                break
            press(view, "s")
        assert view.locator("#turn").inner_text() == "Disagreement"
        assert view.locator("#told").inner_text() == "Ann: keep · Ben: drop. Which is right?"
        assert "Ann: keep · Ben: drop" in view.locator("#spoken").inner_text()
        assert violations(view) == {}
        press(view, "k")
        saved(view)
        view.get_by_text("Agreement with Ann: κ 0.00 on 2 blocks").wait_for()
        view.locator("#turn", has_text="Unsure").wait_for()
        assert labels(studio.studio, "Ben") == labels(studio.studio, "Ann")
        press(view, "u")
        saved(view)
        assert view.locator("#turn").inner_text() == "Disagreement"
        assert labels(studio.studio, "Ben") != labels(studio.studio, "Ann")
        press(view, "d")
        saved(view)
        open_queue(view, studio, "Ann", "1")
        view.wait_for_load_state("networkidle")
        assert view.locator("#turn").inner_text() == "Unsure", "it is settled for both"


def test_who_labels_can_be_changed(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        open_queue(view, studio)
        view.get_by_label("Annotator").fill("Zoe")
        view.keyboard.press("Tab")
        view.wait_for_url("**/queue?annotator=Zoe")
        view.locator("#own").wait_for()
        press(view, "k")
        saved(view)
        assert len(labels(studio.studio, "Zoe")) == 1


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a signal of POSIX")
def test_decisions_outlive_a_studio_that_is_killed(tmp_path: Path, browser) -> None:
    for name in ("tea", "listing", "product", "forum", "article", "chinese", "arabic"):
        [path] = EXAMPLES.glob(f"**/{name}.html")
        (tmp_path / f"{name}.html").write_bytes(path.read_bytes())
    running = Studio(tmp_path)
    first = running.start(*(path.name for path in sorted(tmp_path.glob("*.html"))))
    try:
        with window(browser) as shown:
            allow_dead(shown)
            view = shown.page
            view.goto(first)
            while not view.evaluate("async () => (await (await fetch('/api/adding')).json()).done"):
                time.sleep(0.05)
            view.goto(f"{first.partition('?')[0]}queue")
            view.locator("#own").wait_for()
            view.wait_for_load_state("networkidle")
            running.kill()
            press(view, "d", "d")
            view.get_by_text(re.compile("2 changes are not saved, but kept in this browser")).wait_for()
            for _ in range(3):
                view.keyboard.press("d")
            view.get_by_text("The studio does not answer. What was decided").wait_for()
            assert view.locator("#unit").is_hidden()
            assert view.get_by_role("button", name="Keep").is_disabled()
            assert running.start() == first
            view.locator("#unsaved").wait_for(state="hidden")
            view.locator("#empty:empty").wait_for(state="attached")
            saved(view)
            press(view, "u")
            saved(view)
        from contextlib import closing

        from dehusk.studio.project import Project

        with closing(Project(tmp_path / "dehusk-studio")) as project:
            [count] = project.reading.execute("SELECT count(*) FROM change WHERE undone = 0").fetchone()
            assert count == 4
    finally:
        running.kill()
