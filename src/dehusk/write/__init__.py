"""Writers: labels of a page's blocks to a text in one of the formats.

Every writer takes `Labels` and returns a str with the kept blocks in the order of the page, each once. They work on
the original nodes of the page, so tables, lists, links and the white space of code survive.
"""

from collections.abc import Callable
from typing import NamedTuple

from dehusk.labels import Labels
from dehusk.write.cleaneval import to_cleaneval
from dehusk.write.html import to_html
from dehusk.write.json import json_record, page_record, to_json
from dehusk.write.markdown import to_markdown
from dehusk.write.overlay import to_overlay
from dehusk.write.text import to_text

__all__ = [
    "FORMATS",
    "Format",
    "json_record",
    "page_record",
    "to_cleaneval",
    "to_html",
    "to_json",
    "to_markdown",
    "to_overlay",
    "to_text",
]


class Format(NamedTuple):
    """One output format."""

    write: Callable[[Labels], str]
    extension: str
    """Of files, with its dot."""
    media_type: str


FORMATS = {
    "text": Format(to_text, ".txt", "text/plain"),
    "markdown": Format(to_markdown, ".md", "text/markdown"),
    "html": Format(to_html, ".html", "text/html"),
    "json": Format(to_json, ".json", "application/json"),
    "cleaneval": Format(to_cleaneval, ".cleaneval.txt", "text/plain"),
}
"""Name -> format."""
