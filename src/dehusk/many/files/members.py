"""Compressed files read member by member, so that damage to one member does not affect the others.

A .warc.gz is a chain of gzip members, one per record; a .warc.zst is a chain of frames. Each member is decompressed
separately and its checksum verified. After a damaged member, the file is searched for the next position where a member
decompresses to the bytes that members of this file start with.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Generator, Iterator
from typing import IO, Any, Literal, NamedTuple

from dehusk.base.extras import require
from dehusk.many.files.record import Loss

_READ_SIZE = 65_536
_MAX_OUTPUT = 1_000_000  # decompressed bytes at a time
_MAX_SALVAGED = 50_000_000  # decompressed bytes recovered from a damaged member
_MAX_DICTIONARY = 100_000_000  # bytes of the dictionary of a .warc.zst
ZSTD_STEP = 4096
"""Bytes of zstd decompressed at a time: four of them may stand for 131,072."""
GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x5d\x2a\x4d\x18"
"""The skippable frame that a .warc.zst may start with; it contains the dictionary of all other frames."""


class Piece(NamedTuple):
    """A part of a file's decompressed bytes."""

    offset: int
    """Where the member starts in the file; for uncompressed files, where the piece starts."""
    data: bytes
    ends: bool
    """Whether this is the last piece of its member."""
    member: bool = True
    """Whether the piece belongs to a compressed member."""
    damage: str = ""
    """Why the member is incomplete: "cut" at the end of the file, otherwise the error."""


class PushbackFile:
    """A file read forward; bytes can be pushed back."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._pushed = b""
        self._position = 0

    @property
    def position(self) -> int:
        """The offset of the next byte."""
        return self._position - len(self._pushed)

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, possibly fewer than are left; none at the end of the file."""
        if self._pushed:
            data, self._pushed = self._pushed[:size], self._pushed[size:]
            return data
        data = self._stream.read(size)
        self._position += len(data)
        return data

    def push_back(self, data: bytes) -> None:
        """Make the bytes read last available again."""
        self._pushed = data + self._pushed

    def seek(self, position: int) -> None:
        """Continue at an offset."""
        self._stream.seek(position)
        self._position, self._pushed = position, b""


class _ZstdDecompressor:
    """zstandard's decompressor with the interface of zlib's.

    It cannot limit its output, so it gets little at a time: `ZSTD_STEP` bytes give at most 134 MB, usually 20 kB.
    """

    def __init__(self, dictionary: Any) -> None:
        zstandard = _zstandard()
        self.unconsumed_tail = b""
        self._error = zstandard.ZstdError
        self._object = zstandard.ZstdDecompressor(dict_data=dictionary).decompressobj()

    def decompress(self, data: bytes, _max_output: int) -> bytes:
        self.unconsumed_tail = data[ZSTD_STEP:]
        try:
            return bytes(self._object.decompress(data[:ZSTD_STEP]))
        except self._error as error:
            raise zlib.error(str(error)) from error

    @property
    def eof(self) -> bool:
        return bool(self._object.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._object.unused_data) + self.unconsumed_tail


def read_pieces(
    stream: IO[bytes], *, start: bytes = b"", offset: int = 0, stop: int = sys.maxsize
) -> Generator[Piece | Loss, None, int]:
    """Yield the decompressed bytes of a file, and a `Loss` for each part that could not be read.

    Args:
        stream: gzip, zstd or uncompressed, recognised by its first bytes.
        start: the bytes that each member starts with, used to find the next member after damage. If empty, everything
            after the damage is lost.
        offset: where to start reading.
        stop: compressed members that start at or after this offset are not read.

    Returns:
        The offset of the first byte that was not read.
    """
    source = PushbackFile(stream)
    members = _member_reader(source, start)
    source.seek(offset or source.position)
    yield from members.read(stop) if members else _uncompressed(source)
    return source.position


def find_member(stream: IO[bytes], start: bytes, offset: int, stop: int) -> int | None:
    """Return the offset of the first sound member between two offsets; None if there is none.

    Args:
        stream: as for `read_pieces`.
        start: the bytes that each member starts with.
        offset: the first possible offset.
        stop: the first offset that is too large.
    """
    source = PushbackFile(stream)
    members = _member_reader(source, start)
    source.seek(offset or source.position)
    return members.find(stop) if members else None


def compression(stream: IO[bytes]) -> Literal["gzip", "zstd", ""]:
    """Return the compression of a file, by its first bytes; "" if it is not compressed."""
    stream.seek(0)
    head = stream.read(4)
    return "gzip" if head.startswith(GZIP) else "zstd" if head in (_ZSTD, _DICTIONARY) else ""


def _member_reader(source: PushbackFile, start: bytes) -> _MemberReader | None:
    """Return the reader of a compressed file, None for an uncompressed one; leaves the file at its first member."""
    source.seek(0)
    head = source.read(4)
    source.push_back(head)
    if head.startswith(GZIP):
        return _MemberReader(source, GZIP, lambda: zlib.decompressobj(31), start)
    if head not in (_ZSTD, _DICTIONARY):
        return None
    dictionary = _read_dictionary(source) if head == _DICTIONARY else None
    return _MemberReader(source, _ZSTD, lambda: _ZstdDecompressor(dictionary), start)


def _zstandard() -> Any:
    return require("zstandard", extra="corpus", purpose="reading .zst files")


def _uncompressed(source: PushbackFile) -> Iterator[Piece]:
    offset, data = source.position, source.read(_READ_SIZE)
    while data:
        following = source.read(_READ_SIZE)
        yield Piece(offset, data, not following, member=False)
        offset, data = source.position - len(following), following


def _read_dictionary(source: PushbackFile) -> Any:
    zstandard = _zstandard()
    size = int.from_bytes(_read_exactly(source, 8)[4:], "little")
    data = _read_exactly(source, size)
    if data.startswith(_ZSTD):
        data = _decompressed_dictionary(data)
    return zstandard.ZstdCompressionDict(data) if data else None


def _decompressed_dictionary(data: bytes) -> bytes:
    """Return the dictionary of a file, b"" if it is damaged or huge: the frames that need it are then reported."""
    stream, output = _ZstdDecompressor(None), bytearray()
    try:
        while data and not stream.eof and len(output) <= _MAX_DICTIONARY:
            output += stream.decompress(data, _MAX_OUTPUT)
            data = stream.unconsumed_tail
    except zlib.error:
        return b""
    return bytes(output) if stream.eof and len(output) <= _MAX_DICTIONARY else b""


def _read_exactly(source: PushbackFile, size: int) -> bytes:
    content = b""
    while len(content) < size and (data := source.read(size - len(content))):
        content += data
    return content


class _MemberReader:
    """Reads a chain of compressed members.

    Args:
        source: the file.
        magic: the first bytes of a compressed member.
        new_decompressor: called for each member.
        start: the first decompressed bytes of each member; empty if they differ.
    """

    def __init__(self, source: PushbackFile, magic: bytes, new_decompressor: Callable[[], Any], start: bytes) -> None:
        self.source = source
        self.magic = magic
        self.new_decompressor = new_decompressor
        self.start = start

    def read(self, stop: int) -> Iterator[Piece | Loss]:
        """Yield the pieces of the members that start before an offset."""
        while self.source.position < stop and (data := self.source.read(_READ_SIZE)):
            self.source.push_back(data)
            offset = self.source.position
            damage = yield from self._read_member(offset)
            if damage and not (yield from self._skip_damage(offset, damage)):
                return

    def _read_member(self, offset: int) -> Generator[Piece, None, str]:
        """Yield the pieces of a member and return why it is incomplete."""
        stream = self.new_decompressor()
        pending, yielded = b"", 0  # the latest piece waits until it is known whether it is the last
        while not stream.eof:
            data = stream.unconsumed_tail or self.source.read(_READ_SIZE)
            try:
                if not data:
                    raise EOFError
                output = stream.decompress(data, _MAX_OUTPUT)
            except (zlib.error, EOFError) as error:
                if isinstance(error, EOFError):
                    yield Piece(offset, pending, ends=True, damage="cut")
                    return "cut"
                damage = " ".join(str(error).rpartition(": ")[2].split())
                yield Piece(offset, self._salvage(offset)[yielded:], ends=True, damage=damage)
                return damage
            if output and pending:
                yield Piece(offset, pending, ends=False)
                yielded += len(pending)
            pending = output or pending
        self.source.push_back(stream.unused_data)
        yield Piece(offset, pending, ends=True)
        return ""

    def _salvage(self, offset: int) -> bytes:
        """Return what precedes the damage in a member. A step that fails yields nothing, so steps are small."""
        self.source.seek(offset)
        stream, output = self.new_decompressor(), bytearray()
        try:
            while not stream.eof and len(output) < _MAX_SALVAGED:
                if not (data := stream.unconsumed_tail or self.source.read(64)):
                    break
                output += stream.decompress(data, _MAX_OUTPUT)
        except zlib.error:
            pass
        return bytes(output)

    def _skip_damage(self, offset: int, damage: str) -> Generator[Loss, None, bool]:
        """Move to the next sound member, yield what is lost before it, and return whether there is one."""
        self.source.seek(offset)
        first = self.source.read(len(self.magic))
        padding = first.strip(b"\0") == b""
        self.source.seek(offset + 1)
        following = self.find() if self.start else None
        end = following if following is not None else self._file_end(offset)
        if following is None and padding and self._only_zeros(offset):
            return False  # some tools pad the last block of a tape
        message = "the file ends in the middle of a record" if damage == "cut" else f"damaged ({damage})"
        if first != self.magic:
            message = "not compressed data"
        yield Loss(offset, end - offset, message)
        if following is None:
            return False
        self.source.seek(following)
        return True

    def find(self, stop: int = sys.maxsize) -> int | None:
        """Return the offset of the next sound member that starts before an offset."""
        overlap = len(self.magic) - 1
        tail = b""
        while self.source.position - len(tail) < stop and (data := self.source.read(_READ_SIZE)):
            window = tail + data
            base = self.source.position - len(window)
            index = window.find(self.magic)
            while 0 <= index < stop - base:
                position = self.source.position
                if self._is_sound(base + index):
                    return base + index
                self.source.seek(position)
                index = window.find(self.magic, index + 1)
            tail = window[-overlap:]
        return None

    def _is_sound(self, offset: int) -> bool:
        self.source.seek(offset)
        stream, output = self.new_decompressor(), b""
        try:
            while len(output) < len(self.start) and not stream.eof and (data := self.source.read(4096)):
                output += stream.decompress(data, 4096)
        except zlib.error:
            return False
        return output.startswith(self.start)

    def _file_end(self, offset: int) -> int:
        self.source.seek(offset)
        while self.source.read(1_000_000):
            pass
        return self.source.position

    def _only_zeros(self, offset: int) -> bool:
        self.source.seek(offset)
        while data := self.source.read(_READ_SIZE):
            if data.strip(b"\0"):
                return False
        return True
