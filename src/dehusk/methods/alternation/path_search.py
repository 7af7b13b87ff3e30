"""The greedy search for a cut point: figure 3, and a wider look where it stops.

The count of a candidate is looked up in the surface's row of its n, so a step in a costs nothing and a step in n one
pass over the characters (the paper: O(n N)). n stays below a bound, so the whole search is linear in N.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from dehusk.methods.alternation.surface import SurfaceRow

_ALL = 100  # percent: the search ends there


class CutPoint(NamedTuple):
    """A cut point (n, a) of D."""

    n: int
    a: int
    t: int
    """Least count of a frequent n-gram."""
    alternation: int
    """A_D(n, a)."""


@dataclass
class PathSearch:
    """The search over one set of documents."""

    compute: Callable[[int], SurfaceRow]
    longest: int
    """No n above this is looked at."""
    _rows: dict[int, SurfaceRow] = field(default_factory=dict)

    def row(self, n: int) -> SurfaceRow:
        """Return the surface at n, computed once."""
        if n not in self._rows:
            self._rows[n] = self.compute(n)
        return self._rows[n]

    def point(self, n: int, a: int) -> CutPoint:
        """Return a cut point with its count."""
        t = self.row(n).threshold(a)
        return CutPoint(n, a, t, self.row(n).alternation(t))

    def path(self, start: tuple[int, int], look_ahead: int = 0) -> list[CutPoint]:
        """Walk from a cut point to one without a better neighbour.

        Args:
            start: n and a of the first cut point; the paper begins at (2, 1).
            look_ahead: where the printed rule stops, look at the next so many lengths and, at each of them, the next
                so many values of a that change the threshold; go on from the smallest count if it is smaller. 0 stops
                as the paper does.

        Returns:
            The cut points in order; alternation counts fall from each to the next.
        """
        walked = [self.point(*start)]
        while True:
            better = self._step(walked[-1]) or self._leap(walked[-1], look_ahead)
            if better is None:
                return walked
            walked.append(better)

    def _step(self, now: CutPoint) -> CutPoint | None:
        """Return the neighbour that figure 3 goes to: the smaller of two smaller counts, n's where they are equal."""
        if now.a >= _ALL:
            return None
        more, longer = self._candidate(now.n, now.a + 1), self._candidate(now.n + 1, now.a)
        if longer and longer.alternation < now.alternation and not (more and more.alternation < longer.alternation):
            return longer
        return more if more and more.alternation < now.alternation else None

    def _leap(self, now: CutPoint, reach: int) -> CutPoint | None:
        """Return the smallest count within reach, of equal ones that of the smallest n, then a."""
        found = [point for n in range(now.n, now.n + reach + 1) for point in self._thresholds(n, now.a, reach)]
        best = min(found, key=lambda point: (point.alternation, point.n, point.a), default=None)
        return best if best and best.alternation < now.alternation else None

    def _thresholds(self, n: int, a: int, reach: int) -> list[CutPoint]:
        """Return the cut point (n, a) and the next `reach` with a higher a and another threshold."""
        found: list[CutPoint] = []
        for percent in range(a, _ALL + 1):
            point = self._candidate(n, percent)
            if point is None or len(found) > reach:
                break
            if not found or point.t != found[-1].t:
                found.append(point)
        return found

    def _candidate(self, n: int, a: int) -> CutPoint | None:
        """Return a cut point that may be gone to; None beyond the bounds and where no gram would be useless."""
        if n > self.longest or a > _ALL:
            return None
        point = self.point(n, a)
        return point if self.row(n).frequent(point.t) else None
