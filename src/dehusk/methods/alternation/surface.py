r"""The surface A_D(n, a): alternation counts of all thresholds of one n in one pass.

Let c_i be the count of the n-gram that starts at position i (0 if none does). The character at j is useless at
threshold t if and only if M_j = max(c_{j-n+1}, …, c_j) ≥ t. So there is a boundary between j - 1 and j for exactly the
thresholds

    min(M_{j-1}, M_j) < t ≤ max(M_{j-1}, M_j)

and the cumulative sum of a histogram of the minima minus one of the maxima gives the alternation count of every t. The
threshold of a percentage a is the count of the gram at rank ⌊a |O| / 100⌋ in O, the distinct n-grams by falling count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.methods.alternation.suffixes import SuffixArray
from dehusk.page import Bools, Ints

LEAST = 2
"""Least threshold: a gram that occurs once is not frequent, and if it were, everything would be useless."""

_CHUNK = 1 << 20
"""Positions whose boundaries are counted at once: few enough for the cache and for small histograms."""

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SurfaceRow:
    """The surface at one n; T is the highest count of an n-gram."""

    n: int
    at_least: Counts
    """(T + 1,) number of distinct n-grams that occur at least t times, for t = 0, 1, …, T."""
    alternations: Counts
    """(T + 2,) alternation count of each threshold t = 0, 1, …; 0 for t ≤ 1, where everything is useless, and t > T."""

    @property
    def distinct(self) -> int:
        """Number of distinct n-grams, |O|."""
        return int(self.at_least[0])

    def threshold(self, a: int) -> int:
        """Return the least count t of a gram among the first a percent of O; at least `LEAST`.

        Grams with the same count as the last of them are included. If a percent is less than one gram, the threshold is
        above all counts.
        """
        k = self.distinct * a // 100
        if k == 0:
            return max(LEAST, len(self.at_least))
        return max(LEAST, int(np.searchsorted(-self.at_least, -k, side="right")) - 1)

    def frequent(self, t: int) -> int:
        """Return the number of distinct n-grams that occur at least t times."""
        return int(self.at_least[t]) if t < len(self.at_least) else 0

    def alternation(self, t: int) -> int:
        """Return the alternation count at threshold t."""
        return int(self.alternations[min(t, len(self.alternations) - 1)])


@dataclass(frozen=True, eq=False)
class Surface:
    """A_D(n, a) for some lengths and percentages."""

    lengths: tuple[int, ...]
    percents: tuple[int, ...]
    alternation: Counts
    """(lengths, percents) alternation counts."""
    threshold: Counts
    """(lengths, percents) least count of a useless gram."""


def compute_surface(array: SuffixArray, lengths: Sequence[int], percents: Sequence[int]) -> Surface:
    """Compute the surface, with one pass over the characters per length."""
    alternation, threshold = (np.zeros((len(lengths), len(percents)), dtype=np.int64) for _ in range(2))
    rows = SurfaceRows(array)
    for index in np.argsort(lengths, kind="stable").tolist():
        row = rows.row(lengths[index])
        threshold[index] = [row.threshold(a) for a in percents]
        alternation[index] = [row.alternation(t) for t in threshold[index].tolist()]
    return Surface(tuple(lengths), tuple(percents), alternation, threshold)


class SurfaceRows:
    """The rows of a surface, computed one by one; ascending n is the cheapest order.

    From one n to the next, only the counts of grams that split change. Writing counts from the order of the suffixes to
    the order of the text is the most expensive step, because every write goes elsewhere; so only these are written.
    """

    def __init__(self, array: SuffixArray) -> None:
        self._array = array
        self._separators = array.separators
        self._n = 0
        self._counts = np.ones(len(array), dtype=np.uint8)
        """(N,) count of the n-gram at each position, 1 where none starts: no threshold separates 0 from 1."""

    def row(self, n: int) -> SurfaceRow:
        """Compute the surface at one n with O(N log n) array operations."""
        ends = self._array.ends(n)
        sizes = np.diff(ends, prepend=np.int32(-1))
        grams = np.bincount(sizes, minlength=2).astype(np.int64)
        grams[1] -= self._array.without_gram(n)
        at_least = np.cumsum(grams[::-1])[::-1][: max(1, len(np.trim_zeros(grams, "b")))]
        highest = len(at_least) - 1
        if highest < LEAST:
            return SurfaceRow(n, at_least, np.zeros(highest + 2, dtype=np.int64))
        self._advance(n, ends, sizes)
        change = np.zeros(highest + 2, dtype=np.int64)
        chunk = max(_CHUNK, highest)  # smaller chunks would cost more in histograms than they save
        for start in range(1, len(self._array), chunk):
            low, high = self._boundaries(start, start + chunk)
            change += np.bincount(low, minlength=highest + 2)
            change -= np.bincount(high, minlength=highest + 2)
        return SurfaceRow(n, at_least, np.append(0, np.cumsum(change[:-1])))

    def _advance(self, n: int, ends: Ints, sizes: Ints) -> None:
        """Update the counts to n: only runs with a start or an end that they did not have before have new counts."""
        current = self._n if self._n <= n else 0
        dtype = np.min_scalar_type(int(sizes.max()))
        if dtype != self._counts.dtype:
            self._counts = self._counts.astype(dtype)
        is_changed = self._array.common[ends] >= current
        is_changed[1:] |= is_changed[:-1].copy()
        rows = self._array.order[np.repeat(is_changed, sizes)]
        self._counts[rows] = np.repeat(sizes[is_changed], sizes[is_changed])
        self._n = n

    def _boundaries(self, start: int, stop: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the lower and the higher of M_{j-1} and M_j for each j from start to stop where they differ.

        No gram covers a separator: an n-gram that would, starts too near the end of its document and has count 1. So M
        is 1 at separators, and no gram affects another document. The window of position `start` - 1 starts n positions
        before `start`.
        """
        first = max(0, start - self._n)
        maxima, width = self._counts[first:stop].copy(), 1
        while width < self._n:
            step = min(width, self._n - width)
            maxima[step:] = np.maximum(maxima[step:], maxima[:-step])
            width += step
        left, right = maxima[start - 1 - first : -1], maxima[start - first :]
        differ = left != right
        a, b = np.searchsorted(self._separators, [start, stop])
        differ[self._separators[a:b] - start] = False  # there is no boundary between documents
        a, b = np.searchsorted(self._separators, [start - 1, stop - 1])
        after = self._separators[a:b] + 1 - start
        differ[after[after < len(differ)]] = False
        left, right = left[differ], right[differ]
        return np.minimum(left, right), np.maximum(left, right)


def representatives(array: SuffixArray, n: int, t: int) -> Bools:
    """Return a mask of shape (N,) with one position of each n-gram that occurs at least t ≥ 2 times."""
    ends = array.ends(n)
    mask = np.zeros(len(array), dtype=np.bool_)
    mask[array.order[ends[np.diff(ends, prepend=np.int32(-1)) >= t]]] = True
    return mask
