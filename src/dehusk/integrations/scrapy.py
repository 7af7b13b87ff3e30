"""A Scrapy item pipeline that cleans the pages in a spider's items.

    ITEM_PIPELINES = {"dehusk.integrations.scrapy.CleanPipeline": 300}

Needs Scrapy (extra "crawl"). Settings, with their defaults:

    DEHUSK_HTML_FIELD = "html"          bytes, text or a response; items without this field pass unchanged
    DEHUSK_URL_FIELD = "url"            optional
    DEHUSK_TEXT_FIELD = "text"
    DEHUSK_STATUS_FIELD = "status"      "" stores neither status nor message
    DEHUSK_MESSAGE_FIELD = "message"
    DEHUSK_FORMAT = "text"              an output format, as for dehusk clean -f
    DEHUSK_WRITING = {}                 its options, such as {"links": "drop"} (dehusk.write.options)
    DEHUSK_METHOD, DEHUSK_STYLE, DEHUSK_FAVOUR, DEHUSK_SITE     as for dehusk.clean
    DEHUSK_KEEP_HTML = True             whether to keep the page on the item
    DEHUSK_DROP = False                 whether to drop items without text
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.http import Response

from dehusk.base.errors import ConfigError, DehuskError, unknown
from dehusk.cleaning import clean
from dehusk.document import Document
from dehusk.label import load_method
from dehusk.write import find_writer
from dehusk.write.options import WriteOptions

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

_FIELDS = {"HTML": "html", "URL": "url", "TEXT": "text", "STATUS": "status", "MESSAGE": "message"}


class CleanPipeline:
    """Adds clean text, status and message to items.

    Args:
        settings: Scrapy's settings.

    Raises:
        NotConfigured: a setting is invalid; Scrapy logs the message and runs without the pipeline.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self.fields = {name: str(settings.get(f"DEHUSK_{name}_FIELD", field)) for name, field in _FIELDS.items()}
        self.format = str(settings.get("DEHUSK_FORMAT", "text"))
        self.keep = settings.getbool("DEHUSK_KEEP_HTML", True)
        self.drop = settings.getbool("DEHUSK_DROP", False)
        favour = settings.get("DEHUSK_FAVOUR")
        try:
            self.writing = _writing(settings.getdict("DEHUSK_WRITING", {}))
            find_writer(self.format).check(self.writing)
            self.method = load_method(
                settings.get("DEHUSK_METHOD"),
                site=settings.get("DEHUSK_SITE"),
                style=settings.get("DEHUSK_STYLE"),
                favour=None if favour is None else float(favour),
            )
        except (DehuskError, TypeError, ValueError) as error:
            raise NotConfigured(f"dehusk: {error}") from error

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the pipeline from a crawler's settings."""
        return cls(crawler.settings)

    def process_item(self, item: Any) -> Any:
        """Return the item with its page cleaned; items without a page are returned unchanged.

        Raises:
            DropItem: the page has no text, and DEHUSK_DROP is set.
        """
        adapter = ItemAdapter(item)
        page = adapter.get(self.fields["HTML"])
        if page is None:
            return item
        document = self._cleaned(page, adapter.get(self.fields["URL"]))
        if self.drop and not document.labels.kept.any():
            raise DropItem(f"no text: {document.status} {document.message}")
        adapter[self.fields["TEXT"]] = find_writer(self.format).render(document, self.writing)
        if self.fields["STATUS"]:
            adapter[self.fields["STATUS"]] = str(document.status)
            adapter[self.fields["MESSAGE"]] = document.message
        if not self.keep and self.fields["HTML"] != self.fields["TEXT"]:
            del adapter[self.fields["HTML"]]
        return item

    def _cleaned(self, page: Any, url: Any) -> Document:
        if not isinstance(page, Response):
            return clean(page, url=url, method=self.method)
        content_type = (page.headers.get(b"Content-Type") or b"").decode("latin-1")
        return clean(page.body, url=url or page.url, headers={"Content-Type": content_type}, method=self.method)


def _writing(given: Mapping[str, Any]) -> WriteOptions:
    known = [each.name for each in fields(WriteOptions)]
    if unexpected := [name for name in given if name not in known]:
        raise ConfigError(unknown("option in DEHUSK_WRITING", unexpected[0], known))
    return WriteOptions(**given)
