"""The one row that every page becomes, whatever the output's format."""

from __future__ import annotations

from typing import Any

from dehusk.records.record import needed

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
"""Column -> type, in their order. `file`, `number` and `offset` say where the page is in the input; `site_pages` is how
many pages its site was learned from, null where it was cleaned alone; `blocks` is null unless asked for."""

BLOCK = {"text": "string", "label": "string", "probability": "float64", "kept": "bool_"}
"""What a block has."""


def arrow_schema() -> Any:
    """Return the schema for pyarrow."""
    arrow = needed("pyarrow")
    plain = {kind: getattr(arrow, kind)() for kind in ("string", "int64", "int32", "float64", "bool_")}
    block = arrow.struct([(name, plain[kind]) for name, kind in BLOCK.items()])
    kinds = plain | {"blocks": arrow.list_(block)}
    return arrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])


def row(**values: Any) -> dict[str, Any]:
    """Return a row; what is not given is null, and text can be written as UTF-8.

    Raises:
        KeyError: no such column.
    """
    unknown = values.keys() - COLUMNS.keys()
    if unknown:
        raise KeyError(min(unknown))
    return {name: _writable(values.get(name)) for name in COLUMNS}


def _writable(value: Any) -> Any:
    if isinstance(value, str):  # ASCII, as most values are, needs no look at each character
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [{name: _writable(one) for name, one in block.items()} for block in value]
    return value
