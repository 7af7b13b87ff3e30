"""The hierarchy of units: ranges of blocks that belong together, such as lists, tables, records and sections.

Every unit is a contiguous range of blocks, and ranges nest: of two units, one contains the other, or they are disjoint.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object, cached_property
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices
from dehusk.blocks.units.ranges import Ranges, innermost, nest
from dehusk.blocks.units.records import Records
from dehusk.blocks.units.sections import paragraph_runs, section_ranges
from dehusk.blocks.units.skeleton import Skeleton, skeleton_of, tag_table
from dehusk.blocks.units.structures import find_structures
from dehusk.read.page import Bools

UNIT_KINDS = (
    "paragraphs", "list", "item", "table", "row", "listing", "definitions", "figure", "section", "records", "record",
)  # fmt: skip
"""All kinds of units; docs/units.md describes them."""

PARAGRAPHS, LIST, ITEM, TABLE, ROW, LISTING, DEFINITIONS, FIGURE, SECTION, RECORDS, RECORD = range(len(UNIT_KINDS))

_FIGURE = tag_table("figure")
_CELL, _HEADER_CELL, _HEAD = tag_table("td th"), tag_table("th"), tag_table("thead")


@dataclass(frozen=True, eq=False, repr=False)
class Units:
    """The u units of a page with b blocks as columns; a unit comes before the units inside it."""

    kind: npt.NDArray[np.uint8]
    """(u,) index into `UNIT_KINDS`."""
    first: Indices
    """(u,) first block of each unit."""
    end: Indices
    """(u,) one past its last block."""
    parent: Indices
    """(u,) the innermost unit around it, -1 if there is none."""
    node: Indices
    """(u,) node of its element; of records the element around them, of a record of several siblings the first; -1 for
    sections and runs of paragraphs."""
    is_header: Bools
    """(u,) whether it is a row of header cells."""
    unit_of: Indices
    """(b,) innermost unit of each block, -1 if there is none."""

    def __len__(self) -> int:
        return len(self.kind)

    def __repr__(self) -> str:
        """Return one line: how many units of each kind."""
        counts = np.bincount(self.kind, minlength=len(UNIT_KINDS)).tolist()
        named = ", ".join(f"{name} {count}" for name, count in zip(UNIT_KINDS, counts, strict=True) if count)
        return f"<Units: {named or 'none'}>"

    @cached_property
    def members(self) -> Indices:
        """(u,) number of items, rows or records that are directly in each unit."""
        is_member = np.isin(self.kind, (ITEM, ROW, RECORD))
        return np.bincount(self.parent[is_member] + 1, minlength=len(self) + 1)[1:]


@cached_per_object
def find_units(blocks: Blocks) -> Units:
    """Return the units of a page."""
    found = _of_elements(blocks)
    found = found.joined(section_ranges(blocks, nest(found), SECTION))
    found = nest(found.joined(paragraph_runs(blocks, found, PARAGRAPHS)))
    is_header = found.kind == ROW
    is_header[is_header] = _are_headers(blocks, found.node[is_header])
    return Units(
        kind=found.kind.astype(np.uint8),
        first=found.first,
        end=found.end,
        parent=found.parent,
        node=found.node,
        is_header=is_header,
        unit_of=innermost(found, len(blocks)),
    )


def _of_elements(blocks: Blocks) -> Ranges:
    """Return the units that markup defines, and records."""
    tree, parts = skeleton_of(blocks), find_structures(blocks)
    masks = {
        LIST: parts.lists,
        ITEM: parts.items,
        TABLE: parts.tables,
        ROW: parts.rows,
        LISTING: parts.listings,
        DEFINITIONS: parts.definitions,
        FIGURE: tree.has_tag(_FIGURE),
    }
    kind = np.full(len(tree), -1)
    for number, mask in masks.items():
        kind[mask] = number
    element = (kind >= 0).nonzero()[0]
    found = Ranges(kind[element], tree.first[element], tree.end[element], tree.node[element], 4 * element + 1)
    pairs = parts.pairs
    return found.joined(
        Ranges.alike(ITEM, pairs.first, pairs.end, tree.node[pairs.start], 4 * pairs.start),
        *_of_records(tree, parts.records),
    )


def _of_records(tree: Skeleton, records: Records) -> tuple[Ranges, Ranges]:
    """Return the lists of records, and the records."""
    lists = len(records.parent)
    first, end = np.full(lists, np.iinfo(np.intp).max), np.zeros(lists, dtype=np.intp)
    np.minimum.at(first, records.list_of, records.first)
    np.maximum.at(end, records.list_of, records.end)
    return (
        Ranges.alike(RECORDS, first, end, tree.node[records.parent], 4 * records.parent + 2),
        Ranges.alike(RECORD, records.first, records.end, tree.node[records.start], 4 * records.start),
    )


def _are_headers(blocks: Blocks, rows: Indices) -> Bools:
    """Return which of these nodes are rows that are in a thead or have only header cells."""
    if not len(rows):
        return np.zeros(0, dtype=np.bool_)
    tree = skeleton_of(blocks)
    cells, headers = (tree.parent[tree.has_tag(tags)] for tags in (_CELL, _HEADER_CELL))
    is_header = np.bincount(headers, minlength=len(tree)) == np.bincount(cells, minlength=len(tree))
    is_header |= tree.inside_of(tree.has_tag(_HEAD)) > 0
    return np.isin(rows, tree.node[is_header])
