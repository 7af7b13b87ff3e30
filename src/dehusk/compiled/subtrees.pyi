"""The typed face of `subtrees.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.subtrees import SubtreeCounts

def topmost(blocks: Blocks) -> npt.NDArray[np.intp]:
    """Return for each node, shape (n,), the outermost element around it (or itself) with the same number of blocks."""

def count_subtrees(blocks: Blocks) -> SubtreeCounts:
    """Count the blocks and words in each subtree of the page."""

def running_words(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the unlinked words of each block of running text, 0 for other blocks, shape (b,).

    Running text has at least `MIN_RUNNING_WORDS` words, half of them or more outside links.
    """
