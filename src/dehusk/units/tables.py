"""Which tables contain data, by their structure alone: tables for layout are not units."""

import numpy as np

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.page import Bools
from dehusk.tags import HEADINGS, PREFORMATTED
from dehusk.units.keys import Indices, sums_before
from dehusk.units.skeleton import skeleton_of, tag_table

LONG_CELL = 200
"""A cell with several blocks and more characters than this contains running text, so its table is for layout."""
MARKED = 3
"""The cells of a table that has header cells or a caption may be this many times longer."""
HUGE_CELL = 1500
"""A cell with more characters makes its table one for layout, even if it is a single block."""

MAX_BLOCKS = 2
"""Cells of data have this many blocks on average, or fewer."""

_TABLE = tag_table("table")
_ROW = tag_table("tr")
_CELL = tag_table("td th")
_MARKS = tag_table("th caption")
_FOREIGN = tag_table(tuple(HEADINGS | PREFORMATTED))
_HEADS = tag_table("caption thead th")


@cached_per_object
@kernel("structures.data_tables")
def data_tables(blocks: Blocks) -> Bools:
    """Return which elements of the skeleton, shape (m,), are tables of data.

    Two rows of them, or one in a table with header cells or a caption, have two or more cells with text. Tables that
    contain another table, or in their cells a heading or preformatted text, are for layout, as are those with a cell of
    running text or with many blocks per cell. A heading in a header cell or the caption heads the table.
    """
    tree = skeleton_of(blocks)
    is_table = tree.has_tag(_TABLE)
    if not is_table.any():
        return is_table
    nearest = tree.nearest(is_table)
    cells = (tree.has_tag(_CELL) & (nearest >= 0)).nonzero()[0]
    full = ((np.bincount(tree.parent[cells], minlength=len(tree)) > 1) & tree.has_tag(_ROW)).nonzero()[0]
    wide_rows = np.bincount(nearest[full], minlength=len(tree))
    is_marked = tree.counts_inside(tree.has_tag(_MARKS)) > 0
    is_foreign = (tree.has_tag(_FOREIGN) & (tree.nearest(tree.has_tag(_HEADS)) < nearest)) | is_table
    is_data: Bools = is_table & (wide_rows > np.where(is_marked, 0, 1)) & (tree.counts_inside(is_foreign) == 0)
    cells_of = np.bincount(nearest[cells], minlength=len(tree))
    is_data &= tree.end - tree.first <= MAX_BLOCKS * cells_of
    is_data[_too_long(blocks, cells, nearest, is_marked)] = False
    return is_data


@cached_per_object
def table_nodes(blocks: Blocks) -> Bools:
    """Return which nodes, shape (n,), are tables of data (`data_tables`), whatever of them is kept."""
    mask = np.zeros(len(blocks.page), dtype=np.bool_)
    mask[skeleton_of(blocks).node[data_tables(blocks)]] = True
    return mask


def _too_long(blocks: Blocks, cells: Indices, table: Indices, is_marked: Bools) -> Indices:
    """Return the tables with a cell of running text."""
    tree = skeleton_of(blocks)
    before = sums_before(blocks.chars)
    first, end, table = tree.first[cells], tree.end[cells], table[cells]
    chars = before[end] - before[first]
    limit = np.where(is_marked[table], MARKED * LONG_CELL, LONG_CELL)
    return table[((chars > limit) & (end - first > 1)) | (chars > HUGE_CELL)]
