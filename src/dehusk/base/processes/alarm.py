"""A time limit that holds within any step of Python, such as a regular expression that backtracks without an end.

`Limits.seconds` is checked between the steps of cleaning. The alarm interrupts a step, so that a page that never ends
costs its own time. It needs the main thread of a process, and a system with SIGALRM; elsewhere only the process's death
ends a step, as in corpora.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_LONGEST = 1e8  # seconds; `setitimer` refuses much more


class AlarmError(BaseException):
    """The time is up. No `except Exception` on the way keeps it."""


@contextmanager
def alarm_after(seconds: float) -> Iterator[None]:
    """Raise `AlarmError` in this block once it has taken some seconds of wall time, if this process can.

    Another alarm of this process is neither used nor changed: if one is set, this one does nothing.
    """
    usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not usable or seconds > _LONGEST or signal.getsignal(signal.SIGALRM) not in (signal.SIG_DFL, signal.SIG_IGN):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise AlarmError
