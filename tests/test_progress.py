"""The progress line: what it shows, and that it never shares a line with other output."""

import io
import re
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from dehusk.cli import progress
from dehusk.cli.output import report
from dehusk.cli.progress import ProgressLine, track


class Terminal(io.StringIO):
    """Both output streams of a terminal; `lines` is what a person sees in the end."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        return [self._seen(line) for line in self.getvalue().split("\n")]

    @staticmethod
    def _seen(line: str) -> str:
        seen = ""
        for part in line.split("\r"):
            seen = part + seen[len(part) :]
        return seen.rstrip()


def open_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make a terminal of both streams; not a fixture, because pytest replaces the streams after those."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", "100")
    return stream


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    now = SimpleNamespace(seconds=1000.0)
    monkeypatch.setattr(progress.time, "monotonic", lambda: now.seconds)
    return now


def test_the_line_shows_stage_position_speed_and_time_left(
    monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace
) -> None:
    terminal = open_terminal(monkeypatch)
    with ProgressLine() as line:
        line.show("reading", 0, 4)
        assert terminal.lines == ["reading  [--------------------]   0% 0/4"]
        clock.seconds += 2
        line.show("reading", 1, 4)
        assert terminal.lines == ["reading  [#####---------------]  25% 1/4  0.5/s 0:06 left"]
        line.show("cleaning", 100, 40_000, "99 ok, 1 limit")
        assert terminal.lines == ["cleaning  [--------------------]   0% 100/40000  99 ok, 1 limit"]
        clock.seconds += 5
        line.show("cleaning", 150, 40_000, "149 ok, 1 limit")
        assert terminal.lines == ["cleaning  [--------------------]   0% 150/40000  10/s 1:06:25 left  149 ok, 1 limit"]
    assert terminal.lines == [""], "the line is removed at the end"


def test_a_stage_of_unknown_size_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with ProgressLine() as line:
        line.show("crawling", 7, None, "12 waiting")
        assert terminal.lines == ["crawling  7  12 waiting"]


def test_a_line_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "30")
    with ProgressLine() as line:
        line.show("cleaning", 1, 4, "x" * 100)
        assert terminal.lines == ["cleaning  [#####-------------"]


def test_frequent_updates_are_drawn_ten_times_a_second(monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace) -> None:
    terminal = open_terminal(monkeypatch)
    with ProgressLine() as line:
        for done in range(999):
            clock.seconds += 0.01
            line.show("cleaning", done, 1000)
        assert 80 < terminal.getvalue().count("\r") < 105
        line.show("cleaning", 1000, 1000)
        assert "1000/1000" in terminal.lines[0], "the last state is always drawn"


def test_results_and_messages_have_lines_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    for page in track("abc", 3, stage="learning"):
        sys.stdout.write(f'{{"page": "{page}"}}\n')
        if page == "b":
            report("b: not-html: a PDF")
    assert terminal.lines == ['{"page": "a"}', '{"page": "b"}', "dehusk: b: not-html: a PDF", '{"page": "c"}', ""]
    assert re.search(r"learning  \[#{6}-{14}\]  33% 1/3", terminal.getvalue())


def test_nothing_is_drawn_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    assert list(track("abc", 3, quiet=True)) == list("abc")
    assert list(track("a", 1)) == ["a"], "a single item needs no progress"
    assert terminal.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert list(track("abc", 3)) == list("abc")
    assert sys.stderr.getvalue() == "", "not a terminal"  # type: ignore[attr-defined]


def test_an_error_removes_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)

    def interrupted() -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(track(interrupted(), 2))
    assert "50%" in terminal.getvalue()
    assert terminal.lines == [""]
