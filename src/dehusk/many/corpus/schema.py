"""The row that each page becomes, in every output format."""

from __future__ import annotations

from typing import Any

from dehusk.base.extras import require

Row = dict[str, Any]

COLUMNS = {
    "host": "string",
    "url": "string",
    "id": "string",
    "file": "string",
    "number": "int64",
    "offset": "int64",
    "date": "string",
    "http_status": "int32",
    "status": "string",
    "error": "string",
    "method": "string",
    "site_pages": "int64",
    "encoding": "string",
    "html_bytes": "int64",
    "text_bytes": "int64",
    "title": "string",
    "text": "string",
    "confidence": "float64",
    "blocks": "blocks",
    "version": "string",
}
"""Name and type of each column, in order. `file`, `number` and `offset` locate the page in the input. `site_pages` is
the number of pages that the site model was learned from; null if the page was cleaned without one. `blocks` is null
unless requested."""

REPEATED = ("host", "file", "date", "http_status", "status", "error", "method", "site_pages", "encoding", "version")
"""Columns with few different values: Parquet stores each value once."""

_EMPTY_ROW: Row = dict.fromkeys(COLUMNS)

JSON_ONLY = ("facts", "findings")
"""Columns that exist only if requested, and only in JSON Lines."""

BLOCK = {"text": "string", "label": "string", "probability": "float64", "kept": "bool_"}
"""Name and type of each field of a block."""


def arrow_schema() -> Any:
    """Return the schema of rows for pyarrow."""
    arrow = require("pyarrow", extra="corpus", purpose="writing Parquet files")
    types = {name: getattr(arrow, name)() for name in ("string", "int64", "int32", "float64", "bool_")}
    types["blocks"] = arrow.list_(arrow.struct([(name, types[type_]) for name, type_ in BLOCK.items()]))
    return arrow.schema([(name, types[type_]) for name, type_ in COLUMNS.items()])


def make_row(**values: Any) -> Row:
    """Return a complete row: missing values are null, and all text can be encoded as UTF-8.

    Raises:
        KeyError: a name is not a column.
    """
    row = _EMPTY_ROW | values
    if len(row) > len(COLUMNS) and (wrong := row.keys() - COLUMNS.keys() - set(JSON_ONLY)):
        raise KeyError(min(wrong))
    for name, value in values.items():
        if isinstance(value, str | list) and name in COLUMNS:
            row[name] = _encodable(value)
    return row


def _encodable(value: Any) -> Any:
    if isinstance(value, list):
        return [{name: _encodable(field) for name, field in block.items()} for block in value]
    if not isinstance(value, str) or value.isascii():  # most values are ASCII, which is quick to tell
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()
    return value
