"""Offsets in UTF-16 code units, as the strings of browsers have them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def code_unit_offsets(text: str) -> npt.NDArray[np.int64]:
    """Return the offset in code units of each character of a text, and of its end; shape (len(text) + 1,)."""
    if text.isascii():
        return np.arange(len(text) + 1)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.concatenate(([0], np.cumsum(1 + (points > 0xFFFF)))).astype(np.int64)
