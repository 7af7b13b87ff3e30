"""Plain text: a paragraph a block, with the lines, lists, rows and preformatted text of the page.

Paragraphs have a blank line between them. On consecutive lines stand what one `br` divides, the lines of one `pre`
(with the empty lines between them), the rows of a table and the items of a list. Items begin with `- ` or their
number, nested ones are indented; an item that holds a heading is a section of the page and not an item. The cells of
a row stand on one line with a tab for each step of a column, so that empty cells keep the others in their columns;
tables that only make up the layout are no tables here (`layout.grids`). Blocks between which the page has no boundary
and blocks labelled as continuation go on in the line, after a space where anything stands between them; only the
lines of preformatted text stay lines whatever their label.
"""

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.labels import CONTINUATION, LIST, Labels
from dehusk.layout import Gap, Nodes, counts_before, gaps, grids, is_holder, line_ends, text_between
from dehusk.page import Bools, Ints, Page
from dehusk.tags import HEADINGS, PREFORMATTED, numbers
from dehusk.xpath import ordinals

DEEPEST = 32
"""Levels of lists that are indented; deeper ones look like this one, so that depth cannot blow up the text."""

_ITEM = numbers("li dt dd")
_LIST = numbers("ul ol dl menu dir")
_ORDERED = numbers("ol")
_CELL = numbers("td th")
_TABLE = numbers("table")
_PRE = numbers(PREFORMATTED)
_HEADING = numbers(HEADINGS)
_BULLETED = re.compile(r"(?:[•‣◦▪·*–—-]|\d{1,3}[.)])\s")
_START = re.compile(r"\s*([+-]?\d{1,9})(?!\d)")


@dataclass(frozen=True, eq=False)
class _Places:
    """Where the k kept blocks stand; -1 for nowhere."""

    pre: Ints
    """(k,) preformatted element."""
    table: Ints
    """(k,) table that is a grid."""
    row: Ints
    """(k,) row of the grid."""
    column: Ints
    """(k,) place of the cell in its row, from 0 on."""
    item: Ints
    """(k,) list item; -1 in rows and preformatted text."""
    begins: Bools
    """(k,) whether the block is the first of its item."""
    is_line: Bools
    """(k,) whether the block is a list line: first of its item, directly in an item, or labelled as list."""
    group: Ints
    """(k,) outermost list."""


def to_text(labels: Labels) -> str:
    """Return the kept blocks as plain text; it ends with a line end where it is not empty."""
    blocks, kept = labels.blocks, np.flatnonzero(labels.kept)
    if not len(kept):
        return ""
    places, gap = _places(labels, kept), gaps(blocks, kept)
    in_line = gap < Gap.LINE
    goes_on = (labels.label[kept] == CONTINUATION) & (gap != Gap.LINE)  # a line that the page ends stays ended
    joined = in_line | (goes_on & ~_same(places.pre))
    joined[0] = False
    between = _separators(blocks, kept, places, gap)
    for index in np.flatnonzero(joined).tolist():
        between[index] = " " if gap[index] != Gap.NOTHING else ""
    for index in np.flatnonzero(joined & _same(places.pre)).tolist():
        found = text_between(blocks, int(kept[index - 1]), int(kept[index]))
        between[index] = found if found.isspace() else between[index]
    starts, texts = _starts(labels, kept, places, ~joined), blocks.texts
    parts = (a + b + texts[number] for a, b, number in zip(between, starts, kept.tolist(), strict=True))
    return "".join(parts) + "\n"


def _places(labels: Labels, kept: Nodes) -> _Places:
    page, first = labels.blocks.page, labels.blocks.first[kept]
    table = page.nearest(page.is_one_of(_TABLE))[first]
    cell = page.nearest(page.is_one_of(_CELL))[first]
    in_grid = grids(labels.blocks, kept)[table] & (table >= 0) & (cell > table)
    pre = page.nearest(page.is_one_of(_PRE))[first]
    items = _items(page, first)
    free = ~in_grid & (pre < 0)
    item = np.where(free, page.nearest(items)[first], -1)
    begins = np.zeros(len(kept), dtype=np.bool_)
    begins[np.unique(item, return_index=True)[1]] = True
    begins &= item >= 0
    lists = page.nodes_of(_LIST)
    outermost = np.zeros(len(page), dtype=np.bool_)
    outermost[lists[page.within(lists)[lists] == 1]] = True
    directly = (item >= 0) & (page.nearest(is_holder(page))[first] == item)
    return _Places(
        pre=pre,
        table=np.where(in_grid, table, -1),
        row=np.where(in_grid, page.parent[cell], -1),
        column=np.where(in_grid, _columns(page)[cell], 0) if in_grid.any() else np.zeros_like(cell),
        item=item,
        begins=begins,
        is_line=begins | directly | (free & (labels.label[kept] == LIST)),
        group=page.nearest(outermost)[first],
    )


def _items(page: Page, first: Ints) -> Bools:
    """Return which nodes, shape (n,), are list items without a kept heading in them."""
    is_heading = page.within(page.nodes_of(_HEADING))[first] > 0
    before = counts_before(page, first[is_heading])
    items = page.is_one_of(_ITEM)
    items &= before[page.end] == before[:-1]
    return items


def _columns(page: Page) -> Ints:
    """Return for each cell, shape (n,), how many cells of its row come before it; 0 for other nodes."""
    cells = page.nodes_of(_CELL)
    order = cells[np.argsort(page.parent[cells], kind="stable")]
    begins = np.flatnonzero(np.diff(page.parent[order], prepend=-2))
    column = np.zeros(len(page), dtype=np.int32)
    column[order] = np.arange(len(order)) - np.repeat(begins, np.diff(np.append(begins, len(order))))
    return column


def _same(column: Ints) -> Bools:
    """Return whether each block stands in the same element as the block before it."""
    return np.append(False, (column[1:] == column[:-1]) & (column[1:] >= 0))


def _separators(blocks: Blocks, kept: Nodes, places: _Places, gap: npt.NDArray[np.uint8]) -> list[str]:
    """Return what is written before each block that begins a line or a cell; what is decided last prevails."""
    same_row, same_pre = _same(places.row), _same(places.pre)
    in_list = places.is_line | (places.item >= 0)
    follows = np.append(False, in_list[:-1] & (places.group[1:] == places.group[:-1])) & places.is_line
    count = np.where(gap == Gap.BREAK, 2, 1)
    count[_same(places.table) | follows] = 1
    if same_pre.any():
        count[same_pre] = np.maximum(line_ends(blocks, kept)[same_pre], 1)
    count[0] = 0
    steps = np.diff(places.column, prepend=0)
    between = ["\n" * number for number in count.tolist()]
    for index in np.flatnonzero(same_row).tolist():
        between[index] = "\t" * int(steps[index]) or " "
    for index in np.flatnonzero(~same_row & (places.column > 0)).tolist():
        between[index] += "\t" * int(places.column[index])
    return between


def _starts(labels: Labels, kept: Nodes, places: _Places, starts_line: Bools) -> list[str]:
    """Return the indentation and the list marker of each block; both are empty in the middle of a line."""
    page, texts = labels.blocks.page, labels.blocks.texts
    depth = np.where(places.item >= 0, page.within(places.item[places.begins].astype(np.intp))[places.item], 0)
    depth = np.minimum(depth - places.begins, DEEPEST) * starts_line
    found = ["  " * level for level in depth.tolist()]
    begins = np.flatnonzero(places.begins & starts_line)
    for index, marker in zip(begins.tolist(), _markers(page, places.item[begins]), strict=True):
        found[index] += marker
    for index in np.flatnonzero(places.is_line & (places.item < 0) & starts_line).tolist():
        if not _BULLETED.match(texts[kept[index]]):
            found[index] += "- "
    return found


def _markers(page: Page, items: Ints) -> list[str]:
    """Return the number of each item of an ordered list, a dash for the others."""
    parents = page.parent[items]
    ordered = page.is_one_of(_ORDERED)[parents]
    if not ordered.any():
        return ["- "] * len(items)
    first = {parent: _number(page.attribute(parent, "start")) for parent in np.unique(parents[ordered]).tolist()}
    rows = zip(parents.tolist(), ordinals(page)[items].tolist(), strict=True)
    return [f"{first[parent] + ordinal - 1}. " if parent in first else "- " for parent, ordinal in rows]


def _number(value: str | None) -> int:
    found = _START.match(value or "")
    return int(found[1]) if found else 1
