"""Threads that each own a resource, such as a child process, and do one task after another with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence, Sized
from typing import TypeVar

T = TypeVar("T")
Owned = TypeVar("Owned")

_POLL = 0.2  # seconds between checks of `stop`
_RETRY = 0.05  # seconds between attempts to abort


class StoppedError(Exception):
    """The work was stopped by another thread."""


def run_in_threads(
    tasks: Iterable[T],
    work: Callable[[Owned, T], object],
    owned: Sequence[Owned],
    *,
    stop: threading.Event,
    abort: Callable[[Owned], object],
) -> None:
    """Do tasks in threads. The first error, or an interrupt, stops all threads and is raised here.

    Args:
        tasks: started in this order; taken by one thread at a time, when it is ready for another.
        work: called with the thread's resource and a task; checks `stop` regularly and raises `StoppedError` if it is
            set.
        owned: one resource per thread; there are as many threads as resources.
        stop: set to stop the work.
        abort: called with a thread's resource, from any thread and possibly several times; makes `work` return or raise
            soon, even if it is waiting for that resource.
    """
    source, taking, beginning = iter(tasks), threading.Lock(), threading.Lock()
    errors: list[BaseException] = []

    begun: list[threading.Event] = []

    def work_on_tasks(resource: Owned, ended: threading.Event) -> None:
        with beginning:
            if stop.is_set():  # an interrupt has come while threads were being started
                return
            begun.append(ended)
        try:
            while not stop.is_set():
                with taking:
                    task = next(source, None)
                if task is None:
                    return
                work(resource, task)
        except BaseException as error:  # raised again in the caller's thread
            errors.append(error)
            stop.set()
        finally:
            ended.set()

    used = owned[: len(tasks)] if isinstance(tasks, Sized) else owned
    # events, because an interrupt during `Thread.join` makes Python up to 3.12 take a running thread for ended
    ended = [threading.Event() for _ in used]
    try:
        for resource, event in zip(used, ended, strict=True):
            threading.Thread(target=work_on_tasks, args=(resource, event)).start()
        _wait(ended, stop)
    except BaseException:
        with beginning:
            stop.set()
        raise
    finally:
        _abort(begun, lambda: [abort(resource) for resource in used])
    if failures := [error for error in errors if not isinstance(error, StoppedError)]:
        raise failures[0]


def _abort(ended: Sequence[threading.Event], abort: Callable[[], object]) -> None:
    """Wait until all threads have ended; abort the work of those that have not."""
    while running := [event for event in ended if not event.is_set()]:
        abort()  # repeatedly, because a thread may have been starting a process
        running[0].wait(_RETRY)


def _wait(ended: Sequence[threading.Event], stop: threading.Event) -> None:
    """Wait until all threads have ended or one of them has set `stop`."""
    for event in ended:
        while not event.is_set() and not stop.is_set():
            event.wait(_POLL)
