"""Percentile bootstrap intervals of figures over pages, resampled by site.

Efron & Tibshirani, *An Introduction to the Bootstrap*, 1993 (percentile interval). Pages of a site are alike, so whole
sites are drawn with replacement (Davison & Hinkley, *Bootstrap Methods and their Application*, 1997: whole groups are
drawn); drawing pages would give intervals that are too narrow.

A figure is a ratio of sums over pages: Σ numerator / Σ denominator. Denominator 1 gives the mean over pages; tp over
predicted words gives the pooled precision; differences of two tools' figures on the same pages give the interval of
the gain. With fewer than about 20 sites the intervals are too narrow; a single site gives an interval of width 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from dehusk.base.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_AT_ONCE: Final = 1_000_000  # sites drawn per array; bounds the memory


class Interval(NamedTuple):
    """The interval of a figure."""

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

    The same pages in the same order and the same seed give the same interval. Draws with a denominator of 0 have no
    figure and are ignored.

    Args:
        numerator: the numerator of each page, shape (n,); for a mean over pages the figure of the page.
        sites: the site of each page, shape (n,).
        denominator: the denominator of each page, shape (n,), 0 or more; 1 if not given.
        draws: number of draws.
        level: share of the draws within the interval.
        seed: seed of the random numbers.

    Raises:
        ConfigError: draws is not positive, or the level is not between 0 and 1.
        ValueError: there are no pages, lengths differ, a value is not finite, or the denominators are negative or all
            0.
    """
    if draws < 1 or not 0 < level < 1:
        raise ConfigError(f"draws must be positive and level between 0 and 1, not {draws} draws at level {level}")
    sums = _sums(numerator, sites, denominator)
    rng, rows = np.random.default_rng(seed), max(1, _AT_ONCE // len(sums))
    batches = [min(rows, draws - start) for start in range(0, draws, rows)]
    drawn = np.concatenate([sums[rng.integers(0, len(sums), (batch, len(sums)))].sum(axis=1) for batch in batches])
    defined = drawn[drawn[:, 1] > 0]
    if not len(defined):
        raise ValueError("every draw of sites has a denominator of 0")
    low, high = np.percentile(defined[:, 0] / defined[:, 1], [50 * (1 - level), 50 * (1 + level)])
    return Interval(float(low), float(high))


def _sums(numerator: npt.ArrayLike, sites: Sequence[str], denominator: npt.ArrayLike | None) -> npt.NDArray[np.float64]:
    """Return the summed numerator and denominator of each site, shape (sites, 2), sites by first appearance."""
    above = np.asarray(numerator, dtype=np.float64)
    below = np.ones_like(above) if denominator is None else np.asarray(denominator, dtype=np.float64)
    if not len(sites):
        raise ValueError("there are no pages")
    if above.shape != (len(sites),) or below.shape != above.shape:
        raise ValueError(
            f"each page needs a site, a numerator and a denominator, not {len(sites)} sites and shapes {above.shape} "
            f"and {below.shape}"
        )
    if not (np.isfinite(above) & np.isfinite(below)).all() or (below < 0).any() or not below.any():
        raise ValueError("a value is not finite, or the denominators are negative or all 0")
    index = {site: i for i, site in enumerate(dict.fromkeys(sites))}
    site_index = np.array([index[site] for site in sites])
    return np.stack([np.bincount(site_index, weights=above), np.bincount(site_index, weights=below)], axis=1)


def wilson_interval(count: int, of: int, z: float = 1.96) -> Interval:
    """Return the score interval of a share, `count` of `of`; 0 to 1 if `of` is 0.

    Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, 1927. Unlike the usual interval, it
    says something after ten trials, and after ten without a single case.
    """
    if not of:
        return Interval(0.0, 1.0)
    share, scale = count / of, 1 + z * z / of
    centre = share + z * z / (2 * of)
    half = z * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5
    return Interval(max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale))
