"""A scheduler for Scrapy that takes its requests from the frontier."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler

from dehusk.many.crawl.frontier import ROBOTS_FILE, TASK
from dehusk.many.crawl.summary import PAGE

if TYPE_CHECKING:
    from scrapy import Spider

    from dehusk.many.crawl.frontier import FetchTask
    from dehusk.many.crawl.spider import SiteSpider


class FrontierScheduler(BaseScheduler):
    """Schedules the URLs of the frontier; requests that Scrapy retries come first."""

    def open(self, spider: Spider) -> None:
        """Connect to the spider, which has the frontier."""
        self.spider: SiteSpider = spider  # type: ignore[assignment]
        self._retries: deque[Request] = deque()

    def has_pending_requests(self) -> bool:
        """Return whether there is a request to make."""
        state = self.spider.state
        return not state.stopping and (bool(self._retries) or state.frontier.has_next())

    def enqueue_request(self, request: Request) -> bool:
        """Accept a request that is retried; the frontier already has its URL as in progress."""
        self._retries.append(request)
        return True

    def next_request(self) -> Request | None:
        """Return the next request; None while the outcomes of those in progress decide what comes next."""
        if self.spider.state.stopping:
            return None
        if self._retries:
            return self._retries.popleft()
        task = self.spider.state.frontier.take()
        return None if task is None else self._request(task)

    def _request(self, task: FetchTask) -> Request:
        return Request(
            task.url,
            callback=self.spider.parse if task.kind == PAGE else self.spider.parse_sitemap,
            errback=self.spider.failed,
            dont_filter=True,
            meta={TASK: task, "handle_httpstatus_all": True, "dont_obey_robotstxt": task.kind == ROBOTS_FILE},
        )
