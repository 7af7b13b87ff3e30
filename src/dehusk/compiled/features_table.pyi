"""The typed face of `features_table.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks

def table(blocks: Blocks) -> npt.NDArray[np.float32]:
    """Return the columns of a page's blocks, shape (len(NAMES), b)."""
