"""TOC blocks as OPML 2.0, which outliners and readers of feeds import.

http://opml.org/spec2.opml: a `head` with a title, a `body` of outlines, each with `text`; an outline of the type "link"
has a `url`. Each page is an outline with its links, nested as their lists are; a page with several TOC blocks has an
outline for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dehusk.read.addresses import Addresses
from dehusk.sites.toc.wording import page_title
from dehusk.write.tei_text import xml_attribute, xml_text

FOOT = "</body>\n</opml>\n"
_NAMELESS = "(no text)"
_ADDRESSES = Addresses()  # what records hold may come from anywhere


def opml_head(title: str) -> str:
    """Return the start of the file, before the records."""
    head = f"<head><title>{xml_text(title)}</title></head>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n{head}\n<body>\n'


def record_opml(record: Mapping[str, Any]) -> str:
    """Return a record as an outline; a page without TOC blocks is an outline without others in it."""
    blocks = record.get("toc", ())
    parts = [_start(page_title(record), record.get("url"))]
    for block in blocks:
        links = "".join(_nested(block["links"]))
        parts.append(f"{_start(block['xpath'], None)}{links}</outline>\n" if len(blocks) > 1 else links)
    return "".join([*parts, "</outline>\n"])


def _nested(links: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    levels: list[int] = []
    for link in links:
        while levels and levels[-1] >= link["level"]:
            levels.pop()
            yield "</outline>\n"
        levels.append(link["level"])
        yield _start(link["text"], link["url"])
    yield "</outline>\n" * len(levels)


def _start(text: str, url: str | None) -> str:
    """Return the start of an outline. Only absolute addresses are links: others lead nowhere outside of their page."""
    url = _ADDRESSES.resolve(url or "")
    shown = xml_attribute("text", text) or xml_attribute("text", url) or xml_attribute("text", _NAMELESS)
    target = f' type="link"{xml_attribute("url", url)}' if url and ":" in url.partition("/")[0] else ""
    return f"<outline{shown}{target}>"
