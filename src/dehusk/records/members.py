"""Compressed files member by member, so that a damaged member costs no other.

A .warc.gz is a chain of gzip members, one a record; a .warc.zst a chain of frames. Each member is decompressed alone
and its check sum read. After a damaged one the file is searched for the next beginning that decompresses to what
members of this file begin with.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Iterator
from typing import Any, BinaryIO, NamedTuple

from dehusk.records.record import Loss, needed

_READ = 65_536
_MOST = 1_000_000  # decompressed bytes at a time
_TRUSTED = 50_000_000  # bytes of a damaged member that are looked at again
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x5d\x2a\x4d\x18"
"""The skippable frame that a .warc.zst may begin with; its content is the dictionary of all other frames."""


class Piece(NamedTuple):
    """A part of a file's decompressed bytes."""

    offset: int
    """Where its member begins in the file; for plain files, where the piece does."""
    data: bytes
    ends: bool
    """Whether nothing more of its member comes."""
    member: bool = True
    """Whether it is of a compressed member."""
    damage: str = ""
    """Why the member ends before its end: "cut" at the end of the file, else what is wrong."""


class Source:
    """A file that is read forward, with bytes put back."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._back = b""
        self._position = 0

    @property
    def position(self) -> int:
        """Where the next byte stands."""
        return self._position - len(self._back)

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, fewer than there are perhaps; none at the end."""
        if self._back:
            data, self._back = self._back[:size], self._back[size:]
            return data
        data = self._stream.read(size)
        self._position += len(data)
        return data

    def put_back(self, data: bytes) -> None:
        """Take the last bytes that were read as not read."""
        self._back = data + self._back

    def seek(self, position: int) -> None:
        """Go to a byte of the file."""
        self._stream.seek(position)
        self._position, self._back = position, b""


class _Zstd:
    """zstandard's object with the attributes of zlib's."""

    unconsumed_tail = b""

    def __init__(self, dictionary: Any) -> None:
        library = needed("zstandard")
        self._error = library.ZstdError
        self._object = library.ZstdDecompressor(dict_data=dictionary).decompressobj()

    def decompress(self, data: bytes, _most: int) -> bytes:
        try:
            return bytes(self._object.decompress(data))
        except self._error as error:
            raise zlib.error(str(error)) from error

    @property
    def eof(self) -> bool:
        return bool(self._object.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._object.unused_data)


def pieces(stream: BinaryIO, *, begins: bytes = b"") -> Iterator[Piece | Loss]:
    """Yield a file's bytes without compression, and a `Loss` for each part that could not be read.

    Args:
        stream: gzip, zstd or plain, known by its first bytes.
        begins: what every member begins with; after damage the next such member is looked for. Without it what comes
            after the damage is lost.
    """
    source = Source(stream)
    head = source.read(4)
    source.put_back(head)
    if head.startswith(_GZIP):
        yield from _Members(source, _GZIP, lambda: zlib.decompressobj(31), begins).read()
    elif head in (_ZSTD, _DICTIONARY):
        dictionary = _read_dictionary(source) if head == _DICTIONARY else None
        yield from _Members(source, _ZSTD, lambda: _Zstd(dictionary), begins).read()
    else:
        yield from _plain(source)


def _plain(source: Source) -> Iterator[Piece]:
    at, data = 0, source.read(_READ)
    while data:
        following = source.read(_READ)
        yield Piece(at, data, not following, member=False)
        at, data = source.position - len(following), following


def _read_dictionary(source: Source) -> Any:
    library = needed("zstandard")
    size = int.from_bytes(_exactly(source, 8)[4:], "little")
    data = _exactly(source, size)
    if data.startswith(_ZSTD):
        data = library.ZstdDecompressor().decompress(data, max_output_size=100_000_000)
    return library.ZstdCompressionDict(data)


def _exactly(source: Source, size: int) -> bytes:
    found = b""
    while len(found) < size and (data := source.read(size - len(found))):
        found += data
    return found


class _Members:
    def __init__(self, source: Source, magic: bytes, make: Callable[[], Any], begins: bytes) -> None:
        self.source = source
        self.magic = magic
        self.make = make
        self.begins = begins

    def read(self) -> Iterator[Piece | Loss]:
        while data := self.source.read(_READ):
            self.source.put_back(data)
            start = self.source.position
            damage = yield from self._member(start)
            if damage and not (yield from self._go_on(start, damage)):
                return

    def _member(self, start: int) -> Generator[Piece, None, str]:
        """Yield a member's pieces and return what is wrong with it."""
        stream = self.make()
        held, given = b"", 0  # the last piece waits until it is known whether more of the member comes
        while not stream.eof:
            data = stream.unconsumed_tail or self.source.read(_READ)
            try:
                if not data:
                    raise EOFError
                made = stream.decompress(data, _MOST)
            except (zlib.error, EOFError) as error:
                if isinstance(error, EOFError):
                    yield Piece(start, held, ends=True, damage="cut")
                    return "cut"
                damage = " ".join(str(error).rpartition(": ")[2].split())
                yield Piece(start, self._before_damage(start)[given:], ends=True, damage=damage)
                return damage
            if made and held:
                yield Piece(start, held, ends=False)
                given += len(held)
            held = made or held
        self.source.put_back(stream.unused_data)
        yield Piece(start, held, ends=True)
        return ""

    def _before_damage(self, start: int) -> bytes:
        """Return what a damaged member gives in small steps: a step that fails gives nothing at all."""
        self.source.seek(start)
        stream, made = self.make(), bytearray()
        try:
            while not stream.eof and len(made) < _TRUSTED and (data := stream.unconsumed_tail or self.source.read(64)):
                made += stream.decompress(data, _MOST)
        except zlib.error:
            pass
        return bytes(made)

    def _go_on(self, start: int, damage: str) -> Generator[Loss, None, bool]:
        """Go to the next sound member, yield what is lost before it, and return whether there is one."""
        self.source.seek(start)
        first = self.source.read(len(self.magic))
        padding = first.strip(b"\0") == b""
        self.source.seek(start + 1)
        found = self._next() if self.begins else None
        end = found if found is not None else self._end(start)
        if found is None and padding and self._only_zeros(start):
            return False  # some tools fill the last block of a tape
        what = "the file ends in the middle of a record" if damage == "cut" else f"damaged ({damage})"
        if first != self.magic:
            what = "not compressed data"
        yield Loss(start, end - start, what)
        if found is None:
            return False
        self.source.seek(found)
        return True

    def _next(self) -> int | None:
        """Return where the next member begins that starts as members of this file do."""
        overlap = len(self.magic) - 1
        before = b""
        while data := self.source.read(_READ):
            window = before + data
            base = self.source.position - len(window)
            at = window.find(self.magic)
            while at >= 0:
                here = self.source.position
                if self._sound(base + at):
                    return base + at
                self.source.seek(here)
                at = window.find(self.magic, at + 1)
            before = window[-overlap:]
        return None

    def _sound(self, start: int) -> bool:
        self.source.seek(start)
        stream, made = self.make(), b""
        try:
            while len(made) < len(self.begins) and not stream.eof and (data := self.source.read(4096)):
                made += stream.decompress(data, 4096)
        except zlib.error:
            return False
        return made.startswith(self.begins)

    def _end(self, start: int) -> int:
        self.source.seek(start)
        while self.source.read(1_000_000):
            pass
        return self.source.position

    def _only_zeros(self, start: int) -> bool:
        self.source.seek(start)
        while data := self.source.read(_READ):
            if data.strip(b"\0"):
                return False
        return True
