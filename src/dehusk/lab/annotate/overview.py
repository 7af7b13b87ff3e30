"""The screens on top of a page: the overview of all pages, and the line for what to search for."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from dehusk.lab.annotate.page_progress import PageProgress, summary_line
from dehusk.lab.annotate.view import on_screen

_TICK = 0.02  # seconds between two pages that are looked at
_TITLE = 60
_MARKS = {"finished": ("\u2713", "green"), "begun": ("\u2026", "yellow"), "new": (" ", ""), "problem": ("!", "red")}


class Overview(ModalScreen[int | None]):
    """All pages with their progress; the result is the number of the page to open, None for none.

    Args:
        names: of the pages.
        current: number of the page on the screen.
        look: returns how far a page is. Each page is looked at once, one after the other, so that the keys stay quick.
    """

    CSS = """
    Overview { align: center middle; }
    Overview > * { width: 90%; background: $panel; }
    Overview #total { height: 1; text-style: bold; padding: 0 1; }
    Overview OptionList { height: 70%; text-wrap: nowrap; text-overflow: ellipsis; }
    Overview #hint { height: 1; padding: 0 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        *(
            Binding(key, f"walk('{action}')", show=False, priority=True)
            for key, action in (
                ("up", "cursor_up"), ("down", "cursor_down"), ("pageup", "page_up"), ("pagedown", "page_down"),
            )
        ),
    ]  # fmt: skip

    def __init__(self, names: Sequence[str], current: int, look: Callable[[int], PageProgress]) -> None:
        super().__init__()
        self._names = names
        self._current = current
        self._look = look
        self._known: dict[int, PageProgress] = {}

    def compose(self) -> ComposeResult:
        """Create the line of totals, the filter, the list and a hint."""
        yield Static(id="total", markup=False)
        yield Input(placeholder="part of a name or title", id="filter")
        yield OptionList(id="pages", markup=False)
        yield Static("enter opens \u00b7 type to search among the pages \u00b7 escape", id="hint", markup=False)

    def on_mount(self) -> None:
        """Show the names at once, and look at the pages one after the other."""
        self.query_one(OptionList).can_focus = False
        self._list()
        self.query_one(Input).focus()
        self._timer = self.set_interval(_TICK, self._look_at_next)

    def action_walk(self, action: str) -> None:
        """Move in the list, while what is typed goes to the filter."""
        getattr(self.query_one(OptionList), f"action_{action}")()

    def action_leave(self) -> None:
        """Close the overview."""
        self.dismiss(None)

    @on(Input.Changed)
    def narrow(self) -> None:
        """Show the pages that have the typed text in their name or title."""
        self._list()

    @on(Input.Submitted)
    def choose(self) -> None:
        """Open the marked page."""
        pages = self.query_one(OptionList)
        if pages.highlighted is not None:
            self.dismiss(int(pages.get_option_at_index(pages.highlighted).id or 0))

    @on(OptionList.OptionSelected)
    def open_clicked(self, event: OptionList.OptionSelected) -> None:
        """Open the page that was clicked."""
        self.dismiss(int(event.option.id or 0))

    def _list(self) -> None:
        words = self.query_one(Input).value.casefold()
        shown = [
            number for number, name in enumerate(self._names) if words in name.casefold() or self._titled(number, words)
        ]
        pages = self.query_one(OptionList)
        pages.clear_options()
        pages.add_options([Option(self._line(number), id=str(number)) for number in shown])
        if shown:
            pages.highlighted = shown.index(self._current) if self._current in shown else 0
        self._show_total()

    def _titled(self, number: int, words: str) -> bool:
        known = self._known.get(number)
        return known is not None and words in known.title.casefold()

    def _look_at_next(self) -> None:
        number = next((number for number in range(len(self._names)) if number not in self._known), None)
        if number is None:
            self._timer.stop()
            return
        self._known[number] = self._look(number)
        words = self.query_one(Input).value.casefold()
        pages = self.query_one(OptionList)
        if words and self._titled(number, words) and words not in self._names[number].casefold():
            self._list()
        elif any(option.id == str(number) for option in pages.options):
            pages.replace_option_prompt(str(number), self._line(number))
        self._show_total()

    def _line(self, number: int) -> Text:
        known = self._known.get(number)
        if known is None:
            return Text(f"   {on_screen(self._names[number])}", no_wrap=True)
        state = "problem" if known.problem else "finished" if known.finished else "begun" if known.begun else "new"
        mark, colour = _MARKS[state]
        more = on_screen(known.problem or known.title)[:_TITLE]
        count = "" if known.problem else f"{known.labelled}/{known.segments}"
        line = Text(" ", no_wrap=True).append(mark, style=f"bold {colour}".strip()).append(f" {count:>9} ")
        line.append("\u25cf " if known.unsaved else "", style="bold red")
        return line.append(on_screen(self._names[number])).append(f"  {more}", style="dim")

    def _show_total(self) -> None:
        known = list(self._known.values())
        looking = f" (looking at page {len(known) + 1} of {len(self._names)})" if len(known) < len(self._names) else ""
        self.query_one("#total", Static).update(f"{summary_line(known)}{looking}")


class SearchLine(ModalScreen[str | None]):
    """A line for the text to search for; the result is None if it was left by escape."""

    CSS = """
    SearchLine { align: left bottom; background: transparent; }
    SearchLine Input { width: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        """Create the line, with what was searched for last."""
        yield Input(
            self._words, placeholder="search in the text of this page; enter; then f, F and g", select_on_focus=True
        )

    def action_leave(self) -> None:
        """Close the line."""
        self.dismiss(None)

    @on(Input.Submitted)
    def search(self, event: Input.Submitted) -> None:
        """Close the line with what was typed."""
        self.dismiss(event.value)
