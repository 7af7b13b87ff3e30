"""Pages in zip and tar archives."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, cast

from dehusk.read.files import SUFFIXES
from dehusk.records.record import Loss, Record

_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}", re.IGNORECASE)
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError)

_KEPT = 4 * tarfile.RECORDSIZE  # tarfile reads one of these ahead


def read_zip(path: Path, limit: int) -> Iterator[Record | Loss]:
    """Yield the files of a zip archive in its order; one that is damaged is a `Loss`.

    Raises:
        OSError: the archive cannot be read.
    """
    try:
        archive = zipfile.ZipFile(path)
    except _DAMAGED as error:
        yield Loss(0, path.stat().st_size, f"not a whole zip archive: {error}")
        return
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        for number, entry in enumerate(entries):
            try:
                with archive.open(entry) as stream:
                    data = stream.read(limit + 1)
            except _DAMAGED as error:
                yield Loss(entry.header_offset, entry.compress_size, f"{entry.filename} is damaged: {error}")
                continue
            yield _record(entry.filename, data, number)


def read_tar(path: Path, limit: int) -> Iterator[Record | Loss]:
    """Yield the files of a tar archive, compressed or not, in its order; what is behind damage is a `Loss`.

    Raises:
        OSError: the archive cannot be read.
    """
    number = 0
    with path.open("rb") as raw:
        seen = _Seen(_plain(raw))
        try:
            with tarfile.open(fileobj=cast("Any", seen), mode="r|") as archive:
                for entry in archive:
                    if not entry.isfile() or (stream := archive.extractfile(entry)) is None:
                        continue
                    yield _record(entry.name, stream.read(limit + 1), number)
                    number += 1
                end = archive.offset
            if seen.block(end).strip(b"\0"):  # tarfile takes any header that it cannot read for the end
                raise tarfile.ReadError(f"no header at byte {end} of the archive")
            seen.read_on()  # so that check sums are looked at
        except (*_DAMAGED, tarfile.TarError, OSError) as error:
            size = path.stat().st_size
            at = min(raw.tell(), size)
            yield Loss(at, size - at, f"the archive is damaged or cut: {error}")


def _plain(raw: BinaryIO) -> IO[bytes]:
    """Return what a file holds without its compression."""
    head = raw.read(6)
    raw.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    if head.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    return lzma.LZMAFile(raw) if head == b"\xfd7zXZ\0" else raw


class _Seen:
    """A stream that is read once, and its last bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._last = b""
        self._end = 0

    def read(self, size: int) -> bytes:
        """Return bytes, as a stream does."""
        data = self._stream.read(size)
        self._end += len(data)
        self._last = (self._last + data)[-_KEPT:]
        return data

    def block(self, offset: int) -> bytes:
        """Return the block of the archive that begins at a byte that was read lately."""
        start = offset - (self._end - len(self._last))
        return self._last[start : start + 512] if start >= 0 else b""

    def read_on(self) -> None:
        """Read to the end."""
        while self._stream.read(1_000_000):
            pass


def _record(name: str, data: bytes, number: int) -> Record:
    plain = PurePosixPath(name)
    page = plain.suffix.lower() in SUFFIXES
    reason = "" if page and data else "an empty file" if page else f"a {plain.suffix or 'nameless'} file"
    return Record(number=number, offset=number, id=name, url=_address(plain), raw=data, kind="file", skipped=reason)


def _address(name: PurePosixPath) -> str:
    """Return the address of a page in folders as wget makes them, `example.org/path/page.html`, else ""."""
    parts = [part for part in name.parts if part not in (".", "/")]
    hosts = [place for place, part in enumerate(parts[:-1]) if _HOST.fullmatch(part)]
    return f"http://{'/'.join(parts[hosts[0] :])}" if hosts else ""
