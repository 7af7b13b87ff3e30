"""What units are made of: lists, data tables, code listings, definition lists and records, as masks of elements."""

from dataclasses import dataclass

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import PREFORMATTED
from dehusk.blocks.units.records import Records
from dehusk.blocks.units.skeleton import tag_table
from dehusk.compiled import decide
from dehusk.read.page import Bools

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


find_structures = cached_per_object(decide.find_structures)
"""Return the lists, tables, listings, definition lists and records of a page."""
