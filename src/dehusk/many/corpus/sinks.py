"""Writers of rows, one per output format. Equal rows give equal bytes."""

from __future__ import annotations

import gzip
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import IO, Any, NamedTuple

from dehusk.base.extras import require
from dehusk.many.rows import REPEATED, Row, arrow_schema

WriteRow = Callable[[Row], None]

_GROUP_ROWS, _GROUP_BYTES = 1000, 16_000_000  # limits of a Parquet row group
_PARQUET = "pyarrow.parquet", "writing Parquet files"
_ZSTD = "zstandard", "writing .zst files"
_WET = "fastwarc.warc", "writing WET files"
_NAMESPACE = uuid.UUID("6f1d8c1e-54f0-4f0e-9d0b-0c2f6f9a7d11")  # for the ids of WET records


class Sink(NamedTuple):
    """An output format."""

    suffix: str
    """Appended to the name of the input."""
    open: Callable[[Path], AbstractContextManager[WriteRow]]
    """Opens a new file or folder and yields the function that writes a row to it."""
    needs: tuple[str, str] | None = None
    """A module of the extra "corpus", and what needs it."""
    content: str = ""
    """The only format of the column `text` that it can write; "" for any."""

    def require(self) -> None:
        """Raise MissingExtraError if the module that the format needs is not installed."""
        if self.needs is not None:
            require(self.needs[0], extra="corpus", purpose=self.needs[1])


@contextmanager
def _open_parquet(path: Path) -> Iterator[WriteRow]:
    arrow, parquet = (require(name, extra="corpus", purpose=_PARQUET[1]) for name in ("pyarrow", _PARQUET[0]))
    schema = arrow_schema()
    with (
        path.open("wb") as stream,  # pyarrow opens no file whose name is not UTF-8
        parquet.ParquetWriter(stream, schema, compression="zstd", use_dictionary=list(REPEATED)) as writer,
    ):
        pending: list[Row] = []
        size = 0

        def flush() -> None:
            nonlocal size
            if pending:
                writer.write_table(arrow.Table.from_pylist(pending, schema=schema))
            pending.clear()
            size = 0

        def write_row(row: Row) -> None:
            nonlocal size
            pending.append(row)
            size += len(row["text"] or "") + sum(len(block["text"]) + 64 for block in row["blocks"] or ())
            if len(pending) >= _GROUP_ROWS or size >= _GROUP_BYTES:
                flush()

        yield write_row
        flush()


@contextmanager
def _open_jsonl(path: Path) -> Iterator[WriteRow]:
    with path.open("wb") as stream:
        yield lambda row: _write_json(stream, row)


@contextmanager
def _open_gzip_jsonl(path: Path) -> Iterator[WriteRow]:
    with path.open("wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as stream:
        yield lambda row: _write_json(stream, row)


@contextmanager
def _open_zstd_jsonl(path: Path) -> Iterator[WriteRow]:
    zstandard = require(_ZSTD[0], extra="corpus", purpose=_ZSTD[1])
    compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
    with path.open("wb") as file, compressor.stream_writer(file) as stream:
        yield lambda row: _write_json(stream, row)


def _write_json(stream: Any, row: Row) -> None:
    from dehusk.write.json import dumps  # noqa: PLC0415 (Parquet files need none of it)

    stream.write(dumps(row).encode())


@contextmanager
def _open_wet(path: Path) -> Iterator[WriteRow]:
    """Write `conversion` records (ISO 28500:2017, section 6.7); a page without text gets an empty one."""
    warc = require(_WET[0], extra="corpus", purpose=_WET[1])
    with path.open("wb") as stream:
        yield lambda row: _write_conversion(warc, stream, row)


def _write_conversion(warc: ModuleType, stream: IO[bytes], row: Row) -> None:
    record = warc.WarcRecord()
    name = " ".join(str(row[key]) for key in ("file", "number", "id", "url", "retrieved"))
    record.init_headers(warc.WarcRecordType.conversion, f"uuid:{uuid.uuid5(_NAMESPACE, name)}".encode())
    headers = {
        "WARC-Date": row["retrieved"],
        "WARC-Target-URI": row["url"],
        "Dehusk-File": row["file"] if not row["url"] else "",
        "Dehusk-Number": str(row["number"]) if not row["url"] else "",
        "WARC-Refers-To": f"<{row['id']}>" if row["id"].startswith("urn:") else "",
        "Content-Type": "text/plain; charset=utf-8",
        "Dehusk-Status": row["status"],
        "Dehusk-Message": row["message"],
        "Dehusk-Method": row["method"],
        "Dehusk-Confidence": "" if row["confidence"] is None else str(row["confidence"]),
        "Dehusk-Version": row["version"],
    }
    for key, value in headers.items():
        if value:
            record.headers.set(key, " ".join(value.split()))
    record.set_bytes_content((row["text"] or "").encode())
    buffer = _ByteBuffer()
    record.write(buffer)
    stream.write(gzip.compress(bytes(buffer.data), 6, mtime=0))


class _ByteBuffer:
    """A stream in memory, with the methods that fastwarc calls."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: bytes) -> int:
        self.data += data
        return len(data)

    def flush(self) -> None:
        """Do nothing: nothing is buffered elsewhere."""

    def close(self) -> None:
        """Do nothing: nothing is open."""


@contextmanager
def _open_tei(path: Path) -> Iterator[WriteRow]:
    """Write a `teiCorpus` with a `TEI` for each row, whose text is such a document; one without a text says why."""
    from dehusk.write.tei import CORPUS_END, corpus_member, corpus_start  # noqa: PLC0415 (no other format needs it)

    with path.open("wb") as stream:
        is_empty = True

        def write_row(row: Row) -> None:
            nonlocal is_empty
            if is_empty:
                stream.write(corpus_start(str(row["file"] or "")).encode())
            is_empty = False
            title, said = str(row["url"] or row["id"] or ""), f"Status: {row['status']}: {row['message']}"
            stream.write(corpus_member(row["text"], number=row["number"], title=title, said=said).encode())

        yield write_row
        if is_empty:  # the guidelines want one text at least
            stream.write(
                (corpus_start("") + corpus_member(None, number=0, title="", said="The input has no page.")).encode()
            )
        stream.write(CORPUS_END.encode())


@contextmanager
def _open_texts(path: Path) -> Iterator[WriteRow]:
    """Write a folder with one text file per page, and `rows.jsonl`: all rows, with `text_file` instead of `text`."""
    path.mkdir(parents=True)
    with (path / "rows.jsonl").open("wb") as stream:

        def write_row(row: Row) -> None:
            name = f"{row['number']:08d}.txt" if row["text"] else None
            if name:
                (path / name).write_bytes(row["text"].encode())
            renamed = {("text_file" if key == "text" else key): value for key, value in row.items()}
            _write_json(stream, renamed | {"text_file": name})

        yield write_row


SINKS = {
    "parquet": Sink(".parquet", _open_parquet, _PARQUET),
    "jsonl": Sink(".jsonl", _open_jsonl),
    "jsonl.gz": Sink(".jsonl.gz", _open_gzip_jsonl),
    "jsonl.zst": Sink(".jsonl.zst", _open_zstd_jsonl, _ZSTD),
    "wet": Sink(".wet.warc.gz", _open_wet, _WET),
    "text": Sink("", _open_texts),
    "tei": Sink(".tei.xml", _open_tei, content="tei"),
}
"""The output formats by name."""
