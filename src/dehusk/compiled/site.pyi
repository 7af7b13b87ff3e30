"""What a site's other pages say: words, slots and evidence."""

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys
from dehusk.blocks import Blocks
from dehusk.counts.model import SiteModel
from dehusk.counts.slots import SlotTexts
from dehusk.counts.table import Table
from dehusk.counts.terms import Terms
from dehusk.label.united.evidence import SiteEvidence
from dehusk.read.page import Ints, Page

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

def site_evidence(blocks: Blocks, site: SiteModel) -> SiteEvidence | None:
    """Return a site's evidence about a page's blocks; None if the site has a single page, not counting copies.

    The page counts as one of the site's pages. If it is not, each number is lower by one than it could be.

    Raises:
        NotFittedError: the site has no pages.
    """
