"""64-bit keys of strings and of sequences, the same on every machine and in every run.

The key of a string is a polynomial over its code points modulo 2**64, so that one cumulative sum yields the keys of all
words of a page: with P[i] = sum of f(c_j) * B**j for j < i, the key of the characters s to e is (P[e] - P[s]) * B**-s,
mixed with the length. f scatters the code points; B is odd and hence has an inverse. In about one of 40 million sets of
a million strings, two strings share a key, and the tables treat them as one string.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Offsets = npt.NDArray[np.integer]

_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_SHIFTS = tuple(map(np.uint64, (30, 27, 31)))
_FACTORS = tuple(map(np.uint64, (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)))
_CACHED_POWERS = 1 << 18  # 4 MB; longer texts are rare


def mix(keys: Keys) -> Keys:
    """Scatter keys, shape unchanged (the finaliser of SplitMix64, a bijection)."""
    mixed = keys ^ (keys >> _SHIFTS[0])
    mixed *= _FACTORS[0]
    mixed ^= mixed >> _SHIFTS[1]
    mixed *= _FACTORS[1]
    mixed ^= mixed >> _SHIFTS[2]
    return mixed


def span_keys(values: npt.NDArray[np.unsignedinteger], start: Offsets, end: Offsets) -> Keys:
    """Return the key of each span of a sequence, shape (s,).

    Args:
        values: (m,) code points of a text, or keys; spans with equal values have equal keys wherever they are.
        start: (s,) start of each span.
        end: (s,) end of each span, one past its last element, not below `start`.
    """
    if len(values) >= _CACHED_POWERS and 2 * int((end - start).max(initial=0)) < _CACHED_POWERS:
        return _in_windows(values, start, end)
    powers, inverses = _cached_powers() if len(values) < _CACHED_POWERS else _powers(len(values) + 1)
    sums = np.zeros(len(values) + 1, dtype=np.uint64)
    (_scattered(values) * powers[: len(values)]).cumsum(out=sums[1:])
    return mix((sums.take(end) - sums.take(start)) * inverses.take(start) + (end - start).astype(np.uint64))


def _in_windows(values: npt.NDArray[np.unsignedinteger], start: Offsets, end: Offsets) -> Keys:
    """Return the keys of short spans of a long sequence, window by window: the tables for these are kept."""
    size = _CACHED_POWERS // 2
    keys = np.zeros(len(start), dtype=np.uint64)
    order = start.argsort(kind="stable")
    bounds = np.append(0, start.take(order).searchsorted(np.arange(size, len(values) + size, size)))
    for low, first, last in zip(range(0, len(values), size), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        which = order[first:last]
        window = values[low : low + 2 * size - 1]
        keys[which] = span_keys(window, start.take(which) - low, end.take(which) - low)
    return keys


def _scattered(values: npt.NDArray[np.unsignedinteger]) -> Keys:
    """Scatter code points or keys; nearly all code points are in a table, which is faster than computing them."""
    if values.dtype == np.uint64:
        return mix(values + np.uint64(_BASE))
    table = _scattered_points()
    scattered: Keys = table.take(values, mode="clip")
    if len(values) and int(values.max()) >= len(table):
        high = (values >= len(table)).nonzero()[0]
        scattered[high] = mix(values[high].astype(np.uint64) + np.uint64(_BASE))
    return scattered


def contains(sorted_keys: Keys, keys: Keys) -> npt.NDArray[np.bool_]:
    """Return which keys are among sorted ones, shape unchanged."""
    if not len(sorted_keys):
        return np.zeros(len(keys), dtype=np.bool_)
    found: npt.NDArray[np.bool_] = sorted_keys.take(sorted_keys.searchsorted(keys), mode="clip") == keys
    return found


def pair_keys(first: Keys, second: Keys) -> Keys:
    """Return the key of each ordered pair, shape (s,)."""
    return mix(mix(first + np.uint64(_BASE)) + second)


def text_keys(texts: Sequence[str]) -> Keys:
    """Return the key of each string, shape (s,); the same as `text_key` for each of them."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    end = np.fromiter(map(len, texts), np.intp, len(texts)).cumsum(dtype=np.intp)
    return span_keys(points, np.append(0, end)[: len(end)], end)


@cache
def _scattered_points() -> Keys:
    """Return the scattered code points of the basic multilingual plane, shape (65536,)."""
    return mix(np.arange(0x10000, dtype=np.uint64) + np.uint64(_BASE))


@cache
def _cached_powers() -> tuple[Keys, Keys]:
    return _powers(_CACHED_POWERS)


def _powers(size: int) -> tuple[Keys, Keys]:
    """Return B**0, B**1, … and their inverses, at least `size` of each."""
    tables = []
    for base in (_BASE, _INVERSE):
        table = np.ones(1, dtype=np.uint64)
        while len(table) < size:
            table = np.concatenate([table, table * np.uint64(pow(base, len(table), 1 << 64))])
        tables.append(table)
    return tables[0], tables[1]
