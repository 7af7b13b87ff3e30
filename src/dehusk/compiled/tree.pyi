"""The typed face of `tree.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.page import Bools, Ints, Page

def depth(page: Page) -> Ints:
    """Return the number of elements above each node, shape (n,); 0 for the root."""

def nearest(page: Page, targets: Bools) -> Ints:
    """Return for each node, shape (n,), the innermost target it lies in, or -1; `targets` is a mask over the nodes."""

def above(page: Page, bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return for each node, shape (n,), the bitwise or of its own bits and those of all elements above it."""

def order_of_tags(tag: npt.NDArray[np.uint16], tags: int) -> tuple[npt.NDArray[np.intp], list[int]]:
    """Return the indices of tag numbers below `tags`, sorted by number, then ascending; and where each starts."""
