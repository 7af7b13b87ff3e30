"""A command that runs in a child process, so that a page that ends its process costs only itself.

The parent forks and waits. The child runs the command, and notes in memory that both share what it is about to do
(`dehusk.base.processes.risk`). If it dies while it handles a page, the parent says so and runs the command again, and
there the page is an error. What had been written to standard output and standard error is not written again.

A fork of a process that has imported nothing yet takes a millisecond. Systems without `fork` run the command as it is.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Set
from contextlib import suppress
from itertools import count
from mmap import mmap
from types import FrameType
from typing import Any

from dehusk.base.processes.risk import SIZE, Deaths, Notes, Watch, begin_watch

_MOST_DEATHS = 100  # of a command; each costs a run of it
_PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>
_FAILED = 1  # the exit code of a command that died


def run_watched(run: Callable[[], int], tell: Callable[[str], object], *, what: str = "the command") -> int:
    """Return the exit code of a command, both in this process and in the child that runs it.

    Args:
        run: the command. If this process has several threads, or the system has no fork, it runs here.
        tell: prints a line for people.
        what: how messages call it.
    """
    if not (hasattr(os, "fork") and is_single_threaded()):
        return run()
    typed, deaths, suspects = _temporary_file(), Deaths({}, {}), set[int]()
    for run_number in count(1):
        shared, forwarding = mmap(-1, SIZE), _Forwarding()
        child = os.fork()
        if child == 0:
            forwarding.stop()
            return _run_as_child(run, begin_watch(memoryview(shared), deaths), typed)
        code, noted = forwarding.wait(child), Notes.read(shared[:])
        if forwarding.received and code:  # whatever it failed by: the signal may have ended a process of its own first
            return 128 + forwarding.received
        if code >= 0:
            return code
        died = f"its process died (signal {-code})"
        if not (noted.is_at_risk or noted.handled) or run_number > _MOST_DEATHS:
            tell(f"{noted.name or what}: {died}")
            return _FAILED
        tell(f"{noted.name or 'a page'}: {died}; {what} starts over without it")
        deaths = _with(deaths, noted, suspects, died)
        suspects |= noted.handled
    raise AssertionError  # the count has no end


def _with(deaths: Deaths, noted: Notes, suspects: Set[int], died: str) -> Deaths:
    """Return the deaths with another one.

    If several pages were handled, it is unknown which of them was to blame, until one of them is handled again when the
    process dies.
    """
    written, told = max(deaths.written, noted.written), max(deaths.told, noted.told)
    if not noted.handled:
        return Deaths({**deaths.blocks, noted.blocks: died}, deaths.pages, written, told, is_first=False)
    guilty = noted.handled if len(noted.handled) == 1 else noted.handled & suspects
    return Deaths(deaths.blocks, {**deaths.pages, **dict.fromkeys(guilty, died)}, written, told, is_first=False)


def is_single_threaded() -> bool:
    """Return whether this process has no other thread, of Python or of a library, so that it may fork."""
    try:
        return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 (a path takes longer than the fork)
    except OSError:
        return threading.active_count() == 1


def end_with_parent(number: signal.Signals) -> None:
    """Have the system send a signal when the parent ends, however it ends; only Linux can."""
    import ctypes  # noqa: PLC0415 (takes longer to import than a fork)

    with suppress(OSError, AttributeError):  # another system, or no C library
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)


def _temporary_file() -> io.FileIO:
    """Return a file for what the command reads from standard input: when it starts over, it reads that again."""
    if hasattr(os, "memfd_create"):
        return io.FileIO(os.memfd_create("dehusk"), "r+b")
    from tempfile import TemporaryFile  # noqa: PLC0415 (takes longer to import than all else here)

    return io.FileIO(os.dup(TemporaryFile().fileno()), "r+b")


def _run_as_child(run: Callable[[], int], watch: Watch, typed: io.FileIO) -> int:
    forbid_core_files()
    sys.stdout = _rewrapped(sys.stdout, io.BufferedWriter(_Output(watch)))
    if sys.stdin is not None:
        typed.seek(0)
        sys.stdin = _rewrapped(sys.stdin, io.BufferedReader(_Input(typed)))
    return run()


def forbid_core_files() -> None:
    """Let this process leave no file with its memory behind if it dies."""
    try:
        import resource  # noqa: PLC0415 (not available on every system)
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _rewrapped(stream: Any, buffered: io.BufferedReader | io.BufferedWriter) -> io.TextIOWrapper:
    """Return a text stream over another file, with the settings of a standard stream."""
    return io.TextIOWrapper(buffered, stream.encoding, stream.errors, line_buffering=stream.line_buffering)


class _Output(io.FileIO):
    """Standard output, without what was written before the command started over."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(1, "wb", closefd=False)
        self._watch = watch

    def write(self, data: Any) -> int:
        """Write what is new, and count all."""
        new = self._watch.unwritten(memoryview(data).cast("B"))
        done = len(data) - len(new) + ((super().write(new) or 0) if new else 0)
        self._watch.wrote(done)
        return done


class _Input(io.FileIO):
    """Standard input from its beginning: what an earlier run of the command read comes from a file."""

    def __init__(self, typed: io.FileIO) -> None:
        super().__init__(0, "rb", closefd=False)
        self._typed = typed

    def readinto(self, buffer: Any) -> int:
        """Read on, and keep what is read."""
        size = self._typed.readinto(buffer) or 0
        if size == 0:
            size = super().readinto(buffer) or 0
            self._typed.write(memoryview(buffer).cast("B")[:size])
        return size

    def readall(self) -> bytes:
        """Read on until the end, as `readinto` does."""
        return b"".join(iter(lambda: self.read(1 << 20), b""))

    def read(self, size: int | None = -1, /) -> bytes:
        """Read on, as `readinto` does."""
        if size is None or size < 0:
            return self.readall()
        buffer = bytearray(size)
        return bytes(memoryview(buffer)[: self.readinto(buffer)])


class _Forwarding:
    """Sends signals that end a command on to a child, and does nothing else about them until the child has ended."""

    def __init__(self) -> None:
        self.received, self._child = 0, 0
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        self._before = {number: signal.signal(number, self._forward) for number in numbers}

    def stop(self) -> None:
        """Handle signals as before."""
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def wait(self, child: int) -> int:
        """Return the exit code of a child; of one that a signal ended, the negative number of the signal."""
        self._child = child
        if self.received:  # before the child's number was known
            os.kill(child, self.received)
        status = os.waitpid(child, 0)[1]
        self._child = 0
        self.stop()
        return os.waitstatus_to_exitcode(status)

    def _forward(self, number: int, _frame: FrameType | None) -> None:
        self.received = number
        if self._child:
            os.kill(self._child, number)
