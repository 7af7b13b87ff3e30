"""How much a service does at a time, what it refuses, and what it has done, for Prometheus."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from dehusk.base.errors import DehuskError, Status

T = TypeVar("T")

_READING = 4  # bodies that may arrive at a time, for each request that may wait or run
_LATEST = 0.1  # weight of the latest request in the mean time of requests
_MOST_SECONDS = 60


class OverloadedError(DehuskError):
    """The queue is full.

    Attributes:
        seconds: when to try again.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(f"as much waits as may wait: try again in {seconds} s")
        self.seconds = seconds


class Capacity:
    """Runs requests in threads, some at a time; others wait, or are refused.

    Args:
        workers: the most that run at a time.
        queue: the most that wait.
    """

    def __init__(self, workers: int, queue: int) -> None:
        self.workers, self.queue = workers, queue
        self.admitted = 0
        """Requests that wait or run."""
        self.running = 0
        """What runs, lines of batches included."""
        self._reading, self._mean, self._threads = 0, 0.1, CapacityLimiter(workers)
        self._counting = Lock()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read the body of a request in this block.

        Raises:
            OverloadedError: the request would be refused anyway, or very many bodies are on their way.
        """
        most = self.workers + self.queue
        if self.admitted >= most or self._reading >= _READING * most:
            raise OverloadedError(self._soon())
        self._reading += 1
        try:
            yield
        finally:
            self._reading -= 1

    @contextmanager
    def admit(self) -> Iterator[None]:
        """Answer a request in this block.

        Raises:
            OverloadedError: the queue is full.
        """
        if self.admitted >= self.workers + self.queue:
            raise OverloadedError(self._soon())
        self.admitted += 1
        try:
            yield
        finally:
            self.admitted -= 1

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of a function, which runs in a thread when its turn comes."""
        return await to_thread.run_sync(self._timed, work, limiter=self._threads)

    def _timed(self, work: Callable[[], T]) -> T:
        start = time.monotonic()
        with self._counting:
            self.running += 1
        try:
            return work()
        finally:
            with self._counting:
                self.running -= 1
                self._mean += _LATEST * (time.monotonic() - start - self._mean)

    def _soon(self) -> int:
        """Return after how many seconds those who wait now will be done, more or less."""
        return max(1, min(_MOST_SECONDS, math.ceil(self.admitted * self._mean / self.workers)))


class Metrics:
    """What a service has done, as Prometheus reads it.

    Args:
        capacity: of the service.
    """

    def __init__(self, capacity: Capacity) -> None:
        registry = self._registry = CollectorRegistry()
        self._requests = Counter("dehusk_requests", "Requests answered.", ["path", "code"], registry=registry)
        self._seconds = Histogram("dehusk_request_seconds", "From request to answer.", ["path"], registry=registry)
        self._pages = Counter("dehusk_pages", "Answers by the outcome of their page.", ["status"], registry=registry)
        for status in Status:
            self._pages.labels(status)
        gauges: dict[str, tuple[str, Callable[[], float]]] = {
            "workers": ("Processes that clean pages.", lambda: capacity.workers),
            "running": ("Pages that are being cleaned.", lambda: capacity.running),
            "admitted": ("Requests that wait or run.", lambda: capacity.admitted),
        }
        for name, (meaning, value) in gauges.items():
            Gauge(f"dehusk_{name}", meaning, registry=registry).set_function(value)

    def count_page(self, status: Status) -> None:
        """Count an answer about a page, or about several pages together."""
        self._pages.labels(status).inc()

    def count_request(self, path: str, code: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests.labels(path, code).inc()
        self._seconds.labels(path).observe(seconds)

    def text(self) -> bytes:
        """Return everything in the text format of Prometheus."""
        return generate_latest(self._registry)
