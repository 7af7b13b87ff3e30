"""The headers of the records of a .warc.gz, without their bodies: what an index needs, at a tenth of the cost.

A member is skipped unread from its head to the next position where a member starts, if it is certain that there is
nothing else in between: the last four bytes of a gzip member are the size of its content (RFC 1952, section 2.3.1), and
they must be that of the record. Only damage inside a body remains unseen, until the body is read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import IO, TYPE_CHECKING, NamedTuple

from dehusk.many.files.members import GZIP, compression
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Record, why_not_a_page
from dehusk.many.files.warc import FIRST, HEAD_END, LENGTH, RECORD_END, parsed_record, read_warc_part

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

_STEP = 1_000_000  # bytes read at a time
_AFTER = 65_536  # bytes read after a part, in which its last member usually ends
_MAX_MEMBER = 50_000_000  # compressed bytes; longer members are read as usual, in pieces
_INPUT, _OUTPUT = 4096, 2048  # bytes that contain the headers of most records; twice the output does of nearly all


class _Member(NamedTuple):
    offset: int
    head: bytes
    """The first bytes of its content."""
    size: int
    """The size of its content according to its last bytes."""
    end: int
    """Where the next member starts."""


def read_warc_heads(path: FilePath, start: int, stop: int, options: ReadOptions) -> tuple[list[Record], int] | None:
    """Return the records that start in a part of a file, with incomplete bodies, and the offset of the next part.

    Args:
        path: the file.
        start: where a member starts.
        stop: members that start at or after this offset belong to the next part.
        options: as for `dehusk.many.files.warc.read_warc`.

    Returns:
        None if only reading the whole part can tell what it contains.

    Raises:
        OSError: the file cannot be read.
        MissingExtraError: a library is not installed.
    """
    records: list[Record] = []
    with path.open("rb") as stream:
        if compression(stream) != "gzip":
            return None
        end = start
        for member in _members(stream, start, stop):
            record = _record(path, member, len(records), options)
            if record is None:
                return None
            records.append(record)
            end = member.end
    return (records, end) if records and end >= min(stop, path.stat().st_size) else None


def _members(stream: IO[bytes], start: int, stop: int) -> Iterator[_Member]:
    """Yield the members of a part, as far as they can be found."""
    stream.seek(start)
    data = stream.read(stop - start + _AFTER)
    offset, head = 0, _head(data, 0)
    while head and start + offset < stop:
        end, following, position = len(data), b"", offset
        while not following:
            position = data.find(GZIP, position + 1)
            if not 0 <= position <= len(data) - _INPUT and (more := stream.read(_STEP)):
                position = (position if position >= 0 else len(data) - len(GZIP)) - 1
                data += more
            elif position < 0:
                end = len(data)
                break
            else:
                end, following = position, _head(data, position)
            if len(data) - offset > _MAX_MEMBER:
                return
        yield _Member(start + offset, head, int.from_bytes(data[end - 4 : end], "little"), start + end)
        offset, head = end, following


def _head(data: bytes, offset: int) -> bytes:
    """Return the first bytes of a member; none if no member, or none that contains a record, starts at the offset."""
    stream = zlib.decompressobj(31)
    try:
        head = stream.decompress(data[offset : offset + _INPUT], _OUTPUT)
        if head.count(RECORD_END) < 2:  # the blank lines after the headers of the record, and those of HTTP
            head += stream.decompress(stream.unconsumed_tail, _OUTPUT)
    except zlib.error:
        return b""
    return head if head.startswith(FIRST) else b""


def _record(path: FilePath, member: _Member, number: int, options: ReadOptions) -> Record | None:
    """Return the record of a member, None if the member may contain anything else."""
    head = HEAD_END.search(member.head)
    length = LENGTH.search(member.head, 0, head.end()) if head else None
    if head is None or length is None:
        return None
    size = head.end() + int(length[1])
    if member.size - size not in (0, len(RECORD_END)):
        return None
    body = member.head.find(RECORD_END, head.end()) + len(RECORD_END)  # of the HTTP response
    if size <= len(member.head) or len(RECORD_END) <= body < len(member.head):
        record = parsed_record(member.head[:size], member.offset, number)
        if size <= len(member.head) or not _depends_on_body(record):
            return record
    items = list(read_warc_part(path, member.offset, member.end, options))
    return replace(items[0], number=number) if len(items) == 1 and isinstance(items[0], Record) else None


def _depends_on_body(record: Record) -> bool:
    """Return whether only the body can tell that the record is a page."""
    asked: list[bool] = []

    def head() -> bytes:
        asked.append(True)
        return b""

    why_not_a_page(record.headers.get("content-type", ""), head)
    return bool(asked)
