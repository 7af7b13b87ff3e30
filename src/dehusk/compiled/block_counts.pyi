"""The typed face of `block_counts.pyx`."""

from dehusk.blocks import Blocks
from dehusk.page import Ints

def counts(blocks: Blocks) -> tuple[Ints, Ints, Ints]:
    """Return the words, the words in links, and the characters in links of each block, shape (b,) each."""
