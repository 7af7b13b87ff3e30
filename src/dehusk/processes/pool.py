"""Apply a function to many items, in worker processes that may die, and keep the order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from dehusk.processes.child import interrupts_blocked

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 8  # items queued per worker, so that no worker waits while results are put in order


def map_in_order(
    work: Callable[[T], R], items: Iterable[T], *, workers: int, on_death: Callable[[T], R]
) -> Iterator[R]:
    """Yield `work(item)` for each item, in the order of the items for any number of workers.

    Args:
        work: a module-level function; items and results are sent between processes.
        items: read as needed.
        workers: number of processes. One is not this process either: an item that ends it must not end the run.
        on_death: returns the result for an item whose worker process died.
    """
    queue: deque[tuple[T, Future[R]]] = deque()
    source = iter(items)
    pool = _new_pool(workers)
    try:
        while True:
            _fill(queue, source, workers * _AHEAD, pool, work)
            if not queue:
                return
            item, future = queue.popleft()
            try:
                yield future.result()
            except BrokenProcessPool:
                # it is unknown which item killed its worker, so each unfinished item gets a process of its own
                pool.shutdown(wait=False, cancel_futures=True)
                unfinished = [item, *(item for item, _ in queue)]
                queue.clear()
                for item in unfinished:
                    yield _work_separately(work, item, on_death)
                pool = _new_pool(workers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _fill(
    queue: deque[tuple[T, Future[R]]],
    source: Iterator[T],
    size: int,
    pool: ProcessPoolExecutor,
    work: Callable[[T], R],
) -> None:
    """Submit items until the queue has a given size or the items end."""
    while len(queue) < size:
        try:
            item = next(source)
        except StopIteration:
            return
        queue.append((item, _submit(pool, work, item)))


def _submit(pool: ProcessPoolExecutor, work: Callable[[T], R], item: T) -> Future[R]:
    """Submit an item; if a worker has already died, return a future that fails, as do those of unfinished items."""
    try:
        with interrupts_blocked():  # `submit` starts processes
            return pool.submit(work, item)
    except BrokenProcessPool as error:
        future: Future[R] = Future()
        future.set_exception(error)
        return future


def _new_pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def _work_separately(work: Callable[[T], R], item: T, on_death: Callable[[T], R]) -> R:
    with _new_pool(1) as pool:
        try:
            return _submit(pool, work, item).result()
        except BrokenProcessPool:
            return on_death(item)
