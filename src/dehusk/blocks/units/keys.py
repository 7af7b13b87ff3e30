"""Keys: hashes of columns, and the distinct values of a column."""

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.intp]
Keys = npt.NDArray[np.uint64]

FACTORS = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)))
"""Odd numbers that spread bits."""

_SHIFT = np.uint64(29)


def mix(values: npt.NDArray[np.integer], *others: npt.NDArray[np.integer]) -> Keys:
    """Return a hash of each row of the columns, shape (k,); the numbers are not negative."""
    mixed: Keys = values.astype(np.uint64)
    mixed *= FACTORS[0]
    mixed ^= mixed >> _SHIFT
    mixed *= FACTORS[1]
    for column in others:
        mixed ^= mixed >> _SHIFT
        mixed += column.astype(np.uint64) * FACTORS[2]
        mixed *= FACTORS[1]
    mixed ^= mixed >> _SHIFT
    return mixed


def run_starts(values: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return where a value differs from the one before, shape (k,); the first does."""
    starts = np.empty(len(values), dtype=np.bool_)
    starts[:1] = True
    np.not_equal(values[1:], values[:-1], out=starts[1:])
    return starts


def sums_before(values: npt.NDArray[np.bool_] | npt.NDArray[np.integer]) -> Indices:
    """Return the sum of the values before each, shape (k + 1,); the last is the sum of all."""
    total = np.zeros(len(values) + 1, dtype=np.intp)
    values.cumsum(out=total[1:])
    return total


def ranges(starts: npt.NDArray[np.integer], lengths: npt.NDArray[np.integer]) -> Indices:
    """Return start, start + 1, … of all ranges, concatenated."""
    before = lengths.cumsum() - lengths
    index = np.arange(int(lengths.sum()))
    index += (starts - before).repeat(lengths)
    return index


def numbered(values: npt.NDArray[np.integer], size: int) -> Indices:
    """Return the number of each value among the distinct values, which are below `size`, in ascending order, (k,)."""
    is_used = np.zeros(size, dtype=np.bool_)
    is_used[values] = True
    return (is_used.cumsum() - 1).take(values)


def distinct(values: npt.NDArray[np.integer]) -> tuple[Indices, Indices, Indices]:
    """Return the distinct values in ascending order, as `numpy.unique`, which takes twice as long for short columns.

    Returns:
        The index of the first occurrence of each, shape (d,); the number of the value in each row, shape (k,); and how
        often each occurs, shape (d,).
    """
    order = values.argsort(kind="stable")
    ordered, k = values[order], len(values)
    is_bound = np.ones(k + 1, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_bound[1:k])
    bounds = is_bound.nonzero()[0]
    size = bounds[1:] - bounds[:-1]
    inverse = np.empty(k, dtype=np.intp)
    inverse[order] = np.arange(len(size)).repeat(size)
    return order[bounds[:-1]], inverse, size
