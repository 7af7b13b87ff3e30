"""Counts of what a site's pages share, on their way from processes that count pages to the one that adds them up."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.base.remote.file_path import FilePath
from dehusk.base.remote.paths import RemotePath, path_of, read_range
from dehusk.base.remote.ranges import RangeReader
from dehusk.base.store import write_arrays


class CountsSlice(NamedTuple):
    """The part of a file that contains packed counts."""

    file: str
    offset: int
    size: int


def pack_counts(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return the arrays of a site's counts as bytes; equal counts give equal bytes."""
    stream = io.BytesIO()
    write_arrays(stream, arrays)
    return stream.getvalue()


def open_counts(part: CountsSlice | bytes) -> AbstractContextManager[Mapping[str, npt.NDArray[Any]]]:
    """Open packed counts: a mapping that reads an array each time it is asked for.

    Raises:
        OSError: the file cannot be read.
        ValueError: the bytes are not counts.
    """
    opened: AbstractContextManager[Mapping[str, npt.NDArray[Any]]] = np.load(_stream(part), allow_pickle=False)
    return opened


def _stream(part: CountsSlice | bytes) -> io.BufferedIOBase:
    if isinstance(part, bytes):
        return io.BytesIO(part)
    path = path_of(part.file)
    if isinstance(path, RemotePath):  # one request
        return io.BytesIO(read_range(path, part.offset, part.size))
    return io.BufferedReader(RangeReader(_LocalSlice(path, part.offset, part.size)))


class _LocalSlice:
    """A part of a local file, for `RangeReader`."""

    def __init__(self, path: FilePath, offset: int, size: int) -> None:
        self._path, self._offset, self.size = path, offset, size

    def read(self, start: int, size: int) -> bytes:
        """Return up to `size` bytes from an offset in the part."""
        return read_range(self._path, self._offset + start, min(size, self.size - start))
