"""Calibration of probabilities: Brier score, expected calibration error, reliability table.

For events y in {0, 1} (a block is content) with predicted probabilities p:

    Brier = (1/n) Σ (p − y)²
    ECE   = Σ_b (n_b / n) |mean of p in bin b − mean of y in bin b|

Brier, *Verification of forecasts expressed in terms of probability*, 1950, sums over both outcomes of an event; this is
the usual half of that sum. ECE is from Naeini, Cooper & Hauskrecht, *Obtaining well calibrated probabilities using
Bayesian binning*, 2015. Guo, Pleiss, Sun & Weinberger, *On calibration of modern neural networks*, 2017, compare the
probability of the chosen class with accuracy. Here, as in Naeini et al., the probability of the event is compared with
its frequency, because dehusk returns the probability of content.

Bins are ((b − 1)/M, b/M], with 0 in the first (Guo et al.: equal width), or contain equally many events (Nguyen &
O'Connor, *Posterior calibration and exploratory analysis for natural language processing models*, 2015).

Bins of equal mass depend on all data and do not add up; a fine histogram of equal width does. Therefore counts are kept
in 1200 cells. Bins of equal width are exact for every number of bins that divides 1200. Bins of equal mass consist of
whole cells, so their masses are only nearly equal. Sums of p and of (p − y)² are integers in units of 2⁻³²: addition is
exact and independent of the order of pages, and each term has an error of at most 2⁻³³.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Self, get_args

import numpy as np

from dehusk.base.errors import ConfigError, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

CELLS: Final = 1200
"""Cells of the histogram; 10, 12, 15, 20, 100 and other numbers of bins divide it."""
_UNIT: Final = 2**32
_EDGES: Final = np.arange(1, CELLS + 1) / CELLS

Equal = Literal["width", "mass"]


class Bin(NamedTuple):
    """A bin of probabilities: a row of a reliability table."""

    low: float
    """Lower bound of the probabilities, exclusive (inclusive in the first bin)."""
    high: float
    """Upper bound of the probabilities, inclusive."""
    events: int
    probability: float
    """Mean predicted probability."""
    frequency: float
    """Share of the events that happened."""


class Cell(NamedTuple):
    """Counts of the events with a probability in (cell/1200, (cell+1)/1200]."""

    cell: int
    events: int
    happened: int
    probability: int
    """Sum of p in units of 2⁻³²."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Counts of predicted probabilities and events; see `calibration`. The counts of several pages add up.

    Attributes:
        cells: counts of the cells that contain an event, in ascending order of probability.
        squares: sum of (p − y)² in units of 2⁻³².
    """

    cells: tuple[Cell, ...] = ()
    squares: int = 0

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):  # counts of different measures have no sum
            return NotImplemented
        return type(self).total((self, other))

    @classmethod
    def total(cls, counts: Iterable[Self]) -> Self:
        """Return the sum of many counts; faster than adding them one by one."""
        sums: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        squares = 0
        for count in counts:
            squares += count.squares
            for cell, events, happened, probability in count.cells:
                row = sums[cell]
                row[0] += events
                row[1] += happened
                row[2] += probability
        return cls(tuple(Cell(cell, *row) for cell, row in sorted(sums.items())), squares)

    @property
    def events(self) -> int:
        """Number of events."""
        return sum(cell.events for cell in self.cells)

    @property
    def brier(self) -> float:
        """Brier score, from 0 (certain and right) to 1 (certain and wrong); 0 if there are no events."""
        return self.squares / _UNIT / self.events if self.cells else 0.0

    def ece(self, bins: int = 10, *, equal: Equal = "width") -> float:
        """Return the expected calibration error, from 0 to 1; 0 if there are no events.

        Arguments and errors are those of `reliability`.
        """
        rows = self.reliability(bins, equal=equal)
        return sum(row.events * abs(row.probability - row.frequency) for row in rows) / max(self.events, 1)

    def reliability(self, bins: int = 10, *, equal: Equal = "width") -> list[Bin]:
        """Return the bins that contain an event, in ascending order of probability.

        Args:
            bins: number of bins; for equal width a divisor of 1200. If many events share a cell, there are fewer bins
                of equal mass.
            equal: whether all bins have the same "width" or the same "mass" (number of events). For equal mass, a cell
                belongs to the bin of its middle event.

        Raises:
            ConfigError: `bins` or `equal` has another value.
        """
        if equal not in get_args(Equal):
            raise ConfigError(unknown("property of equal bins", equal, get_args(Equal)))
        if not 1 <= bins <= CELLS or (equal == "width" and CELLS % bins):
            raise ConfigError(
                f"bins must be a divisor of {CELLS} (for equal mass any number from 1 to {CELLS}), not {bins}"
            )
        groups: dict[int, list[Cell]] = defaultdict(list)
        before, events = 0, self.events
        for cell in self.cells:
            middle = (2 * before + cell.events) * bins // (2 * events)
            groups[cell.cell * bins // CELLS if equal == "width" else middle].append(cell)
            before += cell.events
        if equal == "width":
            return [_bin(cells, b / bins, (b + 1) / bins) for b, cells in groups.items()]
        return [_bin(cells, cells[0].cell / CELLS, (cells[-1].cell + 1) / CELLS) for cells in groups.values()]


def _bin(cells: list[Cell], low: float, high: float) -> Bin:
    events = sum(cell.events for cell in cells)
    probability = sum(cell.probability for cell in cells) / _UNIT / events
    return Bin(low, high, events, probability, sum(cell.happened for cell in cells) / events)


def calibration(probability: npt.ArrayLike, happened: npt.ArrayLike) -> Calibration:
    """Count how predicted probabilities agree with the events.

    Args:
        probability: predicted probability of each event, from 0 to 1, shape (n,).
        happened: whether each event happened, as truth values or 0 and 1, shape (n,).

    Raises:
        ValueError: the shapes differ or are not one-dimensional, or a value is not a probability or truth value.
    """
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(happened, dtype=np.float64)
    if p.ndim != 1 or p.shape != y.shape:
        raise ValueError(f"probabilities and events must have the same shape (n,), not {p.shape} and {y.shape}")
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a probability is not between 0 and 1")
    if not ((y == 0) | (y == 1)).all():
        raise ValueError("an event is neither 0 nor 1")
    cell = np.searchsorted(_EDGES, p, side="left")
    sums = np.zeros((CELLS, 3), dtype=np.int64)
    np.add.at(sums, cell, np.stack([np.ones(len(p)), y, np.round(p * _UNIT)], axis=1).astype(np.int64))
    occupied = np.flatnonzero(sums[:, 0]).tolist()
    squares = np.round((p - y) ** 2 * _UNIT).astype(np.int64).sum()
    return Calibration(tuple(Cell(i, *sums[i].tolist()) for i in occupied), int(squares))
