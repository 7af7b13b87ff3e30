"""Changes in a browser that outlives its studio: what the screen shows is stored, whatever was killed meanwhile."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from studio_server import browser, window

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a signal of POSIX")

__all__ = ["browser"]
SIZE = 30
PAGE = "<title>{0}</title>" + "".join(f"<p>{{0}} {number} gives three cups, says Ann.</p>" for number in range(SIZE))
KILLS = int(os.environ.get("DEHUSK_STUDIO_KILLS", "5"))
DEAD = (
    "ERR_CONTENT_LENGTH_MISMATCH",
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_SOCKET_NOT_CONNECTED",
)
CODES = """async () => {
    const script = document.querySelector('script[src$="/correct.js"]').src;
    return (await import(script.replace("correct.js", "correct_state.js"))).correct.codes;
}"""


class Studio:
    """The command `dehusk studio` in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.process, self.address, self.lines = folder, None, "", []

    def start(self, *arguments: str) -> str:
        """Start it; return the address that it prints, of the list."""
        command = [sys.executable, "-m", "dehusk", "studio", *arguments, "--no-open", "--workers", "1"]
        self.process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True)
        host, key = re.search(r"(http://127\.0\.0\.1:\d+/)\S*(\?key=\S+)", self.process.stderr.readline()).groups()
        self.address = host + key
        return self.address

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)
        self.process.stderr.close()

    def stored(self, page: int = 1) -> list[int]:
        from dehusk.studio.labelling import labels_of
        from dehusk.studio.project import Project

        with closing(Project(self.folder / "dehusk-studio")) as project:
            return labels_of(project, page, "me", SIZE).tolist()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    for name in ("Cup", "Tea"):
        (tmp_path / f"{name}.html").write_text(PAGE.format(name), "utf-8")
    running = Studio(tmp_path)
    running.start("Cup.html", "Tea.html")
    yield running
    running.kill()


def open_page(view: Any, address: str, number: int = 1) -> None:
    view.goto(address)
    while view.evaluate("async () => (await (await fetch('/api/pages')).json()).count") < 2:
        time.sleep(0.05)
    view.goto(f"{address.partition('?')[0]}page/{number}?correct=yes")
    view.wait_for_selector("#correct[data-ready]:not([hidden])")


def saved(view: Any) -> None:
    view.wait_for_selector("body:not([data-busy])")
    view.wait_for_function("() => document.getElementById('label-saved').textContent === 'saved'")


def allow_dead(shown: Any) -> None:
    for words in DEAD:
        shown.allow(words)


def test_labels_go_on_in_the_same_tab_however_often_the_studio_is_killed(studio: Studio, browser) -> None:
    """`DEHUSK_STUDIO_KILLS=100 pytest tests/test_studio_queue_browser.py` kills it 100 times."""
    chance = random.Random(1)  # noqa: S311
    with window(browser) as shown:
        allow_dead(shown)
        open_page(shown.page, first := studio.address)
        for turn in range(KILLS):
            press(shown.page, chance, 4)
            time.sleep(chance.uniform(0, 0.05))
            studio.kill()
            press(shown.page, chance, 3)
            shown.page.locator("#unsaved code", has_text="dehusk studio --project").wait_for()
            assert shown.page.locator("#label-saved").inner_text() == "not saved: the studio does not answer"
            assert studio.start() == first, "tabs know its address and its key"
            press(shown.page, chance, 2)
            saved(shown.page)
            assert shown.page.evaluate(CODES) == studio.stored(), f"after kill {turn + 1}"
            assert shown.page.locator("#unsaved").is_hidden()


def press(view: Any, chance: random.Random, count: int) -> None:
    """Press keys that give labels, remove and undo them."""
    for _ in range(count):
        if chance.random() < 0.2:
            view.keyboard.press("Home")
        view.keyboard.press(chance.choice("hlpcohlpcoxuU"))


def test_labels_outlive_the_reload_of_a_tab_whose_studio_is_dead(studio: Studio, browser) -> None:
    from playwright.sync_api import Error

    with window(browser) as shown:
        allow_dead(shown)
        view = shown.page
        open_page(view, studio.address)
        for key in ("Home", "h", "p"):
            view.keyboard.press(key)
        saved(view)
        studio.kill()
        for key in ("o", "o", "l"):
            view.keyboard.press(key)
        view.get_by_text("3 changes are not saved, but kept in this browser").wait_for()
        with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
            view.reload()
        studio.start()
        view.goto(studio.address.partition("?")[0] + "page/1?correct=yes")
        view.wait_for_selector("#correct[data-ready]:not([hidden])")
        saved(view)
        assert view.evaluate(CODES)[:6] == studio.stored()[:6] == [0, 2, 4, 4, 1, -1]


def test_any_view_sends_what_another_page_left_over(studio: Studio, browser) -> None:
    from playwright.sync_api import Error

    with window(browser) as shown:
        allow_dead(shown)
        view = shown.page
        open_page(view, studio.address, 2)
        studio.kill()
        view.keyboard.press("Home")
        view.keyboard.press("h")
        view.get_by_text("1 change is not saved").wait_for()
        with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
            view.reload()
        studio.start()
        view.goto(studio.address.partition("?")[0] + "rules")
        view.wait_for_function("() => !Object.keys(localStorage).some((key) => key.startsWith('dehusk '))")
        assert studio.stored(2)[:2] == [0, -1]
        assert studio.stored(1) == [-1] * SIZE


def test_two_tabs_of_a_page_show_what_both_stored(studio: Studio, browser) -> None:
    with window(browser) as shown:
        allow_dead(shown)
        first = shown.page
        open_page(first, studio.address)
        second = first.context.new_page()
        open_page(second, studio.address)
        for view, keys in ((first, ("Home", "h", "p")), (second, ("End", "o"))):
            for key in keys:
                view.keyboard.press(key)
        wanted = [0, 2, *[-1] * (SIZE - 3), 4]
        for view in (first, second):
            saved(view)
            view.wait_for_function("() => document.getElementById('label-count').textContent.startsWith('3 of')")
            assert view.evaluate(CODES) == wanted
        studio.kill()
        for view in (first, second, first, second):
            view.keyboard.press("l")
        studio.start()
        for view in (first, second):
            saved(view)
        for view in (first, second):
            view.wait_for_function("() => document.getElementById('label-saved').textContent === 'saved'")
        assert first.evaluate(CODES) == second.evaluate(CODES) == studio.stored()


def test_another_key_is_told_and_how_to_go_on(studio: Studio, browser) -> None:
    with window(browser) as shown:
        allow_dead(shown)
        shown.allow("403")
        view, old = shown.page, studio.address
        open_page(view, studio.address)
        studio.kill()
        assert studio.start("--new-key") != old
        view.keyboard.press("Home")
        view.keyboard.press("h")
        view.get_by_text("The studio has another key now. Open the address that it prints").wait_for()
        assert view.locator("#label-saved").inner_text().startswith("not saved")
        other = view.context.new_page()
        answer = other.goto(old)
        assert answer.status == 403
        assert other.locator("code").inner_text() == "dehusk studio --project dehusk-studio"
        assert other.evaluate("() => getComputedStyle(document.querySelector('code')).userSelect") == "all"
        other.goto(studio.address)
        saved(view)
        assert view.evaluate(CODES) == studio.stored() == [0] + [-1] * (SIZE - 1)


def test_changes_of_another_project_are_not_stored_in_this_one(studio: Studio, browser) -> None:
    with window(browser) as shown:
        allow_dead(shown)
        shown.allow("403")
        shown.allow("421")
        shown.allow("404")  # the reasons of a block that the other project may not have
        view, port = shown.page, re.search(r":(\d+)/", studio.address)[1]
        open_page(view, studio.address)
        studio.kill()
        studio.start("Cup.html", "--project", "other", "--port", port)
        view.context.new_page().goto(studio.address)
        view.keyboard.press("Home")
        view.keyboard.press("h")
        view.get_by_text("The studio of another project answers here").wait_for()
        studio.kill()
        view.context.new_page().goto(studio.start())
        saved(view)
        assert studio.stored()[:2] == [0, -1]
