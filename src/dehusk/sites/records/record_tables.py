"""Tables of records: JSON Lines, CSV and Parquet, with the same columns for all pages of a wrapper."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from dehusk.base.csv_cells import write_cells
from dehusk.base.errors import encodable
from dehusk.base.extras import require
from dehusk.sites.records.template import Cell, PageTemplate, RecordRow
from dehusk.write.json import dumps

TableRow = dict[str, Cell | dict[str, str] | None]
LIST_MARK = " | "
"""What is between the values of a cell with several values in CSV."""


def table_header(templates: Sequence[PageTemplate], *, places: bool = False) -> list[str]:
    """Return the columns of a table: page, URL, template and record where they tell rows apart, then all others."""
    names = ["page", "url"]
    names += ["template"] if len(templates) > 1 else []
    names += ["record"] if any(template.plan.kind != "page" for template in templates) else []
    names += dict.fromkeys(column.name for template in templates for column in template.columns)
    return [*names, "places"] if places else names


def table_rows(
    header: Sequence[str], page: str, url: str | None, template: PageTemplate, rows: Iterable[RecordRow]
) -> Iterator[TableRow]:
    """Yield the rows of a page, each with all columns of its template, None for missing values."""
    own = {"page", "url", "template", "record", "places", *(column.name for column in template.columns)}
    columns = [name for name in header if name in own]
    for number, row in enumerate(rows, 1):
        known: TableRow = {"page": page, "url": url, "template": template.name, "record": number, "places": row.places}
        yield {name: known[name] if name in known else row.values.get(name) for name in columns}


def write_jsonl(rows: Iterable[TableRow], _header: Sequence[str], stream: TextIO) -> None:
    """Write one JSON object per line."""
    stream.writelines(dumps(dict(row)) for row in rows)


def write_csv(rows: Iterable[TableRow], header: Sequence[str], stream: TextIO, *, raw_cells: bool = False) -> None:
    """Write a header and one line per row; cells with several values are joined by " | ".

    Args:
        rows: the rows.
        header: the columns.
        stream: where to.
        raw_cells: whether texts that a spreadsheet takes for formulas get no quote before them.
    """
    cells = ([_cell(row.get(name)) for name in header] for row in rows)
    write_cells(stream, header, cells, raw_cells=raw_cells)


def _cell(value: object) -> object:
    if isinstance(value, list):
        return LIST_MARK.join(map(str, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else value


TEXT_TABLES: Mapping[str, Callable[[Iterable[TableRow], Sequence[str], TextIO], None]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
}
"""Formats that are text -> what writes them."""

TABLE_FORMATS = (*TEXT_TABLES, "parquet")

TABLE_SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet"}
"""Suffix of a file -> format."""


def write_parquet(rows: Iterable[TableRow], header: Sequence[str], path: Path) -> None:
    """Write a Parquet file; a column is of numbers if all its values are, otherwise of strings.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    arrow, parquet = (
        require(name, extra="corpus", purpose="writing Parquet files") for name in ("pyarrow", "pyarrow.parquet")
    )
    held = list(rows)
    arrays = {name: _array(arrow, [row.get(name) for row in held]) for name in header}
    with path.open("wb") as stream:  # pyarrow opens no file whose name is not UTF-8
        parquet.write_table(arrow.table(arrays), stream, compression="zstd")


def _array(arrow: Any, values: list[Any]) -> Any:
    flat = [each for value in values if value is not None for each in (value if isinstance(value, list) else [value])]
    if any(isinstance(value, list) for value in values):
        values = [value if isinstance(value, list) or value is None else [value] for value in values]
        kind = arrow.list_(_kind(arrow, flat))
        if _kind(arrow, flat) == arrow.string():
            values = [value and [encodable(str(each)) for each in value] for value in values]
        return arrow.array(values, kind)
    kind = _kind(arrow, flat)
    if kind == arrow.string():
        values = [None if value is None else encodable(str(_cell(value))) for value in values]
    return arrow.array(values, kind)


def _kind(arrow: Any, flat: list[object]) -> Any:
    if flat and all(isinstance(value, int) for value in flat):
        return arrow.int64()
    return arrow.float64() if flat and all(isinstance(value, int | float) for value in flat) else arrow.string()


def describe_columns(templates: Sequence[PageTemplate]) -> list[dict[str, object]]:
    """Return what is known of the columns of each template, as JSON values."""
    return [
        {
            "template": template.name,
            "rows": template.plan.kind,
            "pages": template.pages,
            "records": template.learned.records,
            "omitted": asdict(template.learned.omitted),
            "columns": [
                {
                    "name": column.name,
                    "type": column.type.name,
                    **({"currency": column.type.currency} if column.type.currency else {}),
                    "list": column.many,
                    "share": round(column.records / max(1, template.learned.records), 4),
                    "records": column.records,
                    "evidence": column.evidence,
                    "example": column.example,
                    "xpath": column.xpath,
                }
                for column in template.columns
            ],
        }
        for template in templates
    ]
