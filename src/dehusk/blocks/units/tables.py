"""Which tables contain data, by their structure alone: tables for layout are not units."""

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from dehusk.blocks.units.skeleton import skeleton_of, tag_table
from dehusk.compiled import decide
from dehusk.read.page import Bools

LONG_CELL = 200
"""A cell with several blocks and more characters than this contains running text, so its table is for layout."""
MARKED = 3
"""The cells of a table that has header cells or a caption may be this many times longer."""
HUGE_CELL = 1500
"""A cell with more characters makes its table one for layout, even if it is a single block."""

MAX_BLOCKS = 2
"""Cells of data have this many blocks on average, or fewer."""
HEADED_BLOCKS = 4
"""As many have those of a table whose first row are header cells, and whose other rows have no more cells than it."""
RUNNING_SHARE = 8
"""In such a table one in so many cells may contain running text; texts of links are none in a table with such a row."""

_TABLE = tag_table("table")
_ROW = tag_table("tr")
_CELL = tag_table("td th")
_MARKS = tag_table("th caption")
_HEADER = tag_table("th")
_HEADINGS = tag_table(tuple(HEADINGS))
_HEADS = tag_table("caption thead th")


data_tables = cached_per_object(decide.data_tables)
"""Return which elements of the skeleton, shape (m,), are tables of data."""


@cached_per_object
def table_nodes(blocks: Blocks) -> Bools:
    """Return which nodes, shape (n,), are tables of data (`data_tables`), whatever of them is kept."""
    mask = np.zeros(len(blocks.page), dtype=np.bool_)
    mask[skeleton_of(blocks).node[data_tables(blocks)]] = True
    return mask
