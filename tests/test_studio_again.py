"""Rows of the table that are older than the model or the rules: counted, and cleaned again in the background."""

import threading
import time
from pathlib import Path

import pytest

import warcs
from dehusk.base.errors import InputError
from dehusk.label.rules import Rule
from dehusk.studio.adding import Adding
from dehusk.studio.cleaning_again import CleaningAgain
from dehusk.studio.labelling import Change, apply_changes, labels_of
from dehusk.studio.making import count_outdated
from dehusk.studio.page_rows import PageFilter
from dehusk.studio.project import Project
from dehusk.studio.rule_editing import add_rules, undo_rules
from dehusk.studio.sources import find_sources
from studio_server import browser, served, window
from studio_table import count_pages, list_pages

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

__all__ = ["browser"]
PROSE = "Good leaves give three cups, says Ann, and the last one is the best of all. " * 6
NOTICE = "The kettles of this shop are made of iron, and each of them has a lid that fits. " * 3
RULE = Rule("drop", ".notice", "tea.example")


def page(number: int) -> bytes:
    text = f"<h1>Cup {number}</h1><p>{number}: {PROSE}</p><p class=notice>{NOTICE}</p><p>{PROSE}</p>"
    return f"<title>{number}</title>{text}".encode()


def make(folder: Path, *hosts: str) -> Path:
    folder.mkdir(exist_ok=True)
    urls = [f"https://{host}/{number}" for host in hosts for number in range(2)]
    records = [warcs.record(at, warcs.answer(page(at)), url=url) for at, url in enumerate(urls)]
    return warcs.write(folder / "tea.warc", records)


@pytest.fixture
def project(tmp_path):
    opened = Project(tmp_path / "project")
    Adding(opened, find_sources([str(make(tmp_path, "tea.example", "pot.example"))]), workers=1).run()
    yield opened
    opened.close()


def words(project: Project) -> list[int]:
    return [row["words"] for row in list_pages(project, PageFilter())]


def run(project: Project) -> CleaningAgain:
    again = CleaningAgain(project)
    again.start()
    wait(again)
    return again


def wait(again: CleaningAgain) -> None:
    end = time.monotonic() + 30
    while again.progress.state == "running" and time.monotonic() < end:
        time.sleep(0.01)


def test_a_rule_makes_the_rows_of_its_host_out_of_date_and_cleaning_again_applies_it(project) -> None:
    assert count_outdated(project) == 0
    before = words(project)
    assert count_pages(project, PageFilter(search="kettles")) == 4
    add_rules(project, [RULE])
    assert count_outdated(project) == 2
    assert words(project) == before, "nothing is cleaned again unasked"
    again = run(project)
    assert (again.progress.state, again.progress.done, again.progress.of) == ("done", 2, 2)
    assert count_outdated(project) == 0
    after = words(project)
    assert [a < b for a, b in zip(after, before, strict=True)] == [True, True, False, False]
    undo_rules(project)
    assert count_outdated(project) == 2
    run(project)
    assert words(project) == before
    assert count_pages(project, PageFilter(search="kettles")) == 4, "each page is found once"


def test_the_search_finds_what_is_kept_now_and_not_what_was(project) -> None:
    add_rules(project, [RULE])
    run(project)
    assert count_pages(project, PageFilter(search="kettles")) == 2
    assert count_pages(project, PageFilter(search="tea.example cups")) == 2, "also by words of the address"
    undo_rules(project)
    run(project)
    assert count_pages(project, PageFilter(search="kettles")) == 4


def test_new_pages_are_made_by_the_rules_of_the_project(project, tmp_path) -> None:
    add_rules(project, [Rule("drop", ".notice", "cup.example")])
    assert count_outdated(project) == 0
    Adding(project, find_sources([str(make(tmp_path / "more", "cup.example"))]), workers=1).run()
    assert count_outdated(project) == 0
    assert words(project)[4] < words(project)[0]


def test_invalid_rules_are_named_and_pages_are_added_without_them(project, tmp_path) -> None:
    project.rules.write_text("[[[", "utf-8")
    progress = Adding(project, find_sources([str(make(tmp_path / "more", "cup.example"))]), workers=1).run()
    assert progress.pages == 2
    [message] = progress.messages
    assert message.startswith("the rules are not applied: ")
    assert count_outdated(project) == 0


def test_labels_stay_and_pages_that_cannot_be_read_are_named(project, tmp_path) -> None:
    apply_changes(project, "Ann", [Change(1, 4, [0], 1)], {1: b""})
    add_rules(project, [RULE])
    (tmp_path / "tea.warc").unlink()
    again = run(project)
    assert again.progress.unread == 2, "the bytes that labelled pages keep are not theirs here"
    assert all("changed" in message or "no longer exists" in message for message in again.progress.messages)
    assert count_outdated(project) == 2
    assert labels_of(project, 1, "Ann", 4)[0] == 1


def test_a_run_is_cancelled_and_what_it_did_stays(project, monkeypatch) -> None:
    add_rules(project, [Rule("drop", ".notice", "*")])
    gate, reached = threading.Event(), threading.Event()
    read = CleaningAgain._bodies

    def slowly(self, pages):
        for number, body in enumerate(read(self, pages)):
            yield body
            if number == 0:
                reached.set()
                gate.wait(10)

    monkeypatch.setattr(CleaningAgain, "_bodies", slowly)
    again = CleaningAgain(project)
    again.start()
    assert reached.wait(10)
    with pytest.raises(InputError, match="already"):
        again.start()
    threading.Timer(0.1, gate.set).start()
    again.cancel()
    assert again.progress.state == "cancelled"
    assert count_outdated(project) == 3
    monkeypatch.undo()
    again.start()
    wait(again)
    assert (again.progress.state, again.progress.of) == ("done", 3)
    assert count_outdated(project) == 0


def test_the_table_offers_to_clean_again_and_says_how_far_it_is(tmp_path, browser) -> None:
    with served(tmp_path / "project", [str(make(tmp_path, "tea.example"))]) as studio, window(browser) as shown:
        page = shown.page
        page.goto(studio.url("/"))
        page.locator("#rows [data-page]").first.wait_for()
        assert page.locator("#again").is_hidden()
        page.goto(f"{studio.address}/rules")
        form = page.locator("#new-rule")
        form.locator("[name=selector]").fill(".notice")
        form.locator("[name=host]").fill("tea.example")
        form.get_by_role("button", name="Add").click()
        page.locator("#again").filter(has_text="2 pages in the table are out of date").wait_for()
        page.goto(f"{studio.address}/")
        page.locator("#again").get_by_role("button", name="Clean all again").wait_for()
        page.keyboard.press("C")
        page.locator("#toast").filter(has_text="2 pages cleaned again").wait_for()
        page.locator("#again").wait_for(state="hidden")
        assert count_outdated(studio.studio.project) == 0
