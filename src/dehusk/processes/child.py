"""A child process that works on one item after the other and may be slow, hang or die."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_START = 60.0  # seconds that a child may take to import what it needs


_PATIENCE = 3  # times an item's time after which a child whose parent is gone ends itself
_STARTING = threading.Lock()  # `multiprocessing` keeps a list of children that threads must not change together

_MOST = 1e8  # seconds that a timer takes
_STATUS = Path("/proc/self/status")  # Linux; elsewhere nothing is said of memory
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)
_SIZE = re.compile(r"^VmSize:\s+(\d+) kB", re.MULTILINE)


class ChildResult(NamedTuple, Generic[R]):
    """What came of one item."""

    result: R
    seconds: float
    """CPU time in the child."""


class ChildError(Exception):
    """The child gave no result; the text says why in one line."""


class ChildSlowError(ChildError):
    """An item took too long; its process was ended."""


class ChildDiedError(ChildError):
    """The process ended by itself: a crash, or the system ended it."""


class Child(Generic[T, R]):
    """One process for many items: started when it is needed, replaced when it hangs or dies.

    Args:
        make: a function of a module; called in the child, it returns the function that works on an item.
        argument: what `make` is called with; crosses the process border, as items and results do.
        seconds: wall time that an item may take.
        finish: a function of a module; what it makes of a result in the child is what crosses the border. It is not
            part of the CPU time, so that a report on a result costs nobody anything.
        memory: MB of address space that items may take on top of what the child has when it is ready; None: no limit.
            Python raises MemoryError beyond it, which is an item's error as any other. No limit on systems without
            `setrlimit`.
    """

    def __init__(
        self,
        make: Callable[[Any], Callable[[T], Any]],
        argument: Any,
        *,
        seconds: float,
        finish: Callable[[Any], R] | None = None,
        memory: float | None = None,
    ) -> None:
        self.make = make
        self.argument = argument
        self.seconds = seconds
        self.finish = finish
        self.memory = memory
        self._process: Any = None
        self._pipe: Connection | None = None

    def work(self, item: T, *, seconds: float | None = None) -> ChildResult[R]:
        """Return the result for an item and what it cost.

        Args:
            item: what the child works on.
            seconds: wall time for this item, where it is not that of all.

        Raises:
            ChildSlowError: it took too long.
            ChildDiedError: the child's process ended.
            ChildError: the child raised, or could not be started.
        """
        pipe = self._started()
        limit = self.seconds if seconds is None else seconds
        try:
            pipe.send((item, limit))
            if not pipe.poll(limit):
                self.stop()
                raise ChildSlowError(f"took longer than {limit:g} s")
            result, spent, said = pipe.recv()
        except (EOFError, OSError) as error:
            raise ChildDiedError(f"its process died{self._how()}") from error
        if said:
            raise ChildError(said)
        return ChildResult(result, spent)

    def _how(self) -> str:
        """End what is left of a process that died, and return how it did, "" where that is not known."""
        process = self._process
        process.join(1)
        code = process.exitcode
        self.stop()
        if not code:
            return ""
        return f" (signal {-code})" if code < 0 else f" (exit code {code})"

    def peak(self) -> float | None:
        """Return the child's highest resident memory so far in MB, with all it has loaded; None where nobody knows.

        `getrusage` would begin with the memory of the process that started it, which Linux hands on.
        """
        try:
            found = _PEAK.search(Path(f"/proc/{self._process.pid}/status").read_text("ascii", "replace"))
        except (OSError, AttributeError):  # the system does not say, or there is no child
            return None
        return int(found[1]) * 1024 / 1e6 if found else None

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def __enter__(self) -> Child[T, R]:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _started(self) -> Connection:
        if self._pipe is not None:
            return self._pipe
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, self.make, self.argument, self.finish, self.memory), daemon=True
        )
        with _STARTING, interrupts_blocked():
            self._process.start()
        theirs.close()
        try:
            if not self._pipe.poll(_START):
                self.stop()
                raise ChildError(f"was not ready after {_START:g} s")
            error = self._pipe.recv()
        except (EOFError, OSError) as problem:
            self.stop()
            raise ChildError("its process died at the start") from problem
        if error:
            self.stop()
            raise ChildError(error)
        return self._pipe


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Protect processes started in this block from Ctrl-C in the terminal: their parent ends them in an orderly way."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # `multiprocessing` unblocks the signal when it starts this process
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(
    pipe: Connection,
    make: Callable[[Any], Callable[[T], Any]],
    argument: Any,
    finish: Callable[[Any], R] | None,
    memory: float | None,
) -> None:
    """Work in the child: say whether it is ready, then answer item after item."""
    said = ""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a key pressed is for the parent, which ends its children itself
    try:
        work = make(argument)
        _limit(memory)
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
    except Exception as error:  # (whatever it is, the parent is told)
        said = _line(error)
    try:
        pipe.send(said)
    except BrokenPipeError:
        return  # the parent has ended
    if not said:
        _answer(pipe, work, finish)


def _answer(pipe: Connection, work: Callable[[T], Any], finish: Callable[[Any], R] | None) -> None:
    while True:
        try:
            item, seconds = pipe.recv()
        except (EOFError, OSError):
            return  # the parent has ended
        _end_after(_PATIENCE * seconds + 1)
        start = time.process_time()
        result, said, spent = None, "", 0.0
        try:
            result = work(item)
            spent = time.process_time() - start
            result = finish(result) if finish else result
        except Exception as error:  # (the same)
            result, said = None, _line(error)
        _end_after(0)
        try:
            pipe.send((result, spent, said))
        except BrokenPipeError:
            return


def _end_after(seconds: float) -> None:
    """End this process after so much time, 0 for never: a parent that was killed does not end a child that hangs.

    The signal's default is to end the process whatever it does, and to set it costs a microsecond.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds if seconds < _MOST else 0)


def _limit(memory: float | None) -> None:
    """Bound this process's address space to what it has now and some MB more."""
    found = _SIZE.search(_STATUS.read_text("ascii", "replace")) if memory and _STATUS.exists() else None
    if memory is None or found is None:
        return
    import resource  # noqa: PLC0415 (not on every system)

    most = int(found[1]) * 1024 + int(memory * 1e6)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:500] or "error"
