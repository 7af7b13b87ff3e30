"""A template of a site: what its rows are, its columns, and how they are read from a page."""

from dataclasses import dataclass

import numpy as np

from dehusk.blocks import Blocks
from dehusk.content.addresses import Addresses
from dehusk.page import Ints
from dehusk.units.keys import Indices
from dehusk.wrapper.columns import RecordColumn
from dehusk.wrapper.fitting import Learned
from dehusk.wrapper.pieces import pieces_of
from dehusk.wrapper.record_units import RecordUnits, RowPlan, records_of
from dehusk.wrapper.runs import Runs, runs_of
from dehusk.wrapper.templates import PathShares
from dehusk.wrapper.value_types import Scalar
from dehusk.xpath import xpaths

Cell = Scalar | list[Scalar]


@dataclass(frozen=True)
class RecordRow:
    """One record of a page."""

    values: dict[str, Cell]
    """Column -> value: a number, an ISO 8601 date or a text; a list in columns with several values."""
    places: dict[str, str]
    """Column -> XPath of the element that holds the (first) value."""


@dataclass(frozen=True, eq=False)
class PageTemplate:
    """A template with the columns of its records."""

    name: str
    plan: RowPlan
    shares: PathShares
    learned: Learned
    fixed: tuple[RecordColumn, ...]
    """Columns of posts, which `dehusk.posts` reads."""
    pages: int
    """Pages that it was learned from."""

    @property
    def columns(self) -> tuple[RecordColumn, ...]:
        """All columns."""
        return (*self.fixed, *self.learned.columns)

    def rows(self, blocks: Blocks) -> list[RecordRow]:
        """Return the records of a page; a page that holds none gives none."""
        units = records_of(blocks, self.plan)
        if not len(units):
            return []
        pieces = pieces_of(blocks, units.record_of, None if units.record_of is None else units.roots)
        runs = runs_of(pieces, self.learned.lexicon)
        place = self.learned.layout.place_of(runs)
        values, nodes = self._values(blocks.page.parent, runs, place, len(units))
        self._add_fixed(blocks, units, values, nodes)
        paths = xpaths(blocks.page, {node for row in nodes for node in row.values()})
        return [
            RecordRow(row, {name: paths[node] for name, node in of_row.items()})
            for row, of_row in zip(values, nodes, strict=True)
        ]

    def _values(
        self, parent: Ints, runs: Runs, place: Indices, records: int
    ) -> tuple[list[dict[str, Cell]], list[dict[str, int]]]:
        """Return for each record its values and the elements that hold them, by column."""
        held: list[dict[int, list[int]]] = [{} for _ in range(records)]
        known = np.flatnonzero(place >= 0)
        for run, record, number in zip(known.tolist(), runs.record[known].tolist(), place[known].tolist(), strict=True):
            held[record].setdefault(number, []).append(run)
        of_place = self._columns_of_places()
        values: list[dict[str, Cell]] = []
        nodes: list[dict[str, int]] = []
        for record in held:
            row, at = {}, {}
            for column in sorted({column for number in record for column in of_place.get(number, ())}):
                found = _read(self.learned.columns[column], record, runs)
                if found is not None:
                    name = self.learned.columns[column].name
                    row[name] = found[0]
                    at[name] = int(parent[runs.pieces.node[runs.first[found[1]]]])
            values.append(row)
            nodes.append(at)
        return values, nodes

    def _columns_of_places(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for number, column in enumerate(self.learned.columns):
            for place in {reading.place for reading in column.readings}:
                found.setdefault(place, []).append(number)
        return found

    def _add_fixed(
        self, blocks: Blocks, units: RecordUnits, values: list[dict[str, Cell]], nodes: list[dict[str, int]]
    ) -> None:
        addresses = Addresses.of(blocks.page)
        for number, known in enumerate(units.fixed):
            row: dict[str, Cell] = {}
            for name, value in known.items():
                if value is not None and value != "":
                    is_link = name in ("permalink", "author address")
                    row[name] = (addresses.resolve(str(value)) or str(value)) if is_link else value
                    nodes[number][name] = int(units.roots[number])
            values[number] = row | values[number]


def _read(column: RecordColumn, record: dict[int, list[int]], runs: Runs) -> tuple[Cell, int] | None:
    """Return the value of a column in a record, and the run it is in; None if there is none."""
    for reading in column.readings:
        held = record.get(reading.place, [])
        texts = runs.strings(np.array(held, dtype=np.intp)) if held else []
        found = [(value, run) for text, run in zip(texts, held, strict=True) if (value := reading.value(text))]
        if not found:
            continue
        cells: list[Scalar] = [column.type.read(value) for value, _ in found]
        if column.many:
            return cells, found[0][1]
        if len(set(cells)) > 1 and column.type.name == "text":
            return "\n".join(map(str, dict.fromkeys(cells))), found[0][1]
        return cells[0], found[0][1]
    return None
