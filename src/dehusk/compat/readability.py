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

_UNSUPPORTED = ("positive_keywords", "negative_keywords", "min_text_length", "retry_length", "xpath", "handle_failures")
_INSTEAD = "rules keep and drop elements by CSS selector: dehusk.clean(…, rules=…)"


class ReadableDocument:
    """A page: its title, and the HTML of its article.

    Args:
        input: the page: bytes, str, or an element of lxml.
        url: its address, to resolve links.
        **others: the other arguments there are refused.

    Raises:
        UnsupportedError: an argument that dehusk has no counterpart for.
        TypeError: an unknown argument, or a page of another type.
    """

    def __init__(self, input: Any, url: str | None = None, **others: Any) -> None:  # noqa: A002 (as there)
        if wrong := others.keys() - set(_UNSUPPORTED):
            raise TypeError(f"Document() has no argument {min(wrong)}")
        refuse({name: (value, None, _INSTEAD) for name, value in others.items()})
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

    def summary(self, html_partial: bool = False) -> str:
        """Return the article as HTML: a document, or with `html_partial` an element."""
        html = self._cleaned.html
        body = html.partition("<body>")[2].rpartition("</body>")[0].strip()
        return f"<div>{body}</div>" if html_partial else f'<html><body id="readabilityBody">{body}</body></html>'


Document = ReadableDocument
"""Its name in readability."""
