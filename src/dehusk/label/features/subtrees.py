"""Word counts of subtrees, which several families use, so that they are computed once per page."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.compiled import features

Reals = npt.NDArray[np.float64]

MIN_RUNNING_WORDS = 10
"""Blocks with fewer words are not running text."""
SHARES = {"half": 0.5, "most": 0.8, "nearly-all": 0.95}
"""Name -> share of the page's running text; the smallest element with more than it is a candidate for the main text."""


@dataclass(frozen=True, eq=False)
class SubtreeCounts:
    """What the subtrees of the n nodes contain."""

    running_words: npt.NDArray[np.int32]
    """(b,) unlinked words of each block of running text, 0 for other blocks."""
    before: Reals
    """(n,) blocks that start before the node."""
    count: Reals
    """(n,) blocks that start in the subtree."""
    words: Reals
    """(n,) words of these blocks."""
    linked: Reals
    """(n,) words of these blocks in links."""
    running: Reals
    """(n,) words of these blocks in running text."""


count_subtrees = cached_per_object(features.count_subtrees)
"""Count the blocks and words in each subtree of the page."""
