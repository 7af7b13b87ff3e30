"""The child processes that carry operations out; a page that ends its process costs its own answer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from dehusk.base.errors import ChildError, ChildSlowError, DehuskError, FetchError, Status
from dehusk.base.processes.child import PAGE_MEMORY, keep_freed_memory
from dehusk.base.processes.pool import ChildPool
from dehusk.read import Limits
from dehusk.service.operations import OPERATIONS, Answer, Operation, SentPage
from dehusk.service.requests import CleaningWanted, PagesWanted, RequestError, Wanted, checked

if TYPE_CHECKING:
    from dehusk.many.crawl import CrawlPlan

_GRACE = 5.0  # seconds
_HEADERS = ("content-type", "content-language")


class _Task(NamedTuple):
    """What a child is sent."""

    operation: str
    wanted: Wanted
    pages: tuple[SentPage, ...]


def _worker_of(limits: Limits) -> Callable[[_Task], Answer | DehuskError]:
    """Return the function of a child process."""
    keep_freed_memory()
    os.environ["DISABLE_TQDM"] = "1"  # bm25s would draw no progress, but with a semaphore that a dead child leaks

    def work(task: _Task) -> Answer | DehuskError:
        try:
            return OPERATIONS[task.operation].run(task.wanted, task.pages, limits)
        except DehuskError as error:  # of the request: it is raised where that came from
            return error

    warm = SentPage("<title>Tea</title><p>loads what every page needs, before the memory is limited")
    for name in ("clean", "chunks", "within"):
        work(_Task(name, checked(OPERATIONS[name].request, {}), (warm,)))
    return work


class Workers:
    """Child processes for the operations of a service, for any number of threads; a context.

    Args:
        workers: the most child processes.
        limits: limits on each page.
        fetch: how to fetch pages of which only the address is sent; None not to.
        memory: MB that a request may take beyond what a child needs anyway.
    """

    def __init__(
        self, *, workers: int, limits: Limits, fetch: CrawlPlan | None = None, memory: float = PAGE_MEMORY
    ) -> None:
        self.workers, self.limits = workers, limits
        self.longest = 2 * limits.latest + _GRACE
        """Seconds after which the process of a request is killed: cleaning and writing may take that long each."""
        self._fetching = None if fetch is None else _Fetching(fetch)
        self._children: ChildPool[_Task, Any] = ChildPool(
            _worker_of, limits, workers=workers, seconds=self.longest, memory=memory, preload=_worker_of.__module__
        )

    def start(self) -> None:
        """Start all processes, so that the first requests do not wait for them.

        In threads of its own, so that a server process forks them and none inherits the sockets of this one.
        """
        task = _Task("clean", checked(OPERATIONS["clean"].request, {}), (SentPage("<p>ready"),))
        with ThreadPoolExecutor(self.workers) as threads:
            list(threads.map(self._children.work, [task] * self.workers))

    def answer(self, operation: Operation, wanted: Wanted, sent: SentPage | None = None) -> Answer:
        """Return the answer to a request; any thread may ask, and waits for a child that is idle.

        Args:
            operation: what is asked.
            wanted: the request.
            sent: its page, if that was not sent in the request.

        Raises:
            RequestError: the request cannot be answered as it is.
        """
        pages = self._pages(wanted, sent)
        try:
            answer = self._children.work(_Task(operation.name, wanted, pages))
        except ChildError as error:
            status = Status.LIMIT if isinstance(error, ChildSlowError) else Status.ERROR
            answer = operation.lost(wanted, pages, status, str(error))
        if isinstance(answer, DehuskError):
            raise RequestError(answer) from answer
        assert isinstance(answer, Answer)  # noqa: S101 (narrows the type)
        return answer

    def close(self) -> None:
        """End the processes; requests in other threads end with the status `error`."""
        self._children.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _pages(self, wanted: Wanted, sent: SentPage | None) -> tuple[SentPage, ...]:
        if sent is not None:
            return (sent,)
        if isinstance(wanted, PagesWanted):
            return tuple(self._page(page.html, page.address) for page in wanted.pages)
        assert isinstance(wanted, CleaningWanted)  # noqa: S101 (there are no others)
        return (self._page(wanted.html, wanted.address),)

    def _page(self, html: str | None, address: str | None) -> SentPage:
        if html is not None:
            return SentPage(html, address)
        if not address:
            raise RequestError("no page: send its html, or its address")
        if self._fetching is None:
            raise RequestError("html is missing: this service fetches no addresses, unless it is started with --fetch")
        return self._fetching.fetch(address)


class _Fetching:
    """Fetches pages by the rules of a crawl, and waits between two requests to a host."""

    def __init__(self, plan: CrawlPlan) -> None:
        self._plan, self._lock, self._at = plan, Lock(), dict[str, float]()

    def fetch(self, address: str) -> SentPage:
        """Return a page, or why it cannot be fetched.

        Raises:
            RequestError: this is no web address.
        """
        from dehusk.counts.grouping import site_name  # noqa: PLC0415 (few services fetch)
        from dehusk.many.crawl import fetch  # noqa: PLC0415

        self._wait(site_name(address))
        try:
            page = fetch(address, plan=self._plan)
        except FetchError as error:
            return SentPage("", address, problem=(Status.ERROR, str(error).removeprefix(f"{address}: ")))
        except DehuskError as error:
            raise RequestError(error) from error
        cut = (Status.TRUNCATED, f"the response was cut short: {page.truncated}") if page.truncated else None
        return SentPage(page.data, page.url, page.headers, cut)

    def _wait(self, host: str) -> None:
        """Wait until the host may be asked again."""
        from dehusk.many.crawl import CrawlPlan  # noqa: PLC0415

        with self._lock:
            now = time.monotonic()
            at = self._at[host] = max(now, self._at.get(host, 0.0) + CrawlPlan.delay)
        time.sleep(at - now)


def headers_of(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a request that are of its page."""
    return {name: headers[name] for name in _HEADERS if name in headers}
