r"""The surface A_D(n, a): alternation counts of all percentages of one n in one pass.

Let p_i be the least percentage a at which the n-gram that starts at position i is in W (`ranking`); `NEVER` if none
starts there. The character at j is useless at a if and only if M_j = min(p_{j-n+1}, …, p_j) ≤ a. So there is a boundary
between j - 1 and j for exactly the percentages

    min(M_{j-1}, M_j) ≤ a < max(M_{j-1}, M_j)

and the cumulative sum of a histogram of the minima minus one of the maxima, each of 101 bars, gives the alternation
count of every a.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.read.page import Bools, Ints
from dehusk.sites.alternation.ranking import NEVER, Percents, Ties, percentages
from dehusk.sites.alternation.suffixes import SuffixArray

_CHUNK = 1 << 18
"""Positions whose boundaries are counted at once: few enough for the cache."""

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SurfaceRow:
    """The surface at one n: an item for each a from 0 to 100."""

    n: int
    distinct: int
    """Number of distinct n-grams, |O|."""
    sizes: Counts
    """(101,) number of n-grams in W."""
    thresholds: Counts
    """(101,) least count of a gram in W; if W is empty, a higher count than that of any gram."""
    alternations: Counts
    """(101,) alternation counts."""


@dataclass(frozen=True, eq=False)
class Surface:
    """A_D(n, a) for some lengths and percentages."""

    lengths: tuple[int, ...]
    percents: tuple[int, ...]
    alternation: Counts
    """(lengths, percents) alternation counts."""
    threshold: Counts
    """(lengths, percents) least count of a useless gram; if none is useless, a higher count than that of any gram."""


class SurfaceRows:
    """Computes the rows of a surface one by one.

    Args:
        array: the sorted suffixes of the documents.
        ties: the order of grams with equal counts.
        least: a gram that occurs fewer times is never in W.
    """

    def __init__(self, array: SuffixArray, ties: Ties, least: int) -> None:
        self._array = array
        self._ties: Ties = ties
        self._least = least

    def surface(self, lengths: Sequence[int], percents: Sequence[int]) -> Surface:
        """Compute the surface, with one pass over the characters per length."""
        alternation, threshold = (np.zeros((len(lengths), len(percents)), dtype=np.int64) for _ in range(2))
        columns = np.array(percents, dtype=np.intp)
        for index, n in enumerate(lengths):
            row = self.row(n)
            alternation[index], threshold[index] = row.alternations[columns], row.thresholds[columns]
        return Surface(tuple(lengths), tuple(percents), alternation, threshold)

    def row(self, n: int) -> SurfaceRow:
        """Compute the surface at one n with O(N log n) array operations."""
        ends, sizes, percents = self._runs(n)
        counts = sizes[self._array.is_gram(ends, n)]
        in_w = np.cumsum(np.bincount(percents, minlength=NEVER + 1))[:NEVER]
        at_least = np.cumsum(np.bincount(counts, minlength=1)[::-1])[::-1]
        rarest = np.searchsorted(-at_least, -in_w, side="right") - 1
        thresholds = np.where(in_w > 0, rarest, max(self._least, len(at_least)))
        change = np.zeros(NEVER + 1, dtype=np.int64)
        if in_w[-1]:
            values, short = self._values(sizes, percents, n)
            for start in range(1, len(values), _CHUNK):
                low, high = self._boundaries(values, short, n, start, min(start + _CHUNK, len(values)))
                change += np.bincount(low, minlength=NEVER + 1)
                change -= np.bincount(high, minlength=NEVER + 1)
        return SurfaceRow(n, len(counts), in_w, thresholds, np.cumsum(change)[:NEVER])

    def representatives(self, n: int, a: int) -> Bools:
        """Return a mask of shape (N,) with one position of each n-gram in W at a cut point."""
        ends, _, percents = self._runs(n)
        mask = np.zeros(len(self._array), dtype=np.bool_)
        mask[self._array.order[ends[percents <= a]]] = True
        return mask

    def _runs(self, n: int) -> tuple[Ints, Ints, Percents]:
        """Return the last index of each run of suffixes that share n characters, its size, and its percentage."""
        array = self._array
        ends = array.ends(n)
        sizes = np.diff(ends, prepend=np.int32(-1))
        is_gram = array.is_gram(ends, n)

        def first() -> Ints:
            lowest: Ints = np.minimum.reduceat(array.order, ends - sizes + 1)
            return lowest[is_gram]

        percents = np.full(len(ends), NEVER, dtype=np.uint8)
        percents[is_gram] = percentages(sizes[is_gram], first, self._ties, self._least)
        return ends, sizes, percents

    def _values(self, sizes: Ints, percents: Percents, n: int) -> tuple[Percents, Percents | None]:
        """Return the percentage of the n-gram at each position, and that of the stretches that cover it, if any can."""
        array = self._array
        of_suffix = np.repeat(percents, sizes)
        short = None
        if array.is_stretch is not None:
            rows = np.flatnonzero(array.is_stretch & (array.longest < n) & (of_suffix < NEVER))
            short = _spread(len(array), array.order[rows], array.longest[rows].astype(np.int64), of_suffix[rows])
            of_suffix[rows] = NEVER
        is_frequent = of_suffix < NEVER
        values = np.full(len(array), NEVER, dtype=np.uint8)
        values[array.order[is_frequent]] = of_suffix[is_frequent]
        return values, short

    def _boundaries(
        self, values: Percents, short: Percents | None, n: int, start: int, stop: int
    ) -> tuple[Percents, Percents]:
        """Return the lower and the higher of M_{j-1} and M_j for each j from start to stop where they differ.

        No gram covers a separator, so M is `NEVER` there, and no gram affects another document. The window of position
        `start` - 1 starts n positions before `start`.
        """
        first = max(0, start - n)
        minima, width = values[first:stop].copy(), 1
        while width < n:
            step = min(width, n - width)
            minima[step:] = np.minimum(minima[step:], minima[:-step])
            width += step
        if short is not None:
            minima = np.minimum(minima, short[first:stop])
        left, right = minima[start - 1 - first : -1], minima[start - first :]
        differ = left != right
        separators = self._array.separators
        a, b = np.searchsorted(separators, [start, stop])
        differ[separators[a:b] - start] = False  # there is no boundary between documents
        a, b = np.searchsorted(separators, [start - 1, stop - 1])
        differ[separators[a:b] + 1 - start] = False
        left, right = left[differ], right[differ]
        return np.minimum(left, right), np.maximum(left, right)


def _spread(size: int, start: Ints, length: Counts, percents: Percents) -> Percents:
    """Return the least percentage of the stretches that cover each position; two of them share at most a delimiter."""
    spread = np.full(size, NEVER, dtype=np.uint8)
    inner = length - 1
    before = np.cumsum(inner) - inner
    spread[np.repeat(start - before, inner) + np.arange(int(inner.sum()))] = np.repeat(percents, inner)
    last = start + inner
    spread[last] = np.minimum(spread[last], percents)
    return spread
