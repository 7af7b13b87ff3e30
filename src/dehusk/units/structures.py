"""What units are made of: lists, data tables, code listings, definition lists and records, as masks of elements."""

from dataclasses import dataclass

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.page import Bools
from dehusk.tags import PREFORMATTED
from dehusk.units.records import Records, find_pairs, find_records
from dehusk.units.skeleton import Skeleton, skeleton_of, tag_table
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
@kernel("structures.find_structures")
def find_structures(blocks: Blocks) -> Structures:
    """Return the lists, tables, listings, definition lists and records of a page."""
    tables = data_tables(blocks)
    lists, items, rows, listings, definitions, taken = element_masks(skeleton_of(blocks), tables)
    return Structures(
        lists, items, tables, rows, listings, definitions, find_pairs(blocks), find_records(blocks, taken)
    )


def element_masks(tree: Skeleton, tables: Bools) -> tuple[Bools, Bools, Bools, Bools, Bools, Bools]:
    """Return the lists, items, rows, listings and definition lists, and what cannot be records, each of shape (m,).

    Args:
        tree: the elements of a page.
        tables: (m,) the tables of data.
    """
    lists, definitions = tree.has_tag(_LIST), tree.has_tag(_DEFINITIONS)
    in_list = lists.take(tree.parent, mode="clip")
    items = tree.has_tag(_ITEM) & in_list
    listings = tree.has_tag(_PRE) | (tree.has_tag(_CODE) & (tree.end - tree.first > 1))
    taken = items | (lists & in_list)
    if listings.any():
        listings &= tree.inside_of(listings) == 1
        taken |= (tree.inside_of(listings) > 0) & ~listings
    rows = tables
    if tables.any():
        is_inside = tree.inside_of(tables) > 0
        rows = tree.has_tag(_ROW) & is_inside
        taken |= is_inside & ~tables
    if definitions.any():
        taken |= tree.has_tag(_DEFINITION_PARTS) & definitions.take(tree.parent, mode="clip")
    return lists, items, rows, listings, definitions, taken
