"""What units are made of: lists, data tables, code listings, definition lists and records, as masks of elements."""

from dataclasses import dataclass

import numpy as np

from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.page import Bools
from dehusk.tags import PREFORMATTED
from dehusk.units.records import Records, find_pairs, find_records
from dehusk.units.skeleton import skeleton_of, tag_table
from dehusk.units.tables import data_tables

_LIST = tag_table("ul ol menu dir select datalist")
_ITEM = tag_table("li option optgroup")
_PRE = tag_table(PREFORMATTED)
_CODE = tag_table("code samp")
_ROW = tag_table("tr")
_DEFINITIONS, _DEFINITION_PARTS = tag_table("dl"), tag_table("dt dd")


@dataclass(frozen=True, eq=False)
class Structures:
    """What the units of a page are made of: masks over the m elements of its skeleton, and records."""

    lists: Bools
    items: Bools
    """Direct children of lists."""
    tables: Bools
    """Tables of data."""
    rows: Bools
    """Rows of these tables."""
    listings: Bools
    """Outermost elements that contain code or other preformatted text."""
    definitions: Bools
    pairs: Records
    """Terms with their definitions."""
    records: Records


@cached_per_object
def find_structures(blocks: Blocks) -> Structures:
    """Return the lists, tables, listings, definition lists and records of a page."""
    tree = skeleton_of(blocks)
    lists, tables, definitions = tree.has_tag(_LIST), data_tables(blocks), tree.has_tag(_DEFINITIONS)
    items = tree.has_tag(_ITEM)
    items &= lists[np.maximum(tree.parent, 0)]
    several = tree.end - tree.first > 1
    rows = tree.has_tag(_ROW) & (tree.inside_of(tables) > 0) if tables.any() else tables
    listings = tree.has_tag(_PRE) | (tree.has_tag(_CODE) & several)
    if listings.any():
        listings &= tree.inside_of(listings) == 1
    taken = (items | lists) & lists[np.maximum(tree.parent, 0)]
    for whole in (tables, listings):
        if whole.any():
            taken |= (tree.inside_of(whole) > 0) & ~whole
    taken |= tree.has_tag(_DEFINITION_PARTS) & definitions[np.maximum(tree.parent, 0)]
    return Structures(
        lists, items, tables, rows, listings, definitions, find_pairs(blocks), find_records(blocks, taken)
    )
