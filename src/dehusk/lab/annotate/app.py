"""The annotation tool's screen: the page's segments in order, one key per label."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from dehusk.base.errors import DehuskError
from dehusk.lab.annotate.overview import Overview, SearchLine
from dehusk.lab.annotate.page_progress import PageProgress, progress_of, read_progress
from dehusk.lab.annotate.session import Session
from dehusk.lab.annotate.view import HELP, LETTERS, Box, SegmentList, detail, head_line, key_lines, on_screen
from dehusk.lab.gold import UNLABELLED

_SECONDS_BETWEEN_DRAFTS = 1


class AnnotateApp(App[int]):
    """Label the segments of some pages; the result is 0, or 1 if labels were discarded."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head { height: 1; background: $panel; text-style: bold; }
    #detail { height: 6; border-top: solid $accent; padding: 0 1; }
    #keys { height: 3; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(letter, f"label({code})", show=False) for code, letter in enumerate(LETTERS)),
        *(Binding(key, f"label({UNLABELLED})", show=False) for key in ("x", "delete", "backspace")),
        *(Binding(key, f"move({by})", show=False) for key, by in (("up", -1), ("down", 1), ("k", -1), ("j", 1))),
        *(Binding(key, f"turn({by})", show=False) for key, by in (("pageup", -1), ("pagedown", 1))),
        Binding("home", "first", show=False),
        Binding("end", "last", show=False),
        Binding("n", "seek(1)", show=False),
        Binding("N", "seek(-1)", show=False),
        Binding("space", "mark", show=False),
        Binding("escape", "unmark", show=False),
        Binding("u", "undo", show=False),
        Binding("enter", "confirm", show=False),
        Binding("a", "confirm_all", show=False),
        Binding("s", "save", show=False),
        Binding("q", "save_and_quit", show=False),
        Binding("Q", "discard", show=False),
        Binding("ctrl+q", "discard", show=False, priority=True),
        Binding("right_square_bracket", "page(1)", show=False),
        Binding("left_square_bracket", "page(-1)", show=False),
        Binding("v", "overview", show=False),
        Binding("slash", "search", show=False),
        Binding("f", "find(1)", show=False),
        Binding("F", "find(-1)", show=False),
        Binding("g", "find_page", show=False),
        Binding("question_mark", "explain", show=False),
    ]

    def __init__(
        self,
        paths: Sequence[Path],
        open_page: Callable[[Path], Session],
        look: Callable[[Path], PageProgress] = read_progress,
    ) -> None:
        """Open the first page; each other page is opened when the annotator turns to it.

        Args:
            paths: the pages.
            open_page: opens a page.
            look: returns how far a page is that was not opened.

        Raises:
            InputError: a file of the first page cannot be read.
            GoldError: its annotation is malformed, or belongs to another page.
        """
        super().__init__()
        self._paths = paths
        self._open = open_page
        self._look = look
        self._words = ""
        self._index = 0
        self._sessions = {0: open_page(paths[0])}

    @property
    def session(self) -> Session:
        """The page on the screen."""
        return self._sessions[self._index]

    def compose(self) -> ComposeResult:
        """Create the parts of the screen: head line, segments, the segment at the cursor, keys."""
        yield Static(id="head", markup=False)
        yield SegmentList()
        yield Static(id="detail", markup=False)
        yield Static(key_lines(), id="keys", markup=False)

    def on_mount(self) -> None:
        """Show the first page, and start to keep drafts of unsaved labels."""
        self.set_interval(_SECONDS_BETWEEN_DRAFTS, self._save_drafts)
        for name in ("SIGHUP", "SIGTERM"):  # sent when the terminal is closed, or to end the process
            with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):  # not on Windows
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self._end)
        self._show(self.session.notice or "press a letter to label the line marked \u203a; ? for help")

    def on_segment_list_picked(self, message: SegmentList.Picked) -> None:
        """Move the cursor to the segment that was clicked."""
        self.session.move(message.segment)
        self._show()

    def action_label(self, code: int) -> None:
        """Label the segment at the cursor, or the range."""
        self.session.label(code)
        self._show()

    def action_move(self, by: int) -> None:
        """Move the cursor by segments."""
        self.session.move(self.session.cursor + by)
        self._show()

    def action_turn(self, by: int) -> None:
        """Move the cursor by screens."""
        self.action_move(by * max(self.query_one(SegmentList).size.height - 1, 1))

    def action_first(self) -> None:
        """Go to the first segment."""
        self.session.move(0)
        self._show()

    def action_last(self) -> None:
        """Go to the last segment."""
        self.session.move(len(self.session))
        self._show()

    def action_seek(self, step: int) -> None:
        """Go to the next or previous segment without a label."""
        self._show("" if self.session.seek_unlabelled(step) else "every segment has a label")

    def action_mark(self) -> None:
        """Start a range, or cancel it."""
        self.session.toggle_mark()
        self._show("range: move, then press a label key" if self.session.mark is not None else "")

    def action_unmark(self) -> None:
        """Cancel the range."""
        self.session.mark = None
        self._show()

    def action_undo(self) -> None:
        """Undo the last change."""
        self._show("" if self.session.undo() else "nothing to undo")

    def action_confirm(self) -> None:
        """Confirm the suggestion at the cursor, or those in the range."""
        self._show("" if self.session.confirm() else "no suggestion here")

    def action_confirm_all(self) -> None:
        """Confirm all suggestions."""
        self._show(f"suggestions confirmed: {self.session.confirm_all()} (u undoes it)")

    def action_save(self) -> None:
        """Save this page's labels."""
        if not self.session.unsaved:
            self._show("nothing to save")
        elif self._save(self.session):
            self._show(f"saved to {self.session.target.name}")

    def action_save_and_quit(self) -> None:
        """Save the labels of all pages and quit; stay if a page cannot be saved."""
        if all(self._save(session) for session in self._sessions.values() if session.unsaved):
            self.exit(0)

    def action_discard(self) -> None:
        """Quit without saving, after asking."""
        unsaved = sum(session.unsaved for session in self._sessions.values())
        if not unsaved:
            self.exit(0)
        elif not isinstance(self.screen, Box):
            pages = "a page" if unsaved == 1 else f"{unsaved} pages"
            box = Box(f"There are unsaved labels on {pages}. Discard them?\n\ny yes   any other key no")
            self.push_screen(box, lambda yes: self._discard() if yes else None)

    def action_page(self, by: int) -> None:
        """Go to the next or previous page that can be opened; show why others were skipped."""
        self._turn_to(self._index + by, by)

    def action_overview(self) -> None:
        """Show all pages with their progress; the chosen one is opened."""

        def look(number: int) -> PageProgress:
            session = self._sessions.get(number)
            return self._look(self._paths[number]) if session is None else progress_of(session)

        names = [path.name for path in self._paths]
        self.push_screen(Overview(names, self._index, look), self._choose)

    def _choose(self, number: int | None) -> None:
        """Go to a page, and to no other one if it cannot be opened."""
        if number is not None:
            self._turn_to(number, len(self._paths))

    def action_search(self) -> None:
        """Ask for a text, and go to the first segment from here on that contains it."""
        self.push_screen(SearchLine(self._words), self._search)

    def _search(self, words: str | None) -> None:
        if words is not None:
            self._words = words.strip()
            self.action_find(0)

    def action_find(self, step: int) -> None:
        """Go to the next or previous segment that contains the text."""
        if not self._words:
            self._show("/ searches")
            return
        at, count = self.session.seek_words(self._words, step)
        found = f"match {at} of {count}" if count else "no match on this page; g looks on the next pages"
        self._show(f"{found}: {on_screen(self._words)}")

    def action_find_page(self) -> None:
        """Go to the next page that contains the text, also beyond the last one."""
        if not self._words:
            self._show("/ searches")
            return
        count = len(self._paths)
        for index in [number % count for number in range(self._index + 1, self._index + count)]:
            if session := self._with_words(index):
                self._sessions[index] = session
                self._turn_to(index, 1)
                session.move(0)
                self.action_find(0)
                return
        self._show(f"no other page contains it: {on_screen(self._words)}")

    def _with_words(self, index: int) -> Session | None:
        """Return a page if it can be opened and contains the text."""
        try:
            session = self._sessions.get(index) or self._open(self._paths[index])
        except DehuskError:
            return None
        return session if session.matches(self._words) else None

    def _turn_to(self, index: int, by: int) -> None:
        """Go to a page, or beyond it by steps to one that can be opened; the labels of this one are safe before."""
        self._save_drafts()
        problems = []
        while 0 <= index < len(self._paths):
            try:
                if index not in self._sessions:
                    self._sessions[index] = self._open(self._paths[index])
            except DehuskError as error:
                problems.append(f"skipped: {error}")
                index += by
            else:
                self._index = index
                break
        else:
            problems.append("no more pages")
        self._show("\n".join(problems) or self.session.notice)

    def action_explain(self) -> None:
        """Show the help."""
        self.push_screen(Box(HELP))

    def _discard(self) -> None:
        for session in self._sessions.values():
            session.discard_draft()
        self.exit(1)

    def _end(self) -> None:
        """Quit because of a signal; drafts keep the unsaved labels."""
        self._save_drafts()
        self.exit(1)

    def _save_drafts(self) -> None:
        for session in self._sessions.values():
            try:
                session.save_draft()
            except OSError as error:
                self._show(f"draft NOT saved: {session.draft}: {error.strerror or error}")

    def _save(self, session: Session) -> bool:
        try:
            session.save()
        except OSError as error:
            self._show(f"NOT saved: {session.target}: {error.strerror or error}")
            return False
        return True

    def _show(self, message: str = "") -> None:
        """Draw the state, with a message that stays until the next key."""
        name = self._paths[self._index].name
        self.query_one("#head", Static).update(head_line(self.session, name, self._index + 1, len(self._paths)))
        self.query_one(SegmentList).show(self.session)
        line = Text(f"{message}\n" if message else "", style="bold")
        self.query_one("#detail", Static).update(Text.assemble(line, detail(self.session)))
