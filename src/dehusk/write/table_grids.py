"""Lay the cells of a table out in rows and columns, with spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from dehusk.base.tags import numbers
from dehusk.read.page import Bools, Page, whole_number
from dehusk.write.bounds import most_cells
from dehusk.write.tokens import TableCell, Token

_CELL, _TABLE, _ROW = numbers("td th"), numbers("table"), numbers("tr")


class Spanning(Protocol):
    """A cell."""

    @property
    def columns(self) -> int:
        """The columns that it spans, at least 1."""
        ...

    @property
    def rows(self) -> int:
        """The rows that it spans, at least 1; 0 for all remaining rows."""
        ...


C = TypeVar("C", bound=Spanning)


class _Cell(NamedTuple):
    node: int
    columns: int
    rows: int


def table_rows(table: Token) -> list[list[TableCell | None]]:
    """Return the cells of a table row by row, as `grid_of`."""
    return grid_of([row.cells for row in table.rows])


def spanned_columns(page: Page, is_data: Bools) -> dict[int, int]:
    """Return the column of each cell of the tables of data in which cells span several columns or rows.

    Args:
        page: the page.
        is_data: (n,) which nodes are such tables.
    """
    cells = page.nodes_of(_CELL)
    table = page.nearest(page.is_one_of(_TABLE))[cells]
    cells = cells[is_data[table] & (table >= 0)]
    across, down = page.elements.columns(cells, ("colspan", "rowspan"))
    found = dict[int, int]()
    if not any(across) and not any(down):
        return found
    tables: dict[int, dict[int, list[_Cell]]] = {}
    table = page.nearest(page.is_one_of(_TABLE))
    for row in page.nodes_of(_ROW).tolist():
        tables.setdefault(int(table[row]), {})[row] = []
    for node, columns, rows in zip(cells.tolist(), across, down, strict=True):
        cell = _Cell(node, max(whole_number(columns or "", 1), 1), max(whole_number(rows or "", 1), 0))
        tables.setdefault(int(table[node]), {}).setdefault(int(page.parent[node]), []).append(cell)
    for rows_of in tables.values():
        if any(cell[1:] != (1, 1) for row in rows_of.values() for cell in row):
            for row in grid_of([*rows_of.values()]):
                found |= {cell.node: column for column, cell in enumerate(row) if cell}
    return found


def grid_of(rows: Sequence[Sequence[C]]) -> list[list[C | None]]:
    """Return the cells of rows at their columns; None where a cell to the left or above extends, or none is declared.

    All rows are equally long, unless the table is out of bounds (`bounds.most_cells`): then it is
    written without spans. A span beyond the last column in which any cell starts is cut.
    """
    most = max(map(len, rows), default=0)
    limit = most_cells(sum(map(len, rows)))
    if len(rows) * _widest(rows, most) > limit:
        return _padded([list(row) for row in rows], most, limit)
    placed = _placed(rows, most)
    width = max((index + 1 for row in placed for index, cell in enumerate(row) if cell), default=0)
    return _padded([row[:width] for row in placed], width, limit)


def _widest(rows: Sequence[Sequence[Spanning]], most: int) -> int:
    """Return a number of columns that no row exceeds, if no cell spans more than `most`."""
    across = max((sum(min(cell.columns, most) for cell in row) for row in rows), default=0)
    return across + sum(min(cell.columns, most) for row in rows for cell in row if cell.rows != 1)


def _placed(rows: Sequence[Sequence[C]], most: int) -> list[list[C | None]]:
    placed: list[list[C | None]] = []
    below: dict[int, int] = {}  # column -> number of further rows that a cell above extends into
    for row in rows:
        cells: list[C | None] = []
        ahead: dict[int, int] = {}
        for cell in row:
            _skip(cells, below)
            columns = min(cell.columns, most)
            if cell.rows != 1:
                ahead |= dict.fromkeys(range(len(cells), len(cells) + columns), (cell.rows or len(rows)) - 1)
            cells += [cell, *[None] * (columns - 1)]
        _skip(cells, below)
        placed.append(cells)
        below = {column: rest - 1 for column, rest in below.items() if rest > 1} | ahead
    return placed


def _skip(cells: list[C | None], below: dict[int, int]) -> None:
    while len(cells) in below:
        cells.append(None)


def _padded(rows: list[list[C | None]], width: int, limit: int) -> list[list[C | None]]:
    if len(rows) * width > limit:
        return rows
    return [row + [None] * (width - len(row)) for row in rows]
