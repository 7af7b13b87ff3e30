"""On SIGINT and SIGTERM, end a command and everything that it started in an orderly way."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from dehusk.cli.exit_codes import ExitCode

_MOMENT = 0.5  # seconds


class TerminatedError(KeyboardInterrupt):
    """SIGTERM was received; code that cleans up after Ctrl-C also cleans up after it."""


class Interruption:
    """Remembers which signal ended the command."""

    exit_code: ExitCode | None = None
    """The signal; None if none was received."""
    _at = 0.0

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Handle SIGINT."""
        if self._is_first(ExitCode.INTERRUPTED):
            raise KeyboardInterrupt

    def terminate(self, _number: int, _frame: FrameType | None) -> None:
        """Handle SIGTERM."""
        if self._is_first(ExitCode.TERMINATED):
            raise TerminatedError

    def _is_first(self, code: ExitCode) -> bool:
        """Return whether no signal came a moment ago: a terminal sends one, and the parent forwards its own."""
        before, self._at = self._at, time.monotonic()
        self.exit_code = code
        return self._at - before > _MOMENT


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Raise KeyboardInterrupt on SIGINT and SIGTERM, and afterwards kill the remaining child processes.

    The handlers are installed even if SIGINT is ignored, as it is in a shell's background jobs and under `nohup`,
    because a signal sent to this process is meant for it.
    """
    interruption = Interruption()
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, interruption.interrupt),
        signal.SIGTERM: signal.signal(signal.SIGTERM, interruption.terminate),
    }
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if interruption.exit_code is not None:
            import multiprocessing

            for child in multiprocessing.active_children():
                child.kill()
