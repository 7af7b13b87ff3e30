"""WARC files: records one after the other, whatever has become of the file.

Headers are read by fastwarc; where a record ends is found here. Its own iterator gives up a file at the first damaged
member and ends a truncated one without a word (two of eight records read), and a wrong Content-Length
makes it read the next record as body. Here the next record begins where the bytes say so: at the next member, or at a
line that begins with `WARC/1.` after the blank line that ends a record (ISO 28500:2017, section 4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from dehusk.records.members import Piece, pieces
from dehusk.records.record import Loss, Record, needed, not_a_page

_LENGTH = re.compile(rb"\r?\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*(?=\r?\n)", re.IGNORECASE)
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_NEXT = re.compile(rb"(?:\r?\n){1,2}(?=WARC/[01]\.\d+\r?\n)")
_BEGINS = b"WARC/"
_AFTER = b"\r\n\r\n"
_HEAD = 65_536  # bytes that a record's header may take
_LINE_ENDS = b"\r\n"
_JUDGED = 16  # bytes after a record that tell whether it ends there
_NEXT_SIZE = 24  # bytes that `_NEXT` may match and look at


def read_warc(path: Path, limit: int) -> Iterator[Record | Loss]:
    """Yield the records of a WARC file, and a `Loss` for each part that is damaged.

    Args:
        path: .warc, .warc.gz or .warc.zst, known by its content.
        limit: of a record's body not more than this and some bytes are held.

    Raises:
        OSError: the file cannot be read.
        InputError: a library is missing.
    """
    with path.open("rb") as stream:
        yield from _records(stream, limit)


def _records(stream: BinaryIO, limit: int) -> Iterator[Record | Loss]:
    reader = _Reader(limit)
    for piece in pieces(stream, begins=_BEGINS):
        if isinstance(piece, Loss):
            yield piece
        else:
            yield from reader.take(piece)


def read_warc_at(path: Path, offsets: Sequence[int], limit: int) -> Iterator[Record | None]:
    """Yield the record that begins at each of some places; its number is 0. See `read_warc`.

    Args:
        path: the file.
        offsets: of records or of the members that they are in.
        limit: as of `read_warc`.

    Yields:
        the first record; None where none begins there, or where it takes what only the file's beginning tells.
    """
    with path.open("rb") as stream:
        for offset in offsets:
            stream.seek(offset)
            found = next(_records(stream, limit), None)
            yield found if isinstance(found, Record) else None


class _Reader:
    """Puts records together from pieces."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.parse = needed("fastwarc.warc").WarcRecord.from_bytes
        self._number = 0
        self._buffer = bytearray()
        self._place = 0
        """Where the buffer begins in the file; of compressed members, where the member does."""
        self._in_member = False
        self._bad = 0
        """Bytes before the buffer that belong to no record."""
        self._skip = 0
        self._held: tuple[int, bytes] | None = None
        """A record longer than the limit: its place and beginning; the next `_skip` bytes are its rest."""

    def take(self, piece: Piece) -> Iterator[Record | Loss]:
        """Yield the records that are whole with this piece."""
        self._in_member = piece.member
        if piece.member:
            self._place = piece.offset
        data = piece.data
        if self._held:
            passed = min(self._skip, len(data))
            self._skip -= passed
            self._place += 0 if piece.member else passed
            data = data[passed:]
            if self._skip and not piece.ends:
                return
            yield from self._give_held(piece)
        self._buffer += data
        while self._buffer and (found := self._first(piece)) is not None:
            yield from found
        if piece.ends:
            if not piece.damage:  # else whoever found it tells the loss of the whole member
                yield from self._unread()
            self._bad = 0
            self._drop(len(self._buffer))

    def _give_held(self, piece: Piece) -> Iterator[Record | Loss]:
        place, data = self._held or (0, b"")
        short, self._held, self._skip = self._skip, None, 0
        yield from self._record(place, data, *self._ended(piece) if short else ("", ""))
        if short and not piece.damage:
            yield Loss(place, short, "a record is shorter than its Content-Length")

    @staticmethod
    def _ended(piece: Piece) -> tuple[str, str]:
        """Return `truncated` and `damaged` of a record in which a piece ends."""
        return ("the file ends in it", "") if piece.damage in ("", "cut") else ("", piece.damage)

    def _unread(self) -> list[Loss]:
        if not self._bad:
            return []
        lost = Loss(self._place - self._bad if self._place > self._bad else self._place, self._bad, "no record")
        self._bad = 0
        return [lost]

    def _first(self, piece: Piece) -> Sequence[Record | Loss] | None:
        """Take the first record off the buffer; None where more bytes are needed."""
        buffer = self._buffer
        if not self._bad:
            self._drop(len(buffer) - len(buffer.lstrip(_LINE_ENDS)))
        if not buffer or (len(buffer) < len(_BEGINS) and not piece.ends):
            return None
        if self._bad or not buffer.startswith(_BEGINS):
            return self._garbage(piece)
        head = _HEAD_END.search(buffer, 0, _HEAD)
        if head is not None:
            length = _LENGTH.search(buffer, 0, head.end())
            return self._framed(piece, head.end(), int(length[1]) if length else -1)
        if not piece.ends and len(buffer) < _HEAD:
            return None
        if piece.damage:  # whoever found the damage tells the loss
            self._drop(len(buffer))
            return []
        return self._garbage(piece)

    def _garbage(self, piece: Piece) -> Sequence[Record | Loss] | None:
        """Pass over bytes that are no record, up to the next that is."""
        following = _NEXT.search(self._buffer)
        if following is None:
            passed = len(self._buffer) if piece.ends else max(1, len(self._buffer) - _NEXT_SIZE)
        else:
            passed = following.end()
        self._bad += passed
        self._drop(passed)
        if following is None:
            return None
        return self._unread()

    def _framed(self, piece: Piece, head: int, length: int) -> Sequence[Record | Loss] | None:
        buffer = self._buffer
        stop = head + length
        if length < 0:
            return self._by_next(piece, head, length)
        if len(buffer) >= stop + _JUDGED or piece.ends:
            if stop <= len(buffer) and self._is_end(stop):
                return self._cut_off(stop)
            return self._by_next(piece, head, length)
        if len(buffer) - head <= self.limit + _HEAD or stop <= len(buffer):
            return None
        if _NEXT.search(buffer, head - 2):
            return self._by_next(piece, head, length)
        self._held, self._skip = (self._place, bytes(buffer[: head + self.limit + _HEAD])), stop - len(buffer)
        self._drop(len(buffer))
        return None

    def _is_end(self, stop: int) -> bool:
        rest = bytes(self._buffer[stop : stop + len(_AFTER)])
        return rest in (b"", _AFTER)

    def _by_next(self, piece: Piece, head: int, length: int) -> Sequence[Record | Loss] | None:
        """Take a record whose length is wrong or missing: it goes on to the next one or to the end of its member."""
        buffer, place = self._buffer, self._place
        said = "no Content-Length" if length < 0 else f"Content-Length says {length}"
        if following := _NEXT.search(buffer, head - 2):
            stop = max(head, following.start())
            if stop - head == length:  # other line ends between the records than the standard's
                return self._cut_off(stop)
            return [Loss(place, 0, f"{said}, the record has {stop - head} bytes"), *self._cut_off(stop)]
        if not piece.ends and len(buffer) - head <= self.limit + _HEAD:
            return None
        stop = len(buffer)
        if piece.damage:  # the loss of the member is told by whoever found it
            return self._cut_off(stop, *self._ended(piece))
        size = stop - head - 4 * buffer.endswith(b"\r\n\r\n")
        if not piece.ends or (not piece.member and length > size):
            what = "the file ends in the middle of a record" if piece.ends else f"{said}, and no record follows"
            return [Loss(place, max(0, length - size), what), *self._cut_off(stop, *self._ended(piece))]
        return [Loss(place, 0, f"{said}, the record has {size} bytes"), *self._cut_off(head + size)]

    def _cut_off(self, stop: int, truncated: str = "", damaged: str = "") -> Sequence[Record | Loss]:
        data = bytes(self._buffer[: min(stop, self.limit + 2 * _HEAD)])
        place = self._place
        self._drop(stop)
        return self._record(place, data, truncated, damaged)

    def _drop(self, size: int) -> None:
        del self._buffer[:size]
        if not self._in_member:
            self._place += size

    def _record(self, place: int, data: bytes, truncated: str, damaged: str) -> Sequence[Record | Loss]:
        """Return the record that bytes are, or the loss where its header cannot be read."""
        try:
            found = self.parse(_with_length(data))
            kind = str(found.record_type).rpartition(".")[2]
            headers = {name.lower(): value for name, value in found.headers.items()}
            body = _body(found)
        except (OSError, ValueError, RuntimeError) as error:
            # where its end is missing or damaged, that is told already
            return [] if truncated or damaged else [Loss(place, len(data), f"a record cannot be read: {error}")]
        number, self._number = self._number, self._number + 1
        return [
            Record(
                number=number,
                offset=place,
                id=headers.get("warc-record-id", "").strip("<> "),
                url=headers.get("warc-target-uri", "").strip("<> "),
                raw=body.raw,
                headers=body.headers,
                kind=kind,
                skipped=_skipped(kind, body),
                http_status=body.status,
                date=headers.get("warc-date", ""),
                truncated=headers.get("warc-truncated", "") or truncated,
                damaged=damaged,
            )
        ]


def _with_length(data: bytes) -> bytes:
    """Return a record whose Content-Length is not less than what it has: fastwarc reads no further than it says."""
    head = _HEAD_END.search(data)
    if head is None:
        return data
    size = str(len(data) - head.end()).encode()
    length = _LENGTH.search(data, 0, head.end())
    if length is None:
        return data[: head.start()] + b"\r\nContent-Length: " + size + data[head.start() :]
    if int(length[1]) >= len(data) - head.end():
        return data
    return data[: length.start(1)] + size + data[length.end(1) :]


class _Body(NamedTuple):
    raw: bytes
    headers: dict[str, str]
    status: int | None


def _body(found: Any) -> _Body:
    """Return a record's body with the headers of the answer that brought it."""
    if not found.is_http:
        kind = found.headers.get("Content-Type")
        return _Body(found.reader.read(), {"content-type": kind} if kind else {}, None)
    try:
        found.parse_http()
    except (OSError, ValueError):  # an answer without a head
        return _Body(found.reader.read(), {}, None)
    pairs = found.http_headers.items()
    return _Body(found.reader.read(), {k.lower(): v for k, v in pairs}, found.http_headers.status_code)


def _skipped(kind: str, body: _Body) -> str:
    """Return why a record is no page, "" for a page."""
    if kind not in ("response", "resource"):
        return kind
    if body.status is not None and not 200 <= body.status < 300:
        return f"HTTP {body.status}"
    if not body.raw:
        return "no body"
    return not_a_page(body.headers.get("content-type", ""), lambda: body.raw)
