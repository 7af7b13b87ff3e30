"""The hierarchy of units: ranges of blocks that belong together, such as lists, tables, records and sections.

Every unit is a contiguous range of blocks, and ranges nest: of two units, one contains the other, or they are disjoint.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object, cached_property
from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices, sums_before
from dehusk.blocks.units.ranges import INNER, Ranges, innermost, nest
from dehusk.blocks.units.records import Records
from dehusk.blocks.units.skeleton import CHARS_PER_WORD, Skeleton, skeleton_of, tag_table
from dehusk.blocks.units.structures import find_structures
from dehusk.read.page import Bools

# ---------------------------------------------------------------- sections
# Sections, which are headings with what they head, and runs of paragraphs: units that no single element defines.

MIN_HEADED = 20
"""A heading heads what follows in the smallest element around it that has this many words after it."""

_HEADING, _P, _DIV = tag_table(HEADINGS), tag_table("p"), tag_table("div")
_BOUNDS = tag_table("body article section main aside nav footer li dd td th figure blockquote details dialog")


def section_ranges(blocks: Blocks, nested: Ranges, kind: int) -> Ranges:
    """Return the sections of a page.

    A section starts with a heading. It ends before the next heading of the same or a higher level, and at the latest
    where the smallest element around the heading ends that has `MIN_HEADED` words after it or is a sectioning element
    such as `article` or `li`. A section that would overlap another unit ends before it.

    Args:
        blocks: the blocks of a page.
        nested: all other units except runs of paragraphs.
        kind: what the ranges get as their kind.
    """
    tree = skeleton_of(blocks)
    heading = _headings(tree)
    first, level = tree.first[heading], tree.tag[heading].astype(np.intp)
    end = np.minimum(_element_ends(blocks, heading), _next_headings(first, level, len(blocks)))
    end = _clipped(nested, first, end, len(blocks))
    limit = np.full(len(blocks), len(blocks))
    for number in np.unique(level).tolist():  # an inner section ends with the outer one at the latest
        here = (level == number).nonzero()[0]
        end[here] = np.minimum(end[here], limit[first[here]])
        here = here[end[here] > tree.end[heading[here]]]
        if len(here):
            section = here[first[here].searchsorted(np.arange(len(blocks)), "right") - 1]
            inside = (np.arange(len(blocks)) >= first[section]) & (np.arange(len(blocks)) < end[section])
            limit = np.where(inside, end[section], limit)
    heads = end > tree.end[heading]
    first = first[heads]
    return Ranges.alike(kind, first, end[heads], np.full(len(first), -1), INNER + level[heads])


def _headings(tree: Skeleton) -> Indices:
    is_heading = tree.has_tag(_HEADING)
    outermost: Bools = is_heading & (tree.inside_of(is_heading) == 1)
    return outermost.nonzero()[0]


def _element_ends(blocks: Blocks, heading: Indices) -> Indices:
    """Return where the element ends whose content each heading can head at most."""
    tree = skeleton_of(blocks)
    before = sums_before(np.maximum(blocks.words, blocks.chars // CHARS_PER_WORD))
    is_bound = tree.has_tag(_BOUNDS)
    around = np.maximum(tree.parent[heading], 0)
    own = before[tree.end[heading]]
    active = np.arange(len(heading))
    while len(active):
        element = around[active]
        words = before[tree.end[element]] - own[active]
        active = active[(words < MIN_HEADED) & ((words == 0) | ~is_bound[element]) & (element > 0)]
        around[active] = tree.parent[around[active]]
    return tree.end[around]


def _next_headings(first: Indices, level: Indices, size: int) -> Indices:
    """Return the block of the next heading of the same or a higher level, `size` if there is none."""
    following = np.full(len(first), size)
    for number in np.unique(level).tolist():
        here, starts = level == number, np.append(first[level <= number], size)
        following[here] = starts[starts.searchsorted(first[here], "right")]
    return following


def _clipped(nested: Ranges, first: Indices, end: Indices, size: int) -> Indices:
    """Return the ends of sections, so that none overlaps another unit without one containing the other."""
    unit = innermost(nested, size)
    if not len(nested.first):
        return end
    around = unit[first]
    end = np.where(around >= 0, np.minimum(end, nested.end[around]), end)
    clipped, last = end.copy(), unit[end - 1]
    active = ((last >= 0) & (nested.first[last] > first)).nonzero()[0]
    while len(active):
        inner = last[active]
        crossed = nested.end[inner] > end[active]
        clipped[active[crossed]] = nested.first[inner[crossed]]
        last[active] = nested.parent[inner]
        active = active[(last[active] >= 0) & (nested.first[last[active]] > first[active])]
    return clipped


def paragraph_runs(blocks: Blocks, others: Ranges, kind: int) -> Ranges:
    """Return the runs of adjacent paragraphs, or of lines of text, in one element and one unit.

    Args:
        blocks: the blocks of a page.
        others: all other units.
        kind: what the ranges get as their kind.
    """
    tree = skeleton_of(blocks)
    is_paragraph = _are_paragraphs(tree)[tree.holder]
    element = np.where(is_paragraph, tree.parent[tree.holder], tree.holder)
    free = _may_be_paragraphs(blocks)[tree.innermost]
    starts = np.zeros(len(blocks) + 1, dtype=np.bool_)
    starts[:1] = starts[others.first] = starts[others.end] = True
    starts[1:-1] |= (element[1:] != element[:-1]) | ~free[1:] | ~free[:-1]
    first = starts[: len(blocks)].nonzero()[0]
    end = np.append(first[1:], len(blocks))[: len(first)]
    is_run = free[first] & ((end - first > 1) | is_paragraph[first])
    first, end = first[is_run], end[is_run]
    return Ranges.alike(kind, first, end, np.full(len(first), -1), np.full(len(first), 2 * INNER))


def _are_paragraphs(tree: Skeleton) -> Bools:
    """Return which elements are paragraphs: `p`, and each `div` of one block without class."""
    is_plain = tree.has_tag(_DIV) & (tree.signature < tree.n_tags) & (tree.end - tree.first == 1)
    plain: Bools = is_plain | tree.has_tag(_P)
    return plain


def _may_be_paragraphs(blocks: Blocks) -> Bools:
    """Return which elements of the skeleton are neither in headings nor in tables of data or code listings."""
    tree, parts = skeleton_of(blocks), find_structures(blocks)
    others = tree.has_tag(_HEADING) | parts.tables | parts.listings
    free: Bools = tree.inside_of(others) == 0
    return free


# ---------------------------------------------------------------- hierarchy

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
