"""A suffix array of all documents, which yields the counts of all n-grams for every n.

In the sorted suffixes, those that share their first n characters are adjacent. So the n-grams of a length are the runs
between positions at which the common prefix of neighbours is shorter than n (LCP array: Manber & Myers, 1993; Kasai et
al., 2001). A separator after each document, a letter that no document contains, keeps n-grams inside documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.errors import InputError
from dehusk.base.extras import require
from dehusk.read.page import Bools, Ints
from dehusk.sites.alternation.grams import longest_grams
from dehusk.sites.alternation.strings import Points

LONGEST = 0xFFFF
"""Common prefixes are stored up to this length; n cannot be larger."""

_MOST = 2**31 - 1


@dataclass(frozen=True, eq=False)
class SuffixArray:
    """The sorted suffixes of m documents with N characters in total, separators included."""

    order: Ints
    """(N,) start of each suffix, in ascending order of the suffixes."""
    common: npt.NDArray[np.uint16]
    """(N,) number of characters, up to `LONGEST`, that a suffix shares with the next one, inside its document;
    `LONGEST` if both begin with the same stretch."""
    longest: npt.NDArray[np.uint16]
    """(N,) length, up to `LONGEST`, of the longest gram that starts where a suffix does: to the end of its document, or
    to the next delimiter, included."""
    lengths: Ints
    """(m,) number of characters of each document."""
    is_stretch: Bools | None = None
    """(N,) whether the longest gram of a suffix is a stretch from one delimiter to the next; None without bounds."""

    def is_gram(self, rows: Ints, n: int) -> Bools:
        """Return whether an n-gram, or a stretch shorter than n, starts at some suffixes."""
        is_long: Bools = self.longest[rows] >= n
        return is_long if self.is_stretch is None else is_long | self.is_stretch[rows]

    def __len__(self) -> int:
        return len(self.order)

    @cached_property
    def separators(self) -> Ints:
        """(m,) positions of the separators."""
        return (np.cumsum(self.lengths + 1) - 1).astype(np.int32)

    def ends(self, n: int) -> Ints:
        """Return the last index of each run in `order` that shares its first n characters, shape (runs,).

        A suffix too near to the end of its document for an n-gram is a run by itself.
        """
        return np.flatnonzero(self.common < n).astype(np.int32)


def sort_suffixes(documents: Sequence[Points], bounds: str = "") -> SuffixArray:
    """Sort the suffixes of documents in O(N log N) worst-case time, with about 30 bytes per character at the peak.

    Args:
        documents: code points of each document.
        bounds: characters that a gram may have at its ends only (`grams.gram_places`).

    Raises:
        InputError: there are 2^31 characters or more.
    """
    lengths = np.fromiter(map(len, documents), np.int64, len(documents))
    if lengths.sum() + len(lengths) > _MOST:
        raise InputError(f"a suffix array takes up to {_MOST} characters, but the documents have {lengths.sum()}")
    letters = _letters(documents)
    if not len(letters):
        none = np.zeros(0, dtype=np.uint16)
        return SuffixArray(np.zeros(0, dtype=np.int32), none, none, lengths.astype(np.int32))
    library = require("pydivsufsort", extra="findoptimal", purpose="FindOptimal")
    order = library.divsufsort(letters).astype(np.int32, copy=False)
    common = library.kasai(letters, order).astype(np.int32, copy=False)
    separators = (np.cumsum(lengths + 1) - 1).astype(np.int32)
    remaining = (np.repeat(separators, lengths + 1) - np.arange(len(letters), dtype=np.int32))[order]
    np.minimum(common, remaining, out=common)
    common[-1] = 0
    common = np.minimum(common, LONGEST)
    is_stretch = None
    if bounds:
        remaining, is_stretch = _bounded(documents, bounds, order)
        common[is_stretch & (common >= remaining)] = LONGEST
    longest = np.minimum(remaining, LONGEST).astype(np.uint16)
    return SuffixArray(order, common.astype(np.uint16), longest, lengths.astype(np.int32), is_stretch)


def _bounded(documents: Sequence[Points], bounds: str, order: Ints) -> tuple[Ints, Bools]:
    """Return the length of the longest gram of each suffix, and whether it is a stretch."""
    length, is_stretch = np.zeros(len(order), dtype=np.int32), np.zeros(len(order), dtype=np.bool_)
    start = 0
    for points in documents:
        here = slice(start, start + len(points))
        length[here], is_stretch[here] = longest_grams(points, bounds)
        start += len(points) + 1
    return length[order], is_stretch[order]


def _letters(documents: Sequence[Points]) -> npt.NDArray[Any]:
    """Return the documents as one string over the smallest alphabet: 0 after each document, letters numbered from 1."""
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
