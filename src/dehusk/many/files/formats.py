"""The input formats: file name suffixes, and the function that reads each format."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dehusk.base.errors import InputError, MissingExtraError
from dehusk.many.files.archives import read_tar, read_zip
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.parquet import load_arrow, read_parquet
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.saved_pages import read_folder, read_folder_at
from dehusk.many.files.tables import read_json_lines
from dehusk.many.files.warc import find_record, read_warc, read_warc_at, read_warc_part
from dehusk.many.files.warc_heads import read_warc_heads
from dehusk.read.files import SUFFIXES as PAGE_SUFFIXES

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath


@dataclass(frozen=True)
class PartReader:
    """How to read part of a file without reading what precedes it. A part starts where a record does."""

    find: Callable[[FilePath, int, int], int | None]
    """Returns where the first record between two offsets seems to start."""
    read: Callable[[FilePath, int, int, ReadOptions], Generator[Record | Loss, None, int]]
    """Yields the records, numbered from 0, and losses that start between two offsets; returns where the next part
    starts."""
    heads: Callable[[FilePath, int, int, ReadOptions], tuple[list[Record], int] | None]
    """Returns the same records with incomplete bodies, and where the next part starts; None if that takes `read`."""


@dataclass(frozen=True)
class InputFormat:
    """A format of files that contain many pages."""

    name: str
    suffixes: tuple[str, ...]
    """File name suffixes in lower case; a folder of pages has none."""
    read: Callable[[FilePath, ReadOptions], Iterator[Record | Loss]]
    """Yields the records of a file in order, and a `Loss` for each damaged part. Each reading numbers the records the
    same way. May raise OSError, InputError and MissingExtraError."""
    read_at: Callable[[FilePath, Sequence[int], ReadOptions], Iterator[Record | None]] | None = None
    """Yields the record at each given offset (`Record.offset`), None if there is none. Optional."""
    parts: PartReader | None = None
    """Optional."""
    prepare: Callable[[], None] | None = None
    """Loads what takes so much memory that a process with a memory limit must load it before. May raise
    MissingExtraError. Optional."""


FOLDER = InputFormat("folder", (), read_folder, read_folder_at)

_WARC_PARTS = PartReader(find_record, read_warc_part, read_warc_heads)

FORMATS = [
    InputFormat("warc", (".warc", ".warc.gz", ".warc.zst"), read_warc, read_warc_at, _WARC_PARTS),
    InputFormat("parquet", (".parquet",), read_parquet, prepare=load_arrow),
    InputFormat(
        "lines", (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst"), read_json_lines
    ),
    InputFormat("zip", (".zip",), read_zip),
    InputFormat("tar", (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), read_tar),
    FOLDER,
]
"""All input formats."""


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of all formats."""
    return tuple(suffix for format_ in FORMATS for suffix in format_.suffixes)


def format_named(name: str) -> InputFormat:
    """Return the format with this name.

    Raises:
        KeyError: no format has this name.
    """
    return {format_.name: format_ for format_ in FORMATS}[name]


def prepare_formats(names: Iterable[str]) -> None:
    """Prepare to read formats in a process whose memory will be limited; what is missing is reported by reading."""
    for name in names:
        if prepare := format_named(name).prepare:
            with suppress(MissingExtraError):
                prepare()


def format_of(path: FilePath) -> InputFormat:
    """Return the format of a file, by its name.

    Raises:
        InputError: the suffix is unknown.
    """
    for format_ in FORMATS:
        if format_.suffixes and path.name.lower().endswith(format_.suffixes):
            return format_
    if path.suffix.lower() in PAGE_SUFFIXES:
        raise InputError(f"{path} is a single page: pass its folder, or use `dehusk clean`")
    raise InputError(f"{path}: unsupported file type; supported: {', '.join(suffixes())}, and folders of pages")
