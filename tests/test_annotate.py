"""The annotation tool, controlled by keys."""

import asyncio
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from dehusk.blocks.labels import CONTINUATION, OTHER
from dehusk.lab.annotate import Session, annotation_path
from dehusk.lab.annotate.app import AnnotateApp
from dehusk.lab.annotate.view import Box, SegmentList, printable

pty = pytest.importorskip("pty")

HTML = (
    "<ul><li><a>Home</a><li><a>News</a><li><a>Shop</a></ul><h1>Title</h1><p>See <a>our site</a> for more.</p>"
    "<p>\u65e5\u672c\u8a9e\u306e\u6587 \x1b[31mred \u202eturned</p><div>Copyright</div>"
)
ALL = ["other"] * 3 + ["header", "paragraph", "continuation", "continuation", "paragraph", "other"]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(HTML.encode())
    return path


def open_page(path: Path) -> Session:
    return Session.open(path, annotation_path(path))


def labels_in(path: Path) -> list[str]:
    return [label for _, _, label, _ in json.loads(annotation_path(path).read_text("utf-8"))["spans"]]


Driver = Callable[[AnnotateApp, "Pilot[int]"], Awaitable[None]]


def drive(paths: list[Path], driver: Driver, opener: Callable[[Path], Session] = open_page) -> int | None:
    """Run the app on a simulated screen and return its result; the pages must not change."""
    before = [path.read_bytes() for path in paths]
    app = AnnotateApp(paths, opener)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await driver(app, pilot)

    asyncio.run(run())
    assert [path.read_bytes() for path in paths] == before
    return app.return_value


def shown(app: AnnotateApp, name: str) -> str:
    """Return the text of a part of the screen."""
    if name == "list":
        view = app.query_one(SegmentList)
        return "\n".join(view.render_line(y).text for y in range(view.size.height))
    return "\n".join(strip.text for strip in app.query_one(name).render_lines(app.query_one(name).size.region))


def test_a_page_is_labelled_by_keys_saved_and_resumed(page: Path) -> None:
    async def label(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        assert "labelled 0/9" in shown(app, "#head")
        assert "\u203a1 \u00b7  a        Home" in shown(app, "list")
        await pilot.press("space", "down", "down", "o", *"hpccx")
        assert "labelled 7/9  \u25cf unsaved" in shown(app, "#head")
        assert " 4 H  h1       Title" in shown(app, "list")
        assert "8 not labelled" in shown(app, "#detail")
        await pilot.press("s")
        assert "saved to page.html.anno.json" in shown(app, "#detail")
        assert "unsaved" not in shown(app, "#head")
        await pilot.press("s")
        assert "nothing to save" in shown(app, "#detail")

    drive([page], label)
    assert labels_in(page) == ALL[:7]

    async def finish(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        assert "resumed page.html.anno.json: 7 of 9" in shown(app, "#detail")
        assert app.session.cursor == 7
        await pilot.press("p", "o", "n")
        assert "every segment has a label" in shown(app, "#detail")
        await pilot.press("q")

    assert drive([page], finish) == 0
    assert labels_in(page) == ALL


def test_undo_clear_and_moving(page: Path) -> None:
    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        session = app.session
        await pilot.press("end", "up", "k", "c")
        assert (session.codes[6], session.cursor) == (CONTINUATION, 7)
        await pilot.press("u")
        assert (session.labelled, session.cursor) == (0, 6)
        await pilot.press("u")
        assert "nothing to undo" in shown(app, "#detail")
        await pilot.press("home", "o", "up", "x")
        assert (session.labelled, session.cursor) == (0, 0)
        await pilot.press("pagedown", "space", "pageup")
        assert "range 1 to 9" in shown(app, "#head")
        await pilot.press("escape", "N")
        assert (session.mark, session.cursor) == (None, 8)
        await pilot.press("enter")
        assert "no suggestion here" in shown(app, "#detail")
        await pilot.click(SegmentList, offset=(5, 3))
        assert session.cursor == 3
        await pilot.click(SegmentList, offset=(5, 12))
        assert session.cursor == 3, "there is no segment at that line"

    assert drive([page], driver) is None


def test_suggestions_by_keys(page: Path) -> None:
    def opener(path: Path) -> Session:
        session = open_page(path)
        session.set_suggestions([OTHER] * 8 + [-1])
        return session

    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        assert "labelled 0/9  8 suggested" in shown(app, "#head")
        assert " 2 o? a        News" in shown(app, "list")
        await pilot.press("enter", "h", "a")
        assert "suggestions confirmed: 6" in shown(app, "#detail")
        await pilot.press("q")

    assert drive([page], driver, opener) == 0
    assert labels_in(page) == ["other", "header", *["other"] * 6]


def test_turning_pages_skips_a_page_that_cannot_be_opened(page: Path, tmp_path: Path) -> None:
    bad, third = tmp_path / "bad.html", tmp_path / "third.html"
    bad.write_bytes(b"<p>x")
    third.write_bytes(b"<p>only")
    annotation_path(bad).write_text("{}")

    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("o", "right_square_bracket")
        assert "page 3/3   third.html  labelled 0/1" in shown(app, "#head")
        assert "not an annotation" in shown(app, "#detail")
        await pilot.press("p", "right_square_bracket")
        assert "no more pages" in shown(app, "#detail")
        await pilot.press("left_square_bracket")
        assert "page 1/3   page.html  labelled 1/9  \u25cf unsaved" in shown(app, "#head")
        await pilot.press("u", "o", "q")

    assert drive([page, bad, third], driver) == 0
    assert (labels_in(page), labels_in(third)) == (["other"], ["paragraph"])


@pytest.mark.parametrize("key", ["Q", "ctrl+q"])
def test_quitting_without_saving_asks(page: Path, key: str) -> None:
    async def stay(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("o", key)
        assert isinstance(app.screen, Box)
        await pilot.press("h")
        assert not isinstance(app.screen, Box)
        assert app.is_running
        assert app.session.labelled == 1, "the key that answers labels nothing"

    assert drive([page], stay) is None

    async def leave(_: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("o", key, "y")

    assert drive([page], leave) == 1
    assert not annotation_path(page).exists()

    async def nothing_lost(_: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press(key)

    assert drive([page], nothing_lost) == 0


def test_a_failed_save_is_reported_and_nothing_is_lost(page: Path) -> None:
    annotation_path(page).mkdir()  # a folder has the name of the file

    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("o", "q")
        assert app.is_running
        assert "NOT saved" in shown(app, "#detail")
        assert "unsaved" in shown(app, "#head")

    drive([page], driver, lambda path: Session(path.read_bytes(), open_blocks(path), annotation_path(path)))


def test_unsaved_labels_survive_a_crash(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.lab.annotate.app._SECONDS_BETWEEN_DRAFTS", 0.05)

    async def crash(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("o", "h")
        for _ in range(100):
            await pilot.pause(0.1)
            if app.session.draft.exists():
                return
        raise AssertionError("no draft was written")

    drive([page], crash)
    assert not annotation_path(page).exists()

    async def discard(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        assert "recovered unsaved labels: 2 of 9" in shown(app, "#detail")
        await pilot.press("Q", "y")

    assert drive([page], discard) == 1
    assert list(page.parent.iterdir()) == [page], "discarded labels do not come back"


def test_a_draft_that_cannot_be_written_is_reported(page: Path) -> None:
    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        app.session.draft.mkdir()
        await pilot.press("o")
        app._save_drafts()
        assert "draft NOT saved" in shown(app, "#detail")

    drive([page], driver)


class Terminal:
    """`dehusk annotate` in a terminal that can be closed."""

    def __init__(self, *arguments: str) -> None:
        own_terminal = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        command = [sys.executable, "-c", own_terminal + "import dehusk.cli; dehusk.cli.main()", "annotate", *arguments]
        self.screen, terminal = pty.openpty()
        self.output = b""
        streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
        self.process = subprocess.Popen(command, **streams, start_new_session=True, env=os.environ | {"TERM": "xterm"})
        os.close(terminal)

    def wait_for(self, text: bytes) -> None:
        end = time.monotonic() + 60
        while text not in self.output:
            assert time.monotonic() < end, self.output
            if select.select([self.screen], [], [], 0.2)[0]:
                self.output += os.read(self.screen, 65536)

    def press(self, keys: bytes) -> None:
        os.write(self.screen, keys)

    def wait(self) -> int:
        """Read the rest of the output until the program ends; return its exit code."""
        with suppress(OSError):  # the terminal is closed
            while more := os.read(self.screen, 65536):
                self.output += more
        return self.process.wait(60)


def test_closing_the_terminal_keeps_the_labels(page: Path) -> None:
    terminal = Terminal(str(page))
    terminal.wait_for(b"labelled 0/9")
    terminal.press(b"oh")
    terminal.wait_for(b"labelled 2/9")
    os.close(terminal.screen)
    terminal.wait()
    draft = page.with_name("page.html.anno.json.draft")
    assert [label for _, _, label, _ in json.loads(draft.read_text("utf-8"))["spans"]] == ["other", "header"]
    assert not annotation_path(page).exists()


def test_after_saving_the_next_step_is_named(page: Path) -> None:
    terminal = Terminal(str(page), "--suggest", "united")
    terminal.wait_for(b"9 suggested")
    terminal.press(b"aq")
    assert terminal.wait() == 0
    assert b"dehusk: 1 of 1 page labelled" in terminal.output
    assert f"dehusk: next: dehusk train {page} -o my-model".encode() in terminal.output
    assert f"dehusk: next: dehusk studio {page}".encode() in terminal.output
    assert b"dehusk annotate" not in terminal.output, "nothing is left to label"
    assert len(labels_in(page)) == 9


def open_blocks(path: Path):  # type: ignore[no-untyped-def]
    return Session.open(path, path.with_name("none.anno.json")).blocks


def test_the_help_names_every_label_and_fits(page: Path) -> None:
    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("question_mark")
        box = app.screen.query_one("Static")
        text = "\n".join(strip.text for strip in box.render_lines(box.outer_size.region))
        assert all(label in text for label in ("header", "list", "paragraph", "continuation", "other", "go back"))
        assert box.outer_size.height <= 24
        await pilot.press("o")
        assert app.session.labelled == 0

    drive([page], driver)


def test_control_characters_of_a_page_do_not_reach_the_terminal(page: Path) -> None:
    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("end", "up")
        for part in ("list", "#detail"):
            assert "red" in shown(app, part)
            assert "\x1b" not in shown(app, part)
            assert "\u202e" not in shown(app, part)
        view = app.query_one(SegmentList)
        assert {view.render_line(y).cell_length for y in range(24)} == {view.size.width}, "also with wide characters"

    drive([page], driver)
    assert printable("a\tb\u2028c\u00a0d") == "a b c d"


def test_forty_thousand_segments(tmp_path: Path) -> None:
    path = tmp_path / "big.html"
    path.write_text("<p>text <a>link</a>" * 20_000)

    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("end")
        assert app.session.cursor == 39_999
        assert "\u203a40000 \u00b7  a        link" in shown(app, "list")
        await pilot.press("space", "home", "o", "u", "u", "home")
        assert "\u203a    1 \u00b7  p        text" in shown(app, "list")

    drive([path], driver)


def test_a_page_without_text_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "image.html"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))

    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        assert "No text on this page (not-html" in shown(app, "#detail")
        await pilot.press("o", "space", "down", "n", "u", "enter", "a", "pagedown", "end", "q")

    assert drive([path], driver) == 0
    assert not annotation_path(path).exists()


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    made = []
    for name, title in (("green", "Green tea"), ("black", "Black tea"), ("milk", "Milk")):
        path = tmp_path / f"{name}.html"
        path.write_text(f"<title>{title}</title><p>Leaves of {name}</p><p>Hot WATER</p><p>{name} cups</p>", "utf-8")
        made.append(path)
    return made


def listed(app: AnnotateApp) -> list[str]:
    """Return the lines of the overview."""
    return [str(option.prompt) for option in app.screen.query_one(OptionList).options]


async def looked_at(app: AnnotateApp, pilot: "Pilot[int]") -> None:
    for _ in range(100):
        await pilot.pause(0.02)
        if "looking" not in str(app.screen.query_one("#total", Static).render()):
            return
    raise AssertionError("not all pages were looked at")


def test_the_overview_shows_progress_and_opens_a_page(pages: list[Path]) -> None:
    first = open_page(pages[1])
    for _ in range(3):
        first.label(OTHER)
    first.save()

    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("o", "v")
        await looked_at(app, pilot)
        assert [line.split()[:2] for line in listed(app)] == [
            ["\u2026", "1/3"],
            ["\u2713", "3/3"],
            ["0/3", "milk.html"],
        ]
        assert "\u25cf green.html" in listed(app)[0], "unsaved"
        total = str(app.screen.query_one("#total", Static).render())
        assert total == "1 of 3 pages labelled, 1 in part"
        await pilot.press("down", "enter")
        assert "page 2/3   black.html" in shown(app, "#head")
        await pilot.press("v", "escape", "home", "x")
        assert app.session.labelled == 2, "keys act on the page again"

    drive(pages, driver)


def test_pages_are_found_by_name_and_title(pages: list[Path]) -> None:
    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("v")
        await looked_at(app, pilot)
        await pilot.press(*"black t")
        assert len(listed(app)) == 1
        await pilot.press("enter")
        assert "page 2/3   black.html" in shown(app, "#head")
        await pilot.press("v", *"nothing like it", "enter")
        assert listed(app) == []
        await pilot.press("escape")
        assert "page 2/3" in shown(app, "#head")
        assert app.session.labelled == 0, "what is typed labels nothing"

    drive(pages, driver)


def test_a_page_that_cannot_be_opened_is_named_in_the_overview(pages: list[Path]) -> None:
    annotation_path(pages[2]).write_text("{}")

    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("v")
        await looked_at(app, pilot)
        assert "not an annotation" in listed(app)[2]
        await pilot.press("down", "down", "enter")
        assert "page 1/3" in shown(app, "#head")
        assert "not an annotation" in shown(app, "#detail")

    drive(pages, driver)


def test_text_is_searched_on_a_page_and_on_the_next_ones(pages: list[Path]) -> None:
    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        await pilot.press("f")
        assert "/ searches" in shown(app, "#detail")
        await pilot.press("slash", *"water", "enter")
        assert app.session.cursor == 1
        assert "match 1 of 1: water" in shown(app, "#detail")
        await pilot.press("slash", "escape", "slash", *"green", "enter")
        assert "match 2 of 2: green" in shown(app, "#detail")
        await pilot.press("f")
        assert app.session.cursor == 0
        await pilot.press("F")
        assert app.session.cursor == 2
        await pilot.press("g")
        assert "no other page contains it" in shown(app, "#detail")
        await pilot.press("slash", *"milk", "enter")
        assert "no match on this page; g looks on the next pages" in shown(app, "#detail")
        await pilot.press("g")
        assert "page 3/3   milk.html" in shown(app, "#head")
        assert "match 1 of 2: milk" in shown(app, "#detail")
        assert app.session.labelled == 0

    drive(pages, driver)


def test_turning_to_another_page_writes_the_draft_at_once(pages: list[Path]) -> None:
    async def driver(app: AnnotateApp, pilot: "Pilot[int]") -> None:
        first = app.session
        await pilot.press("o", "right_square_bracket")
        assert first.draft.exists()

    drive(pages, driver)


def test_a_killed_tool_loses_at_most_the_last_second(page: Path) -> None:
    terminal = Terminal(str(page))
    terminal.wait_for(b"labelled 0/9")
    terminal.press(b"oh")
    terminal.wait_for(b"labelled 2/9")
    time.sleep(1.5)
    terminal.process.kill()
    terminal.wait()
    os.close(terminal.screen)
    again = open_page(page)
    assert again.labelled == 2
    assert "recovered" in again.notice
