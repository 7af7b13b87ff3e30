"""How far a figure could be off by the choice of sites: percentile intervals of a bootstrap by site.

Efron & Tibshirani, *An Introduction to the Bootstrap*, 1993 (percentile interval). Pages of one site look
alike, so sites are drawn with replacement, each with all its pages (Davison & Hinkley, *Bootstrap Methods and their
Application*, 1997: groups drawn whole); drawing pages would make intervals too narrow.

A figure is a ratio of sums over pages: Σ numerator / Σ denominator. Denominator 1 gives the mean over pages; tp over
predicted words gives the pooled precision; differences of two tools' figures on the same pages give the interval of
the gain. Few sites give poor intervals: below some 20 sites they are too narrow, and one site gives no width at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from dehusk.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_AT_ONCE: Final = 1_000_000  # sites drawn in one array, so that memory does not grow with draws times sites


class Interval(NamedTuple):
    """A figure's interval."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:.3f}–{self.high:.3f}"


def bootstrap_interval(
    numerator: npt.ArrayLike,
    sites: Sequence[str],
    *,
    denominator: npt.ArrayLike | None = None,
    draws: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Return a bootstrap interval of a figure over pages, resampled by site.

    The same pages in the same order and the same seed give the same interval. Draws of which the denominator is 0 have
    no figure and are left out.

    Args:
        numerator: of each page, shape (n,): its figure for a mean over pages.
        sites: the site of each page, as many.
        denominator: of each page, 0 or more; 1 if not given.
        draws: how often sites are drawn.
        level: share of the draws within the interval.
        seed: of the draws.

    Raises:
        ConfigError: no draws, or a level that is not between 0 and 1.
        ValueError: no pages, lengths that differ, a value that is not finite, a negative denominator, or only
            denominators of 0.
    """
    if draws < 1 or not 0 < level < 1:
        raise ConfigError(f"an interval needs draws and a level between 0 and 1, not {draws} draws at level {level}")
    sums = _sums(numerator, sites, denominator)
    rng, rows = np.random.default_rng(seed), max(1, _AT_ONCE // len(sums))
    parts = [min(rows, draws - start) for start in range(0, draws, rows)]
    drawn = np.concatenate([sums[rng.integers(0, len(sums), (part, len(sums)))].sum(axis=1) for part in parts])
    known = drawn[drawn[:, 1] > 0]
    if not len(known):
        raise ValueError("every draw of sites has a denominator of 0")
    low, high = np.percentile(known[:, 0] / known[:, 1], [50 * (1 - level), 50 * (1 + level)])
    return Interval(float(low), float(high))


def _sums(numerator: npt.ArrayLike, sites: Sequence[str], denominator: npt.ArrayLike | None) -> npt.NDArray[np.float64]:
    """Return numerator and denominator of each site, shape (sites, 2), in the order in which sites first appear."""
    above = np.asarray(numerator, dtype=np.float64)
    below = np.ones_like(above) if denominator is None else np.asarray(denominator, dtype=np.float64)
    if above.shape != (len(sites),) or below.shape != above.shape or not len(sites):
        raise ValueError(f"figures of shape {above.shape} over {below.shape} for {len(sites)} pages with a site")
    if not (np.isfinite(above) & np.isfinite(below)).all() or (below < 0).any() or not below.any():
        raise ValueError("a figure is not finite, or the denominators are negative or all 0")
    number = {site: i for i, site in enumerate(dict.fromkeys(sites))}
    of = np.array([number[site] for site in sites])
    return np.stack([np.bincount(of, weights=above), np.bincount(of, weights=below)], axis=1)
