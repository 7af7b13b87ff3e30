"""The floor every method must beat."""

import numpy as np

from dehusk.blocks import Blocks, segment
from dehusk.labels import PARAGRAPH, Labels
from dehusk.methods.declaration import Declaration
from dehusk.page import Page


class KeepAll:
    """Keeps every block as a paragraph: all the text of a page."""

    def segment(self, page: Page) -> Blocks:
        """Cut a page into the common blocks."""
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label every block a paragraph with probability 1."""
        b = len(blocks)
        return Labels(
            blocks=blocks,
            label=np.full(b, PARAGRAPH, dtype=np.uint8),
            probability=np.ones(b),
            kept=np.ones(b, dtype=np.bool_),
            reasons=("everything is kept",) * b if explain else (),
        )


METHOD = Declaration(
    name="keep-all",
    summary="Keeps all text of a page: the floor that every method must beat.",
    method=KeepAll,
    build=lambda _: KeepAll(),
)
