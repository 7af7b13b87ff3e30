"""Entropies of terms: how evenly each is spread over a site's pages (Kao, Ho & Chen, WISDOM, section 3.1, appendix A).

With tf_j the occurrences of a term on page j of n, TF their sum and w_j = tf_j / TF:

    EN = -Σ_j w_j log_n w_j = (ln TF - S / TF) / ln n,   S = Σ_j tf_j ln tf_j
    W  = 1 - EN

The counts are integers: for each term and number of occurrences, the number of pages. They add up exactly, in any order
and any split, and TF, S and df follow once all pages are counted; the paper's formula A.2, which updates an entropy
page by page, would give the same result up to rounding, in twice the time. A term that occurs on one page has EN = 0
and an evenly spread one EN = 1, despite rounding. A single page has no entropy (the logarithm would have base 1): all
its terms have EN = 0, hence W = 1. Values for different n are not comparable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.hashing import Keys
from dehusk.counts.table import Table

Reals = npt.NDArray[np.float64]

_MIN_PENDING = 1 << 16  # rows that are collected before they are sorted
_ROUNDING = 1e-13  # entropies this close to 1 are 1: an evenly spread term has weight 0, not a tiny one


@dataclass(frozen=True, eq=False)
class TermCounts:
    """How often pages have each term; counts of parts of a site add up."""

    pages: int
    """Pages that were counted, including those without terms."""
    table: Table
    """(term, occurrences) -> pages with that many occurrences."""

    @classmethod
    def of(cls, keys: Keys) -> TermCounts:
        """Count one page.

        Args:
            keys: (w,) the key of each word of the page, in any order: `Terms.key` or a part of it.
        """
        return cls(1, _of_pages([_occurrences(keys)]))

    @classmethod
    def total(cls, parts: Sequence[TermCounts]) -> TermCounts:
        """Return the sum of counts; for none, the counts of no pages."""
        tables = [part.table for part in parts]
        return cls(sum(part.pages for part in parts), Table.total([Table.empty(2), *tables]))

    def __add__(self, other: TermCounts) -> TermCounts:
        return TermCounts.total([self, other])

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the counts as named arrays, for `numpy.savez` or any other format; equal counts give equal bytes."""
        return {"pages": np.array(self.pages), "term_keys": self.table.keys, "term_counts": self.table.counts}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> TermCounts:
        """Return counts from the arrays that `arrays` returned.

        Raises:
            ValueError: arrays are missing or inconsistent.
        """
        try:
            pages, table = int(arrays["pages"].item()), Table(arrays["term_keys"], arrays["term_counts"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"not the arrays of term counts: {error!r}") from error
        if pages < 0 or table.keys.shape != (len(table), 2):
            raise ValueError("not the arrays of term counts: a table of the wrong shape")
        return cls(pages, table)


class TermCounter:
    """Counts pages one by one.

    Pending rows are added to the total whenever there are as many of them as the total has, so the work per page grows
    with the logarithm of the number of pages, and memory never exceeds twice the total. Several threads may read the
    counts at once, but not while pages are added: the state is one tuple, replaced as a whole.
    """

    def __init__(self) -> None:
        self._rows = 0
        self._state: tuple[TermCounts, list[tuple[Keys, Keys]]] = TermCounts(0, Table.empty(2)), []

    def add(self, keys: Keys) -> None:
        """Count one page, given the key of each of its words, shape (w,), in any order."""
        total, pending = self._state
        pending.append(_occurrences(keys))
        self._rows += len(pending[-1][0])
        if self._rows >= max(_MIN_PENDING, len(total.table)):
            self.counts()

    def counts(self) -> TermCounts:
        """Return the counts of all pages so far."""
        total, pending = self._state
        if pending:
            total += TermCounts(len(pending), _of_pages(pending))
            self._state, self._rows = (total, []), 0
        return total


@dataclass(frozen=True, eq=False)
class TermEntropy:
    """The d distinct terms of a site's n pages, sorted by key."""

    n: int
    """Number of pages, |D| in the paper; the base of the logarithm."""
    key: Keys
    """(d,) key of each term, ascending."""
    TF: npt.NDArray[np.int64]
    """(d,) total occurrences."""
    S: Reals
    """(d,) Σ tf ln tf over the pages."""
    df: npt.NDArray[np.int64]
    """(d,) pages that have the term."""
    EN: Reals
    """(d,) entropy, from 0 (all occurrences on one page) to 1 (equally many on every page)."""

    def __len__(self) -> int:
        return len(self.key)

    @classmethod
    def of(cls, counts: TermCounts) -> TermEntropy:
        """Compute entropies from counts."""
        keys, pages, n = counts.table.keys, counts.table.counts, counts.pages
        first = np.flatnonzero(np.append(True, keys[1:, 0] != keys[:-1, 0])[: len(keys)])
        if not len(first):
            no_counts = np.zeros(0, dtype=np.int64)
            return cls(n, np.zeros(0, dtype=np.uint64), no_counts, np.zeros(0), no_counts, np.zeros(0))
        tf = keys[:, 1].astype(np.int64)
        total, df = np.add.reduceat(tf * pages, first), np.add.reduceat(pages, first)
        spread = np.add.reduceat(tf * np.log(tf) * pages, first)
        entropy = (np.log(total) - spread / total) / np.log(max(n, 2))
        entropy = np.where(df > 1, np.clip(entropy, 0.0, 1.0), 0.0)
        return cls(n, keys[first, 0], total, spread, df, np.where(entropy > 1 - _ROUNDING, 1.0, entropy))

    @property
    def W(self) -> Reals:  # noqa: N802 (the paper's name)
        """(d,) weight of each term, 1 - EN."""
        return 1.0 - self.EN

    def entropy(self, keys: Keys) -> Reals:
        """Return EN of the term of each key, shape (w,); 0 for unknown terms."""
        known, entropy = self._shared
        if not len(known):
            return np.zeros(len(keys))
        row = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known.take(row) == keys, entropy.take(row), 0.0)

    def weight(self, keys: Keys) -> Reals:
        """Return W of the term of each key, shape (w,); 1 for unknown terms."""
        return 1.0 - self.entropy(keys)

    def knows(self, keys: Keys) -> npt.NDArray[np.bool_]:
        """Return whether the term of each key, shape (w,), was counted."""
        if not len(self.key):
            return np.zeros(len(keys), dtype=np.bool_)
        known: npt.NDArray[np.bool_] = self.key.take(np.searchsorted(self.key, keys), mode="clip") == keys
        return known

    @cached_property
    def _shared(self) -> tuple[Keys, Reals]:
        """Keys and entropies of the terms on several pages; all others, the great majority, have entropy 0."""
        rows = np.flatnonzero(self.EN > 0)
        return self.key.take(rows), self.EN.take(rows)


def _occurrences(keys: Keys) -> tuple[Keys, Keys]:
    """Return the distinct keys of a page, ascending, and the occurrences of each."""
    distinct, tf = np.unique(keys, return_counts=True)
    return distinct, tf.astype(np.uint64)


def _of_pages(pages: Sequence[tuple[Keys, Keys]]) -> Table:
    return Table.of(*(np.concatenate(column) for column in zip(*pages, strict=True)))
