"""Reading parts of remote files: ranges that grow while they are read one after another.

A range costs a request, tens of milliseconds whatever its size. A reader that jumps, such as to one page of a sample,
gets little; one that reads on gets more each time. All readers of a process share a file that was listed: it is asked
for once, and its first bytes, which tell how it is compressed, are transferred once.
"""

from __future__ import annotations

import io
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from dehusk.base.errors import InputError

_HEAD = 65_536  # bytes at the start of a file that are kept
_LEAST, _MOST = 65_536, 1_048_576  # bytes of a range, unless more is read at once
_KEPT = 8  # files

OpenHandle = Callable[[], tuple[Any, int]]
"""Returns fsspec's file, without a cache, and its size."""
Asking = Callable[[], AbstractContextManager[object]]


class SharedFile:
    """A remote file; several threads may read it.

    Args:
        address: for messages.
        open_handle: opens it.
        asking: what to do while reading from it.
    """

    def __init__(self, address: str, open_handle: OpenHandle, asking: Asking) -> None:
        self._handle, self.size = open_handle()
        self._address = address
        self._asking = asking
        self._lock = threading.Lock()
        self._head: bytes | None = None

    def read(self, start: int, size: int) -> bytes:
        """Return up to `size` bytes from an offset, fewer only at the end of the file or of what is kept.

        Raises:
            InputError: they cannot be read.
        """
        if start >= _HEAD:
            return self._fetch(start, size)
        if self._head is None:
            self._head = self._fetch(0, _HEAD)
        return self._head[start:]

    def _fetch(self, start: int, size: int) -> bytes:
        size = min(size, self.size - start)
        with self._lock, self._asking():
            self._handle.seek(start)
            data: bytes = self._handle.read(size)
        if len(data) < size:
            raise InputError(f"{self._address}: cannot be read: {size - len(data)} bytes are missing at byte {start}")
        return data


class Ranged(Protocol):
    """What can be read in ranges: a `SharedFile`, or a part of a file."""

    @property
    def size(self) -> int:
        """Its bytes."""
        ...

    def read(self, start: int, size: int) -> bytes:
        """As `SharedFile.read`."""
        ...


class RangeReader(io.RawIOBase):
    """Reads a remote file, or a part of a file, like a local one.

    Args:
        file: the file.
    """

    def __init__(self, file: Ranged) -> None:
        super().__init__()
        self._file = file
        self._position = 0
        self._start, self._range = 0, b""
        self._step = _LEAST

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Continue at an offset; nothing is transferred."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._file.size}[whence]
        self._position = base + offset
        return self._position

    def tell(self) -> int:
        """Return the offset of the next byte."""
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer; return the number of bytes, 0 at the end of the file."""
        size = min(len(buffer), self._file.size - self._position)
        if size <= 0:
            return 0
        if not 0 <= self._position - self._start < len(self._range):
            self._next_range(size)
        offset = self._position - self._start
        data = memoryview(self._range)[offset : offset + size]
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def _next_range(self, size: int) -> None:
        continues = self._range and self._position == self._start + len(self._range)
        self._step = min(2 * self._step, _MOST) if continues else _LEAST
        self._start, self._range = self._position, self._file.read(self._position, max(size, self._step))


_files: OrderedDict[tuple[int, str, Hashable], SharedFile] = OrderedDict()
_lock = threading.Lock()


def shared_file(address: str, version: Hashable, open_handle: OpenHandle, asking: Asking) -> SharedFile:
    """Return a remote file: the same one for all readers of a process that ask for the same version of it.

    Args:
        address: its address.
        version: None if it is not known; the file is then not shared.
        open_handle: opens it.
        asking: what to do while reading from it.

    Raises:
        FileNotFoundError: there is no such file.
        InputError: it cannot be read, or has changed since it was listed.
    """
    if version is None:
        return SharedFile(address, open_handle, asking)
    key = (os.getpid(), address, version)
    with _lock:
        if key not in _files:
            _files[key] = SharedFile(address, open_handle, asking)
            while len(_files) > _KEPT:
                _files.popitem(last=False)
        _files.move_to_end(key)
        return _files[key]
