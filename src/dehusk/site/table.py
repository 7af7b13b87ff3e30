"""Tables of counts that add up: the form in which a site keeps what its pages share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.site.hashing import Keys


@dataclass(frozen=True, eq=False)
class Table:
    """Integer counts by key; rows are sorted by key and no key stands twice, so that equal counts are equal bytes."""

    keys: Keys
    """(k, w) key columns; rows rise lexicographically, the first column counts most."""
    counts: npt.NDArray[np.int64]
    """(k,) how often each key was counted."""

    def __len__(self) -> int:
        return len(self.counts)

    @classmethod
    def empty(cls, width: int) -> Table:
        """Return a table without rows and with `width` key columns."""
        return cls(np.zeros((0, width), dtype=np.uint64), np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, *columns: Keys, counts: npt.NDArray[np.integer] | None = None) -> Table:
        """Count rows: equal ones become one row with the sum of their counts.

        Args:
            columns: key columns, shape (m,) each.
            counts: (m,) how much each row counts; 1 where None.
        """
        given = np.ones(len(columns[0]), dtype=np.int64) if counts is None else counts.astype(np.int64)
        order = _order(columns)
        ordered = [column[order] for column in columns]
        begins = np.zeros(len(given), dtype=np.bool_)
        begins[:1] = True
        for column in ordered:
            begins[1:] |= column[1:] != column[:-1]
        first = np.flatnonzero(begins)
        keys = np.stack([column[first] for column in ordered], axis=1).astype(np.uint64, copy=False)
        return cls(keys, np.add.reduceat(given[order], first) if len(first) else given)

    @classmethod
    def total(cls, tables: Sequence[Table]) -> Table:
        """Return the sum of one or more tables of the same width; their order does not matter."""
        width = tables[0].keys.shape[1] if tables else 0
        columns = [np.concatenate([table.keys[:, column] for table in tables]) for column in range(width)]
        return cls.of(*columns, counts=np.concatenate([table.counts for table in tables]))

    @classmethod
    def stored(cls, keys: npt.NDArray[Any], counts: npt.NDArray[Any], width: int) -> Table:
        """Return a table of arrays that were read from somewhere, with `width` key columns.

        Raises:
            ValueError: naming the first rule that is broken.
        """
        if keys.dtype != np.uint64 or counts.dtype.kind not in "iu" or keys.shape != (counts.size, width):
            raise ValueError("tables of wrong type or shape")
        if counts.ndim != 1 or (counts < 1).any():
            raise ValueError("counts that are none")
        rises, tied = np.zeros(max(0, len(keys) - 1), dtype=np.bool_), True
        for column in keys.T:
            rises |= tied & (column[1:] > column[:-1])
            tied = tied & (column[1:] == column[:-1])
        if not rises.all():
            raise ValueError("keys out of order")
        return cls(keys, counts.astype(np.int64))

    def where(self, mask: npt.NDArray[np.bool_]) -> Table:
        """Return the rows that a mask over the rows names."""
        return Table(self.keys[mask], self.counts[mask])

    def look_up(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Return the counts of keys, shape (m,), 0 for keys that were never counted; the table has one key column."""
        column = self.keys[:, 0]
        if not len(column):
            return np.zeros(len(keys), dtype=np.int64)
        row = np.minimum(np.searchsorted(column, keys), len(column) - 1)
        return np.where(column[row] == keys, self.counts[row], 0)


def _order(columns: Sequence[Keys]) -> npt.NDArray[np.intp]:
    """Return the order that sorts rows by all columns; by the first alone, which is faster, where that is enough."""
    order = np.argsort(columns[0], kind="stable")
    first = columns[0][order]
    tied = np.flatnonzero(first[1:] == first[:-1])
    if any((column[order[tied]] > column[order[tied + 1]]).any() for column in columns[1:]):
        return np.lexsort(columns[::-1])
    return order
