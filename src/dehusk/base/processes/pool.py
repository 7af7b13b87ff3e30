"""Child processes that handle items for any number of threads; an item that ends its process costs only itself."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from dehusk.base.errors import ChildError
from dehusk.base.processes.child import Child, Data

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4  # items begun per worker before the results of earlier ones are taken


class ChildPool(Generic[T, R]):
    """Child processes, each started when it is first needed and replaced when it dies; a context.

    Args:
        make: a module-level function; called in a child, it returns the function that handles an item.
        argument: passed to `make`; sent to each child.
        workers: the most children.
        seconds: wall time that an item may take.
        memory: as `Child` has it.
        preload: as `Child` has it.
    """

    def __init__(
        self,
        make: Callable[[Any], Callable[[T], R]],
        argument: Any,
        *,
        workers: int,
        seconds: float,
        memory: float | None = None,
        preload: str = "dehusk.cleaning",
    ) -> None:
        self.workers = workers
        self._children: list[Child[T, R]] = [
            Child(make, argument, seconds=seconds, memory=memory, preload=preload) for _ in range(workers)
        ]
        self._idle = self._children[::-1]  # the last one is taken first: few items need few children
        self._free = threading.Semaphore(workers)
        self.closed = False

    def work(self, item: T, *, data: Data | None = None, seconds: float | None = None, prefer: int | None = None) -> R:
        """Return the result for an item; any thread may ask, and waits until a child is idle.

        Args:
            item: sent to a child.
            data: as `Child.work` has it.
            seconds: wall time that this item may take; by default that of all items.
            prefer: number of the process that should handle it, if it is idle.

        Raises:
            ChildError: as `Child.work`; or the pool is closed.
        """
        with self._free:
            if self.closed:  # a child that starts now would never end
                raise ChildError("its pool of processes is closed")
            child = self._taken(prefer)
            try:
                return child.work(item, data=data, seconds=seconds).result
            finally:
                self._idle.append(child)

    def map(self, items: Iterable[T]) -> Iterator[tuple[T, R | ChildError]]:
        """Yield each item with its result, or the error that took its place, in the order of the items."""
        return in_order(items, self._outcome, workers=self.workers)

    def close(self) -> None:
        """End all children; what is being handled in other threads ends with ChildDiedError, later work at once."""
        self.closed = True
        for child in self._children:
            child.kill()
        for _ in self._children:
            self._free.acquire()
        for child in self._children:
            child.stop()
            self._free.release()

    def __enter__(self) -> ChildPool[T, R]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _taken(self, prefer: int | None) -> Child[T, R]:
        """Remove an idle child from the list; there is one."""
        if prefer is not None:
            for child in self._idle[::-1]:
                if child.pid == prefer:
                    try:
                        self._idle.remove(child)
                    except ValueError:  # another thread was faster
                        break
                    return child
        return self._idle.pop()

    def _outcome(self, item: T) -> tuple[T, R | ChildError]:
        try:
            return item, self.work(item)
        except ChildError as error:
            return item, error


def in_order(items: Iterable[T], work: Callable[[T], R], *, workers: int) -> Iterator[R]:
    """Yield the result of a function for each item, in their order, from several threads.

    Args:
        items: read as needed.
        work: called in several threads, or in this one for one worker, so that the process has no other thread.
        workers: number of threads.
    """
    if workers == 1:
        yield from map(work, items)
        return
    waiting: deque[Future[R]] = deque()
    threads = ThreadPoolExecutor(workers)
    try:
        for item in items:
            waiting.append(threads.submit(work, item))
            if len(waiting) > workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
