"""The typed face of `net_inputs.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.page import Page

def innermost_tags(page: Page, levels: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]: ...
def innermost_levels(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the innermost elements around each block, shape (b, 10), -1 above the root."""

def groups_of(blocks: Blocks) -> tuple[npt.NDArray[np.intp], ...]: ...
