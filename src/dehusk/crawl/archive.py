"""Pages as WARC files: a request and a response record each, every record a gzip member of its own.

Scrapy gives a body without its chunks but as it was compressed, so Content-Encoding stands and Transfer-Encoding is
gone: what a reader finds is consistent. Header names come as the library spells them, one line a value; the request has
the headers that were sent, without `Connection`. WARC 1.1, ISO 28500:2017.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dehusk import __version__
from dehusk.crawl.body import decoded
from dehusk.errors import InputError

ROLL = 1_000_000_000
"""Bytes from which on a new file is begun, as the standard recommends; a page's records are never split."""
OPEN = ".open"
"""Ends the name of a file that a crawl still writes to, or died over."""

Headers = Sequence[tuple[str, str]]


class Exchange(NamedTuple):
    """One request and its answer."""

    url: str
    sent: Headers
    status: int
    headers: Headers
    body: bytes
    """As transferred, without chunks."""
    ip: str = ""
    truncated: str = ""
    """Why the body is not whole, in the standard's words: disconnect, length, time; "" where it is."""


class RecordPosition(NamedTuple):
    """Where the response of a page begins."""

    file: Path
    offset: int


@dataclass(frozen=True)
class StoredPage:
    """A page as it was stored."""

    url: str
    status: int
    headers: dict[str, str]
    data: bytes
    """Unpacked."""
    record: str
    truncated: str


class Archive:
    """The WARC files of a job, written in order.

    Args:
        folder: the job's folder.
        at: number of the last file and its length at the last transaction; what stands behind it is cut off.
        agent: the user agent, for the files' first record.
        roll: bytes from which on a new file is begun.

    Raises:
        InputError: a file is shorter than what was written to it, or cannot be written.
    """

    def __init__(self, folder: Path, at: tuple[int, int], *, agent: str, roll: int = ROLL) -> None:
        self.folder = folder
        self.roll = roll
        self.agent = agent
        self.number, end = at
        self._stream: BinaryIO | None = None
        for left in folder.glob(f"*{OPEN}"):
            if left != self._path(OPEN):
                left.unlink()  # begun, and nothing in it was kept
        if self.number >= 0 and self._path(OPEN).exists():
            self._continue(end)

    def write(self, exchange: Exchange) -> tuple[str, tuple[int, int]]:
        """Write a request and its response.

        Returns:
            The response's record id, and the file's number and length now.
        """
        stream = self._ready()
        writer = WARCWriter(stream, gzip=True, warc_version="1.1")
        parts = urlsplit(exchange.url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        asked = StatusAndHeaders(f"GET {path} HTTP/1.1", exchange.sent, is_http_request=True)
        answered = StatusAndHeaders(_status(exchange.status), exchange.headers, protocol="HTTP/1.1")
        facts = {"WARC-IP-Address": exchange.ip, "WARC-Truncated": exchange.truncated}
        body = BytesIO(exchange.body)
        response = writer.create_warc_record(
            exchange.url,
            "response",
            payload=body,
            length=len(exchange.body),
            http_headers=answered,
            warc_headers_dict={name: value for name, value in facts.items() if value},
        )
        request = writer.create_warc_record(exchange.url, "request", http_headers=asked)
        writer.write_request_response_pair(request, response)
        stream.flush()
        return str(response.rec_headers.get_header("WARC-Record-ID")), (self.number, stream.tell())

    def close(self) -> None:
        """End the file, which then has its name."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
            self._path(OPEN).replace(self._path())

    def _path(self, end: str = "") -> Path:
        return self.folder / f"pages-{self.number:05d}.warc.gz{end}"

    def _ready(self) -> BinaryIO:
        if self._stream is not None and self._stream.tell() >= self.roll:
            self.close()
        if self._stream is None:
            self.number += 1
            self._stream = self._path(OPEN).open("wb")
            facts = {
                "software": f"dehusk/{__version__}",
                "format": "WARC File Format 1.1",
                "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
                "http-header-user-agent": self.agent,
                "robots": "classic",
            }
            writer = WARCWriter(self._stream, gzip=True, warc_version="1.1")
            writer.write_record(writer.create_warcinfo_record(self._path().name, facts))
        return self._stream

    def _continue(self, end: int) -> None:
        path = self._path(OPEN)
        if path.stat().st_size < end:
            raise InputError(f"{path} is shorter than when it was written: the crawl cannot go on")
        self._stream = path.open("r+b")
        self._stream.truncate(end)
        self._stream.seek(end)


def _status(code: int) -> str:
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return f"{code} Unknown"


def warc_files(folder: Path) -> list[Path]:
    """Return the WARC files of a job in their order, with the one that is not ended, if there is one."""
    return sorted((*folder.glob("pages-*.warc.gz"), *folder.glob(f"pages-*.warc.gz{OPEN}")))


def stored_pages(folder: str | Path, *, limit: int) -> Iterator[StoredPage]:
    """Yield the pages of a job in the order in which they were stored; redirects and failed answers are left out.

    Args:
        folder: the job's folder.
        limit: bytes of an unpacked page at most.
    """
    for _, records in _pages(Path(folder)):
        yield _stored(records.record, limit)


def page_places(folder: Path) -> Iterator[tuple[str, RecordPosition]]:
    """Yield the address of each page of a job and where it stands, in the order in which they were stored."""
    for path, records in _pages(folder):
        url = records.record.rec_headers.get_header("WARC-Target-URI")
        yield url, RecordPosition(path, records.get_record_offset())


def page_at(place: RecordPosition, *, limit: int) -> StoredPage:
    """Return the page that stands somewhere; its bytes are bounded as those of `stored_pages`."""
    with place.file.open("rb") as stream:
        stream.seek(place.offset)
        return _stored(next(ArchiveIterator(stream)), limit)


def _pages(folder: Path) -> Iterator[tuple[Path, Any]]:
    """Yield file and reader at each response that is a page and no redirect, error or the like."""
    for path in warc_files(folder):
        with path.open("rb") as stream:
            records = ArchiveIterator(stream)
            for record in records:
                if record.rec_type == "response" and int(record.http_headers.get_statuscode()) == HTTPStatus.OK:
                    yield path, records


def _stored(record: Any, limit: int) -> StoredPage:
    http, warc = record.http_headers, record.rec_headers
    headers = {name: value for name, value in http.headers if name.lower() != "content-encoding"}
    raw = record.raw_stream.read()
    data, _ = decoded(raw, http.get_header("Content-Encoding") or "", limit)
    return StoredPage(
        url=warc.get_header("WARC-Target-URI"),
        status=int(http.get_statuscode()),
        headers=headers,
        data=data,
        record=warc.get_header("WARC-Record-ID"),
        truncated=warc.get_header("WARC-Truncated") or "",
    )
