"""Rows to files. Each file is written under a temporary name and renamed when it is whole; equal rows, equal bytes."""

from __future__ import annotations

import gzip
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from dehusk.corpus.schema import arrow_schema
from dehusk.records.record import needed
from dehusk.write.json import dumps

Row = Mapping[str, Any]
Put = Callable[[Row], None]

_ROWS, _BYTES = 1000, 16_000_000  # of a row group at most
_NAMES = uuid.UUID("6f1d8c1e-54f0-4f0e-9d0b-0c2f6f9a7d11")  # makes record ids out of what names a page


@contextmanager
def _parquet(path: Path) -> Iterator[Put]:
    arrow, parquet = needed("pyarrow"), needed("pyarrow.parquet")
    schema = arrow_schema()
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        held: list[Row] = []
        size = 0

        def flush() -> None:
            nonlocal size
            if held:
                writer.write_table(arrow.Table.from_pylist(held, schema=schema))
            held.clear()
            size = 0

        def put(row: Row) -> None:
            nonlocal size
            held.append(row)
            size += len(row["text"] or "") + sum(len(block["text"]) + 64 for block in row["blocks"] or ())
            if len(held) >= _ROWS or size >= _BYTES:
                flush()

        yield put
        flush()


@contextmanager
def _plain_lines(path: Path) -> Iterator[Put]:
    with path.open("wb") as stream:
        yield lambda row: _write(stream, row)


@contextmanager
def _gzip_lines(path: Path) -> Iterator[Put]:
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as stream:
        yield lambda row: _write(stream, row)


@contextmanager
def _zstd_lines(path: Path) -> Iterator[Put]:
    library = needed("zstandard")
    made = library.ZstdCompressor(level=3, write_checksum=True)
    with path.open("wb") as raw, made.stream_writer(raw) as stream:
        yield lambda row: _write(stream, row)


def _write(stream: Any, row: Row) -> None:
    stream.write(dumps(dict(row)).encode())


@contextmanager
def _wet(path: Path) -> Iterator[Put]:
    """Write `conversion` records (ISO 28500:2017, section 6.7); that of a page without text is empty."""
    warc = needed("fastwarc.warc")
    with path.open("wb") as stream:

        def put(row: Row) -> None:
            record = warc.WarcRecord()
            name = " ".join(str(row[key]) for key in ("file", "number", "id", "url", "date"))
            record.init_headers(warc.WarcRecordType.conversion, f"uuid:{uuid.uuid5(_NAMES, name)}".encode())
            said = {
                "WARC-Date": row["date"],
                "WARC-Target-URI": row["url"],
                "WARC-Refers-To": f"<{row['id']}>" if row["id"].startswith("urn:") else "",
                "Content-Type": "text/plain; charset=utf-8",
                "Dehusk-Status": row["status"],
                "Dehusk-Error": row["error"],
                "Dehusk-Method": row["method"],
                "Dehusk-Confidence": "" if row["confidence"] is None else str(row["confidence"]),
                "Dehusk-Version": row["version"],
            }
            for key, value in said.items():
                if value:
                    record.headers.set(key, " ".join(value.split()))
            record.set_bytes_content((row["text"] or "").encode())
            buffer = _Buffer()
            record.write(buffer)
            stream.write(gzip.compress(bytes(buffer.data), 6, mtime=0))

        yield put


class _Buffer:
    """What fastwarc writes to."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: bytes) -> int:
        self.data += data
        return len(data)

    def flush(self) -> None:
        """Do nothing: all is here."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


@contextmanager
def _texts(path: Path) -> Iterator[Put]:
    """Write a folder with a text file a page, and `rows.jsonl`: every row with `text_file` in the place of its text."""
    path.mkdir(parents=True)
    with (path / "rows.jsonl").open("wb") as stream:

        def put(row: Row) -> None:
            name = f"{row['number']:08d}.txt" if row["text"] else None
            if name:
                (path / name).write_bytes(row["text"].encode())
            rest = {("text_file" if key == "text" else key): value for key, value in row.items()}
            _write(stream, rest | {"text_file": name})

        yield put


SINKS: dict[str, tuple[str, Callable[[Path], AbstractContextManager[Put]]]] = {
    "parquet": (".parquet", _parquet),
    "jsonl": (".jsonl", _plain_lines),
    "jsonl.gz": (".jsonl.gz", _gzip_lines),
    "jsonl.zst": (".jsonl.zst", _zstd_lines),
    "wet": (".wet.warc.gz", _wet),
    "text": ("", _texts),
}
"""Name of a format -> the end of its files' names, and what opens one."""
