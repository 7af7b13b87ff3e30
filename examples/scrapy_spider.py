"""Clean the pages of a Scrapy spider with dehusk's item pipeline, and print them as JSON Lines.

    python examples/scrapy_spider.py URL...

Install: pip install 'dehusk[crawl]'
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response


class Pages(Spider):
    """Yields the page of each start URL."""

    name = "pages"
    custom_settings = {  # noqa: RUF012 (Scrapy expects a plain dict)
        "ITEM_PIPELINES": {"dehusk.integrations.scrapy.CleanPipeline": 300, "__main__.Printer": 900},
        "DEHUSK_FORMAT": "markdown",
        "DEHUSK_KEEP_HTML": False,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
    }

    def parse(self, response: Response, **_: Any) -> Iterator[dict[str, object]]:
        """Yield an item with the response; the pipeline adds the text."""
        yield {"url": response.url, "html": response}


class Printer:
    """Prints items as JSON Lines."""

    def process_item(self, item: dict[str, object]) -> dict[str, object]:
        """Print an item."""
        print(json.dumps(item, ensure_ascii=False))
        return item


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("usage: python scrapy_spider.py URL...")
    process = CrawlerProcess()
    process.crawl(Pages, start_urls=sys.argv[1:])
    process.start()
