"""Pages in zip and tar archives."""

from __future__ import annotations

import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from dehusk.corpus.records import Loss, Record
from dehusk.read.files import SUFFIXES

_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}", re.IGNORECASE)
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError)


def read_zip(path: Path, limit: int) -> Iterator[Record | Loss]:
    """Yield the files of a zip archive in its order; one that is damaged is a `Loss`.

    Raises:
        OSError: the archive cannot be read.
    """
    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
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
        try:
            with tarfile.open(fileobj=raw, mode="r|*") as archive:
                for entry in archive:
                    if not entry.isfile() or (stream := archive.extractfile(entry)) is None:
                        continue
                    yield _record(entry.name, stream.read(limit + 1), number)
                    number += 1
        except (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
            size = path.stat().st_size
            at = min(raw.tell(), size)
            yield Loss(at, size - at, f"the archive is damaged or cut: {error}")


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
