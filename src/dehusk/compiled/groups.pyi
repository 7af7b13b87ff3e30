"""The typed face of `groups.pyx`."""

from dehusk.blocks import Blocks
from dehusk.units.decisions import Grouping

def grouping(blocks: Blocks) -> Grouping:
    """Return the fields and groups of the blocks, and which of them are bound."""
