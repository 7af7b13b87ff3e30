"""Measures of clustering and classification, the web mining that follows cleaning (Yi & Liu 2003, section 4).

Yi & Liu, *Web Page Cleaning for Web Mining through Feature Weighting*, IJCAI 2003, judge cleaning by the results of
mining the cleaned pages. Section 4.1: F = 2 p r / (p + r) "measures the performance of a system on a particular class".
Section 4.2, on clustering: "we find the optimal assignment of class to each cluster that gives the best average F score
for the 5 classes"; on classification: F and accuracy.

With n_ij pages of class i in cluster j, n_i of class i, n_j of cluster j:

    F_ij = 2 n_ij / (n_i + n_j),  F = max over assignments of (1/classes) Σ_i F_i,a(i)

Decisions that the paper leaves open:

* The assignment is one-to-one (the paper has 5 clusters for 5 classes). If there are more clusters than classes, some
  clusters have no class; if there are fewer, some classes have no cluster, and their F_i = 0.
* F of a classification is the mean of F over both classes; the paper does not say which class table 2 shows.

The assignment is exact: SciPy's ``linear_sum_assignment``, from the extra ``vectors``, which text vectors need too.
Memory is classes times clusters, time is cubic in the smaller of the two.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Self

import numpy as np

from dehusk.base.extras import require
from dehusk.measures.metrics import Overlap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Pairs:
    """Numbers of items by gold class and group.

    Attributes:
        cells: (class, group, number of items) for each pair that occurs, sorted.
    """

    cells: tuple[tuple[str, str, int], ...] = ()

    @classmethod
    def of(cls, gold: Sequence[object], groups: Sequence[object]) -> Self:
        """Count items by their class and their group.

        Args:
            gold: the class of each item; classes and groups are compared as strings, so 1 equals "1".
            groups: the group of each item.

        Raises:
            ValueError: the two differ in length.
        """
        if len(gold) != len(groups):
            raise ValueError(f"each item needs a group and a class, not {len(groups)} groups and {len(gold)} classes")
        return cls._sorted(Counter(zip(map(str, gold), map(str, groups), strict=True)))

    @classmethod
    def _sorted(cls, counts: Counter[tuple[str, str]]) -> Self:
        return cls(tuple((gold, group, n) for (gold, group), n in sorted(counts.items())))

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):  # counts of different measures have no sum
            return NotImplemented
        counts = Counter({(gold, group): n for gold, group, n in self.cells})
        counts.update({(gold, group): n for gold, group, n in other.cells})
        return self._sorted(counts)

    @property
    def items(self) -> int:
        """Number of items."""
        return sum(n for _, _, n in self.cells)

    def _sizes(self, column: int) -> Counter[str]:
        """Return the number of items of each class (column 0) or each group (column 1)."""
        sizes: Counter[str] = Counter()
        for cell in self.cells:
            sizes[(cell[0], cell[1])[column]] += cell[2]
        return sizes


@dataclass(frozen=True, slots=True)
class Classification(Pairs):
    """Numbers of items by gold and predicted class; see `classification`."""

    @property
    def accuracy(self) -> float:
        """Share of items with the right class; 1 if there are no items."""
        return sum(n for gold, predicted, n in self.cells if gold == predicted) / self.items if self.cells else 1.0

    @property
    def by_class(self) -> dict[str, Overlap]:
        """The overlap of each gold or predicted class: items predicted correctly, predicted, and gold."""
        gold, predicted = self._sizes(0), self._sizes(1)
        right = {name: n for name, other, n in self.cells if name == other}
        return {name: Overlap(right.get(name, 0), predicted[name], gold[name]) for name in sorted(gold | predicted)}

    @property
    def macro_f(self) -> float:
        """Mean of F over the classes; 1 if there are no classes."""
        return fmean(counts.f1 for counts in self.by_class.values()) if self.cells else 1.0

    def micro_f(self, classes: Iterable[str] | None = None) -> float:
        """Return F of the added counts of some classes; over all classes this is the accuracy.

        Args:
            classes: names of the classes, by default all; unknown names add nothing.
        """
        chosen = None if classes is None else set(classes)
        counts = (overlap for name, overlap in self.by_class.items() if chosen is None or name in chosen)
        return sum(counts, Overlap()).f1


def classification(predicted: Sequence[object], gold: Sequence[object]) -> Classification:
    """Count items by predicted and gold class.

    Source: Yi & Liu 2003, section 4 and table 2 (F and accuracy). Counts of several test sets add up.

    Args:
        predicted: the predicted class of each item.
        gold: the gold class of each item.

    Raises:
        ValueError: the two differ in length.
    """
    return Classification.of(gold, predicted)


@dataclass(frozen=True, slots=True)
class Clustering(Pairs):
    """Numbers of items by class and cluster; see `clustering`."""

    @property
    def assignment(self) -> dict[str, str]:
        """Class -> its cluster in the best one-to-one assignment, without classes that share no item with theirs.

        Raises:
            MissingExtraError: SciPy is not installed.
        """
        classes, clusters, table = self._table()
        if not self.cells:
            return {}
        n_i, n_j = table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True)
        rows, columns = _best_assignment(2 * table / (n_i + n_j))
        return {classes[i]: clusters[j] for i, j in zip(rows, columns, strict=True) if table[i, j]}

    @property
    def by_class(self) -> dict[str, Overlap]:
        """The overlap of each class with its cluster: shared items, items of the cluster, items of the class.

        Raises:
            MissingExtraError: SciPy is not installed.
        """
        assignment, n_i, n_j = self.assignment, self._sizes(0), self._sizes(1)
        shared = {(gold, group): n for gold, group, n in self.cells}
        return {
            name: Overlap(shared[name, assignment[name]], n_j[assignment[name]], n_i[name])
            if name in assignment
            else Overlap(0, 0, n_i[name])
            for name in sorted(n_i)
        }

    @property
    def f(self) -> float:
        """Mean over the classes of F with the best assignment; 1 if there are no classes.

        Raises:
            MissingExtraError: SciPy is not installed.
        """
        return fmean(counts.f1 for counts in self.by_class.values()) if self.cells else 1.0

    def _table(self) -> tuple[list[str], list[str], npt.NDArray[np.int64]]:
        """Return the names of classes and clusters, and the items of each pair, shape (classes, clusters)."""
        classes, clusters = sorted(self._sizes(0)), sorted(self._sizes(1))
        row = {name: i for i, name in enumerate(classes)}
        column = {name: j for j, name in enumerate(clusters)}
        table = np.zeros((len(classes), len(clusters)), dtype=np.int64)
        for gold, group, n in self.cells:
            table[row[gold], column[group]] = n
        return classes, clusters, table


def _best_assignment(scores: npt.NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """Return the rows and columns of the one-to-one pairs with the greatest sum of scores."""
    optimize = require("scipy.optimize", extra="vectors", purpose="clustering F")
    rows, columns = optimize.linear_sum_assignment(scores, maximize=True)
    return rows.tolist(), columns.tolist()


def clustering(clusters: Sequence[object], gold: Sequence[object]) -> Clustering:
    """Count items by their cluster and their class.

    Source: Yi & Liu 2003, section 4.2 and figure 3. Counts add up only within one clustering: cluster "0" of one run
    is not cluster "0" of the next. For several runs take the mean of `Clustering.f`, as figure 3 does.

    Args:
        clusters: the cluster of each item.
        gold: the class of each item.

    Raises:
        ValueError: the two differ in length.
    """
    return Clustering.of(gold, clusters)
