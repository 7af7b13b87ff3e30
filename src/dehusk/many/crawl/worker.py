"""The process that crawls: `python -m dehusk.many.crawl.worker FOLDER`, started by `dehusk.many.crawl.worker_process`.

It reads the settings from the folder's job.json, prints its progress as lines of JSON, and shuts down gracefully
when its standard input closes, so that it cannot outlive the process that started it.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from scrapy.crawler import Crawler, CrawlerProcess
from twisted.internet.task import LoopingCall

from dehusk.base.atomic import write_text
from dehusk.base.errors import DehuskError
from dehusk.base.processes.watched import end_with_parent, forbid_core_files
from dehusk.many.crawl.archive import Archive
from dehusk.many.crawl.frontier import ROBOTS_FILE, Frontier, Link
from dehusk.many.crawl.guide import GuideProcess
from dehusk.many.crawl.job_folder import JOB, LOG, SUMMARY, URL_LIST, URL_OUTCOMES
from dehusk.many.crawl.plan import BREADTH, CrawlPlan
from dehusk.many.crawl.scope import Scope
from dehusk.many.crawl.spider import CrawlState, SiteSpider
from dehusk.many.crawl.summary import INTERRUPTED

_LIST_CONCURRENCY = 64
"""Simultaneous requests for a list, over all hosts; `concurrency` limits those to one host."""
_REPORT_INTERVAL = 0.2  # seconds
_CHECK_INTERVAL = 0.1  # seconds
_GRACE = 10.0
"""Seconds that responses in progress have left to arrive after the run is told to stop."""
_PATIENCE = 10.0
"""Seconds after `_GRACE` at which a process that does not stop ends without cleaning up, as if it were killed."""
_STUCK = 600
"""Seconds without a step of the reactor after which the system ends the process."""
_HTTP = "dehusk.many.crawl.spider.BoundedDownloadHandler"


def scrapy_settings(plan: CrawlPlan, folder: Path, scope: Scope) -> dict[str, Any]:
    """Return Scrapy's settings for a crawl; whatever dehusk does itself is disabled."""
    package = "dehusk.many.crawl.spider"
    settings: dict[str, Any] = {
        "USER_AGENT": plan.agent,
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": plan.robots_name,
        "DOWNLOAD_DELAY": plan.delay,
        "DOWNLOAD_DELAY_JITTER": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": plan.concurrency,
        "CONCURRENT_REQUESTS": _LIST_CONCURRENCY if scope.is_list else plan.concurrency * len(scope.hosts),
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": plan.delay,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": float(plan.concurrency),
        "DOWNLOAD_TIMEOUT": plan.timeout,
        "DOWNLOAD_MAXSIZE": plan.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
        "DOWNLOAD_HANDLERS": {"http": _HTTP, "https": _HTTP} | dict.fromkeys(("data", "file", "ftp", "s3")),
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": f"{'text/markdown,' * plan.markdown}text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
            "Accept-Encoding": "gzip, deflate",  # which every reader of WARC files can decompress
        },
        "DEHUSK_PRIVATE": plan.private,
        "SCHEDULER": "dehusk.many.crawl.spider.FrontierScheduler",
        "DOWNLOADER_MIDDLEWARES": {
            f"{package}.PublicOnly": 10,
            f"{package}.RobotsResponses": 540,
            f"{package}.Compression": 590,
            "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
        },
        "EXTENSIONS": {"scrapy.extensions.throttle.AutoThrottle": None, f"{package}.Throttle": 0},
        "LOG_FILE": str(folder / LOG),
        "LOG_LEVEL": "INFO",
    }
    disabled = ("REDIRECT", "METAREFRESH", "COOKIES", "HTTPPROXY", "TELNETCONSOLE", "REMOTE_CONTROL", "REFERER")
    resolver = {} if plan.private else {"TWISTED_DNS_RESOLVER": f"{package}.PublicResolver"}
    return settings | {f"{name}_ENABLED": False for name in disabled} | resolver


def main(folder: Path) -> None:
    """Crawl until everything is fetched, a budget is used up, or the run is stopped."""
    start = time.monotonic()
    forbid_core_files()
    job = json.loads((folder / JOB).read_text("utf-8"))
    plan = CrawlPlan.from_record(job["plan"])
    scope = Scope(plan, job["url"])
    frontier = Frontier(folder, scope)
    archive = Archive(folder, frontier.written(), agent=plan.agent)
    frontier.add_start(_listed_links(folder) if scope.is_list else _start_links(job["url"], plan, scope))
    process = CrawlerProcess(scrapy_settings(plan, folder, scope))
    crawler = process.create_crawler(SiteSpider)
    guide = None if plan.along == BREADTH else GuideProcess(folder, plan.along, plan.max_bytes, frontier.deadly())
    state = CrawlState(plan, frontier, archive, ProgressPrinter(), guide)
    process.crawl(crawler, state=state)
    stopper = Stopper(state, crawler, start)
    process.start(install_signal_handlers=False)
    if guide is not None:
        guide.close()
    if not state.fault:  # otherwise the file may end in records without a transaction, which the next run cuts off
        archive.close()
    summary = frontier.summary(job["url"], stopper.end(), time.monotonic() - start)
    write_text(folder / URL_OUTCOMES, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in frontier.rows()))
    frontier.close()
    write_text(folder / SUMMARY, json.dumps(summary.record(), indent=1) + "\n")  # last: it means that the run has ended


class ProgressPrinter:
    """Prints progress, but no more than a few times per second."""

    def __init__(self) -> None:
        self._printed = 0.0

    def __call__(self, progress: dict[str, int]) -> None:
        """Print the progress, unless some was printed a moment ago."""
        if time.monotonic() - self._printed >= _REPORT_INTERVAL:
            self._printed = time.monotonic()
            with suppress(BrokenPipeError):  # the parent process has died, and this run is about to stop
                print(json.dumps(progress), flush=True)  # noqa: T201


class Stopper:
    """Stops the run on SIGINT, on SIGTERM, when standard input ends, and when the time limit is reached.

    No new request starts, and responses in progress have `_GRACE` seconds to arrive. Requests that still wait for their
    turn, which a long Crawl-delay may delay by minutes, are dropped: the frontier repeats them in the next run.
    (Scrapy's own handlers wait for all of these requests, and a second signal drops responses in progress.)
    """

    def __init__(self, state: CrawlState, crawler: Crawler, start: float) -> None:
        self._state = state
        self._crawler = crawler
        self._time_up = start + 60 * state.plan.minutes if state.plan.minutes else None
        self._out_of_time = False
        self._deadline = 0.0
        self._quiet_checks = 0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stop())
        end_with_parent(signal.SIGTERM)
        for wait in (self._wait_for_input, self._wait_for_parent):
            threading.Thread(target=wait, daemon=True).start()
        LoopingCall(self._check).start(_CHECK_INTERVAL, now=False)

    def end(self) -> str:
        """Return why the run ended, as `CrawlSummary.end`."""
        state, stats = self._state, self._crawler.stats
        reason = stats.get_value("finish_reason") if stats else None
        if state.fault:
            return state.fault
        if reason not in (None, "finished"):
            return str(reason)
        if state.frontier.is_exhausted():
            return "complete"
        if self._out_of_time:
            return "minutes"
        if not state.frontier.has_next():
            return "pages"
        return INTERRUPTED if state.stopping else "died"

    def _stop(self) -> None:
        self._state.stopping = True

    def _wait_for_input(self) -> None:
        while os.read(0, 4096):  # not with sys.stdin, whose lock Python needs on exit
            pass
        self._stop()

    def _wait_for_parent(self) -> None:
        """Stop when the parent has ended, and end this process if it is told to stop but does not."""
        parent, stopping_since = os.getppid(), 0.0
        while True:
            time.sleep(_REPORT_INTERVAL)
            if os.getppid() != parent:  # another process adopts those whose parent has ended
                self._stop()
            if self._state.stopping:
                stopping_since = stopping_since or time.monotonic()
            if stopping_since and time.monotonic() - stopping_since > _GRACE + _PATIENCE:
                os._exit(1)

    def _check(self) -> None:
        now = time.monotonic()
        if hasattr(signal, "setitimer"):  # SIGALRM ends a process that is stuck in anything
            signal.setitimer(signal.ITIMER_REAL, _STUCK)
        if self._time_up and now > self._time_up and not self._state.stopping:
            self._out_of_time = True
            self._stop()
        if not self._state.stopping:
            return
        self._deadline = self._deadline or now + _GRACE
        self._quiet_checks = 0 if self._is_receiving() else self._quiet_checks + 1
        if self._quiet_checks > 1 or now > self._deadline:
            _end_reactor()

    def _is_receiving(self) -> bool:
        """Return whether a response is arriving or being processed."""
        engine = self._crawler.engine
        if engine is None:
            return False
        scraper = getattr(engine.scraper, "slot", None)
        is_processing = scraper is not None and not scraper.is_idle()
        return is_processing or any(slot.transferring for slot in engine.downloader.slots.values())


def _end_reactor() -> None:
    """Return from `CrawlerProcess.start` at once."""
    from twisted.internet import reactor  # noqa: PLC0415 (Scrapy chooses which one when it starts)

    cast("Any", reactor).crash()


def _listed_links(folder: Path) -> Iterator[Link]:
    """Yield the URLs of this run's list."""
    with (folder / URL_LIST).open(encoding="utf-8") as lines:
        for line in lines:
            yield Link(line.rstrip("\n"))


def _start_links(url: str, plan: CrawlPlan, scope: Scope) -> list[Link]:
    """Return the start URL and, if sitemaps are requested, the robots.txt of each host, which lists them."""
    if not plan.sitemap:
        return [Link(url)]
    scheme, rest = url.split("://", 1)
    start_host = rest.split("/", 1)[0]
    other_hosts = [host for host in plan.hosts if host in scope.hosts]
    return [Link(url), *(Link(f"{scheme}://{host}/robots.txt", ROBOTS_FILE) for host in (start_host, *other_hosts))]


def _exit(code: int) -> None:
    """End the process at once: Twisted's threads may still wait for a name server."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except (DehuskError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        _exit(2)
    _exit(0)
