"""Pages in zip and tar archives."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any, cast

from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record, one_line
from dehusk.read.files import has_page_suffix
from dehusk.read.parsing import saved_from

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}", re.IGNORECASE)
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError, RuntimeError),
    *(ValueError, LookupError, ArithmeticError, MemoryError),
)
"""What Python raises when an archive is damaged; `OSError` as well, of an offset outside the file."""

_ZIP_TAIL = 65_536 + 200  # bytes in which the record at the end of a zip archive is, with its comment
_TAIL = 4 * tarfile.RECORDSIZE  # tarfile reads one of these ahead


def read_zip(path: FilePath, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the files of a zip archive in order, and a `Loss` for each damaged one.

    Raises:
        OSError: the archive cannot be read.
    """
    size = path.stat().st_size  # raises if the file is missing
    stream = path.open("rb")
    try:
        archive = zipfile.ZipFile(stream)
    except (*DAMAGE, OSError) as error:
        stream.close()
        yield Loss(0, size, f"incomplete zip archive: {one_line(error)}")
        return
    with stream, archive:
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
        for number, entry in enumerate(entries):
            try:
                data = b"" if _is_empty(entry) else _content(archive, entry, options.limit)
            except (*DAMAGE, OSError) as error:  # an offset outside the file is an OSError too
                message = f"{one_line(entry.filename)} is damaged: {one_line(error)}"
                yield Loss(max(entry.header_offset, 0), entry.compress_size, message)
                continue
            yield file_record(entry.filename, data, number)
        listed, count = len(archive.infolist()), _announced(stream, size)
        if count != listed % 65_536:
            message = f"the directory of the archive is damaged: it lists {listed} files, but says it has {count}"
            yield Loss(archive.start_dir, size - archive.start_dir, message)


def _is_empty(entry: zipfile.ZipInfo) -> bool:
    """Return whether there is nothing to read, and nothing to verify; opening it takes longer than all else."""
    return not (entry.file_size or entry.compress_size or entry.CRC)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    with archive.open(entry) as member:
        return member.read(limit + 1)


def _announced(stream: IO[bytes], size: int) -> int:
    """Return the number of files that the end of a zip archive of `size` bytes announces, modulo 65,536."""
    stream.seek(max(0, size - _ZIP_TAIL))
    tail = stream.read(_ZIP_TAIL)
    end = tail.rfind(b"PK\5\6")
    count = int.from_bytes(tail[end + 10 : end + 12], "little")
    return count if count < 65_535 else _announced_by_zip64(tail)


def _announced_by_zip64(tail: bytes) -> int:
    end = tail.rfind(b"PK\6\6")
    return int.from_bytes(tail[end + 32 : end + 40], "little") % 65_536 if end >= 0 else 65_535


def read_tar(path: FilePath, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the files of a tar archive, compressed or not, in order; everything after damage is one `Loss`.

    Raises:
        OSError: the archive cannot be read.
    """
    number = 0
    with path.open("rb") as raw:
        stream = _TailReader(_decompressed(raw))
        try:
            with tarfile.open(fileobj=cast("Any", stream), mode="r|") as archive:
                for entry in archive:
                    if entry.issym() or entry.islnk():
                        link = file_record(entry.name, b"", number)
                        yield replace(link, skipped=f"a link to {entry.linkname}")
                        number += 1
                        continue
                    if not entry.isfile() or (content := archive.extractfile(entry)) is None:
                        continue
                    yield file_record(entry.name, content.read(options.limit + 1), number)
                    number += 1
                end = archive.offset
            if stream.block(end).strip(b"\0"):  # tarfile takes an unreadable header for the end of the archive
                raise tarfile.ReadError(f"no header at byte {end} of the archive")
            stream.read_to_end()  # verifies the checksum
        except (*DAMAGE, tarfile.TarError, OSError) as error:
            size = path.stat().st_size
            position = min(raw.tell(), size)
            yield Loss(position, size - position, f"the archive is damaged or truncated: {one_line(error)}")


def _decompressed(raw: IO[bytes]) -> IO[bytes]:
    """Return a stream of the uncompressed content of a file."""
    head = raw.read(6)
    raw.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    if head.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    return lzma.LZMAFile(raw) if head == b"\xfd7zXZ\0" else raw


class _TailReader:
    """Reads a stream once and remembers its last bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._tail = b""
        self._position = 0

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes."""
        data = self._stream.read(size)
        self._position += len(data)
        self._tail = (self._tail + data)[-_TAIL:]
        return data

    def block(self, offset: int) -> bytes:
        """Return the tar block at an offset that was read recently."""
        start = offset - (self._position - len(self._tail))
        return self._tail[start : start + 512] if start >= 0 else b""

    def read_to_end(self) -> None:
        """Read and discard the rest."""
        while self._stream.read(1_000_000):
            pass


def file_record(name: str, data: bytes, number: int) -> Record:
    """Return the record of a file in an archive or folder.

    Args:
        name: the file's path in the archive or folder.
        data: the file's content.
        number: the file's number.
    """
    path = PurePosixPath(name)
    is_page = has_page_suffix(path)
    other_type = f"a {path.suffix} file" if path.suffix else "a file without a suffix"
    skipped = other_type if not is_page else "" if data else "an empty file"
    url = (url_of_path(path) if "/" in name else "") or saved_from(data) or ""
    return Record(number=number, offset=number, id=name, url=url, raw=data, type="file", skipped=skipped)


def url_of_path(path: PurePosixPath) -> str:
    """Return the URL of a page saved as wget saves it, `example.org/path/page.html`; "" if no folder names a host."""
    parts = [part for part in path.parts if part not in (".", "/")]
    hosts = [index for index, part in enumerate(parts[:-1]) if _HOST.fullmatch(part)]
    return f"http://{'/'.join(parts[hosts[0] :])}" if hosts else ""
