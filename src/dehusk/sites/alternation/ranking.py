"""The order of O: by falling count, and in ties as an option says; from it, the percentage at which W takes each gram.

W is the first ⌊a |O| / 100⌋ grams of O, so the gram at rank r (from 0) is in W for every a ≥ ⌈100 (r + 1) / |O|⌉. One
byte per gram says all about its rank that the surface needs.
"""

from collections.abc import Callable, Mapping
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from dehusk.read.page import Ints

Ties = Literal["hashed", "alphabetical", "first-seen", "join"]
"""The order of grams that occur equally often. "hashed": arbitrary, like that of a hash table: by a 16-bit hash of
their places in alphabetical order, then by these places. "alphabetical": by code points. "first-seen": by first
occurrence in the documents. "join": none; all that are as frequent as the last gram of W join it."""

TIES: tuple[Ties, ...] = get_args(Ties)
NEVER = 101
"""The percentage of a gram that W never takes."""

Places = npt.NDArray[np.intp]
Percents = npt.NDArray[np.uint8]
_RADIX = 1 << 16  # numpy sorts integers below this in linear time


def percentages(counts: Ints, first: Callable[[], Ints], ties: Ties, least: int) -> Percents:
    """Return the least a from 1 to 100 at which each gram is in W, or `NEVER`, shape (g,).

    Args:
        counts: (g,) number of occurrences of each gram; the grams are in alphabetical order.
        first: returns the first position of each gram, shape (g,); called only if the order needs it.
        ties: the order of grams with equal counts.
        least: a gram that occurs fewer times is never in W.
    """
    percents = np.full(len(counts), NEVER, dtype=np.uint8)
    chosen = np.flatnonzero(counts >= least)  # rare grams come last in O, so the others' ranks do not depend on them
    ranks = _ranks_joined(counts[chosen]) if ties == "join" else _ranks(counts, first, ties, chosen)
    percents[chosen] = -(-100 * (ranks + 1) // max(len(counts), 1))
    return percents


def _ranks_joined(counts: Ints) -> npt.NDArray[np.int64]:
    """Return the rank of the first gram with the same count, shape (g,)."""
    of_count = np.bincount(counts, minlength=1)
    above = len(counts) - np.cumsum(of_count)
    ranks: npt.NDArray[np.int64] = above[counts]
    return ranks


def _ranks(counts: Ints, first: Callable[[], Ints], ties: Ties, chosen: Places) -> npt.NDArray[np.int64]:
    order = _ORDERS[ties](first, chosen)
    own = counts[chosen][order]
    highest = int(own.max(initial=0))
    falling = (highest - own).astype(np.uint16 if highest < _RADIX else np.int64)
    ranks = np.empty(len(chosen), dtype=np.int64)
    ranks[order[np.argsort(falling, kind="stable")]] = np.arange(len(chosen))
    return ranks


def _alphabetical(_first: Callable[[], Ints], chosen: Places) -> Places:
    return np.arange(len(chosen))


def _first_seen(first: Callable[[], Ints], chosen: Places) -> Places:
    positions = first()[chosen]
    slots = np.full(int(positions.max(initial=0)) + 1, -1, dtype=np.int32)
    slots[positions] = np.arange(len(chosen), dtype=np.int32)
    return slots[slots >= 0].astype(np.intp)


def _hashed(_first: Callable[[], Ints], chosen: Places) -> Places:
    values = (chosen.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    values ^= values >> np.uint64(32)
    values *= np.uint64(0xD6E8FEB86659FD93)
    return np.argsort((values >> np.uint64(48)).astype(np.uint16), kind="stable")


_ORDERS: Mapping[str, Callable[[Callable[[], Ints], Places], Places]] = {
    "hashed": _hashed,
    "alphabetical": _alphabetical,
    "first-seen": _first_seen,
}
