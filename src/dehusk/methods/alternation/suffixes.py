"""One suffix array of all documents, from which the counts of all n-grams come for every n.

Sorted suffixes that share their first n characters stand together, so the n-grams of a length are the runs between
places where the common prefix of neighbours is shorter than n (LCP array: Manber & Myers, 1993; Kasai et al., 2001).
A separator behind each document, a letter that no document has, keeps n-grams within documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pydivsufsort import divsufsort, kasai

from dehusk.methods.alternation.strings import Points
from dehusk.page import Ints

LONGEST = 0xFFFF
"""Common prefixes are kept up to this length; no n may be above."""

_MOST = 2**31 - 1


@dataclass(frozen=True, eq=False)
class SuffixArray:
    """The sorted suffixes of m documents; N characters, separators included."""

    order: Ints
    """(N,) where each suffix begins, the smallest suffix first."""
    common: npt.NDArray[np.uint16]
    """(N,) characters that a suffix shares with the next in order, within its document, at most `LONGEST`."""
    lengths: Ints
    """(m,) characters of each document."""

    def __len__(self) -> int:
        return len(self.order)

    @property
    def separators(self) -> Ints:
        """(m,) places of the separators."""
        return (np.cumsum(self.lengths + 1) - 1).astype(np.int32)

    def ends(self, n: int) -> Ints:
        """Return the last row of each run of neighbours in `order` that share their first n characters, (runs,).

        What is too near to the end of its document to begin an n-gram is a run of one.
        """
        return np.flatnonzero(self.common < n).astype(np.int32)

    def without_gram(self, n: int) -> int:
        """Return how many of the N places begin no n-gram."""
        return int(np.minimum(self.lengths, n - 1).sum()) + len(self.lengths)


def sort_suffixes(documents: Sequence[Points]) -> SuffixArray:
    """Sort the suffixes of documents; O(N log N) time at worst, about 30 bytes a character at the peak.

    Raises:
        ValueError: 2^31 characters or more.
    """
    lengths = np.fromiter(map(len, documents), np.int64, len(documents))
    if lengths.sum() + len(lengths) > _MOST:
        raise ValueError(f"{lengths.sum()} characters are too many for one suffix array (at most {_MOST})")
    letters = _letters(documents)
    if not len(letters):
        return SuffixArray(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint16), lengths.astype(np.int32))
    order = divsufsort(letters).astype(np.int32, copy=False)
    common = kasai(letters, order).astype(np.int32, copy=False)
    separators = (np.cumsum(lengths + 1) - 1).astype(np.int32)
    left = np.repeat(separators, lengths + 1) - np.arange(len(letters), dtype=np.int32)
    np.minimum(common, left[order], out=common)
    common[-1] = 0
    return SuffixArray(order, np.minimum(common, LONGEST).astype(np.uint16), lengths.astype(np.int32))


def _letters(documents: Sequence[Points]) -> npt.NDArray[Any]:
    """Return the documents as one string over the smallest alphabet: 0 behind each document, letters from 1 on."""
    highest = max((int(points.max()) for points in documents if len(points)), default=0)
    seen = np.zeros(highest + 1, dtype=np.bool_)
    for points in documents:
        seen[points] = True
    rank = np.cumsum(seen)
    table = rank.astype(np.min_scalar_type(int(rank[-1])))
    letters = np.zeros(sum(map(len, documents)) + len(documents), dtype=table.dtype)
    start = 0
    for points in documents:
        letters[start : start + len(points)] = table[points]
        start += len(points) + 1
    return letters
