"""The tables, lists and preformatted elements that kept blocks are in: what writers of line-based formats need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dehusk.base.tags import HEADINGS, PREFORMATTED, numbers
from dehusk.blocks.labels import LIST, Labels
from dehusk.blocks.layout import Nodes, counts_before, is_holder
from dehusk.blocks.units.keys import distinct
from dehusk.blocks.units.tables import table_nodes
from dehusk.read.page import Bools, Ints, Page

_ITEM = numbers("li dt dd")
_LIST = numbers("ul ol dl menu dir")
_CELL = numbers("td th")
_TABLE = numbers("table")
_PRE = numbers(PREFORMATTED)
_HEADING = numbers(HEADINGS)


@dataclass(frozen=True, eq=False)
class BlockContexts:
    """For each of the k kept blocks of a page, the elements that determine its line; -1 for no such element.

    A table counts only if its rows and cells carry meaning (`dehusk.blocks.units.tables`), not if it only serves the
    layout. A list item that contains a kept heading is a section of the page and does not count as an item.
    """

    pre: Ints
    """(k,) the preformatted element."""
    table: Ints
    """(k,) the table."""
    row: Ints
    """(k,) the row of the table."""
    column: Ints
    """(k,) the index of the cell in its row, from 0; 0 outside of tables."""
    item: Ints
    """(k,) the innermost list item; -1 in tables and preformatted text."""
    starts_item: Bools
    """(k,) whether the block is the first of its item."""
    is_list_line: Bools
    """(k,) whether the block is a line of a list: the first of its item, directly in the item, or labelled as list."""
    outer_list: Ints
    """(k,) the outermost list."""

    @classmethod
    def of(cls, labels: Labels, kept: Nodes) -> BlockContexts:
        """Return the contexts of the blocks numbered `kept`, shape (k,)."""
        page, first = labels.blocks.page, labels.blocks.first[kept]
        table = page.nearest(page.is_one_of(_TABLE))[first]
        cell = page.nearest(page.is_one_of(_CELL))[first]
        in_grid = table_nodes(labels.blocks)[table] & (table >= 0) & (cell > table)
        pre = page.nearest(page.is_one_of(_PRE))[first]
        may_be_listed = ~in_grid & (pre < 0)
        item = np.where(may_be_listed, page.nearest(_items(page, first))[first], -1)
        starts_item, directly_in_item = (np.zeros(len(kept), dtype=np.bool_) for _ in range(2))
        is_listed = item >= 0
        if is_listed.any():
            starts_item[distinct(item)[0]] = True
            starts_item &= is_listed
            directly_in_item = is_listed & (page.nearest(is_holder(page))[first] == item)
        return cls(
            pre=pre,
            table=np.where(in_grid, table, -1),
            row=np.where(in_grid, page.parent[cell], -1),
            column=np.where(in_grid, _columns(page)[cell], 0) if in_grid.any() else np.zeros_like(cell),
            item=item,
            starts_item=starts_item,
            is_list_line=starts_item | directly_in_item | (may_be_listed & (labels.label[kept] == LIST)),
            outer_list=_outermost_lists(page, first),
        )


def same_as_before(elements: Ints) -> Bools:
    """Return whether each block is in the same element as the block before it, shape (k,); `elements` is (k,)."""
    same = np.zeros(len(elements), dtype=np.bool_)
    np.logical_and(elements[1:] == elements[:-1], elements[1:] >= 0, out=same[1:])
    return same


def _items(page: Page, first: Ints) -> Bools:
    """Return which nodes, shape (n,), are list items that contain no kept heading."""
    items = page.is_one_of(_ITEM)
    if not items.any():
        return items
    is_heading = page.within_at(page.nodes_of(_HEADING), first) > 0
    before = counts_before(page, first[is_heading])
    items &= before[page.end] == before[:-1]
    return items


def _outermost_lists(page: Page, first: Ints) -> Ints:
    """Return the outermost list around each of some nodes, -1 for those outside of lists."""
    lists = page.nodes_of(_LIST)
    if not len(lists):
        return np.full(len(first), -1, dtype=np.int32)
    lists = lists[page.within_at(lists, lists) == 1]
    found = lists[lists.searchsorted(first, "right") - 1]  # the last that starts before: outermost lists are disjoint
    return np.where((found <= first) & (first < page.end[found]), found, -1).astype(np.int32)


def _columns(page: Page) -> Ints:
    """Return for each cell, shape (n,), how many cells of its row come before it; 0 for other nodes."""
    cells = page.nodes_of(_CELL)
    order = cells[page.parent[cells].argsort(kind="stable")]
    row_starts = np.diff(page.parent[order], prepend=-2).nonzero()[0]
    column = np.zeros(len(page), dtype=np.int32)
    column[order] = np.arange(len(order)) - row_starts.repeat(np.diff(np.append(row_starts, len(order))))
    return column
