"""The headers of WARC records and of the HTTP responses in them.

Lines end in CRLF or LF; a line that starts with white space continues the one before it; a line without a colon says
nothing. Of several headers with one name, the last counts. Nothing is allocated for what a header only announces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

MAX_HTTP_HEAD = 1_000_000
"""Bytes that the header of an HTTP response may have; servers and browsers stop at 8 to 256 kB."""

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_FOLDED = re.compile(r"[ \t]*\r?\n[ \t]+")
_STATUS = re.compile(r"HTTP/\S+[ \t]+\+?(\d{1,4})(?!\S)")
_START_LINE = re.compile(rb"HTTP/|ICY[ \t]|[A-Z]{3,16}[ \t]\S*[ \t]+HTTP/")
_TYPES = frozenset({"warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation"})


class Payload(NamedTuple):
    """The body of a record, with the headers and status of the HTTP response that it is in, if any."""

    raw: bytes
    headers: Mapping[str, str]
    """Names in lower case."""
    status: int | None
    damage: str = ""
    """Why the headers cannot be told from the body; "" if they can."""


class WarcHead(NamedTuple):
    """The header of a WARC record."""

    headers: Mapping[str, str]
    """Names in lower case."""

    @property
    def type(self) -> str:
        """One of the types of the standard, otherwise "unknown"."""
        value = self.headers.get("warc-type", "").lower()
        return value if value in _TYPES else "unknown"

    def named(self, name: str) -> str:
        """Return a value without angle brackets, "" if there is none."""
        return self.headers.get(name, "").strip("<> ")

    def payload(self, block: bytes) -> Payload:
        """Return the body of the record from its block, all that follows the header."""
        content_type = self.headers.get("content-type", "")
        if content_type.partition(";")[0].strip().lower() == "application/http":
            return _http_payload(block)
        return Payload(block, {"content-type": content_type} if content_type else {}, None)


def parse_warc_head(head: bytes) -> WarcHead:
    """Parse the header of a WARC record, with its first line and with or without the blank line at its end."""
    return WarcHead(_fields(head.decode("utf-8", "replace"))[1])


def _http_payload(block: bytes) -> Payload:
    """Split a response at the blank line after its headers; without headers, all of it is the body."""
    if not _START_LINE.match(block):
        return Payload(block, {}, None)
    end = _HEAD_END.search(block, 0, MAX_HTTP_HEAD)
    if end is None and len(block) > MAX_HTTP_HEAD:
        return Payload(b"", {}, None, f"its HTTP headers are longer than {MAX_HTTP_HEAD} bytes")
    head, raw = (block, b"") if end is None else (block[: end.start()], block[end.end() :])
    first, headers = _fields(head.decode("latin-1"))
    status = _STATUS.match(first)
    return Payload(raw, headers, int(status[1]) if status else None)


def _fields(head: str) -> tuple[str, dict[str, str]]:
    """Return the first line of a header, and its values by name."""
    if "\n " in head or "\n\t" in head:
        head = _FOLDED.sub(" ", head)
    first, *lines = head.split("\n")
    fields = [line.partition(":") for line in lines]
    return first, {name.strip().lower(): value.strip() for name, colon, value in fields if colon}
