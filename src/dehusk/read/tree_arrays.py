"""Subtrees, depths and ancestors of a tree that is given as the parents of its nodes in document order."""

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


def follow(pointer: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the final target of each pointer; each round doubles the distance, so depth costs little."""
    while True:
        further = pointer.take(pointer)
        if (further == pointer).all():
            return pointer
        pointer = further


def depths(end: Rows) -> Rows:
    """Return the number of ancestors of each node."""
    n = len(end)
    depth: Rows = (np.arange(n) - np.bincount(end, minlength=n + 1)[:n].cumsum()).astype(np.int32)
    return depth


def is_inside(roots: npt.NDArray[np.intp], end: Rows) -> Mask:
    """Return which nodes are in the subtrees of `roots`, including the roots."""
    mask: Mask = times_inside(roots, end) > 0
    return mask


def times_inside(roots: npt.NDArray[np.intp], end: Rows) -> Rows:
    """Return in how many of the subtrees of `roots` each node is."""
    n = len(end)
    change = np.bincount(roots, minlength=n + 1) - np.bincount(end[roots], minlength=n + 1)
    return change[:n].cumsum(dtype=np.int32)
