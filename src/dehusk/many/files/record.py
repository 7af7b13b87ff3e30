"""The contents of a file of pages: records, and the parts that could not be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from dehusk.many.files.bodies import Body, decode_body

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/markdown", "text/x-markdown"})
_AMBIGUOUS_TYPES = frozenset({"", "text/plain", "application/octet-stream", "unknown/unknown"})
_HTML_SIGNS = (b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta", b"<div", b"<p>")


class Loss(NamedTuple):
    """A part of a file that could not be read, or that is labelled wrongly."""

    offset: int
    """Position in the file: a byte offset for WARC and zip, a row or line for tables, a page's number for folders."""
    size: int
    """Number of bytes skipped; 0 if everything was recovered despite a wrong label."""
    message: str


@dataclass(frozen=True)
class Record:
    """One record of a file; it is a page if `skipped` is empty."""

    number: int
    """Position in the file, counted from 0; the same each time the file is read."""
    offset: int
    """In a WARC, the byte offset at which the record, or its compressed member, starts; otherwise its number."""
    id: str
    """The file's name for the record: a WARC record id, the id or row number in a table, the path in an archive."""
    url: str
    raw: bytes
    """The body as stored, cut shortly after the reader's limit."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """HTTP headers of the response; names in lower case."""
    type: str = ""
    """"response", "resource", "request" or another WARC type; "row" in tables; "file" in archives and folders."""
    skipped: str = ""
    """Why the record is not a page; "" for a page."""
    http_status: int | None = None
    date: str = ""
    truncated: str = ""
    """Why the page is incomplete: it was cut short before it was stored, or the file ends inside it; "" if complete."""
    damaged: str = ""
    """Why the bytes differ from those that were written, so that the page is not worth cleaning; "" if sound."""
    decoded: bool = False
    """Whether the body was stored as text, and therefore is UTF-8."""

    def body(self, limit: int) -> Body:
        """Return the body without transfer and content encodings, at most `limit` + 1 bytes."""
        return decode_body(self.raw, self.headers, limit=limit)


def why_not_a_page(content_type: str, head: Callable[[], bytes]) -> str:
    """Return why a response is not a page; "" for the types of pages, and for an ambiguous type if it looks like HTML.

    Args:
        content_type: the value of the header.
        head: returns the start of the body; called only for ambiguous types.
    """
    media_type = re.split(r"[;,\s]", content_type.strip(), maxsplit=1)[0].lower()  # some servers omit the semicolon
    if media_type in PAGE_TYPES:
        return ""
    if media_type in _AMBIGUOUS_TYPES and any(sign in head()[:1024].lower() for sign in _HTML_SIGNS):
        return ""
    return media_type or "no content type"


def one_line(error: Exception | str) -> str:
    """Return an error or a name as one line of at most 200 characters."""
    return " ".join(str(error).split())[:200]
