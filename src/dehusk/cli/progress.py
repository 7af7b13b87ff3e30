"""Progress on standard error: a single line, redrawn in place, and only on a terminal.

There is one terminal, so there is one progress line. Code that prints something else while the line is drawn must call
`clear` first, so that the two never share a line; `dehusk.cli.output.report` does.
"""

import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

_BAR_WIDTH = 20
_SECONDS_BETWEEN_DRAWS = 0.1

_drawn_width = 0  # of the line on the terminal; 0 if none is drawn


class ProgressLine:
    """Shows how far a run is; draws nothing if `quiet`, or if standard error is not a terminal."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._visible = not quiet and sys.stderr.isatty()
        self._stage = ""
        self._started = self._last_draw = 0.0
        self._done_before = 0

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *_: object) -> None:
        clear()

    def show(self, stage: str, done: int, total: int | None, note: str = "") -> None:
        """Draw the state of a run.

        Args:
            stage: what is being done, for example "cleaning".
            done: items of this stage that are finished.
            total: items of this stage; None or 0 if unknown.
            note: shown at the end of the line.
        """
        if not self._visible:
            return
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._started, self._done_before = stage, now, done
        elif _drawn_width and now - self._last_draw < _SECONDS_BETWEEN_DRAWS and done != total:
            return
        self._last_draw = now
        speed = (done - self._done_before) / max(now - self._started, 1e-3)
        _draw("  ".join(filter(None, (stage, _position(done, total), _pace(speed, done, total), note))))


def track(items: Iterable[T], total: int, *, stage: str = "cleaning", quiet: bool = False) -> Iterator[T]:
    """Yield items, and show how many of `total` have been yielded; for a single item, show nothing."""
    if total < 2:
        yield from items
        return
    with ProgressLine(quiet=quiet) as line:
        line.show(stage, 0, total)
        for done, item in enumerate(items, 1):
            if sys.stdout.isatty():  # the caller may print the item there
                clear()
            yield item
            line.show(stage, done, total)


def clear() -> None:
    """Remove the progress line from the terminal, if one is drawn; the next `show` draws it again."""
    global _drawn_width  # noqa: PLW0603 (the state of the terminal)
    if _drawn_width:
        sys.stderr.write(f"\r{' ' * _drawn_width}\r")
        sys.stderr.flush()
        _drawn_width = 0


def _draw(text: str) -> None:
    global _drawn_width  # noqa: PLW0603 (the state of the terminal)
    text = text[: shutil.get_terminal_size().columns - 1]  # a line that wraps cannot be redrawn in place
    sys.stderr.write(f"\r{text:<{_drawn_width}}")
    sys.stderr.flush()
    _drawn_width = len(text)


def _position(done: int, total: int | None) -> str:
    if not total:
        return str(done)
    filled = min(_BAR_WIDTH, _BAR_WIDTH * done // total)
    return f"[{'#' * filled}{'-' * (_BAR_WIDTH - filled)}] {min(100, 100 * done // total):>3}% {done}/{total}"


def _pace(speed: float, done: int, total: int | None) -> str:
    """Return items per second and the time left, for example "41/s 0:05"."""
    if not speed:
        return ""
    left = round((total - done) / speed) if total and total > done else 0
    hours, minutes, seconds = left // 3600, left // 60 % 60, left % 60
    return f"{speed:.{0 if speed >= 10 else 1}f}/s" + (
        f" {hours}:{minutes:02}:{seconds:02} left" if hours else f" {minutes}:{seconds:02} left" if left else ""
    )
