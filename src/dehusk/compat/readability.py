"""The class of readability-lxml, done by dehusk.

from dehusk.compat.readability import Document

doc = Document(html)
doc.title(), doc.summary()
"""

from typing import Any

from dehusk.base.caching import cached_property
from dehusk.cleaning import clean
from dehusk.compat.inputs import refuse, source_of
from dehusk.document import Document as CleanedDocument

_RULES = "rules keep and drop elements by CSS selector: dehusk.clean(…, rules=…)"
_ONE_WAY = "no text is too short, and nothing is tried twice; dehusk.clean(…, favour=…) keeps more or less"


class ReadableDocument:
    """A page: its title, and the HTML of its article.

    Args:
        input: the page: bytes, str, or an element of lxml.
        positive_keywords: refused, as is any other argument but `url` that differs from its default.
        negative_keywords: see `positive_keywords`.
        url: its address, to resolve links.
        min_text_length: see `positive_keywords`.
        retry_length: see `positive_keywords`.
        xpath: see `positive_keywords`.
        handle_failures: see `positive_keywords`.

    Raises:
        UnsupportedError: an argument that dehusk has no counterpart for.
        TypeError: an unknown argument, or a page of another type.
    """

    def __init__(  # noqa: PLR0913, PLR0917 (the arguments of another library)
        self,
        input: Any,  # noqa: A002 (as there)
        positive_keywords: Any = None,
        negative_keywords: Any = None,
        url: str | None = None,
        min_text_length: int = 25,
        retry_length: int = 250,
        xpath: bool = False,
        handle_failures: str | None = "discard",
    ) -> None:
        refuse(
            {
                "positive_keywords": (positive_keywords, None, _RULES),
                "negative_keywords": (negative_keywords, None, _RULES),
                "min_text_length": (min_text_length, 25, _ONE_WAY),
                "retry_length": (retry_length, 250, _ONE_WAY),
                "xpath": (xpath, False, "each block has its XPath: dehusk.clean(…).blocks"),
                "handle_failures": (handle_failures, "discard", "each page has a status: dehusk.clean(…).status"),
            }
        )
        self.input, self.url = input, url

    @cached_property
    def _cleaned(self) -> CleanedDocument:
        return clean(source_of(self.input), url=self.url, style="body")

    def title(self) -> str:
        """Return the text of the title element; "[no-title]" without one."""
        return self._cleaned.title or "[no-title]"

    def short_title(self) -> str:
        """Return the title without the name of the site; "" without one."""
        return self._cleaned.metadata.title or ""

    def author(self) -> str:
        """Return the names of the authors; "[no-author]" without any."""
        return self._cleaned.metadata.author or "[no-author]"

    def content(self) -> str:
        """Return the body of the page as it came."""
        source = self._cleaned.page.elements.text
        start = source.lower().find("<body")
        return source if start < 0 else source[start:]

    def summary(self, html_partial: bool = False, keep_all_images: bool = False) -> str:
        """Return the article as HTML: a document, or with `html_partial` an element.

        Raises:
            UnsupportedError: `keep_all_images`.
        """
        refuse({"keep_all_images": (keep_all_images, False, f"images beside kept text are kept; {_RULES}")})
        html = self._cleaned.html
        body = html.partition("<body>")[2].rpartition("</body>")[0].strip()
        return f"<div>{body}</div>" if html_partial else f'<html><body id="readabilityBody">{body}</body></html>'


Document = ReadableDocument
"""Its name in readability."""
