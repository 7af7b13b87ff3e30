"""Method "keep-all": the baseline that every other method must beat."""

import numpy as np

from dehusk.blocks import Blocks
from dehusk.blocks.labels import PARAGRAPH, Labels
from dehusk.label.declaration import Declaration
from dehusk.label.parameters import BlockMethod, check_blocks


class KeepAll(BlockMethod):
    """Keeps all text of a page: every block is a paragraph."""

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label every block as a paragraph with probability 1."""
        check_blocks(blocks, self)
        b = len(blocks)
        return Labels(
            blocks=blocks,
            label=np.full(b, PARAGRAPH, dtype=np.uint8),
            probability=np.ones(b),
            kept=np.ones(b, dtype=np.bool_),
            reasons=("keep-all keeps every block",) * b if explain else (),
        )


METHOD = Declaration(
    name="keep-all",
    summary="Keeps all text of a page: the baseline that every other method must beat.",
    method=KeepAll,
    build=lambda _: KeepAll(),
)
