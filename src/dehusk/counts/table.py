"""Tables of counts that add up: how a site stores what its pages contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys
from dehusk.compiled import site


class KeysOnPages(NamedTuple):
    """Keys of what is on pages, and the pages; rows are in lexicographical order and differ."""

    key: Keys
    """(k,) such as shingles."""
    page: npt.NDArray[np.integer]
    """(k,) the page's index among all pages, which are in the order of their keys."""


@dataclass(frozen=True, eq=False)
class Table:
    """Integer counts by key; rows are sorted by key and each key occurs once, so that equal counts give equal bytes."""

    keys: Keys
    """(k, w) key columns; rows are in lexicographical order."""
    counts: npt.NDArray[np.int64]
    """(k,) count of each key, at least 1."""

    def __len__(self) -> int:
        return len(self.counts)

    @classmethod
    def empty(cls, width: int) -> Table:
        """Return a table without rows, with `width` key columns."""
        return cls(np.zeros((0, width), dtype=np.uint64), np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, *columns: Keys, counts: npt.NDArray[np.integer] | None = None) -> Table:
        """Count rows; equal rows become one row with the sum of their counts.

        Args:
            columns: key columns, each of shape (m,).
            counts: (m,) count of each row; by default 1.
        """
        rest = list(columns)
        del columns  # a site has millions of rows: what is no longer needed is freed at once
        order = order_of(rest)
        keys = np.empty((len(order), len(rest)), dtype=np.uint64)
        is_first = np.zeros(len(order), dtype=np.bool_)
        is_first[:1] = True
        for index in range(keys.shape[1]):
            keys[:, index] = ordered = rest.pop(0)[order]
            is_first[1:] |= ordered[1:] != ordered[:-1]
            del ordered
        row_counts = None if counts is None else counts.astype(np.int64)[order]
        size = len(order)
        del order
        first = np.flatnonzero(is_first)
        keys = keys if len(first) == size else keys[first]
        if row_counts is None:
            return cls(keys, np.diff(first, append=size).astype(np.int64, copy=False))
        return cls(keys, np.add.reduceat(row_counts, first) if len(first) else row_counts)

    @classmethod
    def total(cls, tables: Sequence[Table]) -> Table:
        """Return the sum of tables of the same width, at least one; their order makes no difference."""
        width = tables[0].keys.shape[1] if tables else 0
        columns = [np.concatenate([table.keys[:, column] for table in tables]) for column in range(width)]
        return cls.of(*columns, counts=np.concatenate([table.counts for table in tables]))

    @classmethod
    def stored(cls, keys: npt.NDArray[Any], counts: npt.NDArray[Any], width: int) -> Table:
        """Build a table with `width` key columns from arrays that were read from a file.

        Raises:
            ValueError: the arrays are not a table; the message names the first violation.
        """
        if keys.dtype != np.uint64 or counts.dtype.kind not in "iu" or keys.shape != (counts.size, width):
            raise ValueError("a table has the wrong type or shape")
        if counts.ndim != 1 or (counts < 1).any():
            raise ValueError("a table contains a count below 1")
        rises, tied = np.zeros(max(0, len(keys) - 1), dtype=np.bool_), True
        for column in keys.T:
            rises |= tied & (column[1:] > column[:-1])
            tied = tied & (column[1:] == column[:-1])
        if not rises.all():
            raise ValueError("the keys of a table are not in ascending order")
        return cls(keys, counts.astype(np.int64))

    def select(self, mask: npt.NDArray[np.bool_]) -> Table:
        """Return the rows that a mask over the rows selects."""
        return Table(self.keys[mask], self.counts[mask])

    def look_up(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Return the counts of keys, shape (m,), 0 for unknown keys; for tables with one key column."""
        return site.look_up(self, keys)


def order_of(columns: Sequence[npt.NDArray[np.integer]]) -> npt.NDArray[np.intp]:
    """Return the order that sorts rows by all columns: first by the first one, then those that are equal in it."""
    order = np.argsort(columns[0], kind="stable")
    if len(columns) == 1 or (len(columns) == 2 and (columns[1][1:] >= columns[1][:-1]).all()):
        return order  # rows that are equal in the first column are in the order of the second already
    first = columns[0][order]
    same = first[1:] == first[:-1]
    del first
    if same.any():
        is_tied = np.zeros(len(order), dtype=np.bool_)
        is_tied[1:] = same
        is_tied[:-1] |= same
        places = np.flatnonzero(is_tied)
        tied = order[places]
        order[places] = tied[np.lexsort([column[tied] for column in columns[::-1]])]
    return order
