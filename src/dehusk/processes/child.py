"""A child process that handles one item after another, and may be slow, hang or die."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_START_SECONDS = 60.0  # to import what the work needs
_PATIENCE = 3  # a child without a parent ends itself after this many times an item's time
_STARTING = threading.Lock()  # threads must not change the list of children in `multiprocessing` together

_PARENTS_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_MAX_TIMER = 1e8  # seconds
_STATUS = Path("/proc/self/status")  # Linux; other systems do not report memory
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)
_SIZE = re.compile(r"^VmSize:\s+(\d+) kB", re.MULTILINE)


class ChildResult(NamedTuple, Generic[R]):
    """The result for one item."""

    result: R
    seconds: float
    """CPU time in the child."""


class ChildError(Exception):
    """The child returned no result; the message is one line that says why."""


class ChildSlowError(ChildError):
    """An item took too long, and its process was killed."""


class ChildDiedError(ChildError):
    """The process ended unexpectedly: it crashed, or the system killed it."""


class Child(Generic[T, R]):
    """One process for many items: started when first needed, replaced when it hangs or dies.

    Args:
        make: a module-level function; called in the child, it returns the function that handles an item.
        argument: passed to `make`; sent to the child, as are items.
        seconds: wall time that an item may take.
        finish: a module-level function, applied to each result in the child; what it returns is sent back. Its CPU time
            is not counted, because it only prepares results for reports.
        memory: MB of address space that items may use beyond what the child uses once it is ready; None: no limit.
            Beyond it, Python raises MemoryError, which is an item's error like any other. Has no effect on systems
            without `setrlimit`.
        preload: a module that takes long to import and starts no threads. On Linux, the child is forked from a server
            process that has imported it and lives as long as this program; it sees the environment variables of the
            moment when the first such child was started.
    """

    def __init__(
        self,
        make: Callable[[Any], Callable[[T], Any]],
        argument: Any,
        *,
        seconds: float,
        finish: Callable[[Any], R] | None = None,
        memory: float | None = None,
        preload: str = "",
    ) -> None:
        self.make = make
        self.argument = argument
        self.seconds = seconds
        self.finish = finish
        self.memory = memory
        self.preload = preload
        self._process: Any = None
        self._pipe: Connection | None = None

    def work(self, item: T, *, seconds: float | None = None) -> ChildResult[R]:
        """Return the result for an item, and its cost.

        Args:
            item: sent to the child.
            seconds: wall time that this item may take; by default that of all items.

        Raises:
            ChildSlowError: it took too long.
            ChildDiedError: the process ended.
            ChildError: the child raised an exception, or could not be started.
        """
        pipe = self._connect()
        limit = self.seconds if seconds is None else seconds
        try:
            pipe.send((item, limit))
            if not pipe.poll(limit):
                self.stop()
                raise ChildSlowError(f"took longer than {limit:g} s")
            result, spent, problem = pipe.recv()
        except (EOFError, OSError) as error:
            raise ChildDiedError(f"its process died{self._cause_of_death()}") from error
        if problem:
            raise ChildError(problem)
        return ChildResult(result, spent)

    def _cause_of_death(self) -> str:
        """Clean up after a process that died, and return how it died; "" if unknown."""
        process = self._process
        process.join(1)
        code = process.exitcode
        self.stop()
        if not code:
            return ""
        return f" (signal {-code})" if code < 0 else f" (exit code {code})"

    def peak(self) -> float | None:
        """Return the child's peak resident memory in MB, including what it imported; None if unknown.

        `getrusage` is no help: on Linux a process inherits the peak of the process that started it.
        """
        try:
            match = _PEAK.search(Path(f"/proc/{self._process.pid}/status").read_text("ascii", "replace"))
        except (OSError, AttributeError):  # another system, or no process
            return None
        return int(match[1]) * 1024 / 1e6 if match else None

    def kill(self) -> None:
        """Kill the process, if there is one; `work` in another thread then raises ChildDiedError."""
        process = self._process
        if process is not None and process.pid is not None:
            process.kill()

    def kill_until_over(self, thread: threading.Thread | None, seconds: float = 10.0) -> None:
        """Kill the process, also one that starts meanwhile, until the thread that works with it has ended."""
        end = time.monotonic() + seconds
        self.kill()
        while thread is not None and thread.is_alive() and time.monotonic() < end:
            thread.join(0.1)
            self.kill()

    def stop(self) -> None:
        """End the process, if there is one, and wait until it has ended."""
        if self._process is not None and self._process.pid is not None:  # without a number it was never started
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def __enter__(self) -> Child[T, R]:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _connect(self) -> Connection:
        """Return the pipe to the process; start it if there is none."""
        if self._pipe is not None:
            return self._pipe
        context = self._context()
        self._pipe, childs_end = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(childs_end, self.make, self.argument, self.finish, self.memory), daemon=True
        )
        with _STARTING, interrupts_blocked(), _without_threads():
            self._process.start()
        childs_end.close()
        try:
            if not self._pipe.poll(_START_SECONDS):
                self.stop()
                raise ChildError(f"its process was not ready after {_START_SECONDS:g} s")
            problem = self._pipe.recv()
        except (EOFError, OSError) as error:
            self.stop()
            raise ChildDiedError("its process died while starting") from error
        if problem:
            self.stop()
            raise ChildError(problem)
        return self._pipe

    def _context(self) -> SpawnContext | ForkServerContext:
        if not self.preload or sys.platform != "linux":
            return get_context("spawn")
        context = get_context("forkserver")
        context.set_forkserver_preload([self.preload])
        return context


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Protect processes started in this block from SIGINT and SIGTERM; their parent shuts them down itself.

    Otherwise, a signal to the whole process group, such as Ctrl-C in a terminal, would look like a crash of a child.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # `multiprocessing` unblocks the signals when it starts this process
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _PARENTS_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_threads() -> Iterator[None]:
    """Let libraries in processes started in this block compute in one thread: there is a process for each processor."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _serve(
    pipe: Connection,
    make: Callable[[Any], Callable[[T], Any]],
    argument: Any,
    finish: Callable[[Any], R] | None,
    memory: float | None,
) -> None:
    """Run in the child: report that it is ready, or why it cannot start, then handle one item after another."""
    problem = ""
    for number in _PARENTS_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    try:
        work = make(argument)
        _limit_memory(memory)
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
    except Exception as error:  # every error is reported to the parent
        problem = one_line(error)
    try:
        pipe.send(problem)
    except BrokenPipeError:
        return  # the parent has ended
    if not problem:
        _handle_items(pipe, work, finish)


def _handle_items(pipe: Connection, work: Callable[[T], Any], finish: Callable[[Any], R] | None) -> None:
    while True:
        try:
            item, seconds = pipe.recv()
        except (EOFError, OSError):
            return  # the parent has ended
        end_after(_PATIENCE * seconds + 1)
        start = time.process_time()
        result, problem, spent = None, "", 0.0
        try:
            result = work(item)
            spent = time.process_time() - start
            result = finish(result) if finish else result
        except Exception as error:  # every error is reported to the parent
            result, problem = None, one_line(error)
        end_after(0)
        try:
            pipe.send((result, spent, problem))
        except BrokenPipeError:
            return


def end_after(seconds: float) -> None:
    """End this process after some seconds; 0 cancels that. If the parent is killed, nothing else ends a hanging child.

    A child that does several things for one item calls this before each. The signal ends the process whatever it is
    doing, and setting the timer takes a microsecond.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds if seconds < _MAX_TIMER else 0)


def _limit_memory(memory: float | None) -> None:
    """Limit this process's address space to its current size plus `memory` MB."""
    size = _SIZE.search(_STATUS.read_text("ascii", "replace")) if memory and _STATUS.exists() else None
    if memory is None or size is None:
        return
    import resource  # noqa: PLC0415 (not available on every system)

    limit = int(size[1]) * 1024 + int(memory * 1e6)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def one_line(error: Exception) -> str:
    """Return the message for an exception in a child."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:500] or "error"
