"""What a file of pages holds: records, and what was lost of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import NamedTuple

from dehusk.errors import InputError
from dehusk.records.bodies import undo

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_PERHAPS = frozenset({"", "text/plain", "application/octet-stream", "unknown/unknown"})
_SIGNS = (b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta", b"<div", b"<p>")


class Loss(NamedTuple):
    """A part of a file that could not be read, or that is not what it says."""

    offset: int
    """Where in the file: a byte for WARC and zip, a row or line for tables."""
    size: int
    """Bytes that were passed over; 0 where all was found although a label is wrong."""
    message: str


@dataclass(frozen=True)
class Record:
    """One record of a file. Those with an empty `skipped` are pages."""

    number: int
    """Its place in the file, from 0 on; the same whenever the file is read."""
    offset: int
    """Where it begins: a byte of the file (of its compressed member) in a WARC, else its number."""
    id: str
    """What the file calls it: a WARC's record id, a table's id or row, an archive's path."""
    url: str
    raw: bytes
    """The body as it came, not longer than the reader's limit and a little."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Of the answer that brought it; names in lower case."""
    kind: str = ""
    """What it is: "response", "resource", "request", "row", "file"."""
    skipped: str = ""
    """Why it is not a page; "" for a page."""
    http_status: int | None = None
    date: str = ""
    truncated: str = ""
    """Why whoever wrote the file cut the page, or that the file ends in it; "" for a whole page."""
    damaged: str = ""
    """What is wrong with its bytes, where they are not those that were written; it is not worth cleaning then."""
    decoded: bool = False
    """Whether the body was text already and is UTF-8 by that."""

    def body(self, limit: int) -> Body:
        """Return the body without transfer and content encodings, `limit` + 1 bytes at most."""
        return Body(*undo(self.raw, self.headers, limit=limit))


class Body(NamedTuple):
    """A page's bytes."""

    data: bytes
    notes: tuple[str, ...]
    """A line for each encoding that was not what the headers say."""


def not_a_page(content_type: str, head: Callable[[], bytes]) -> str:
    """Return why an answer is not a page, "" for one of an HTML type, or of none that looks like it.

    Args:
        content_type: as the headers give it.
        head: gives the beginning of the body; asked where the type says nothing.
    """
    kind = content_type.split(";", maxsplit=1)[0].strip().lower()
    if kind in HTML_TYPES:
        return ""
    if kind in _PERHAPS and any(sign in head()[:1024].lower() for sign in _SIGNS):
        return ""
    return kind or "no type"


def needed(name: str) -> ModuleType:
    """Import a library that only corpora need.

    Raises:
        InputError: it is not installed.
    """
    from importlib import import_module  # noqa: PLC0415

    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(f"{name.partition('.')[0]} is not installed: pip install 'dehusk[corpus]'") from error
