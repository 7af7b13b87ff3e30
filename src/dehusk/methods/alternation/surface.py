r"""The surface A_D(n, a): alternation counts of all thresholds of one n in one pass.

With c_i the count of the n-gram at place i (0 where none begins), the character at j is useless at threshold t if and
only if M_j = max(c_{j-n+1}, …, c_j) ≥ t. So a boundary lies between j - 1 and j at exactly the thresholds

    min(M_{j-1}, M_j) < t ≤ max(M_{j-1}, M_j)

and one histogram of the minima, less one of the maxima, summed up, is the alternation count of every t. The threshold
of a percentage a is the count of the gram at rank ⌊a |O| / 100⌋ of O, the different n-grams by falling count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.methods.alternation.suffixes import SuffixArray
from dehusk.page import Bools, Ints

LEAST = 2
"""Least threshold: a gram that occurs once is not frequent, and with it everything would be useless."""

_CHUNK = 1 << 20
"""Places whose boundaries are counted at once: few enough for the cache, and their histograms small."""

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SurfaceRow:
    """The surface at one n; T is the highest count of an n-gram."""

    n: int
    at_least: Counts
    """(T + 1,) how many different n-grams occur at least t times, for t from 0 on."""
    alternations: Counts
    """(T + 2,) alternation count of each threshold t from 0 on; 0 up to 1, where all is useless, and above T."""

    @property
    def distinct(self) -> int:
        """Different n-grams, |O|."""
        return int(self.at_least[0])

    def threshold(self, a: int) -> int:
        """Return the count t from which on a gram belongs to the first a percent of O; at least `LEAST`.

        Grams as frequent as the last of them belong to them. Where a percent is less than one gram, the threshold is
        above all counts.
        """
        k = self.distinct * a // 100
        if k == 0:
            return max(LEAST, len(self.at_least))
        return max(LEAST, int(np.searchsorted(-self.at_least, -k, side="right")) - 1)

    def frequent(self, t: int) -> int:
        """Return how many different n-grams occur at least t times."""
        return int(self.at_least[t]) if t < len(self.at_least) else 0

    def alternation(self, t: int) -> int:
        """Return the alternation count at threshold t."""
        return int(self.alternations[min(t, len(self.alternations) - 1)])


@dataclass(frozen=True, eq=False)
class Surface:
    """A_D(n, a) over some lengths and percentages."""

    lengths: tuple[int, ...]
    percents: tuple[int, ...]
    alternation: Counts
    """(lengths, percents) alternation counts."""
    threshold: Counts
    """(lengths, percents) count from which on a gram is useless."""


def compute_surface(found: SuffixArray, lengths: Sequence[int], percents: Sequence[int]) -> Surface:
    """Compute the surface; one pass over the characters for each length."""
    alternation, threshold = (np.zeros((len(lengths), len(percents)), dtype=np.int64) for _ in range(2))
    rows = SurfaceRows(found)
    for place in np.argsort(lengths, kind="stable").tolist():
        made = rows.row(lengths[place])
        threshold[place] = [made.threshold(a) for a in percents]
        alternation[place] = [made.alternation(t) for t in threshold[place].tolist()]
    return Surface(tuple(lengths), tuple(percents), alternation, threshold)


class SurfaceRows:
    """The rows of the surface, one at a time; those of rising n cost least.

    From one n to the next only the counts of grams that part change. Writing counts from the order of suffixes into
    the order of the text is what costs most, since every write goes to another place; so only these are written.
    """

    def __init__(self, found: SuffixArray) -> None:
        self._found = found
        self._separators = found.separators
        self._n = 0
        self._counts = np.ones(len(found), dtype=np.uint8)
        """(N,) count of the n-gram at each place of the text, 1 where none begins: no threshold parts 0 and 1."""

    def row(self, n: int) -> SurfaceRow:
        """Compute the surface at one n in O(N log n) array work."""
        ends = self._found.ends(n)
        sizes = np.diff(ends, prepend=np.int32(-1))
        grams = np.bincount(sizes, minlength=2).astype(np.int64)
        grams[1] -= self._found.without_gram(n)
        at_least = np.cumsum(grams[::-1])[::-1][: max(1, len(np.trim_zeros(grams, "b")))]
        highest = len(at_least) - 1
        if highest < LEAST:
            return SurfaceRow(n, at_least, np.zeros(highest + 2, dtype=np.int64))
        self._advance(n, ends, sizes)
        change = np.zeros(highest + 2, dtype=np.int64)
        chunk = max(_CHUNK, highest)  # no more chunks than a histogram is worth
        for start in range(1, len(self._found), chunk):
            low, high = self._boundaries(start, start + chunk)
            change += np.bincount(low, minlength=highest + 2)
            change -= np.bincount(high, minlength=highest + 2)
        return SurfaceRow(n, at_least, np.append(0, np.cumsum(change[:-1])))

    def _advance(self, n: int, ends: Ints, sizes: Ints) -> None:
        """Bring the counts to n: a run changes where it now begins or ends and did not before."""
        known = self._n if self._n <= n else 0
        kind = np.min_scalar_type(int(sizes.max()))
        if kind != self._counts.dtype:
            self._counts = self._counts.astype(kind)
        parted = self._found.common[ends] >= known
        parted[1:] |= parted[:-1].copy()
        self._counts[self._found.order[np.repeat(parted, sizes)]] = np.repeat(sizes[parted], sizes[parted])
        self._n = n

    def _boundaries(self, start: int, stop: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the lower and the higher M of each place from start on and the place before, where they differ.

        A gram does not cover separators, and what begins so near to the end of a document that it would has a count of
        1; so nothing reaches from one document into the next, and M is 1 at separators. The windows of `start` - 1
        begin n places before `start`.
        """
        first = max(0, start - self._n)
        reached, width = self._counts[first:stop].copy(), 1
        while width < self._n:
            step = min(width, self._n - width)
            reached[step:] = np.maximum(reached[step:], reached[:-step])
            width += step
        left, right = reached[start - 1 - first : -1], reached[start - first :]
        differ = left != right
        a, b = np.searchsorted(self._separators, [start, stop])
        differ[self._separators[a:b] - start] = False  # between documents there is no boundary
        a, b = np.searchsorted(self._separators, [start - 1, stop - 1])
        after = self._separators[a:b] + 1 - start
        differ[after[after < len(differ)]] = False
        left, right = left[differ], right[differ]
        return np.minimum(left, right), np.maximum(left, right)


def representatives(found: SuffixArray, n: int, t: int) -> Bools:
    """Return one place, marked in a mask of shape (N,), of each n-gram that occurs at least t ≥ 2 times."""
    ends = found.ends(n)
    marked = np.zeros(len(found), dtype=np.bool_)
    marked[found.order[ends[np.diff(ends, prepend=np.int32(-1)) >= t]]] = True
    return marked
