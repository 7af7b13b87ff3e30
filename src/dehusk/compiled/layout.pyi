"""The typed face of `layout.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.layout import Nodes

def gaps(blocks: Blocks, kept: Nodes) -> npt.NDArray[np.uint8]:
    """Return the `Gap` before each kept block, shape (k,); before the first it is BREAK.

    Args:
        blocks: the blocks of a page.
        kept: (k,) indices of the kept blocks, ascending.
    """
