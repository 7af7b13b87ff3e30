"""The formats of `dehusk toc`: what is written before, for each and after the records of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dehusk.sites.toc import html_sections, opml
from dehusk.sites.toc.listing import record_text
from dehusk.write.json import dumps


def _nothing(_title: str) -> str:
    return ""


@dataclass(frozen=True)
class TocFormat:
    """A format of files with the records of several pages."""

    write: Callable[[Mapping[str, Any]], str]
    """Return a record in the format."""
    head: Callable[[str], str] = _nothing
    """Return the start of the file, given its title."""
    foot: str = ""


TOC_FORMATS: dict[str, TocFormat] = {
    "text": TocFormat(record_text),
    "json": TocFormat(lambda record: dumps(dict(record))),
    "html": TocFormat(html_sections.record_html, html_sections.html_head, html_sections.FOOT),
    "opml": TocFormat(opml.record_opml, opml.opml_head, opml.FOOT),
}
"""Name -> format."""
