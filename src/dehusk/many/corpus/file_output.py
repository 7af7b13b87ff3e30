"""A file of the output folder, written from results that several workers deliver in any order."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from typing import Generic, TypeVar

from dehusk.base.processes.threads import StoppedError

Result = TypeVar("Result")


class FileOutput(ABC, Generic[Result]):
    """Writes the results of the jobs that one input file is divided into, in the order of the jobs.

    The output is opened with the first result. It appears once all results have been delivered.
    """

    def __init__(self) -> None:
        self.done = False
        """Whether the output is complete."""
        self._stack = ExitStack()
        self._opened = False
        self._order: InOrder[Result | None] = InOrder(
            self._take, size=lambda item: 0 if item is None else self.size(item)
        )

    @abstractmethod
    def open(self, stack: ExitStack) -> None:
        """Open the output; the stack closes it."""

    @abstractmethod
    def write(self, result: Result) -> None:
        """Write the result of a job."""

    @abstractmethod
    def finish(self) -> None:
        """Mark the output as done; it is closed and in place."""

    def size(self, result: Result) -> int:
        """Return roughly how many bytes of memory a result takes."""
        del result
        return 1

    @property
    def waiting(self) -> int:
        """How many bytes of memory the results take that wait for those of earlier jobs."""
        return self._order.waiting

    def put(self, number: int, result: Result) -> None:
        """Deliver the result of a job."""
        self._order.put(number, result)

    def put_end(self, number: int) -> None:
        """Deliver the number of jobs."""
        self._order.put(number, None)

    def _take(self, result: Result | None) -> None:
        if not self._opened:
            self._opened = True
            self.open(self._stack)
        if result is not None:
            self.write(result)
            return
        self._stack.close()
        self.finish()
        self.done = True

    def abort(self) -> None:
        """Discard the output unless it is complete."""
        if not self.done:
            self._stack.__exit__(StoppedError, StoppedError(), None)


T = TypeVar("T")


class InOrder(Generic[T]):
    """Handles numbered items one after another, starting with 0, in the threads that deliver them.

    Args:
        handle: called with each item; never by two threads at a time.
        size: the size of an item, in the unit of `waiting`.
    """

    def __init__(self, handle: Callable[[T], object], *, size: Callable[[T], int] = lambda _: 1) -> None:
        self.handle = handle
        self.size = size
        self.waiting = 0
        """Total size of the items that wait for others."""
        self._items: dict[int, T] = {}
        self._next = 0
        self._busy = False
        self._lock = threading.Lock()

    def put(self, number: int, item: T) -> None:
        """Deliver an item; handle it, and those that waited for it, unless another thread is doing that."""
        with self._lock:
            self._items[number] = item
            self.waiting += self.size(item)
            if self._busy:
                return
            self._busy = True
        while (taken := self._take()) is not None:
            self.handle(taken[0])  # if it raises, nothing more is handled

    def _take(self) -> tuple[T] | None:
        """Remove the next item; if it has not been delivered, leave the work to the thread that delivers it."""
        with self._lock:
            if self._next not in self._items:
                self._busy = False
                return None
            item = self._items.pop(self._next)
            self._next += 1
            self.waiting -= self.size(item)
            return (item,)
