"""How much memory the pages of a Parquet column take once they are decompressed, read from their headers.

The footer says little: a dictionary of one long text stands for any number of rows, and sizes in the footer need not be
true. What a reader allocates is in the header of each page (`PageHeader` of parquet.thrift, in Thrift's compact
protocol).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

_UNCOMPRESSED, _COMPRESSED = 2, 3  # fields of `PageHeader`
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _STRUCT = 1, 2, 3, 7, 8, 12  # types
_INTEGERS = (4, 5, 6)
_MOST_FIELDS = 10_000  # in one header


def page_sizes(stream: BinaryIO, start: int, size: int) -> Iterator[int]:
    """Yield the decompressed size of each page of a column chunk.

    Args:
        stream: the file.
        start: where the first page of the chunk starts, that of its dictionary if it has one.
        size: compressed size of the chunk.

    Raises:
        ValueError: a header is damaged.
    """
    position = start
    while position < start + size:
        stream.seek(position)
        fields = _ThriftReader(stream).integers()
        if fields.get(_UNCOMPRESSED, -1) < 0 or fields.get(_COMPRESSED, -1) < 0:
            raise ValueError(f"the page at byte {position} has no size")
        yield fields[_UNCOMPRESSED]
        position = stream.tell() + fields[_COMPRESSED]


class _ThriftReader:
    """Reads a struct of Thrift's compact protocol from a file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._fields = 0

    def integers(self) -> dict[int, int]:
        """Read a struct, and return its own fields that are integers; skip all others, however deep they are."""
        values: dict[int, int] = {}
        ids = [0]  # the latest field of each open struct
        while ids:
            head = self._byte()
            kind = head & 15
            if kind == 0:
                ids.pop()
                continue
            ids[-1] = ids[-1] + (head >> 4) if head >> 4 else self._zigzag()
            if kind in _INTEGERS:
                value = self._zigzag()
                if len(ids) == 1:
                    values[ids[0]] = value
            elif kind == _STRUCT:
                ids.append(0)
            else:
                self._skip(kind)
        return values

    def _skip(self, kind: int) -> None:
        if kind in (_TRUE, _FALSE):
            return
        if kind not in (_BYTE, _DOUBLE, _BINARY):  # page headers have no lists, sets and maps
            raise ValueError(f"a page header has a field of type {kind}")
        size = {_BYTE: 1, _DOUBLE: 8}.get(kind)
        self._stream.seek(self._varint() if size is None else size, 1)

    def _byte(self) -> int:
        self._fields += 1
        data = self._stream.read(1)
        if not data or self._fields > _MOST_FIELDS:
            raise ValueError("a page header has no end")
        return data[0]

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("a page header has an integer without an end")

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
