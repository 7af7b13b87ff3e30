"""WARC files: every record that can be recovered, whatever has happened to the file.

This module finds where records end. Libraries for WARC files give up at the first damaged member, silently stop early
in a truncated file, take the next record for the body if a Content-Length is wrong, or allocate as much as it says,
which ends the process. Here, the next record starts where the bytes say so: at the next member, or at a line that
starts with `WARC/1.` after the blank line that ends a record (ISO 28500:2017, section 4).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, NamedTuple

from dehusk.many.files.bodies import decode_body
from dehusk.many.files.members import Piece, compression, find_member, read_pieces
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record, why_not_a_page

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

# ---------------------------------------------------------------- heads
# The headers of WARC records and of the HTTP responses in them.
#
# Lines end in CRLF or LF; a line that starts with white space continues the one before it; a line without a colon says
# nothing. Of several headers with one name, the last counts. Nothing is allocated for what a header only announces.

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


# ---------------------------------------------------------------- warc

LENGTH = re.compile(rb"\r?\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*(?=\r?\n)", re.IGNORECASE)
HEAD_END = re.compile(rb"\r?\n\r?\n")
_NEXT = re.compile(rb"WARC/[01]\.\d{1,3}\r?\n")
FIRST = b"WARC/"
"""The bytes that a record starts with."""
_AGAIN = b"\n" + FIRST
RECORD_END = b"\r\n\r\n"
_MAX_HEAD = 65_536  # bytes of a record's header
_LINE_ENDS = b"\r\n"
_LF, _CR = b"\n"[0], b"\r"[0]
_LOOKAHEAD = 16  # bytes after a record needed to tell whether it ends there
_HEAD_SIZE = 1024  # bytes of a body that tell whether it is HTML, if its type does not
_FOLLOWING = re.compile(rb"\r\n\r\n(?=WARC/[01]\.\d+\r?\n)")
_STEP = 1_000_000  # bytes searched at a time for the start of a record
_NEXT_SIZE = 24  # bytes of the start of a record and of the line ends before it


def read_warc(path: FilePath, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the records of a WARC file, and a `Loss` for each damaged part.

    Yields records of every type; `Record.skipped` says why a record is not a page.

    Args:
        path: .warc, .warc.gz or .warc.zst, recognised by its content.
        options: its limit bounds the memory that a record's body takes.

    Raises:
        OSError: the file cannot be read.
        MissingExtraError: zstandard is not installed, and the file needs it.
    """
    yield from read_warc_part(path, 0, sys.maxsize, options)


def read_warc_part(path: FilePath, start: int, stop: int, options: ReadOptions) -> Generator[Record | Loss, None, int]:
    """Yield the records, and losses, that start in a part of a WARC file.

    Parts that follow each other, each read from where the one before ended, give what `read_warc` gives; only records
    are numbered from 0 in each.

    Args:
        path: the file.
        start: where a record, or the compressed member that contains it, starts; or 0.
        stop: records that start at or after this offset belong to the next part.
        options: as for `read_warc`.

    Returns:
        The offset at which the next part starts; the size of the file if there is none.
    """
    with path.open("rb") as stream:
        return (yield from _read_records(stream, options.limit, start, stop))


def _read_records(
    stream: IO[bytes], limit: int, start: int, stop: int = sys.maxsize
) -> Generator[Record | Loss, None, int]:
    assembler = _RecordAssembler(limit, start, size=stream.seek(0, os.SEEK_END))
    pieces = read_pieces(stream, start=FIRST, offset=start, stop=stop)
    while True:
        try:
            piece = next(pieces)
        except StopIteration as ended:
            return int(ended.value)
        for item in [piece] if isinstance(piece, Loss) else assembler.take(piece):
            if item.offset >= stop:  # in an uncompressed file, only a complete record shows where it starts
                return item.offset
            yield item


def read_warc_at(path: FilePath, offsets: Sequence[int], options: ReadOptions) -> Iterator[Record | None]:
    """Yield the record at each of the offsets; its number is 0.

    Args:
        path: the file.
        offsets: offsets of records, or of the compressed members that contain them, as in `Record.offset`.
        options: as for `read_warc`.

    Yields:
        The first record at the offset; None if there is none.
    """
    with path.open("rb") as stream:
        for offset in offsets:
            record = next(_read_records(stream, options.limit, offset), None)
            yield record if isinstance(record, Record) else None


def find_record(path: FilePath, start: int, stop: int) -> int | None:
    """Return where the first record between two offsets seems to start, or its member; None if there is none.

    In rare cases it is not a record: a page may contain a WARC file. Only who reads the bytes before it can tell.

    Args:
        path: the file.
        start: the first possible offset.
        stop: the first offset that is too large.

    Raises:
        OSError: the file cannot be read.
        MissingExtraError: a library is not installed.
    """
    with path.open("rb") as stream:
        if compression(stream):
            return find_member(stream, FIRST, start, stop)
        stream.seek(max(0, start - len(RECORD_END)))
        return _find_line(stream, stop)


def _find_line(stream: IO[bytes], stop: int) -> int | None:
    """Return the offset of the first record of an uncompressed file, from the stream's position on."""
    base, window = stream.tell(), b""
    while data := stream.read(_STEP):
        window += data
        if match := _FOLLOWING.search(window):
            offset = base + match.end()
            return offset if offset < stop else None
        if base >= stop:
            return None
        base, window = base + max(0, len(window) - _NEXT_SIZE), window[-_NEXT_SIZE:]
    return None


class _RecordAssembler:
    """Assembles records from pieces of the file.

    Args:
        limit: the most bytes to return of a body.
        offset: where the first piece starts.
        number: that of the first record.
        size: bytes of the file.
    """

    def __init__(self, limit: int, offset: int, number: int = 0, *, size: int = sys.maxsize) -> None:
        self.limit = limit
        self.size = size
        self._number = number
        self._buffer = bytearray()
        self._offset = offset
        """Where the buffer starts in the file; in a compressed member, where the member starts."""
        self._in_member = False
        self._garbage_size = 0
        """Number of bytes before the buffer that belong to no record."""
        self._skip = 0
        self._searched = 0
        """Position in the buffer before which no record starts but the first."""
        self._long_record: tuple[int, bytes] | None = None
        """Offset and start of a record longer than the limit; the next `_skip` bytes are the rest of it."""

    def take(self, piece: Piece) -> Iterator[Record | Loss]:
        """Yield the records that this piece completes."""
        self._in_member = piece.member
        if piece.member:
            self._offset = piece.offset
        data = piece.data
        if self._long_record:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            self._offset += 0 if piece.member else skipped
            data = data[skipped:]
            if self._skip and not piece.ends:
                return
            yield from self._finish_long_record(piece)
        self._buffer += data
        while self._buffer and (items := self._take_first(piece)) is not None:
            yield from items
        if piece.ends:
            if not piece.damage:  # otherwise the loss of the whole member is reported by `read_pieces`
                yield from self._garbage_loss()
            self._garbage_size = 0
            self._drop(len(self._buffer))

    def _finish_long_record(self, piece: Piece) -> Iterator[Record | Loss]:
        offset, data = self._long_record or (0, b"")
        missing, self._long_record, self._skip = self._skip, None, 0
        yield from self.record(offset, data, *self._incomplete(piece) if missing else ("", ""))
        if missing and not piece.damage:
            yield Loss(offset, missing, "a record is shorter than its Content-Length")

    @staticmethod
    def _incomplete(piece: Piece) -> tuple[str, str]:
        """Return the values of `truncated` and `damaged` for a record that continues beyond the end of a piece."""
        return ("the file ends inside the record", "") if piece.damage in ("", "cut") else ("", piece.damage)

    def _garbage_loss(self) -> list[Loss]:
        size = self._garbage_size
        if not size:
            return []
        self._garbage_size = 0
        return [Loss(self._offset - (0 if self._in_member else size), size, "not a record")]

    def _take_first(self, piece: Piece) -> Sequence[Record | Loss] | None:
        """Remove the first record from the buffer and return it; None if more bytes are needed."""
        buffer = self._buffer
        if not self._garbage_size:
            self._drop(len(buffer) - len(buffer.lstrip(_LINE_ENDS)))
        if not buffer or (len(buffer) < len(FIRST) and not piece.ends):
            return None
        if self._garbage_size or not buffer.startswith(FIRST):
            return self._skip_garbage(piece)
        following = buffer.find(_AGAIN, len(FIRST), _MAX_HEAD)  # its head ends before that, or this is no record
        head = HEAD_END.search(buffer, 0, following + 1 if following >= 0 else _MAX_HEAD)
        if head is not None:
            length = LENGTH.search(buffer, 0, head.end())
            return self._take_by_length(piece, head.end(), int(length[1]) if length else -1)
        if following < 0 and not piece.ends and len(buffer) < _MAX_HEAD:
            return None
        if following < 0 and piece.damage:  # the loss is reported by `read_pieces`
            self._drop(len(buffer))
            return []
        return self._skip_garbage(piece)

    def _skip_garbage(self, piece: Piece) -> Sequence[Record | Loss] | None:
        """Skip bytes that are not a record, up to the next record."""
        following = self._next_record(0)
        if following is None:
            size = len(self._buffer) if piece.ends else max(1, len(self._buffer) - _NEXT_SIZE)
        else:
            size = following[1]
        self._garbage_size += size
        self._drop(size)
        if following is None:
            return None
        return self._garbage_loss()

    def _next_record(self, start: int) -> tuple[int, int] | None:
        """Return where the next record starts, with the line ends before it (two at most) and without; None if none.

        Args:
            start: position in the buffer at which the line ends may start.
        """
        buffer, index = self._buffer, max(start, self._searched)
        while found := _NEXT.search(buffer, index):
            index = found.start()
            if (before := _line_ends_before(buffer, index, start)) < index:
                return before, index
            index += 1
        self._searched = max(0, len(buffer) - _NEXT_SIZE)
        return None

    def _take_by_length(self, piece: Piece, head: int, length: int) -> Sequence[Record | Loss] | None:
        """Take a record that ends where its Content-Length says, if a record can end there.

        Args:
            piece: the latest piece.
            head: size of the record's header.
            length: the Content-Length, -1 if there is none.
        """
        buffer = self._buffer
        stop = head + length
        if length < 0 or (not piece.member and self._offset + stop > self.size):
            return self._take_up_to_next(piece, head, length)
        if len(buffer) >= stop + _LOOKAHEAD or piece.ends:
            if stop <= len(buffer) and self._can_end_at(stop):
                return self._take(stop)
            return self._take_up_to_next(piece, head, length)
        if len(buffer) - head <= self.limit + _MAX_HEAD or stop <= len(buffer):
            return None
        if self._next_record(head - 2):
            return self._take_up_to_next(piece, head, length)
        self._long_record = self._offset, bytes(buffer[: head + self.limit + _MAX_HEAD])
        self._skip = stop - len(buffer)
        self._drop(len(buffer))
        return None

    def _can_end_at(self, stop: int) -> bool:
        rest = bytes(self._buffer[stop : stop + len(RECORD_END)])
        return rest in (b"", RECORD_END)

    def _take_up_to_next(self, piece: Piece, head: int, length: int) -> Sequence[Record | Loss] | None:
        """Take a record whose length is wrong or missing: it ends at the next record or the end of its member."""
        buffer, offset = self._buffer, self._offset
        label = "no Content-Length" if length < 0 else f"Content-Length is {length}"
        if following := self._next_record(head - 2):
            stop = max(head, following[0])
            if stop - head == length:  # the line breaks between the records do not follow the standard
                return self._take(stop)
            return [Loss(offset, 0, f"{label}, but the record has {stop - head} bytes"), *self._take(stop)]
        if not piece.ends and len(buffer) - head <= self.limit + _MAX_HEAD:
            return None
        stop = len(buffer)
        if piece.damage:  # the loss of the member is reported by `read_pieces`
            return self._take(stop, *self._incomplete(piece))
        size = stop - head - 4 * buffer.endswith(b"\r\n\r\n")
        if not piece.ends or (not piece.member and length > size):
            lost, message = max(0, length - size), "the file ends in the middle of a record"
            if not piece.ends:  # what follows is reported as bytes that are no record
                lost, message = 0, f"{label}, and no record follows its first {size} bytes"
            return [Loss(offset, lost, message), *self._take(stop, *self._incomplete(piece))]
        return [Loss(offset, 0, f"{label}, but the record has {size} bytes"), *self._take(head + size)]

    def _take(self, stop: int, truncated: str = "", damaged: str = "") -> Sequence[Record | Loss]:
        data = bytes(self._buffer[: min(stop, self.limit + 2 * _MAX_HEAD)])
        offset = self._offset
        self._drop(stop)
        return self.record(offset, data, truncated, damaged)

    def _drop(self, size: int) -> None:
        del self._buffer[:size]
        self._searched = max(0, self._searched - size)
        if not self._in_member:
            self._offset += size

    def record(self, offset: int, data: bytes, truncated: str = "", damaged: str = "") -> Sequence[Record | Loss]:
        """Parse a record, its header and what follows."""
        number, self._number = self._number, self._number + 1
        return [parsed_record(data, offset, number, truncated, damaged)]


def parsed_record(data: bytes, offset: int, number: int, truncated: str = "", damaged: str = "") -> Record:
    """Return the record that consists of some bytes.

    Args:
        data: the headers of the record, with those of HTTP, and its body, which may be cut anywhere.
        offset: where the record, or its member, starts.
        number: its number.
        truncated: as in `Record`, if the header says nothing.
        damaged: as in `Record`, if the headers are sound.
    """
    end = HEAD_END.search(data, 0, _MAX_HEAD)
    head = parse_warc_head(data[: end.end()] if end else data)
    payload = head.payload(data[end.end() :] if end else b"")
    return Record(
        number=number,
        offset=offset,
        id=head.named("warc-record-id"),
        url=head.named("warc-target-uri"),
        raw=payload.raw,
        headers=payload.headers,
        type=head.type,
        skipped=_reason_to_skip(head.type, payload),
        http_status=payload.status,
        date=head.headers.get("warc-date", ""),
        truncated=head.headers.get("warc-truncated", "") or truncated,
        damaged=damaged or payload.damage,
    )


def _line_ends_before(buffer: bytearray, index: int, start: int) -> int:
    """Return the position of the line ends, at most two, that stand before `index` and not before `start`."""
    for _ in range(2):
        if index <= start or buffer[index - 1] != _LF:
            break
        index -= 2 if index - 1 > start and buffer[index - 2] == _CR else 1
    return index


def _reason_to_skip(type_: str, payload: Payload) -> str:
    """Return why a record is not a page, "" for a page."""
    if type_ not in ("response", "resource"):
        return type_
    if payload.status is not None and not 200 <= payload.status < 300:
        return f"HTTP {payload.status}"
    if payload.damage:
        return ""
    if not payload.raw:
        return "no body"
    return why_not_a_page(payload.headers.get("content-type", ""), partial(_head, payload))


def _head(payload: Payload) -> bytes:
    """Return the start of a body without its encodings."""
    return decode_body(payload.raw, payload.headers, limit=_HEAD_SIZE).data
