"""The row that a page becomes, whoever writes it: `clean` for several pages, `crawl --clean`, `corpus`, `spark`."""

from __future__ import annotations

from typing import Any, NamedTuple

from dehusk.base.errors import Status, encodable
from dehusk.base.extras import require
from dehusk.base.version import __version__
from dehusk.counts.grouping import site_name
from dehusk.document import Document
from dehusk.write import find_writer
from dehusk.write.json import page_record
from dehusk.write.options import DEFAULTS, WriteOptions

Row = dict[str, Any]

VERSION = 1
"""Version of the row. A new column does not change it; a column with another name, type or meaning does."""

_STRUCTS = {
    "block": {"text": "string", "label": "string", "probability": "float64", "kept": "bool_"},
    "detected": {"code": "string", "probability": "float64"},
    "encoding": {"name": "string", "evidence": "string", "errors": "int64"},
}
"""Name of a type -> name and type of each of its fields."""


class RowColumn(NamedTuple):
    """A column of the row."""

    type: str
    """Name of a type of pyarrow or of `_STRUCTS`; with [] for a list of it."""
    about: str
    """What it contains; null if unknown."""
    metadata: bool = False
    """Whether it is null unless the metadata is read."""


COLUMNS: dict[str, RowColumn] = {
    "host": RowColumn("string", "Host of the address; empty without one."),
    "url": RowColumn("string", "Address: as given, else as the page declares it."),
    "id": RowColumn("string", "Id of the WARC record or of the table's row, or the path in the archive or folder."),
    "file": RowColumn("string", "The input that the page is in."),
    "number": RowColumn("int64", "Number of the page's record in its input, from 0."),
    "offset": RowColumn("int64", "In a WARC file, the byte at which the record's member starts."),
    "retrieved": RowColumn("string", "When the page was fetched, as its WARC says; else when its file was changed."),
    "http_status": RowColumn("int32", "Status of the HTTP response, as the WARC says."),
    "status": RowColumn("string", "ok, partial, no-content, truncated, not-html, undecodable, limit or error."),
    "message": RowColumn("string", "Why the status is not ok; else empty."),
    "kind": RowColumn("string", "What a page without a kernel is, such as not-found or log-in; else empty."),
    "confidence": RowColumn(
        "float64", "The mean word F1 of pages of unseen sites with such probabilities; null after an error."
    ),
    "notes": RowColumn("string[]", "What else happened to the page."),
    "title": RowColumn("string", "The page's own heading; without metadata, the text of its title element."),
    "title_element": RowColumn("string", "The text of its title element."),
    "author": RowColumn("string", "The authors as one text.", metadata=True),
    "authors": RowColumn("string[]", "Names, each once.", metadata=True),
    "date": RowColumn("string", "Date of publication, YYYY-MM-DD.", metadata=True),
    "modified": RowColumn("string", "Date of the last change that the page declares, YYYY-MM-DD.", metadata=True),
    "language": RowColumn("string", "As the page declares it; a BCP 47 tag if it follows the standard.", metadata=True),
    "page_language": RowColumn("detected", "Language of all visible text.", metadata=True),
    "text_language": RowColumn("detected", "Language of the kept text.", metadata=True),
    "site_name": RowColumn("string", "Name of the site.", metadata=True),
    "description": RowColumn("string", "The page's summary of itself.", metadata=True),
    "canonical": RowColumn("string", "The address that the page declares.", metadata=True),
    "license": RowColumn("string", "Address of the licence if the page links to one, else its name.", metadata=True),
    "tags": RowColumn("string[]", "Keywords.", metadata=True),
    "image": RowColumn("string", "Address of the main picture.", metadata=True),
    "guessed": RowColumn("string[]", "Names of the values that the page shows or implies, but does not declare.", True),
    "encoding": RowColumn("encoding", "Name, what told it, and the number of bytes that could not be decoded."),
    "html_bytes": RowColumn("int64", "Bytes of the page without transfer and content encodings."),
    "text_bytes": RowColumn("int64", "Bytes of `text` in UTF-8."),
    "format": RowColumn("string", "Format of `text`, such as text or markdown; null if the process of the page died."),
    "text": RowColumn("string", "What is kept; null after an error."),
    "blocks": RowColumn("block[]", "Each block, if asked for."),
    "method": RowColumn("string", "The labelling method."),
    "model": RowColumn("string", "Name and hash of its model; empty if it has none."),
    "site_pages": RowColumn("int64", "Pages that the site's model was learned from; null without one, and by `clean`."),
    "version": RowColumn("string", "Version of dehusk."),
}
"""The columns, in order."""

REPEATED = (
    "host", "file", "retrieved", "http_status", "status", "message", "kind", "language", "site_name", "format",
    "method", "model", "site_pages", "version",
)  # fmt: skip
"""Columns with few different values: Parquet stores each value once."""

JSON_ONLY = ("findings",)
"""Columns that exist only if requested, and only in JSON Lines."""

_EMPTY_ROW: Row = dict.fromkeys(COLUMNS)


def make_row(**values: Any) -> Row:
    """Return a complete row: missing values are null, and all text can be encoded as UTF-8.

    Raises:
        KeyError: a name is not a column.
    """
    row = _EMPTY_ROW | values
    if len(row) > len(COLUMNS) and (wrong := row.keys() - COLUMNS.keys() - set(JSON_ONLY)):
        raise KeyError(min(wrong))
    for name, value in values.items():
        if name in COLUMNS:
            row[name] = _encodable(value)
    return row


def _encodable(value: Any) -> Any:
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {name: _encodable(field) for name, field in value.items()}
    if not isinstance(value, str) or value.isascii():  # most values are ASCII, which is quick to tell
        return value
    return encodable(value)


def document_columns(
    document: Document, form: str, writing: WriteOptions = DEFAULTS, *, metadata: bool, text: str | None = None
) -> Row:
    """Return the columns that a cleaned page alone decides.

    Args:
        document: the page.
        form: the format of `text`.
        writing: choices of that format.
        metadata: whether to read the metadata, which takes about as long as cleaning.
        text: what has been written already in place of the format.
    """
    failed = document.status is Status.ERROR
    text = find_writer(form).write(document, writing) if text is None else text
    row = page_record(document, metadata=metadata)
    return row | {
        "host": site_name(str(row["url"]), "host") if row["url"] else "",
        "message": document.message.strip(),
        "title": row["title"] if metadata else document.title,
        "confidence": None if failed else row["confidence"],
        "format": form,
        "text": None if failed else text,
        "text_bytes": None if failed else len(text if text.isascii() else text.encode("utf-8", "replace")),
        "version": __version__,
    }


def arrow_schema() -> Any:
    """Return the schema of rows for pyarrow; its metadata contains the version."""
    arrow = require("pyarrow", extra="corpus", purpose="writing Parquet files")

    def type_of(name: str) -> Any:
        if name.endswith("[]"):
            return arrow.list_(type_of(name.removesuffix("[]")))
        if name in _STRUCTS:
            return arrow.struct([(field, type_of(type_)) for field, type_ in _STRUCTS[name].items()])
        return getattr(arrow, name)()

    columns = [(name, type_of(column.type)) for name, column in COLUMNS.items()]
    return arrow.schema(columns, metadata={"dehusk.row": str(VERSION)})


_JSON_TYPES = {"string": "string", "int64": "integer", "int32": "integer", "float64": "number", "bool_": "boolean"}


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a row in JSON Lines."""

    def type_of(name: str) -> dict[str, Any]:
        if name.endswith("[]"):
            return {"type": "array", "items": type_of(name.removesuffix("[]"))}
        if name in _STRUCTS:
            fields = {field: type_of(type_) for field, type_ in _STRUCTS[name].items()}
            return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
        return {"type": _JSON_TYPES[name]}

    def nullable(column: RowColumn) -> dict[str, Any]:
        schema = type_of(column.type)
        return {"description": column.about, **schema, "type": [schema["type"], "null"]}

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A page cleaned by dehusk, version {VERSION}",
        "type": "object",
        "properties": {
            **{name: nullable(column) for name, column in COLUMNS.items()},
            "page": {"description": "Of `clean` alone: the page, as the command line names it.", "type": "string"},
            "findings": {"description": "What methods find beside what is kept, by method.", "type": "object"},
        },
        "required": list(COLUMNS),
        "additionalProperties": False,
    }


_SPARK_TYPES = {"string": "string", "int64": "bigint", "int32": "int", "float64": "double", "bool_": "boolean"}


def spark_schema() -> str:
    """Return the columns in Spark's notation."""

    def type_of(name: str) -> str:
        if name.endswith("[]"):
            return f"array<{type_of(name.removesuffix('[]'))}>"
        if name in _STRUCTS:
            return f"struct<{', '.join(f'{field}: {type_of(type_)}' for field, type_ in _STRUCTS[name].items())}>"
        return _SPARK_TYPES[name]

    return ", ".join(f"{name} {type_of(column.type)}" for name, column in COLUMNS.items())
