"""Scrapy's scheduler, which hands out what the frontier has."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler

from dehusk.crawl.summary import PAGE

if TYPE_CHECKING:
    from scrapy import Spider

    from dehusk.crawl.frontier import FetchTask
    from dehusk.crawl.spider import SiteSpider

TASK = "dehusk_task"
"""Key of a request's meta: what the request is for."""


class FrontierScheduler(BaseScheduler):
    """Hands out the frontier's addresses; what Scrapy itself gives back is tried again first."""

    def open(self, spider: Spider) -> None:
        """Take the spider's frontier."""
        self.spider: SiteSpider = spider  # type: ignore[assignment]
        self._again: deque[Request] = deque()

    def has_pending_requests(self) -> bool:
        """Return whether there is something to ask for."""
        job = self.spider.job
        return not job.stopping and (bool(self._again) or job.frontier.more())

    def enqueue_request(self, request: Request) -> bool:
        """Take a request that is tried again; the frontier has its address as under way."""
        self._again.append(request)
        return True

    def next_request(self) -> Request | None:
        """Return the next request; None where it has to be seen first what comes of those under way."""
        if self.spider.job.stopping:
            return None
        if self._again:
            return self._again.popleft()
        task = self.spider.job.frontier.take()
        return None if task is None else self._request(task)

    def _request(self, task: FetchTask) -> Request:
        page = task.kind == PAGE
        return Request(
            task.url,
            callback=self.spider.parse if page else self.spider.listed,
            errback=self.spider.failed,
            dont_filter=True,
            meta={TASK: task, "handle_httpstatus_all": True, "dont_obey_robotstxt": task.kind == "robots"},
        )
