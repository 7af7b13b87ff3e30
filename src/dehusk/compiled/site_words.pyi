"""The typed face of `site_words.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.hashing import Keys
from dehusk.page import Ints, Page
from dehusk.site.slots import SlotTexts
from dehusk.site.table import Table
from dehusk.site.terms import Terms

def path_keys(page: Page) -> Keys:
    """Return for each node, shape (n,), the sum of the keys of the elements that it lies in."""

def slot_texts(words: Terms) -> SlotTexts:
    """Return the texts of a page in their slots."""

def term_spans(blocks: Blocks) -> tuple[Ints, Ints, Ints]:
    """Return `Terms.start`, `Terms.end` and `Terms.block`, without the other columns, which take longer."""

def term_columns(blocks: Blocks) -> tuple[Keys, Ints, Ints, Ints, Ints]:
    """Return the columns of `Terms`, in their order."""

def look_up(table: Table, keys: Keys) -> npt.NDArray[np.int64]:
    """Return the counts of keys, shape (m,), 0 for unknown keys; for tables with one key column."""
