"""The greedy search for a cut point of figure 3, and a look-ahead that continues where figure 3 stops.

The alternation count of a candidate is looked up in the surface's row for its n, so a step in a costs nothing and a
step in n costs one pass over the characters (in the paper O(n N)). n is bounded, so the whole search is linear in N.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from dehusk.sites.alternation.surface import SurfaceRow

_ALL = 100  # percent: the search ends here


class CutPoint(NamedTuple):
    """A cut point (n, a) of D."""

    n: int
    a: int
    t: int
    """The least count of a frequent n-gram; if none is, a higher one than that of any gram."""
    alternation: int
    """A_D(n, a)."""


@dataclass
class PathSearch:
    """The search over one set of documents."""

    compute: Callable[[int], SurfaceRow]
    """Computes the surface at one n."""
    longest: int
    """The largest n to try."""
    _rows: dict[int, SurfaceRow] = field(default_factory=dict)

    def row(self, n: int) -> SurfaceRow:
        """Return the surface at n, computed at most once."""
        if n not in self._rows:
            self._rows[n] = self.compute(n)
        return self._rows[n]

    def point(self, n: int, a: int) -> CutPoint:
        """Return a cut point with its threshold and alternation count."""
        row = self.row(n)
        return CutPoint(n, a, int(row.thresholds[a]), int(row.alternations[a]))

    def path(self, start: tuple[int, int], look_ahead: int = 0) -> list[CutPoint]:
        """Walk from a cut point to one without a better neighbour.

        Args:
            start: n and a of the first cut point; the paper starts at (2, 1).
            look_ahead: when the search of figure 3 stops, try this many further lengths and, at each of them, this many
                further values of a with different sets W; continue from the smallest alternation count if it is
                smaller. 0 stops as in the paper.

        Returns:
            The cut points in order; the alternation count falls from each to the next.
        """
        points = [self.point(*start)]
        while True:
            better = self._step(points[-1]) or self._leap(points[-1], look_ahead)
            if better is None:
                return points
            points.append(better)

    def _step(self, current: CutPoint) -> CutPoint | None:
        """Return the neighbour with the smallest count below the current one, n + 1 in a tie (figure 3)."""
        if current.a >= _ALL:
            return None
        more, longer = self._candidate(current.n, current.a + 1), self._candidate(current.n + 1, current.a)
        if longer and longer.alternation < current.alternation and not (more and more.alternation < longer.alternation):
            return longer
        return more if more and more.alternation < current.alternation else None

    def _leap(self, current: CutPoint, reach: int) -> CutPoint | None:
        """Return the cut point with the smallest count within reach, in a tie the one with the smallest n, then a."""
        lengths = range(current.n, current.n + reach + 1)
        candidates = [point for n in lengths for point in self._larger(n, current.a, reach)]
        best = min(candidates, key=lambda point: (point.alternation, point.n, point.a), default=None)
        return best if best and best.alternation < current.alternation else None

    def _larger(self, n: int, a: int, reach: int) -> list[CutPoint]:
        """Return the cut point (n, a) and the next `reach` ones with a higher a and another set W."""
        if n > self.longest:
            return []
        sizes = self.row(n).sizes[a:]
        steps = np.append(0, 1 + np.flatnonzero(np.diff(sizes))) if sizes[0] else sizes[:0]
        return [self.point(n, a + step) for step in steps[: reach + 1].tolist()]

    def _candidate(self, n: int, a: int) -> CutPoint | None:
        """Return a cut point; None if it is out of bounds or no n-gram would be useless."""
        if n > self.longest or a > _ALL:
            return None
        return self.point(n, a) if self.row(n).sizes[a] else None
