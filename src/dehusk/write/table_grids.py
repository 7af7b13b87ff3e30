"""Lay the cells of a table out in rows and columns, with spans."""

from __future__ import annotations

from collections.abc import Sequence

from dehusk.write.bounds import most_cells
from dehusk.write.tokens import TableCell, TableRow, Token

GridRow = list[TableCell | None]


def table_rows(table: Token) -> list[GridRow]:
    """Return the cells of a table row by row; None where a cell to the left or above extends, or none is declared.

    All rows are equally long, unless the table is out of bounds (`bounds.most_cells`): then it is
    written without spans. A span beyond the last column in which any cell starts is cut.
    """
    most = max((len(row.cells) for row in table.rows), default=0)
    limit = most_cells(sum(len(row.cells) for row in table.rows))
    if len(table.rows) * _widest(table.rows, most) > limit:
        return _padded([list(row.cells) for row in table.rows], most, limit)
    placed = _placed(table.rows, most)
    width = max((index + 1 for row in placed for index, cell in enumerate(row) if cell), default=0)
    return _padded([row[:width] for row in placed], width, limit)


def _widest(rows: Sequence[TableRow], most: int) -> int:
    """Return a number of columns that no row exceeds, if no cell spans more than `most`."""
    across = max((sum(min(cell.columns, most) for cell in row.cells) for row in rows), default=0)
    return across + sum(min(cell.columns, most) for row in rows for cell in row.cells if cell.rows != 1)


def _placed(rows: Sequence[TableRow], most: int) -> list[GridRow]:
    placed: list[GridRow] = []
    below: dict[int, int] = {}  # column -> number of further rows that a cell above extends into
    for row in rows:
        cells: GridRow = []
        ahead: dict[int, int] = {}
        for cell in row.cells:
            _skip(cells, below)
            columns = min(cell.columns, most)
            if cell.rows != 1:
                ahead |= dict.fromkeys(range(len(cells), len(cells) + columns), (cell.rows or len(rows)) - 1)
            cells += [cell, *[None] * (columns - 1)]
        _skip(cells, below)
        placed.append(cells)
        below = {column: rest - 1 for column, rest in below.items() if rest > 1} | ahead
    return placed


def _skip(cells: GridRow, below: dict[int, int]) -> None:
    while len(cells) in below:
        cells.append(None)


def _padded(rows: list[GridRow], width: int, limit: int) -> list[GridRow]:
    if len(rows) * width > limit:
        return rows
    return [row + [None] * (width - len(row)) for row in rows]
