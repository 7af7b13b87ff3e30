"""A template of a site: what its rows are, its columns, and how they are read from a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.blocks import Blocks
from dehusk.counts.templates import PathShares
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page
from dehusk.read.xpath import xpaths
from dehusk.sites.records.channels import channels_of
from dehusk.sites.records.columns import Reading, RecordColumn
from dehusk.sites.records.fitting import DATA_CHANNEL, Learned
from dehusk.sites.records.pieces import link_addresses
from dehusk.sites.records.record_units import RecordUnits, RowPlan, records_of
from dehusk.sites.records.runs import Runs, runs_of
from dehusk.sites.records.value_types import Scalar

Cell = Scalar | list[Scalar]
Held = dict[tuple[int, int], list[int]]
"""Channel and place -> the runs of a record that are there."""


@dataclass(frozen=True)
class RecordRow:
    """One record of a page."""

    values: dict[str, Cell]
    """Column -> value: a number, an ISO 8601 date or a text; a list in columns with several values."""
    places: dict[str, str]
    """Column -> XPath of the element that holds the (first) value; empty unless asked for."""


@dataclass(frozen=True, eq=False)
class PageTemplate:
    """A template with the columns of its records."""

    name: str
    plan: RowPlan
    shares: PathShares
    learned: Learned
    fixed: tuple[RecordColumn, ...]
    """Columns of posts, which `dehusk.about.posts` reads."""
    pages: int
    """Pages that it was learned from."""
    is_rest: bool = False
    """Whether these are the pages that are like no others; pages that are like no template are read by it."""

    @property
    def columns(self) -> tuple[RecordColumn, ...]:
        """All columns."""
        return (*self.fixed, *self.learned.columns)

    def rows(self, blocks: Blocks, *, places: bool = False) -> list[RecordRow]:
        """Return the records of a page; a page that holds none gives none.

        Args:
            blocks: the blocks of the page.
            places: whether to find the XPaths of the values.
        """
        units = records_of(blocks, self.plan)
        if not len(units):
            return []
        held: list[Held] = [{} for _ in range(len(units))]
        channels = zip(channels_of(blocks, units), self.learned.channels, strict=True)
        runs = [runs_of(pieces, channel.lexicon) for pieces, channel in channels]
        for number, (found, channel) in enumerate(zip(runs, self.learned.channels, strict=True)):
            place = channel.layout.place_of(found)
            known = np.flatnonzero(place >= 0)
            rows = zip(known.tolist(), found.record[known].tolist(), place[known].tolist(), strict=True)
            for run, record, at in rows:
                held[record].setdefault((number, at), []).append(run)
        reader = _CellReader(blocks.page, runs)
        values, nodes = self._values(reader, held)
        self._add_fixed(reader.addresses, units, values, nodes)
        if not places:
            return [RecordRow(row, {}) for row in values]
        paths = xpaths(blocks.page, {node for row in nodes for node in row.values()})
        return [
            RecordRow(row, {name: paths[node] for name, node in of_row.items()})
            for row, of_row in zip(values, nodes, strict=True)
        ]

    def _values(self, reader: "_CellReader", held: list[Held]) -> tuple[list[dict[str, Cell]], list[dict[str, int]]]:
        """Return for each record its values and the elements that hold them, by column."""
        of_place = self._columns_of_places
        values: list[dict[str, Cell]] = []
        nodes: list[dict[str, int]] = []
        for record in held:
            row: dict[str, Cell] = {}
            at: dict[str, int] = {}
            for number in sorted({column for place in record for column in of_place.get(place, ())}):
                column = self.learned.columns[number]
                if (found := reader.read(column, record)) is not None:
                    row[column.name], node = found
                    if node >= 0:
                        at[column.name] = node
            values.append(row)
            nodes.append(at)
        return values, nodes

    @cached_property
    def _columns_of_places(self) -> dict[tuple[int, int], list[int]]:
        found: dict[tuple[int, int], list[int]] = {}
        for number, column in enumerate(self.learned.columns):
            for place in {(reading.channel, reading.place) for reading in column.readings}:
                found.setdefault(place, []).append(number)
        return found

    def _add_fixed(
        self, addresses: Addresses, units: RecordUnits, values: list[dict[str, Cell]], nodes: list[dict[str, int]]
    ) -> None:
        for number, known in enumerate(units.fixed):
            row: dict[str, Cell] = {}
            for name, value in known.items():
                if value is not None and value != "":
                    is_link = name in ("permalink", "author address")
                    row[name] = (addresses.resolve(str(value)) or str(value)) if is_link else value
                    nodes[number][name] = int(units.roots[number])
            values[number] = row | values[number]


class _CellReader:
    """Reads the cells of a page's records from its runs, one sequence of runs for each channel."""

    def __init__(self, page: Page, runs: Sequence[Runs]) -> None:
        self._page = page
        self._runs = runs
        self._texts_of = [
            (each.pieces.text, list(zip(each.start.tolist(), each.end.tolist(), strict=True))) for each in runs
        ]

    @cached_property
    def addresses(self) -> Addresses:
        return Addresses.of(self._page)

    def read(self, column: RecordColumn, record: Held) -> tuple[Cell, int] | None:
        """Return the cell of a column in a record, and the element that holds its first value, -1 for linked data."""
        found: list[tuple[int, Reading, str]] = []
        for reading in column.readings:
            found += self._texts(reading, record)
            if found and not column.is_whole:
                break
        if not found:
            return None
        found.sort(key=lambda one: one[0])
        if column.is_link:
            cells: list[Scalar] = [address for run, _, _ in found if (address := self._address(run))]
        else:
            cells = [column.type.read(text, is_data=reading.channel == DATA_CHANNEL) for _, reading, text in found]
        if not cells:
            return None
        node = self._element(found[0][1].channel, found[0][0])
        if column.many:
            return cells, node
        if column.type.name == "text":
            return "\n".join(map(str, dict.fromkeys(cells))), node
        return cells[0], node

    def _texts(self, reading: Reading, record: Held) -> Iterator[tuple[int, Reading, str]]:
        text, spans = self._texts_of[reading.channel]
        for run in record.get((reading.channel, reading.place), ()):
            start, end = spans[run]
            if value := reading.value(text[start:end]):
                yield run, reading, value

    def _address(self, run: int) -> str:
        texts = self._runs[0]
        link = int(texts.pieces.link[texts.first[run]])
        href = link_addresses(self._page).get(link)
        return self.addresses.resolve(href) or "" if href else ""

    def _element(self, channel: int, run: int) -> int:
        runs = self._runs[channel]
        node = int(runs.pieces.node[runs.first[run]])
        return (int(self._page.parent[node]), node, -1)[channel]
