"""Find tags by name in the bytes of a page; all of a page's tags cost one pass of numpy."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

_WIDTH = 8
Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.intp]


def packed(names: Iterable[str]) -> npt.NDArray[np.uint64]:
    """Return the first eight letters of each name as a number, ascending."""
    return np.sort(np.array([name[:_WIDTH].ljust(_WIDTH, "\0").encode() for name in names]).view(np.uint64))


def named(source: Bytes, start: Offsets, names: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Return which tag names are among some names, shape (len(start),).

    Args:
        source: the bytes of the page.
        start: offset of each tag name.
        names: the names, as `packed` returns them; longer names are compared by their first eight letters.
    """
    name = source.take(start[:, None] + np.arange(_WIDTH), mode="clip")
    ends = (name == ord(">")) | (name == ord("/")) | (name <= ord(" "))
    found = np.where(np.logical_or.accumulate(ends, axis=1), 0, name | 32).astype(np.uint8).view(np.uint64)[:, 0]
    same: npt.NDArray[np.bool_] = names.take(names.searchsorted(found), mode="clip") == found
    return same
