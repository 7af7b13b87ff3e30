"""The typed face of `records.pyx`."""

from dehusk.blocks import Blocks
from dehusk.page import Bools
from dehusk.units.records import Records

def find_pairs(blocks: Blocks) -> Records:
    """Return the terms of definition lists, each with what defines it, as records."""

def find_records(blocks: Blocks, taken: Bools) -> Records:
    """Return the lists of records of a page.

    Args:
        blocks: the blocks of a page.
        taken: which elements of the skeleton, shape (m,), cannot be records: items of lists, and what is inside data
            tables and code listings.
    """
