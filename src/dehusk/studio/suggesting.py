"""Labels that a method, or another annotator, suggests; they do not count until they are confirmed."""

from __future__ import annotations

import numpy as np

from dehusk.blocks.annotation import Codes
from dehusk.blocks.labels import LABELS, OTHER, PARAGRAPH
from dehusk.document import Document
from dehusk.studio.outcome import block_outcome


def suggested_codes(document: Document) -> Codes:
    """Return the label that a method suggests for each common block, shape (b,).

    What the method keeps as a table, a listing or a comment is a paragraph, as in the thesis; so is what it keeps
    without saying as what.
    """
    outcome = block_outcome(document)
    is_content = (outcome.label < len(LABELS)) & (outcome.label != OTHER)
    codes = np.where(is_content, outcome.label, PARAGRAPH)
    return np.where(outcome.kept, codes, OTHER).astype(np.int8)
