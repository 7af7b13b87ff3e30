"""One function over many items, in order, in this process or in child processes that may die."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar, cast

from dehusk.processes.child import interrupts_blocked

T = TypeVar("T")
R = TypeVar("R")

_DONE = object()
_AHEAD = 8  # items a worker that wait, so that order costs no idle time


def map_in_order(work: Callable[[T], R], items: Iterable[T], *, workers: int, died: Callable[[T], R]) -> Iterator[R]:
    """Yield `work(item)` for each item, in the order of the items whatever the number of workers.

    Args:
        work: a function of a module; its items and results cross a process border.
        items: read as they are needed.
        workers: 1 works in this process.
        died: gives the result of an item whose worker process ended without one.
    """
    if workers == 1:
        yield from map(work, items)
        return
    waiting: deque[tuple[T, Future[R]]] = deque()
    source = iter(items)
    pool = _pool(workers)
    try:
        while True:
            while len(waiting) < workers * _AHEAD and (nxt := next(source, _DONE)) is not _DONE:
                waiting.append((cast("T", nxt), _submit(pool, work, cast("T", nxt))))
            if not waiting:
                return
            item, future = waiting.popleft()
            try:
                yield future.result()
            except BrokenProcessPool:
                # which item killed the worker is not known: each that was under way gets a process of its own
                pool.shutdown(wait=False, cancel_futures=True)
                pending = [item, *(item for item, _ in waiting)]
                waiting.clear()
                for one in pending:
                    yield _alone(work, one, died)
                pool = _pool(workers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, work: Callable[[T], R], item: T) -> Future[R]:
    """Submit an item; where a worker has died already, the item's future says so as those under way do."""
    try:
        with interrupts_blocked():  # `submit` starts processes
            return pool.submit(work, item)
    except BrokenProcessPool as error:
        future: Future[R] = Future()
        future.set_exception(error)
        return future


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def _alone(work: Callable[[T], R], item: T, died: Callable[[T], R]) -> R:
    with _pool(1) as pool:
        try:
            return _submit(pool, work, item).result()
        except BrokenProcessPool:
            return died(item)
