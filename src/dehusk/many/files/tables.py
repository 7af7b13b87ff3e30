"""Pages in tables: rows of any kind, and JSON Lines with or without compression."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dehusk.many.files.members import read_pieces
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record, one_line

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

MOST_VALUES = 1_000_000
"""Values that an object of JSON Lines may have, nested ones included: a value takes up to a hundred bytes of memory."""
_STRINGS = re.compile(rb'"(?>(?:[^"\\]++|\\.)*)"', re.DOTALL)


def read_json_lines(path: FilePath, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the objects of a JSON Lines file, plain, .gz or .zst, and a `Loss` for each line that is not an object.

    Raises:
        OSError: the file cannot be read.
        InputError: the first object lacks a column.
        MissingExtraError: zstandard is not installed.
    """
    columns_of: dict[tuple[str, ...], tuple[str | None, ...]] = {}
    for number, line in enumerate(read_lines(path, 6 * options.limit + 1_000_000)):
        if isinstance(line, Loss):
            yield line
            continue
        if not line.strip():
            continue
        row = parse_object(line, number)
        if isinstance(row, Loss):
            yield row
            continue
        names = tuple(row)
        if not columns_of:
            options.columns.among(names)  # raises if the first object lacks a column
        columns = columns_of.setdefault(names, options.columns.present(names))
        yield row_record(row, columns, number, options.limit)


def parse_object(line: bytes, number: int) -> dict[str, Any] | Loss:
    """Return the object on a line of JSON Lines, or a `Loss`.

    Args:
        line: the line.
        number: its number, counted from 0.
    """
    try:
        _check_values(line)
        row = json.loads(line)
        if not isinstance(row, dict):
            raise TypeError(f"{type(row).__name__} instead of an object")
    except (ValueError, TypeError, RecursionError) as error:
        return Loss(number, len(line), f"line {number + 1} is not a JSON object: {one_line(error)}")
    return row


def _check_values(line: bytes) -> None:
    """Raise ValueError for a line with too many values."""
    if _signs(line) > MOST_VALUES and _signs(_STRINGS.sub(b"", line)) > MOST_VALUES:
        raise ValueError(f"more than {MOST_VALUES} values")


def _signs(data: bytes) -> int:
    return sum(data.count(sign) for sign in (b"[", b"{", b","))


def read_lines(path: FilePath, max_size: int) -> Iterator[bytes | Loss]:
    """Yield the lines of a file, and a `Loss` for each longer than `max_size`."""
    rest, discarded = bytearray(), 0
    with path.open("rb") as stream:
        for piece in read_pieces(stream):
            if isinstance(piece, Loss):
                yield piece
                continue
            *lines, last = piece.data.split(b"\n")
            for line in lines:
                yield _check_size(bytes(rest) + line, discarded, max_size)
                rest.clear()
                discarded = 0
            rest += last
            if len(rest) > max_size:
                discarded += len(rest)
                rest.clear()
    if rest or discarded:
        yield _check_size(bytes(rest), discarded, max_size)


def _check_size(line: bytes, discarded: int, max_size: int) -> bytes | Loss:
    size = discarded + len(line)
    return Loss(0, size, f"a line of {size} bytes is longer than {max_size}") if size > max_size else line


def row_record(row: Mapping[str, Any], columns: Sequence[str | None], number: int | None, limit: int) -> Record:
    """Return the record of a row.

    Args:
        row: its values by column.
        columns: the columns of page, URL and id.
        number: the number of the row; None if rows have no order.
        limit: maximum number of bytes to return of a page; one more is returned if it is longer.
    """
    html, url, id_ = (row.get(name) if name else None for name in columns)
    decoded = isinstance(html, str)
    raw = html.encode("utf-8", "replace") if isinstance(html, str) else html if isinstance(html, bytes) else b""
    return Record(
        number=number or 0,
        offset=number or 0,
        id=text_of(("" if number is None else number) if id_ is None else id_),
        url=url_in(url),
        raw=raw[: limit + 1],
        type="row",
        skipped="" if raw else "no page in the row",
        decoded=decoded,
    )


def text_of(value: object) -> str:
    """Return a value of a row as a text; "" for none."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def url_in(value: object) -> str:
    """Return the URL that a row has; "" for a value that is no text."""
    return text_of(value) if isinstance(value, str | bytes) else ""
