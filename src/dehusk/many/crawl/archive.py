"""Writes pages to WARC files: a request and a response record for each page, every record in its own gzip member.

Scrapy returns a body without its chunks but still compressed. Therefore Content-Encoding is kept and Transfer-Encoding
removed, so that the header and body of a record agree. Header names are spelled as Scrapy spells them, one line per
value; the request has the headers that were sent, except `Connection`. WARC 1.1, ISO 28500:2017.
"""

from collections.abc import Sequence
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dehusk.base.errors import InputError
from dehusk.base.version import __version__
from dehusk.many.crawl.job_folder import OPEN

FILE_SIZE = 1_000_000_000
"""Bytes after which a new file is started, as the standard recommends; the records of a page are never split."""

Headers = Sequence[tuple[str, str]]


class Exchange(NamedTuple):
    """A request and its response."""

    url: str
    request_headers: Headers
    status: int
    headers: Headers
    body: bytes
    """As transferred, without chunks."""
    ip: str = ""
    truncated: str = ""
    """Why the body is incomplete, in the standard's terms (disconnect, length, time); "" if it is complete."""


class Archive:
    """The WARC files of a job, written in order.

    Args:
        folder: the job folder.
        written: the number of the last file and its length at the last transaction; anything beyond is cut off.
        agent: the user agent, for the first record of each file.
        file_size: bytes after which a new file is started.

    Raises:
        InputError: a file is shorter than its length at the last transaction, or cannot be written.
    """

    def __init__(self, folder: Path, written: tuple[int, int], *, agent: str, file_size: int = FILE_SIZE) -> None:
        self.folder = folder
        self.file_size = file_size
        self.agent = agent
        self.number, end = written
        self._stream: BinaryIO | None = None
        for path in folder.glob(f"*{OPEN}"):
            if path != self._path(OPEN):
                path.unlink()  # started, but none of its records belongs to a transaction
        if self.number >= 0 and self._path(OPEN).exists():
            self._reopen(end)

    def write(self, exchange: Exchange) -> tuple[str, tuple[int, int]]:
        """Write a request and its response.

        Returns:
            The ID of the response record, and the number and the new length of the file.
        """
        stream = self._current()
        writer = WARCWriter(stream, gzip=True, warc_version="1.1")
        parts = urlsplit(exchange.url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        request_head = StatusAndHeaders(f"GET {path} HTTP/1.1", exchange.request_headers, is_http_request=True)
        response_head = StatusAndHeaders(_status_line(exchange.status), exchange.headers, protocol="HTTP/1.1")
        warc_headers = {"WARC-IP-Address": exchange.ip, "WARC-Truncated": exchange.truncated}
        response = writer.create_warc_record(
            exchange.url,
            "response",
            payload=BytesIO(exchange.body),
            length=len(exchange.body),
            http_headers=response_head,
            warc_headers_dict={name: value for name, value in warc_headers.items() if value},
        )
        request = writer.create_warc_record(exchange.url, "request", http_headers=request_head)
        writer.write_request_response_pair(request, response)
        stream.flush()
        return str(response.rec_headers.get_header("WARC-Record-ID")), (self.number, stream.tell())

    def close(self) -> None:
        """Close the current file and give it its final name."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
            self._path(OPEN).replace(self._path())

    def _path(self, suffix: str = "") -> Path:
        return self.folder / f"pages-{self.number:05d}.warc.gz{suffix}"

    def _current(self) -> BinaryIO:
        """Return the file to write to; start a new one if there is none or it has reached its size."""
        if self._stream is not None and self._stream.tell() >= self.file_size:
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

    def _reopen(self, end: int) -> None:
        path = self._path(OPEN)
        if path.stat().st_size < end:
            raise InputError(
                f"{path} is shorter than at the end of the last run, so the crawl cannot be resumed: "
                "restore the file, or choose another folder"
            )
        self._stream = path.open("r+b")
        self._stream.truncate(end)
        self._stream.seek(end)


def _status_line(code: int) -> str:
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return f"{code} Unknown"
