"""The process that crawls: `python -m dehusk.crawl.worker FOLDER`, started by `dehusk.crawl.run`.

It reads the plan from the folder's job.json, tells on standard output how far it is, a line of JSON at a time, and ends
in good order when its standard input does, so that it cannot outlive who started it.
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
from typing import Any

from scrapy.crawler import CrawlerProcess

from dehusk.crawl.archive import Archive
from dehusk.crawl.frontier import Frontier, Link
from dehusk.crawl.plan import CrawlPlan
from dehusk.crawl.run import ADDRESSES, JOB, LIST, LOG, SUMMARY, write
from dehusk.crawl.scope import Scope
from dehusk.crawl.spider import CrawlState, SiteSpider
from dehusk.errors import DehuskError

_AT_ONCE = 64
"""Requests under way for a list, all hosts together; `concurrency` bounds those to one host."""
_TOLD = 0.2  # seconds between two lines of progress
_HTTP = "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"


def scrapy_settings(plan: CrawlPlan, folder: Path, scope: Scope) -> dict[str, Any]:
    """Return Scrapy's settings for a plan; what the project does itself is off."""
    package = "dehusk.crawl.middleware"
    settings: dict[str, Any] = {
        "USER_AGENT": plan.agent,
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": plan.token,
        "DOWNLOAD_DELAY": plan.delay,
        "DOWNLOAD_DELAY_JITTER": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": plan.concurrency,
        "CONCURRENT_REQUESTS": _AT_ONCE if scope.listed else plan.concurrency * len(scope.hosts),
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": plan.delay,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": float(plan.concurrency),
        "DOWNLOAD_TIMEOUT": plan.timeout,
        "DOWNLOAD_MAXSIZE": plan.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
        "DOWNLOAD_HANDLERS": {"http": _HTTP, "https": _HTTP} | dict.fromkeys(("data", "file", "ftp", "s3")),
        "CLOSESPIDER_TIMEOUT": 60 * (plan.minutes or 0),
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
            "Accept-Encoding": "gzip, deflate",  # what every reader of WARC files can undo
        },
        "DEHUSK_PRIVATE": plan.private,
        "SCHEDULER": "dehusk.crawl.scheduler.FrontierScheduler",
        "DOWNLOADER_MIDDLEWARES": {
            f"{package}.PublicOnly": 10,
            f"{package}.RobotsAnswers": 540,
            f"{package}.Compression": 590,
            "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
        },
        "EXTENSIONS": {"scrapy.extensions.throttle.AutoThrottle": None, f"{package}.Throttle": 0},
        "LOG_FILE": str(folder / LOG),
        "LOG_LEVEL": "INFO",
    }
    off = ("REDIRECT", "METAREFRESH", "COOKIES", "HTTPPROXY", "TELNETCONSOLE", "REMOTE_CONTROL", "REFERER")
    return settings | {f"{name}_ENABLED": False for name in off} | ({} if plan.private else _guard())


def _guard() -> dict[str, str]:
    return {"TWISTED_DNS_RESOLVER": "dehusk.crawl.middleware.PublicResolver"}


def main(folder: Path) -> int:
    """Crawl until all is done, a budget is used up, or it is stopped."""
    start = time.monotonic()
    stored = json.loads((folder / JOB).read_text("utf-8"))
    plan = CrawlPlan.of_record(stored["plan"])
    scope = Scope(plan, stored["url"])
    frontier = Frontier(folder, scope)
    archive = Archive(folder, frontier.written(), agent=plan.agent)
    frontier.begin(_listed(folder) if scope.listed else _beginning(stored["url"], plan, scope))
    process = CrawlerProcess(scrapy_settings(plan, folder, scope))
    crawler = process.create_crawler(SiteSpider)
    job = CrawlState(plan, frontier, archive, ProgressPrinter())
    process.crawl(crawler, job=job)
    _stop_when_told(job)
    process.start(install_signal_handlers=False)
    if not job.fault:  # else what stands at the end may be of a page that was not kept: the next run cuts it off
        archive.close()
    reason = str(crawler.stats.get_value("finish_reason", "died")) if crawler.stats else "died"
    summary = frontier.summary(stored["url"], _end(reason, job), time.monotonic() - start)
    write(folder / ADDRESSES, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in frontier.rows()))
    frontier.close()
    write(folder / SUMMARY, json.dumps(summary.record(), indent=1) + "\n")  # last: whoever sees it can go on
    return 0


class ProgressPrinter:
    """Tells how far the crawl is, now and then."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, progress: dict[str, int]) -> None:
        """Tell, unless it was told just before."""
        if time.monotonic() - self._last >= _TOLD:
            self._last = time.monotonic()
            with suppress(BrokenPipeError):  # the parent process is gone, and the crawl about to end
                print(json.dumps(progress), flush=True)  # noqa: T201


def _listed(folder: Path) -> Iterator[Link]:
    """Yield the addresses of this run's list."""
    with (folder / LIST).open(encoding="utf-8") as lines:
        for line in lines:
            yield Link(line.rstrip("\n"))


def _beginning(url: str, plan: CrawlPlan, scope: Scope) -> list[Link]:
    """Return the entrance and, where sitemaps are wanted, each host's robots.txt, which names them."""
    if not plan.sitemap:
        return [Link(url)]
    scheme, rest = url.split("://", 1)
    own = rest.split("/", 1)[0]
    others = [host for host in plan.hosts if host in scope.hosts]
    return [Link(url), *(Link(f"{scheme}://{host}/robots.txt", "robots") for host in (own, *others))]


def _end(reason: str, job: CrawlState) -> str:
    """Return in the project's words why Scrapy ended."""
    if job.fault:
        return job.fault
    if reason == "closespider_timeout":
        return "minutes"
    if reason != "finished":
        return reason
    if not job.frontier.progress()["waiting"]:
        return "complete"
    return "pages" if not job.frontier.more() else "interrupted"


def _stop_when_told(job: CrawlState) -> None:
    """Make signals and the end of standard input end the crawl in good order: nothing new is asked for.

    Scrapy's own handlers end the reactor at the second signal, with answers under way.
    """

    def stop(*_: object) -> None:
        job.stopping = True

    def listen() -> None:
        while os.read(0, 4096):  # not by sys.stdin, whose lock Python wants at its end
            pass
        stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    threading.Thread(target=listen, daemon=True).start()


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1])))
    except (DehuskError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        sys.exit(2)
