"""A child process that handles one item after another, and may be slow, hang or die."""

from __future__ import annotations

import ctypes
import os
import re
import select
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker, spawn
from multiprocessing.connection import Connection
from multiprocessing.context import ForkContext, ForkServerContext, SpawnContext
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from dehusk.base.errors import ChildDiedError, ChildError, ChildSlowError
from dehusk.base.processes.watched import forbid_core_files, is_single_threaded

Data = bytes | bytearray | memoryview
T = TypeVar("T")
R = TypeVar("R")

PAGE_MEMORY = 2000.0
"""MB that a page may take, where nobody says otherwise: one at the limits of size, in all formats, takes 700."""
_START_SECONDS = 60.0  # to import what the work needs
_PATIENCE = 3  # a child without a parent ends itself after this many times an item's time
_STARTING = threading.Lock()  # threads must not change the list of children in `multiprocessing` together

_PARENTS_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_SHARED = 1_000_000  # bytes of the memory that a child shares with its parent; larger pages go through the pipe
_MAX_TIMER = 1e8  # seconds
_MAX_WAIT = 2e6  # seconds
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of <malloc.h>
_KEPT_MEMORY = 32_000_000  # bytes; the most that glibc allows for the second of them
_STATUS = Path("/proc/self/status")  # Linux; other systems do not report memory
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)
_SIZE = re.compile(r"^VmSize:\s+(\d+) kB", re.MULTILINE)


class ChildResult(NamedTuple, Generic[R]):
    """The result for one item."""

    result: R
    seconds: float
    """CPU time in the child."""


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
        preload: a module that takes long to import and starts no threads; "" for a new interpreter, which takes longest
            to start, and has nothing of this process.

    Otherwise, on Linux, a process with a single thread forks its children. One with several threads lets a server
    process with one thread do so, which has imported `preload` and lives as long as this program; such children see the
    environment variables of the moment when the first of them was started. Elsewhere each child is a new interpreter.
    The module `__main__` of a program is not imported again, so a program needs no guard for that, but what is sent
    must be of other modules.
    """

    def __init__(
        self,
        make: Callable[[Any], Callable[[T], Any]],
        argument: Any,
        *,
        seconds: float,
        finish: Callable[[Any], R] | None = None,
        memory: float | None = None,
        preload: str = "dehusk.cleaning",
    ) -> None:
        self.make = make
        self.argument = argument
        self.seconds = seconds
        self.finish = finish
        self.memory = memory
        self.preload = preload
        self._process: Any = None
        self._shared = memoryview(b"")
        self._pipe: Connection | None = None
        self._owner = 0

    def work(self, item: T, *, data: Data | None = None, seconds: float | None = None) -> ChildResult[R]:
        """Return the result for an item, and its cost.

        Args:
            item: sent to the child.
            data: sent as well, at less cost; then the function is called with the item and a view of these bytes, which
                is valid until it returns.
            seconds: wall time that this item may take; by default that of all items.

        Raises:
            ChildSlowError: it took too long.
            ChildDiedError: the process ended.
            ChildError: the child raised an exception, or could not be started.
        """
        limit = self.seconds if seconds is None else seconds
        pipe = self._sent(item, limit, data)
        try:
            if not _comes(pipe, limit):
                self.stop()
                raise ChildSlowError(f"took longer than {limit:g} s")
            result, spent, problem = pipe.recv()
        except (EOFError, OSError) as error:
            raise ChildDiedError(f"its process died{self._cause_of_death()}") from error
        if problem:
            raise ChildError(problem)
        return ChildResult(result, spent)

    def _sent(self, item: T, seconds: float, data: Data | None) -> Connection:
        """Send an item, and return the pipe to the process; if that died before, the item is not to blame."""
        try:
            return self._send(self._connect(), item, seconds, data)
        except OSError:
            self.stop()
        try:
            return self._send(self._connect(), item, seconds, data)
        except OSError as error:
            self.stop()
            raise ChildDiedError(f"its process could not be used: {error.strerror or error}") from error

    def _send(self, pipe: Connection, item: T, seconds: float, data: Data | None) -> Connection:
        size = None if data is None else len(data)
        if data is not None and len(data) <= _SHARED:
            self._shared[: len(data)], data = data, None
        pipe.send((item, seconds, size, None if data is None else bytes(data)))
        return pipe

    def _cause_of_death(self) -> str:
        """Clean up after a process that died, and return how it died; "" if unknown."""
        process = self._process
        process.join(1)
        code = process.exitcode
        self.stop()
        if not code:
            return ""
        return f" (signal {-code})" if code < 0 else f" (exit code {code})"

    @property
    def pid(self) -> int | None:
        """The number of the process; None if there is none."""
        process = self._process
        return None if process is None else process.pid

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
        if self._owner != os.getpid():  # a fork of the program shares these with it, and must not use them
            self._process = self._pipe = None
        if self._pipe is not None:
            return self._pipe
        self._owner = os.getpid()
        with _STARTING:
            context = self._context()
            self._pipe, childs_end = context.Pipe()
            shared = context.RawArray("B", _SHARED)
            self._shared = memoryview(shared).cast("B")
            # a fork has this end too, and would not notice that the other process has ended
            parents_end = self._pipe if context.get_start_method() == "fork" else None
            does = _Work(self.make, self.argument, self.finish, self.memory)
            self._process = context.Process(target=_serve, args=(childs_end, parents_end, shared, does), daemon=True)
            with _signals_blocked(), _without_threads(), _without_main():
                self._process.start()
            # at the latest when this program ends: a child ignores SIGTERM, for which `multiprocessing` would wait
            weakref.finalize(self, _kill, self._process, os.getpid())
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

    def _context(self) -> ForkContext | SpawnContext | ForkServerContext:
        if sys.platform == "linux" and self.preload and is_single_threaded():
            return get_context("fork")
        if hasattr(signal, "pthread_sigmask"):
            resource_tracker.ensure_running()  # `multiprocessing` unblocks the signals when it starts this process
        if sys.platform != "linux" or not self.preload:
            return get_context("spawn")
        context = get_context("forkserver")
        context.set_forkserver_preload([self.preload])  # of the first such child
        return context


def _kill(process: Any, parent: int) -> None:
    """Kill a child of this process; one that was forked from it has the same objects, but other children."""
    if os.getpid() == parent:
        process.kill()


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Protect processes started in this block from SIGINT and SIGTERM; their parent shuts them down itself.

    Otherwise, a signal to the whole process group, such as Ctrl-C in a terminal, would look like a crash of a child.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
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


@contextmanager
def _without_main() -> Iterator[None]:
    """Let processes started in this block, by this thread, not import the module `__main__` of the program again."""
    prepare, thread = spawn.get_preparation_data, threading.get_ident()

    def prepare_without_main(name: str) -> dict[str, Any]:
        data = prepare(name)
        if threading.get_ident() == thread:
            data.pop("init_main_from_name", None)
            data.pop("init_main_from_path", None)
        return data

    spawn.get_preparation_data = prepare_without_main
    try:
        yield
    finally:
        spawn.get_preparation_data = prepare


def _comes(pipe: Connection, seconds: float) -> bool:
    """Return whether something comes through a pipe in this time; `Connection.poll` takes 30 µs longer to ask."""
    if not hasattr(select, "poll"):
        return pipe.poll(seconds)
    events = select.poll()
    events.register(pipe.fileno(), select.POLLIN)
    return bool(events.poll(min(seconds, _MAX_WAIT) * 1000))


class _Work(NamedTuple):
    """What a child does, as `Child` describes it."""

    make: Callable[[Any], Callable[[Any], Any]]
    argument: Any
    finish: Callable[[Any], Any] | None
    memory: float | None


def _serve(pipe: Connection, parents_end: Connection | None, shared: Any, does: _Work) -> None:
    """Run in the child: report that it is ready, or why it cannot start, then handle one item after another."""
    problem = ""
    if parents_end is not None:
        parents_end.close()
    forbid_core_files()
    for number in _PARENTS_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    try:
        work = does.make(does.argument)
        _limit_memory(does.memory)
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
    except Exception as error:  # every error is reported to the parent
        problem = one_line(error)
    try:
        pipe.send(problem)
    except BrokenPipeError:
        return  # the parent has ended
    if not problem:
        _handle_items(pipe, memoryview(shared).cast("B"), work, does.finish)


def _handle_items(
    pipe: Connection, shared: memoryview, work: Callable[..., Any], finish: Callable[[Any], Any] | None
) -> None:
    while True:
        try:
            item, seconds, size, data = pipe.recv()
        except (EOFError, OSError):
            return  # the parent has ended
        end_after(_PATIENCE * seconds + 1)
        start = time.process_time()
        result, problem, spent = None, "", 0.0
        try:
            result = work(item) if size is None else work(item, shared[:size] if data is None else memoryview(data))
            spent = time.process_time() - start
            result = finish(result) if finish else result
        except Exception as error:  # every error is reported to the parent
            result, problem = None, one_line(error)
        end_after(0)
        try:
            pipe.send((result, spent, problem))
        except BrokenPipeError:
            return
        except Exception as error:  # a result that cannot be sent
            pipe.send((None, spent, one_line(error)))


def end_after(seconds: float) -> None:
    """End this process after some seconds; 0 cancels that. If the parent is killed, nothing else ends a hanging child.

    A child that does several things for one item calls this before each. The signal ends the process whatever it is
    doing, and setting the timer takes a microsecond.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds if seconds < _MAX_TIMER else 0)


def keep_freed_memory() -> None:
    """Have the C library keep freed memory for the next page, which saves a tenth of its time."""
    with suppress(OSError, AttributeError):  # only glibc has it
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_MMAP_THRESHOLD, _KEPT_MEMORY)
        mallopt(_M_TRIM_THRESHOLD, _KEPT_MEMORY)


def _limit_memory(memory: float | None) -> None:
    """Limit this process's address space to its current size plus `memory` MB; never above a limit from outside."""
    size = _SIZE.search(_STATUS.read_text("ascii", "replace")) if memory and _STATUS.exists() else None
    if memory is None or size is None:
        return
    import resource  # noqa: PLC0415 (not available on every system)

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = min(int(size[1]) * 1024 + memory * 1e6, sys.maxsize if most == resource.RLIM_INFINITY else most)
    resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))


def one_line(error: Exception) -> str:
    """Return the message for an exception in a child."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:500] or "error"
