"""Results that threads deliver in any order, handled in the order of their numbers."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

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
