"""Crawling a site from an entrance URL: Scrapy underneath, WARC files and a job folder as the result.

    from dehusk.crawl import CrawlPlan, crawl
    summary = crawl("https://example.org/", "job", plan=CrawlPlan(pages=200))
    cleaned = clean_crawl("job")

Needs the extra "crawl". Scrapy runs in a process of its own, so that its reactor does not disturb the caller's.
"""

from typing import Any

from dehusk.crawl.plan import CrawlPlan
from dehusk.crawl.run import crawl
from dehusk.crawl.summary import CrawlSummary

__all__ = ["CrawlPlan", "CrawlSummary", "clean_crawl", "crawl", "stored_pages"]


def __getattr__(name: str) -> Any:
    """Load what reads WARC files when it is asked for: without the extra, `crawl` shall say what is missing."""
    if name == "clean_crawl":
        from dehusk.crawl.cleaning import clean_crawl  # noqa: PLC0415

        return clean_crawl
    if name == "stored_pages":
        from dehusk.crawl.archive import stored_pages  # noqa: PLC0415

        return stored_pages
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
