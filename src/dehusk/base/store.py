"""Model folders: `card.json` (method, training, quality) and `arrays.npz`; nothing is pickled."""

from __future__ import annotations

import io
import json
import math
import os
import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ConfigError, ModelError

# ---------------------------------------------------------------- zip members
# The files in a zip archive that is as plain as those that dehusk writes, in a third of the time of `zipfile`.
#
# Importing `zipfile` and what it needs, and what it does for each file, are 7 ms of the start of a process.

_END = struct.Struct("<4s4H2IH")
_ENTRY = struct.Struct("<4s6H3I5H2I")
_LOCAL = struct.Struct("<4s5H3I2H")
_STORED, _DEFLATED = 0, 8
_VERSION = 20  # of the format, for files that are stored or deflated


def plain_members(archive: bytes, most: int) -> dict[str, bytes] | None:
    """Return the files of an archive by name.

    Args:
        archive: the bytes of the archive.
        most: bytes that all files together may have.

    Returns:
        None if it is no archive, is damaged, has more bytes, or uses more of the format than files that follow one
        another, stored or deflated. `zipfile` reads such an archive, or says what is wrong with it.
    """
    found: dict[str, bytes] = {}
    try:
        for entry in _entries(archive):
            most -= entry[3]
            if most < 0:
                return None
            name, content = _member(archive, entry)
            found[name] = content
    except (ValueError, struct.error, zlib.error):
        return None
    return found


def _entries(archive: bytes) -> Iterator[tuple[int, int, int, int, int, bytes]]:
    """Yield the method, checksum, size in the archive, size, offset and name of each file.

    Raises:
        ValueError: the directory is not plain.
    """
    end = len(archive) - _END.size
    if end < 0:
        raise ValueError
    signature, disk, start_disk, here, number, size, start, comment = _END.unpack_from(archive, end)
    if signature != b"PK\5\6" or disk or start_disk or here != number or comment or start + size != end:
        raise ValueError
    offset, expected = start, 0
    for _ in range(number):
        fields = _ENTRY.unpack_from(archive, offset)
        signature, _, version, flags, method = fields[:5]
        checksum, packed, unpacked, length, *others = fields[7:14]  # others: further bytes and disks
        local = fields[16]
        name = archive[offset + _ENTRY.size : offset + _ENTRY.size + length]
        if signature != b"PK\1\2" or version != _VERSION or flags or any(others) or local != expected:
            raise ValueError
        yield method, checksum, packed, unpacked, local, name
        offset += _ENTRY.size + length
        expected = local + _LOCAL.size + length + packed
    if offset != end or expected != start:
        raise ValueError


def _member(archive: bytes, entry: tuple[int, int, int, int, int, bytes]) -> tuple[str, bytes]:
    """Return the name and the content of a file.

    Raises:
        ValueError: it is not plain, or damaged; so do `struct.error` and `zlib.error`.
    """
    method, checksum, packed, unpacked, offset, name = entry
    local = _LOCAL.unpack_from(archive, offset)
    start = offset + _LOCAL.size + len(name)
    same = (_VERSION, 0, method, checksum, packed, unpacked, len(name), 0)
    if local[0] != b"PK\3\4" or (*local[1:4], *local[6:]) != same or archive[start - len(name) : start] != name:
        raise ValueError
    content = archive[start : start + packed]
    if method == _DEFLATED:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        content = stream.decompress(content, unpacked + 1)  # no more than it says
        if not stream.eof or stream.unused_data:
            raise ValueError
    elif method != _STORED:
        raise ValueError
    if len(content) != unpacked or zlib.crc32(content) != checksum:
        raise ValueError
    return name.decode("ascii"), content


# ---------------------------------------------------------------- store

try:  # as `hashlib.sha256`, without the 4 ms that OpenSSL takes to load
    from _sha2 import sha256  # type: ignore[import-not-found]
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]  # its name before Python 3.12
    except ImportError:
        from hashlib import sha256

FORMAT = 1
"""Version of the folder format."""

CARD_FILES = _CARD, _ARRAYS = "card.json", "arrays.npz"
"""The files of a model folder."""

MOST_BYTES = 2_000_000_000
"""Bytes that the arrays of a model may have; a small file can say that it holds any number."""
_MOST_CARD = 50_000_000  # bytes of a card
_DIGEST = "arrays-sha256"  # of a card: what the file of arrays must be
_PIECE = 1_000_000  # bytes hashed at a time

_USUAL_ARCHIVE = 20_000_000  # bytes; larger ones are read file by file


@cache
def damage(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """Return what reading the JSON and the arrays of a damaged model raises, and others.

    `RecursionError` is a RuntimeError.
    """
    import lzma  # noqa: PLC0415 (with the others 4 ms, which the default model does without)
    import zipfile  # noqa: PLC0415
    import zlib  # noqa: PLC0415
    from tokenize import TokenError  # noqa: PLC0415

    return (
        *(ValueError, LookupError, EOFError, TypeError, AttributeError, ArithmeticError, RuntimeError, SyntaxError),
        *(MemoryError, NotImplementedError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, TokenError),
        *others,
    )


_USUAL_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': '([<|][fiu][1248])', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n",
    re.DOTALL,
)


def feature_hash(names: Sequence[str]) -> str:
    """Return a short hash of feature names in their order; a model only works with features of the same hash."""
    return str(sha256("\n".join(names).encode()).hexdigest())[:16]


def save_model(folder: str | Path, card: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write a model folder; equal contents give equal bytes.

    Raises:
        ModelError: the folder cannot be written.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / _ARRAYS).open("wb") as stream:
            write_arrays(stream, arrays, compress=True)
        with (folder / _ARRAYS).open("rb") as stream:
            contents = {"format": FORMAT, **card, _DIGEST: _digest_of(stream)}
        (folder / _CARD).write_text(json.dumps(contents, indent=1, ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        raise ModelError(f"model {folder} cannot be written: {error}") from error


def write_arrays(stream: IO[bytes], arrays: Mapping[str, npt.NDArray[Any]], *, compress: bool = False) -> None:
    """Write an npz archive, sorted by name and without time stamps, so that equal arrays give equal bytes."""
    import zipfile  # noqa: PLC0415 (cleaning pages writes no arrays)

    compression, level = (zipfile.ZIP_DEFLATED, 9) if compress else (zipfile.ZIP_STORED, None)
    with zipfile.ZipFile(stream, "w", compression, compresslevel=level) as archive:
        for name in sorted(arrays):
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = compression
            with archive.open(entry, "w") as target:
                np.lib.format.write_array(target, np.ascontiguousarray(arrays[name]), allow_pickle=False)


def load_model(folder: str | Path, method: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Read a model folder.

    Args:
        folder: the folder.
        method: the name of the method that the model must belong to.

    Raises:
        ModelError: the folder is missing, unreadable or damaged, or belongs to another format or method.
    """
    folder = Path(folder)
    if not os.path.exists(folder / _CARD):  # noqa: PTH110 (False for a name that is too long, where `Path` raises)
        problem = f"no {_CARD} in this folder" if os.path.isdir(folder) else "no such folder"  # noqa: PTH112
        raise ModelError(f"model {folder}: {problem}: name a folder that dehusk train or dehusk site learn has written")
    try:
        card = json.loads(_card_text(folder))
        with (folder / _ARRAYS).open("rb") as stream:
            _verify(stream, card)
            arrays = read_arrays(stream)
    except OSError as error:
        name = Path(error.filename or _ARRAYS).name
        raise ModelError(f"model {folder}: {name} cannot be read: {error.strerror or error}") from error
    except damage() as error:
        is_archive = type(error).__name__ != "BadZipFile"
        reason = reason_of(error) if is_archive else f"{_ARRAYS} is not an npz archive"
        raise ModelError(f"model {folder} is damaged: {reason}") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise ModelError(f"model {folder} is not in format {FORMAT}")
    if card.get("method") != method:
        raise ModelError(f"model {folder} belongs to method {card.get('method')!r}, not {method!r}")
    return card, arrays


def _verify(stream: IO[bytes], card: object) -> None:
    """Compare a file of arrays with the digest in its card, and take that out; cards of older versions have none.

    Raises:
        ValueError: they differ.
    """
    expected = card.pop(_DIGEST, None) if isinstance(card, dict) else None
    if expected is not None and _digest_of(stream) != expected:
        raise ValueError(f"{_ARRAYS} is not the file that {_CARD} was written with (their SHA-256 differs)")
    stream.seek(0)


def _digest_of(stream: IO[bytes]) -> str:
    digest = sha256()
    while piece := stream.read(_PIECE):
        digest.update(piece)
    return str(digest.hexdigest())


def read_arrays(stream: IO[bytes]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of an npz archive by name; nothing is allocated that the archive does not hold.

    Raises:
        OSError: the archive cannot be read.
        ValueError: an array is larger or smaller than its header says, or all of them together exceed `MOST_BYTES`;
            other damage raises others of `damage()`.
    """
    archive_bytes = stream.read(_USUAL_ARCHIVE)
    if (members := plain_members(archive_bytes, MOST_BYTES)) is not None:
        return {name.removesuffix(".npy"): read_array(content, name) for name, content in members.items()}
    import zipfile  # noqa: PLC0415 (it takes 4 ms, and reads a file in three times the time)

    with zipfile.ZipFile(stream) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > MOST_BYTES:
            raise ValueError(f"its arrays have {size} bytes, more than {MOST_BYTES}")
        return {
            entry.filename.removesuffix(".npy"): read_array(archive.read(entry), entry.filename)
            for entry in archive.infolist()
        }


def read_array(data: bytes, name: str) -> npt.NDArray[Any]:
    """Return the array in the bytes of an npy file; raises as `read_arrays`."""
    if usual := _USUAL_HEADER.match(data):  # in a tenth of the time that numpy takes to read headers
        shape, dtype = tuple(int(size) for size in usual[3].split(b",") if size.strip()), np.dtype(usual[2].decode())
        header, starts = usual.end(), len(usual[0]) == 10 + int.from_bytes(usual[1], "little")
        if starts and math.prod(shape) * dtype.itemsize == len(data) - header:
            return np.frombuffer(data, dtype, offset=header).reshape(shape).copy()
    source = io.BytesIO(data)
    version = np.lib.format.read_magic(source)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read_header(source)
    count = math.prod(shape)
    if count * dtype.itemsize != len(data) - source.tell() or (count and not dtype.itemsize) or min((0, *shape)) < 0:
        raise ValueError(f"{name} does not have the size that its header says")
    source.seek(0)
    array: npt.NDArray[Any] = np.lib.format.read_array(source, allow_pickle=False)
    return array


@contextmanager
def reading(folder: str | Path) -> Iterator[None]:
    """Say of whatever damage raises in this block that the model in `folder` is damaged.

    numpy says nothing of values that are not finite: the models refuse them.

    Raises:
        ModelError: the block raised one of `damage()`, or ConfigError.
    """
    try:
        with np.errstate(all="ignore"):
            yield
    except damage(ConfigError) as error:
        raise ModelError(f"model {folder} is damaged: {reason_of(error)}") from error


def reason_of(error: BaseException) -> str:
    """Return an error as one line."""
    return " ".join(f"{error}".split())[:300] or type(error).__name__


def _card_text(folder: Path) -> str:
    size = (folder / _CARD).stat().st_size
    if size > _MOST_CARD:
        raise ValueError(f"{_CARD} has {size} bytes, more than {_MOST_CARD}")
    return (folder / _CARD).read_text("utf-8")


def identity_of(folder: str | Path) -> str:
    """Return the name of a model folder and a short hash of its files, which tells it from all other models.

    Raises:
        ModelError: a file cannot be read.
    """
    folder, digest = Path(folder), sha256()
    try:
        for name in CARD_FILES:
            digest.update((folder / name).read_bytes())
    except OSError as error:
        raise ModelError(f"model {folder} cannot be read: {error}") from error
    return f"{folder.resolve().name} {digest.hexdigest()[:16]}"


def method_of(folder: Path) -> str:
    """Return the name of the method that a model folder belongs to, "" if it is not a model folder."""
    try:
        card = json.loads(_card_text(folder))
    except (OSError, ValueError, RecursionError):
        return ""
    return str(card.get("method", "")) if isinstance(card, dict) else ""


def stamp(files: Sequence[Path]) -> tuple[tuple[int, int], ...]:
    """Return the (size, modification time) of files, so that caches notice when a file changes."""
    stamps = []
    for file in files:
        try:
            status = file.stat()
        except OSError:
            stamps.append((0, 0))  # reading the file reports the error
        else:
            stamps.append((status.st_size, status.st_mtime_ns))
    return tuple(stamps)


def stamp_of(folder: Path) -> tuple[tuple[int, int], ...]:
    """Return the stamp of a model folder."""
    return stamp([folder / name for name in CARD_FILES])
