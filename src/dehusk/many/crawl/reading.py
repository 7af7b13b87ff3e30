"""Reads the pages of a job back from its WARC files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from dehusk.base.errors import InputError
from dehusk.many.crawl.job_folder import warc_files
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Record
from dehusk.many.files.warc import read_warc


@dataclass(frozen=True)
class StoredPage:
    """A page as stored by a crawl."""

    url: str
    status: int
    headers: Mapping[str, str]
    """Names in lower case, without the encodings that were undone."""
    data: bytes
    """The body after decompression."""
    record: str
    """The ID of its WARC record."""
    truncated: str
    """Why the body is incomplete, in the standard's terms (disconnect, length, time); "" if it is complete."""


def stored_pages(folder: str | Path, *, limit: int) -> Iterator[StoredPage]:
    """Yield the pages of a job in the order of storage; redirects and failed responses are skipped.

    Args:
        folder: the job folder.
        limit: maximum size of a page after decompression in bytes; longer pages are cut.

    Raises:
        MissingExtraError: the extra "crawl" is not installed.
        InputError: there is no such folder.
    """
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: no such folder")
    for path in warc_files(Path(folder)):
        for record in read_warc(path, ReadOptions(limit)):
            if isinstance(record, Record) and record.type == "response" and record.http_status == HTTPStatus.OK:
                yield _stored_page(record, limit)


def _stored_page(record: Record, limit: int) -> StoredPage:
    return StoredPage(
        url=record.url,
        status=record.http_status or 0,
        headers={name: value for name, value in record.headers.items() if name != "content-encoding"},
        data=record.body(limit).data[:limit],
        record=f"<{record.id}>",
        truncated=record.truncated,
    )
