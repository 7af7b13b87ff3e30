"""Pages in Parquet files, a few rows at a time, however few bytes stand for them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dehusk.base.extras import require
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.parquet_headers import RowGroup, page_sizes, row_groups
from dehusk.many.files.record import Loss, Record, one_line
from dehusk.many.files.tables import row_record

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

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
    errors = (arrow.ArrowException, OSError, ValueError, LookupError, RuntimeError, MemoryError)
    try:
        groups, total = row_groups(path)
        source = path if isinstance(path, Path) else path.open("rb")  # pyarrow maps a local file into memory
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
    with path.open("rb") as stream:
        for column in group.columns:
            if column.path not in names and column.path.partition(".")[0] not in names:
                continue
            sizes = list(page_sizes(stream, column.start, column.size))
            dictionary = sizes[0] if sizes and column.has_dictionary else 0
            for size, most in ((max(sizes, default=0), MOST_DECODED), (dictionary, MOST_IN_DICTIONARY)):
                if size > most:
                    raise ValueError(f"{column.path} needs {size} bytes at a time, more than {most}")
            largest = max(largest, *sizes)
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
