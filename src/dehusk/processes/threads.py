"""Threads that each do one task after the other and own what they need for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")
Owned = TypeVar("Owned")


class StoppedError(Exception):
    """The work was stopped from elsewhere."""


def run_in_threads(
    tasks: Sequence[T],
    work: Callable[[Owned, T], object],
    owned: Sequence[Owned],
    *,
    stop: threading.Event,
) -> None:
    """Do tasks in threads; the first error ends the others' work and is raised here.

    Args:
        tasks: begun in their order.
        work: called with what the thread owns and a task; looks at `stop` now and then and raises `StoppedError`.
        owned: there is a thread for each of these.
        stop: set when the work is to end.
    """
    waiting: SimpleQueue[T] = SimpleQueue()
    for task in tasks:
        waiting.put(task)
    errors: list[BaseException] = []

    def run(mine: Owned) -> None:
        try:
            while not stop.is_set():
                work(mine, waiting.get_nowait())
        except Empty:
            return
        except BaseException as error:  # it is raised again in the caller's thread
            errors.append(error)
            stop.set()

    threads = [threading.Thread(target=run, args=(mine,)) for mine in owned[: len(tasks)]]
    for thread in threads:
        thread.start()
    _join(threads, stop)
    if found := [error for error in errors if not isinstance(error, StoppedError)]:
        raise found[0]


def _join(threads: Sequence[threading.Thread], stop: threading.Event) -> None:
    """Wait for threads; where the user ends the run, they are let end their children first."""
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        stop.set()
        for thread in threads:
            thread.join()
        raise
