"""Pages in Parquet files, a few rows at a time, however few bytes stand for them."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from dehusk.base.errors import encodable
from dehusk.base.extras import require
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record, one_line
from dehusk.many.files.tables import row_record

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

# ---------------------------------------------------------------- parquet headers
# What the footer and the page headers of a Parquet file say, read without pyarrow.
#
# Two reasons: pyarrow ends the process when it is asked for the metadata of some damaged columns; and sizes in the
# footer need not be true, while what a reader allocates is in the header of each page. Both are structs of
# parquet.thrift in Thrift's compact protocol.

_ROW_GROUPS = 4  # field of `FileMetaData`
_COLUMNS, _TOTAL_SIZE, _ROWS = 1, 2, 3  # of `RowGroup`
_METADATA = 3  # of `ColumnChunk`
_PATH, _COMPRESSED_SIZE, _DATA_OFFSET, _DICTIONARY_OFFSET = 3, 7, 9, 11  # of `ColumnMetaData`
_PAGE_SIZE, _STORED_SIZE = 2, 3  # of `PageHeader`
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12  # types of Thrift
_INTEGERS = (4, 5, 6)
_MOST_FOOTER = 32_000_000  # bytes
_MOST_HEADER = 10_000  # bytes of a page header, without long texts
_MOST_TEXT = 10_000  # bytes of a text that is read
_DEEPEST = 32  # structs and lists in each other


class ColumnChunk(NamedTuple):
    """The pages of one column in one row group."""

    path: str
    """Names of the column and of what it is in, joined by dots."""
    start: int
    """Where its first page starts, that of its dictionary if it has one."""
    size: int
    """As stored."""
    has_dictionary: bool


class RowGroup(NamedTuple):
    """Some rows of a file."""

    rows: int
    size: int
    """Without compression, if the footer is right."""
    columns: list[ColumnChunk]


def row_groups(path: FilePath) -> tuple[list[RowGroup], int]:
    """Return what the footer says of the row groups of a file, and of the number of its rows.

    Raises:
        OSError: the file cannot be read.
        ValueError: the footer is damaged or huge.
    """
    with path.open("rb") as stream:
        end = stream.seek(0, 2)
        stream.seek(max(0, end - 8))
        size = int.from_bytes(stream.read(4), "little")
        if not 0 < size <= min(_MOST_FOOTER, end - 8):
            raise ValueError(f"a footer of {size} bytes")
        stream.seek(end - 8 - size)
        footer = _ThriftReader(io.BytesIO(stream.read(size)), _MOST_FOOTER).struct()
    return [_row_group(group) for group in _list(footer, _ROW_GROUPS)], _integer(footer, _ROWS)


def page_sizes(stream: IO[bytes], start: int, size: int) -> Iterator[int]:
    """Yield the decompressed size of each page of a column chunk.

    Args:
        stream: the file.
        start: where the first page of the chunk starts.
        size: size of the chunk as stored.

    Raises:
        ValueError: a header is damaged.
    """
    position = start
    while position < start + size:
        stream.seek(position)
        header = _ThriftReader(stream, _MOST_HEADER).struct()
        yield _integer(header, _PAGE_SIZE)
        position = stream.tell() + _integer(header, _STORED_SIZE)


def _row_group(group: object) -> RowGroup:
    columns = [_column(column) for column in _list(group, _COLUMNS)]
    return RowGroup(_integer(group, _ROWS), _integer(group, _TOTAL_SIZE), columns)


def _column(column: object) -> ColumnChunk:
    metadata = column.get(_METADATA) if isinstance(column, dict) else None
    names = _list(metadata, _PATH)
    path = ".".join(name.decode("utf-8", "replace") for name in names if isinstance(name, bytes))
    starts = [_integer(metadata, _DATA_OFFSET)]
    has_dictionary = isinstance(metadata, dict) and metadata.get(_DICTIONARY_OFFSET, 0) != 0
    if has_dictionary:
        starts.append(_integer(metadata, _DICTIONARY_OFFSET))
    return ColumnChunk(path, min(starts), _integer(metadata, _COMPRESSED_SIZE), has_dictionary)


def _list(struct: object, field: int) -> list[Any]:
    values = struct.get(field) if isinstance(struct, dict) else None
    if not isinstance(values, list):
        raise ValueError(f"damaged metadata: field {field} is no list")
    return values


def _integer(struct: object, field: int) -> int:
    value = struct.get(field) if isinstance(struct, dict) else None
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"damaged metadata: field {field} is no size")
    return value


class _ThriftReader:
    """Reads a struct of Thrift's compact protocol: a dictionary of values by the number of their field."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._stream = stream
        self._left = limit

    def struct(self) -> dict[int, Any]:
        """Read a struct with all that is in it; nothing recurses.

        Raises:
            ValueError: the bytes are no struct, or more than the limit.
        """
        result: dict[int, Any] = {}
        structs: list[tuple[Any, int, int]] = [(result, 0, -1)]  # (struct or list, latest field or type, items left)
        while structs:
            target, latest, left = structs.pop()
            if left == 0:
                continue
            head = self._byte() if left < 0 else latest
            kind = head & 15
            if left < 0 and not kind:
                continue
            if left < 0:
                latest = latest + (head >> 4) if head >> 4 else self._zigzag()
            structs.append((target, latest, left - 1 if left > 0 else left))
            if len(structs) > _DEEPEST:
                raise ValueError("damaged metadata: too deep")
            value, inner = self._value(kind, in_list=left > 0)
            if inner is not None:
                structs.append(inner)
            if left < 0:
                target[latest] = value
            else:
                target.append(value)
        return result

    def _value(self, kind: int, *, in_list: bool) -> tuple[Any, tuple[Any, int, int] | None]:
        """Read a value; also return what follows of it if it has values itself."""
        if kind in _INTEGERS:
            return self._zigzag(), None
        if kind in (_TRUE, _FALSE):
            return (self._byte() == _TRUE if in_list else kind == _TRUE), None
        if kind == _STRUCT:
            fields: dict[int, Any] = {}
            return fields, (fields, 0, -1)
        if kind in (_LIST, _SET):
            head = self._byte()
            items: list[Any] = []
            return items, (items, head & 15, head >> 4 if head >> 4 < 15 else self._varint())
        if kind not in (_BYTE, _DOUBLE, _BINARY):
            raise ValueError(f"damaged metadata: a value of type {kind}")
        return self._bytes({_BYTE: 1, _DOUBLE: 8}.get(kind)), None

    def _bytes(self, size: int | None) -> bytes:
        size = self._varint() if size is None else size
        if size <= _MOST_TEXT:
            data = self._stream.read(size)
            if len(data) < size:
                raise ValueError("damaged metadata: no end")
            return data
        if size > _MOST_FOOTER:
            raise ValueError("damaged metadata: no end")
        self._stream.seek(size, 1)
        return b""

    def _byte(self) -> int:
        self._left -= 1
        data = self._stream.read(1)
        if not data or self._left < 0:
            raise ValueError("damaged metadata: no end")
        return data[0]

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 63, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("damaged metadata: an integer without an end")

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)


# ---------------------------------------------------------------- parquet

MOST_DECODED = 512_000_000
"""Bytes that a page of a Parquet column may have once it is decompressed; a row group with a larger one is a loss."""
MOST_IN_DICTIONARY = 256_000_000
"""Bytes that the dictionary of a column may have: reading its rows takes several times as much."""
MIN_ROWS = 1_000_000
"""Rows that any file may have; beyond it, a file may have as many rows as bytes."""
_BATCH = 32  # rows read at a time
_BATCH_BYTES = 64_000_000  # of the rows read at a time, unless one row has more
_SPARE = 8  # bytes after the limit, so that no character that counts is cut
_BUFFER = 1_000_000  # bytes of the file read at a time


def load_arrow() -> None:
    """Load pyarrow so that it allocates what it needs: its own pool reserves all the address space that it can get.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    _libraries()


def _libraries() -> tuple[Any, Any]:
    parquet, arrow = (
        require(name, extra="corpus", purpose="reading Parquet files") for name in ("pyarrow.parquet", "pyarrow")
    )
    return parquet, arrow


def read_parquet(path: FilePath, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the rows of a Parquet file, and a `Loss` for each row group that is damaged or too large to decompress.

    Raises:
        OSError: the file cannot be read.
        InputError: a column is missing.
        MissingExtraError: pyarrow is not installed.
    """
    parquet, arrow = _libraries()
    size = path.stat().st_size  # raises if the file is missing
    errors = (arrow.ArrowException, OSError, ValueError, LookupError, RuntimeError, MemoryError, OverflowError)
    try:
        groups, total = row_groups(path)
        maps = isinstance(path, Path) and str(path) == encodable(str(path))
        source = path if maps else path.open("rb")  # pyarrow maps a local file into memory, if its name is UTF-8
        file = parquet.ParquetFile(source, page_checksum_verification=True, buffer_size=_BUFFER, pre_buffer=False)
        names = file.schema_arrow.names
    except errors as error:
        yield Loss(0, size, f"incomplete Parquet file: {one_line(error)}")
        return
    with file:
        columns = options.columns.among(names)
        number, most = 0, max(MIN_ROWS, size)
        for index, group in enumerate(groups):
            first = number
            try:
                batch_size = _batch_size(path, group, columns)
                for row in _rows(file, index, [name for name in columns if name], batch_size, options.limit):
                    yield row_record(row, columns, number, options.limit)
                    number += 1
                    if number == most:
                        break
            except errors as error:
                message = f"{first + group.rows - number} rows of row group {index} are damaged: {one_line(error)}"
                yield Loss(number, group.size, message)
            else:
                if number < min(first + group.rows, most):
                    yield Loss(number, group.size, f"row group {index} has {number - first} rows, not {group.rows}")
            number = first + group.rows
            if number > most:
                rest = sum(each.rows for each in groups) - most
                yield Loss(most, size, f"{rest} rows are not read: a file of {size} bytes may have {most} rows")
                return
        if number != total:
            yield Loss(number, size, f"the row groups have {number} rows, but the file {total}")


def _rows(file: Any, group: int, names: list[str], batch_size: int, limit: int) -> Iterator[dict[str, Any]]:
    for batch in file.iter_batches(batch_size=batch_size, row_groups=[group], columns=names, use_threads=False):
        for row in range(len(batch)):
            yield {name: _value(batch.column(name)[row], limit) for name in names}


def _batch_size(path: FilePath, group: RowGroup, names: Sequence[str | None]) -> int:
    """Return how many rows can be decoded at a time: each may be as large as the largest page of its column.

    Raises:
        ValueError: a column needs too much memory, or a page header is damaged.
    """
    largest = 1
    if not group.rows:  # nor has it pages
        return largest
    with path.open("rb") as stream:
        for column in group.columns:
            if column.path not in names and column.path.partition(".")[0] not in names:
                continue
            sizes = list(page_sizes(stream, column.start, column.size))
            dictionary = sizes[0] if sizes and column.has_dictionary else 0
            for size, most in ((max(sizes, default=0), MOST_DECODED), (dictionary, MOST_IN_DICTIONARY)):
                if size > most:
                    raise ValueError(f"{column.path} needs {size} bytes at a time, more than {most}")
            largest = max([largest, *sizes])
    return max(1, min(_BATCH, _BATCH_BYTES // largest))


def _value(scalar: Any, limit: int) -> Any:
    """Return a value, without what is far beyond the limit; None for what Python has no value for.

    Text that is not UTF-8 gets replacement characters.
    """
    while hasattr(scalar, "dictionary"):
        scalar = scalar.value
    if not hasattr(scalar, "as_buffer"):
        try:
            return scalar.as_py()
        except (ValueError, OverflowError):  # such as a date after the year 9999
            return None
    buffer = scalar.as_buffer()
    if buffer is None:
        return None
    data = buffer.slice(0, min(buffer.size, limit + _SPARE)).to_pybytes()
    return data.decode("utf-8", "replace") if "string" in str(scalar.type) else data
