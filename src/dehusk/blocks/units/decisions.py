"""Which blocks play the same role in a list of records, and which blocks must be decided together."""

from dataclasses import dataclass

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from dehusk.blocks.units.skeleton import tag_table
from dehusk.compiled import decide
from dehusk.read.page import Bools, Ints

MANY_RECORDS = 5
"""The lists at the same path in this many records are decided together, as are tags and buttons of posts."""

_TEXT_ELEMENTS = tag_table(
    ("p", "li", "dt", "dd", "td", "th", "option", "blockquote", "figcaption", "caption", *HEADINGS)
)


@dataclass(frozen=True, eq=False)
class Grouping:
    """The roles of the b blocks of a page."""

    field: Ints
    """(b,) see `fields`."""
    is_bound: Bools
    """(b,) see `is_bound`."""
    group: Ints
    """(b,) see `decision_groups`."""


def fields(blocks: Blocks) -> Ints:
    """Return the field of each block, shape (b,): equal for the same field of all records of a list of records.

    Lists of records are `records`, lists with an item of several blocks, and definition lists. A field is a path of
    tags and first classes without digits from the record, or from its sibling part, to the block. Blocks outside
    records have -1. Lists of records at the same path in outer records share their fields, and so do nested lists
    whose records start alike, such as comments and replies.
    """
    return grouping(blocks).field


def is_bound(blocks: Blocks) -> Bools:
    """Return whether each block is in a list, a table of data or a code listing, shape (b,).

    The groups of such blocks are decided together in any case; those of other blocks only if they are alike.
    """
    return grouping(blocks).is_bound


def decision_groups(blocks: Blocks) -> Ints:
    """Return the group of each block, shape (b,): 0, 1, … in order of first appearance.

    A group holds all blocks of a code listing or of a table of data; otherwise the blocks at the same path in the items
    of the outermost list around them, or of all such lists if it is in one of `MANY_RECORDS` or more; otherwise the
    blocks of the same field of records; otherwise one block.
    """
    return grouping(blocks).group


grouping = cached_per_object(decide.grouping)
"""Return the fields and groups of the blocks, and which of them are bound."""
