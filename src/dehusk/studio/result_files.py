"""Result files: figures that `dehusk bench -f json` and others wrote, as tables; kept in the project."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dehusk.base.errors import InputError
from dehusk.lab.evaluate.predictions import Prediction, parse_predictions
from dehusk.studio.project import Project

_MOST_TABLES = 60
_MOST_ROWS = 5_000
_PLAIN = (str, int, float, bool)


class ResultTable(NamedTuple):
    """A table of figures."""

    name: str
    columns: list[str]
    rows: list[list[Any]]
    """A value for each column; None if there is none."""


def predictions_in(name: str, text: str) -> list[Prediction] | None:
    """Return the predictions in a file that `dehusk bench -o` or `dehusk clean` wrote; None if it holds figures.

    Raises:
        InputError: it is neither JSON nor JSON Lines.
    """
    first = text.lstrip("\ufeff \t\r\n").split("\n", 1)[0]
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and "text" in value:
        return list(parse_predictions(text.lstrip("\ufeff"), name, name.rpartition(".")[0] or name))
    return None


def store_figures(project: Project, name: str, text: str) -> int:
    """Keep the figures of a file in the project; return how many tables they are.

    Raises:
        InputError: the file is no JSON, or has no figures.
    """
    try:
        tables = tables_in(json.loads(text.lstrip("\ufeff")))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is neither JSON of figures nor JSON Lines of predictions: {error}") from error
    if not tables:
        raise InputError(f"{name} has no figures")
    with project.writing() as connection:
        connection.execute("DELETE FROM result_file WHERE name = ?", (name,))
        connection.execute(
            "INSERT INTO result_file (name, at, content) VALUES (?, ?, ?)", (name, time.time(), json.dumps(tables))
        )
    return len(tables)


def list_result_files(project: Project) -> list[dict[str, Any]]:
    """Return the result files of a project as plain values: id, name, at, tables (name, columns, rows)."""
    rows = project.reading.execute("SELECT id, name, at, content FROM result_file ORDER BY at DESC, id DESC")
    return [
        {"id": row["id"], "name": row["name"], "at": row["at"], "tables": json.loads(row["content"])} for row in rows
    ]


def remove_result_file(project: Project, number: int) -> None:
    """Remove a result file; the file that it was read from stays."""
    with project.writing() as connection:
        connection.execute("DELETE FROM result_file WHERE id = ?", (number,))


def tables_in(value: object) -> list[dict[str, Any]]:
    """Return what is in JSON as tables, as plain values: name, columns, rows.

    A list of objects is a table, and so is an object of objects; plain values of an object are a table of two columns.
    What is nested deeper is a table of its own.
    """
    tables: list[dict[str, Any]] = []
    for table in _tables("", value):
        if len(tables) < _MOST_TABLES and table.rows and table.columns:
            tables.append(_without_empty_columns(table)._asdict())
    return tables


def _tables(name: str, value: object) -> Iterator[ResultTable]:
    if isinstance(value, Mapping):
        yield from _of_object(name, value)
    elif isinstance(value, list):
        rows = [row for row in value if isinstance(row, Mapping)]
        plain = [item for item in value if isinstance(item, _PLAIN)]
        if rows:
            yield _of_rows(name, rows)
        if plain:
            yield ResultTable(name, [name or "value"], [[item] for item in plain])


def _of_object(name: str, value: Mapping[str, Any]) -> Iterator[ResultTable]:
    inner = {key: own for key, own in value.items() if isinstance(own, Mapping | list)}
    plain = [[key, own] for key, own in value.items() if isinstance(own, _PLAIN)]
    if plain:
        yield ResultTable(name, ["", "value"], plain)
    flat = {key: own for key, own in inner.items() if isinstance(own, Mapping) and _is_flat(own)}
    if len(flat) > 1 and len(flat) == len(inner) and set.intersection(*map(set, flat.values())):
        yield _of_rows(name, [{"": key} | dict(own) for key, own in flat.items()])
        return
    for key, own in inner.items():
        yield from _tables(f"{name} › {key}" if name else key, own)


def _is_flat(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(own is None or isinstance(own, _PLAIN) for own in value.values())


def _of_rows(name: str, rows: list[Mapping[str, Any]]) -> ResultTable:
    columns = list(dict.fromkeys(key for row in rows for key, own in row.items() if isinstance(own, _PLAIN)))
    values = [[own if isinstance(own := row.get(column), _PLAIN) else None for column in columns] for row in rows]
    return ResultTable(name, columns, values[:_MOST_ROWS])


def _without_empty_columns(table: ResultTable) -> ResultTable:
    full = [index for index in range(len(table.columns)) if any(row[index] is not None for row in table.rows)]
    return ResultTable(
        table.name, [table.columns[index] for index in full], [[row[index] for index in full] for row in table.rows]
    )
