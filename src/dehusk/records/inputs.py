"""Which files an argument stands for, and what kind each is."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dehusk.errors import InputError
from dehusk.records.archives import read_tar, read_zip
from dehusk.records.record import Loss, Record
from dehusk.records.tables import Columns, read_lines, read_parquet
from dehusk.records.warc import read_warc, read_warc_at

_KINDS = {
    "warc": (".warc", ".warc.gz", ".warc.zst"),
    "parquet": (".parquet",),
    "lines": (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst"),
    "zip": (".zip",),
    "tar": (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"),
}
_SUFFIXES = tuple(suffix for suffixes in _KINDS.values() for suffix in suffixes)


@dataclass(frozen=True)
class Input:
    """A file of pages."""

    path: Path
    name: str
    """Its path below the folder it was found in; no other input of the run has it."""
    kind: str

    def stamp(self) -> list[int]:
        """Return size and time of change.

        Raises:
            OSError: the file is not there.
        """
        status = self.path.stat()
        return [status.st_size, status.st_mtime_ns]


def find_inputs(arguments: Sequence[str]) -> list[Input]:
    """Return the files that arguments name: files, folders (searched through), globs.

    Raises:
        InputError: nothing is there, a file is of no known kind, or two are of one name.
    """
    found: list[Input] = []
    for argument in arguments:
        found += _expand(argument)
    taken: dict[str, Path] = {}
    for one in found:
        other = taken.setdefault(one.name, one.path)
        if other is not one.path:
            raise InputError(f"{other} and {one.path} would get the same output: run them apart")
    return found


def _expand(argument: str) -> list[Input]:
    path = Path(argument)
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.name.endswith(_SUFFIXES) and file.is_file())
        if not files:
            raise InputError(f"folder {argument} holds no files of pages ({', '.join(_SUFFIXES)})")
        return [Input(file, file.relative_to(path).as_posix(), _kind(file)) for file in files]
    if not path.is_file() and glob.has_magic(argument):
        files = [Path(name) for name in sorted(glob.glob(argument, recursive=True)) if Path(name).is_file()]
        if not files:
            raise InputError(f"nothing matches {argument}")
        return [Input(file, file.name, _kind(file)) for file in files]
    if not path.is_file():
        raise InputError(f"{argument} is not there" if not path.exists() else f"{argument} is no file")
    return [Input(path, path.name, _kind(path))]


def _kind(path: Path) -> str:
    """Return the kind of a file by its name.

    Raises:
        InputError: it has another name.
    """
    for kind, suffixes in _KINDS.items():
        if path.name.lower().endswith(suffixes):
            return kind
    raise InputError(f"{path} is no file of pages by its name: known are {', '.join(_SUFFIXES)}")


def read(one: Input, columns: Columns, limit: int) -> Iterator[Record | Loss]:
    """Yield the records of a file in their order, and a `Loss` for each part that is damaged.

    Args:
        one: the file.
        columns: names of the columns of a table.
        limit: bytes of a page that are wanted; of longer ones there is one byte more at least.

    Raises:
        InputError: the file cannot be read at all, a column is not there, or a library is missing.
    """
    readers: dict[str, Callable[[], Iterator[Record | Loss]]] = {
        "warc": lambda: read_warc(one.path, limit),
        "parquet": lambda: read_parquet(one.path, columns, limit),
        "lines": lambda: read_lines(one.path, columns, limit),
        "zip": lambda: read_zip(one.path, limit),
        "tar": lambda: read_tar(one.path, limit),
    }
    with _readable(one):
        yield from readers[one.kind]()


def read_places(one: Input, offsets: Sequence[int], limit: int) -> Iterator[Record | None]:
    """Yield for each of some places in a WARC the record that begins there, None where none does.

    Raises:
        InputError: the file cannot be read at all, or a library is missing.
    """
    with _readable(one):
        yield from read_warc_at(one.path, offsets, limit)


@contextmanager
def _readable(one: Input) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{one.path} cannot be read: {error.strerror or error}") from error
