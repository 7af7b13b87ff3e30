"""Writers: labels of a page's blocks to a text in one of the formats.

Every writer takes `Labels` and returns a str with the kept blocks in the order of the page, each once. They work on
the original nodes of the page, so tables, lists, links and the white space of code survive.
"""

from collections.abc import Callable
from typing import NamedTuple

from dehusk.labels import Labels
from dehusk.write.cleaneval import cleaneval
from dehusk.write.html import html
from dehusk.write.json import json, json_record, page_record
from dehusk.write.markdown import markdown
from dehusk.write.overlay import overlay
from dehusk.write.text import text

__all__ = [
    "FORMATS",
    "Format",
    "cleaneval",
    "html",
    "json",
    "json_record",
    "markdown",
    "overlay",
    "page_record",
    "text",
]


class Format(NamedTuple):
    """One output format."""

    write: Callable[[Labels], str]
    extension: str
    """Of files, with its dot."""
    media_type: str


FORMATS = {
    "text": Format(text, ".txt", "text/plain"),
    "markdown": Format(markdown, ".md", "text/markdown"),
    "html": Format(html, ".html", "text/html"),
    "json": Format(json, ".json", "application/json"),
    "cleaneval": Format(cleaneval, ".cleaneval.txt", "text/plain"),
}
"""Name -> format."""
