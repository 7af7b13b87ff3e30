"""The typed face of `structures.pyx`."""

from dehusk.blocks import Blocks
from dehusk.page import Bools
from dehusk.units.structures import Structures

def data_tables(blocks: Blocks) -> Bools:
    """Return which elements of the skeleton, shape (m,), are tables of data.

    Two rows of them, or one in a table with header cells or a caption, have two or more cells with text. Tables that
    contain another table, or in their cells a heading or preformatted text, are for layout, as are those with a cell of
    running text or with many blocks per cell. A heading in a header cell or the caption heads the table.
    """

def find_structures(blocks: Blocks) -> Structures:
    """Return the lists, tables, listings, definition lists and records of a page."""
