"""Pages in tables: Parquet, and JSON Lines that may be compressed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.errors import InputError
from dehusk.records.members import pieces
from dehusk.records.record import Loss, Record, needed

_URL = ("url", "uri", "WARC-Target-URI", "warc_target_uri")
_HTML = ("html", "content", "body", "raw_html", "raw_content")
_ID = ("id", "record_id", "WARC-Record-ID", "warc_record_id")
_BATCH = 32  # rows of Parquet at a time


@dataclass(frozen=True)
class Columns:
    """Names of the columns that hold pages; None finds them by the names that are usual."""

    html: str | None = None
    url: str | None = None
    id: str | None = None

    def present(self, names: Sequence[str]) -> tuple[str | None, ...]:
        """Return the columns of html, url and id of an object, None for each that it does not have."""
        usual = zip((self.html, self.url, self.id), (_HTML, _URL, _ID), strict=True)
        return tuple(next((name for name in ((one,) if one else many) if name in names), None) for one, many in usual)

    def among(self, names: Sequence[str]) -> tuple[str, str | None, str | None]:
        """Return the columns of html, url and id of a table; the last two may be missing unless they were named.

        Raises:
            InputError: a column is not there.
        """
        html = _column(self.html, _HTML, names)
        if html is None:
            raise InputError(f"no column of pages among {', '.join(names)}: name it with --html-column")
        return html, _column(self.url, _URL, names), _column(self.id, _ID, names)


def _column(wanted: str | None, usual: Sequence[str], names: Sequence[str]) -> str | None:
    if wanted is not None and wanted not in names:
        raise InputError(f"no column {wanted!r}; there are {', '.join(names)}")
    return wanted or next((name for name in usual if name in names), None)


def read_parquet(path: Path, columns: Columns, limit: int) -> Iterator[Record | Loss]:
    """Yield the rows of a Parquet file; a row group that is damaged is a `Loss`.

    Raises:
        OSError: the file cannot be read.
        InputError: a column is not there, or pyarrow is missing.
    """
    parquet, arrow = needed("pyarrow.parquet"), needed("pyarrow")
    try:
        file = parquet.ParquetFile(path, page_checksum_verification=True)
    except (arrow.ArrowInvalid, OSError) as error:
        path.stat()  # a file that is not there is said to be so
        yield Loss(0, path.stat().st_size, f"not a whole Parquet file: {_line(error)}")
        return
    with file:
        chosen = columns.among(file.schema_arrow.names)
        number = 0
        for group in range(file.num_row_groups):
            facts = file.metadata.row_group(group)
            first = number
            try:
                for row in _rows(file, group, [name for name in chosen if name]):
                    yield record_of(row, chosen, number, limit)
                    number += 1
            except (arrow.ArrowException, OSError) as error:
                lost = f"{first + facts.num_rows - number} rows of row group {group} are damaged: {_line(error)}"
                yield Loss(number, facts.total_byte_size, lost)
            number = first + facts.num_rows


def _rows(file: Any, group: int, names: list[str]) -> Iterator[dict[str, Any]]:
    for batch in file.iter_batches(batch_size=_BATCH, row_groups=[group], columns=names):
        yield from batch.to_pylist()


def read_lines(path: Path, columns: Columns, limit: int) -> Iterator[Record | Loss]:
    """Yield the objects of a file of JSON Lines, plain, .gz or .zst; a line that is none is a `Loss`.

    Raises:
        OSError: the file cannot be read.
        InputError: the first object has no such column, or zstandard is missing.
    """
    known: dict[tuple[str, ...], tuple[str | None, ...]] = {}
    for number, line in enumerate(_lines(path, 6 * limit + 1_000_000)):
        if isinstance(line, Loss):
            yield line
            continue
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise TypeError(f"{type(row).__name__} instead of an object")
        except (ValueError, TypeError, RecursionError) as error:
            yield Loss(number, len(line), f"line {number + 1} is no JSON object: {_line(error)}")
            continue
        names = tuple(row)
        if not known:
            columns.among(names)  # says what is wrong, if the first object has no page
        chosen = known.setdefault(names, columns.present(names))
        yield record_of(row, chosen, number, limit)


def _lines(path: Path, most: int) -> Iterator[bytes | Loss]:
    """Yield lines; of one longer than `most` a `Loss`."""
    rest, passed = bytearray(), 0
    with path.open("rb") as stream:
        for piece in pieces(stream):
            if isinstance(piece, Loss):
                yield piece
                continue
            *whole, last = piece.data.split(b"\n")
            for line in whole:
                yield _checked(bytes(rest) + line, passed, most)
                rest.clear()
                passed = 0
            rest += last
            if len(rest) > most:
                passed += len(rest)
                rest.clear()
    if rest or passed:
        yield _checked(bytes(rest), passed, most)


def _checked(line: bytes, passed: int, most: int) -> bytes | Loss:
    size = passed + len(line)
    return Loss(0, size, f"a line of {size} bytes is longer than {most}") if size > most else line


def record_of(row: Mapping[str, Any], chosen: Sequence[str | None], number: int | None, limit: int) -> Record:
    """Return the record that a row of a table is.

    Args:
        row: by column.
        chosen: columns of html, url and id.
        number: of the row; None where rows have no order.
        limit: bytes of a page that are wanted; of longer ones there is one byte more.
    """
    html, url, id_ = (row.get(name) if name else None for name in chosen)
    decoded = isinstance(html, str)
    raw = html.encode("utf-8", "replace") if isinstance(html, str) else html if isinstance(html, bytes) else b""
    reason = "" if raw else "no page in the row"
    return Record(
        number=number or 0,
        offset=number or 0,
        id=str(("" if number is None else number) if id_ is None else id_),
        url=str(url or ""),
        raw=raw[: limit + 1],
        kind="row",
        skipped=reason,
        decoded=decoded,
    )


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
