"""Crawls a site, a list of URLs or one page: Scrapy fetches the pages, and WARC files in a job folder store them.

    from dehusk.many.crawl import CrawlPlan, clean_crawl, crawl
    summary = crawl("https://example.org/", "job", plan=CrawlPlan(pages=200))
    cleaned = clean_crawl("job")

Needs the extra "crawl".
"""

from dehusk.many.crawl.cleaning import CleaningSummary, clean_crawl
from dehusk.many.crawl.crawling import crawl
from dehusk.many.crawl.fetching import FetchedPage, fetch
from dehusk.many.crawl.plan import CrawlPlan
from dehusk.many.crawl.reading import StoredPage, stored_pages
from dehusk.many.crawl.summary import CrawlSummary

__all__ = [
    "CleaningSummary",
    "CrawlPlan",
    "CrawlSummary",
    "FetchedPage",
    "StoredPage",
    "clean_crawl",
    "crawl",
    "fetch",
    "stored_pages",
]
