"""Small synthetic WARC files."""

import gzip
from collections.abc import Callable, Iterable
from pathlib import Path

import zstandard

import made_sites

HTML = "Content-Type: text/html; charset=utf-8\r\n"


def answer(body: bytes, *, headers: str = HTML, status: str = "200 OK") -> bytes:
    """Return an HTTP response."""
    return f"HTTP/1.1 {status}\r\n{headers}\r\n".encode() + body


def record(number: int, block: bytes, *, url: str = "", kind: str = "response", extra: str = "", off: int = 0) -> bytes:
    """Return a WARC record; `off` is added to its Content-Length."""
    type_ = "application/http; msgtype=response" if kind == "response" else "text/html"
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"WARC-Target-URI: {url or f'https://tea.example/page{number}.html'}\r\nWARC-Date: 2026-05-03T10:00:00Z\r\n"
        f"{extra}Content-Type: {type_}\r\nContent-Length: {len(block) + off}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def page_records(count: int, *, first: int = 0, host: str = made_sites.HOST) -> list[bytes]:
    """Return records of the pages of a synthetic site."""
    pages = made_sites.site(count, first=first, host=host)
    return [
        record(number, answer(page.encode()), url=f"https://{host}/page{number}.html")
        for number, page in enumerate(pages, start=first)
    ]


FORMS: dict[str, Callable[[Iterable[bytes]], bytes]] = {
    ".warc": b"".join,
    ".warc.gz": lambda records: b"".join(gzip.compress(record_, mtime=0) for record_ in records),
    ".warc.zst": lambda records: b"".join(
        zstandard.ZstdCompressor(write_checksum=True).compress(record_) for record_ in records
    ),
}
"""File name suffix -> function that joins records."""


def write(path: Path, records: Iterable[bytes]) -> Path:
    """Write a WARC file in the format of its suffix."""
    end = next(end for end in reversed(FORMS) if path.name.endswith(end))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(FORMS[end](records))
    return path
