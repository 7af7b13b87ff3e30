"""k-means on unit vectors of pages (section 4.2), and what the clusters are like."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import InputError, counted
from dehusk.base.extras import require
from dehusk.measures import mining
from dehusk.sites.mining.unit_vectors import chosen_rows, has_words, row_numbers
from dehusk.sites.structure_tree.importance import Reals
from dehusk.sites.structure_tree.vectors import SparseRows, to_scipy

Init = Literal["k-means++", "random"]
INITS: tuple[Init, ...] = ("k-means++", "random")
Numbers = npt.NDArray[np.int64]

_WORDS = 10


@dataclass(frozen=True)
class KMeansPlan:
    """How to cluster.

    Attributes:
        k: number of clusters.
        starts: number of runs; the clusters are those of the run with the smallest sum of squared distances.
        seed: seed of the first run; each further run has the next one.
        init: how the first centres are found: apart from each other, or at random pages as in the paper.
    """

    k: int
    starts: int = 10
    seed: int = 0
    init: Init = "k-means++"


@dataclass(frozen=True, eq=False)
class PageClusters:
    """The clusters of p pages.

    Attributes:
        cluster: (p,) cluster of each page, from 1 in the order of sizes, then of first pages; 0 for pages with an empty
            vector, which are in no cluster.
        silhouette: (p,) silhouette of each page by cosine distance, -1 to 1; NaN for pages in no cluster.
        closeness: (p,) product of each page with the centre of its cluster, up to 1; 0 for pages in no cluster.
        words: for each cluster the words whose mean weight in it exceeds their mean weight in all clusters most.
        runs: for each start (p,) the clusters that it found, in no order.
    """

    cluster: Numbers
    silhouette: Reals
    closeness: Reals
    words: tuple[tuple[str, ...], ...]
    runs: tuple[Numbers, ...]

    @property
    def sizes(self) -> list[int]:
        """Number of pages of each cluster."""
        return [int(size) for size in np.bincount(self.cluster, minlength=len(self.words) + 1)[1:]]

    @property
    def centres(self) -> list[int]:
        """The page of each cluster that is closest to its centre."""
        order = np.lexsort((np.arange(len(self.cluster)), -self.closeness.round(9), self.cluster))
        first = np.searchsorted(self.cluster[order], np.arange(1, len(self.words) + 1))
        return [int(page) for page in order[first]]


def cluster_pages(rows: SparseRows, words: Sequence[str], plan: KMeansPlan) -> PageClusters:
    """Cluster pages; equal input gives equal clusters.

    Args:
        rows: unit vectors of p pages.
        words: the words of the columns.
        plan: how.

    Raises:
        InputError: fewer pages than clusters have words.
        MissingExtraError: scikit-learn is not installed.
    """
    filled = has_words(rows)
    if (usable := int(filled.sum())) < plan.k:
        kind = " with words that weigh anything" if usable < len(filled) else ""
        raise InputError(f"{plan.k} clusters need {plan.k} pages or more{kind}, not {usable}")
    found = [_spread(labels, filled) for labels in _runs(chosen_rows(rows, filled), plan)]
    inertias = [_inertia(rows, labels) for labels in found]
    cluster = _numbered(found[int(np.argmin(np.round(inertias, 9)))])
    silhouette, closeness = _silhouettes(rows, cluster)
    return PageClusters(cluster, silhouette, closeness, _characteristic(rows, cluster, words), tuple(found))


def _runs(rows: SparseRows, plan: KMeansPlan) -> list[Numbers]:
    """Return the clusters of each start, numbered from 0."""
    library = require("sklearn.cluster", extra="sklearn", purpose="clustering")
    matrix, found = to_scipy(rows), []
    threads = require("threadpoolctl", extra="sklearn", purpose="clustering")
    with threads.threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are fewer different vectors than clusters; the caller sees it
        for start in range(plan.starts):
            model = library.KMeans(plan.k, init=plan.init, n_init=1, random_state=plan.seed + start)
            found.append(model.fit_predict(matrix).astype(np.int64))
    return found


def _spread(labels: Numbers, filled: npt.NDArray[np.bool_]) -> Numbers:
    """Return the clusters of all pages, from 1; 0 for pages without words."""
    cluster = np.zeros(len(filled), dtype=np.int64)
    cluster[filled] = labels + 1
    return cluster


def _numbered(cluster: Numbers) -> Numbers:
    """Return clusters numbered from 1 by size, then by first page; 0 stays 0."""
    names, first, sizes = np.unique(cluster, return_index=True, return_counts=True)
    order = np.lexsort((first, -sizes, names == 0))
    number = np.zeros(int(cluster.max()) + 1, dtype=np.int64)
    number[names[order]] = np.arange(1, len(names) + 1)
    number[0] = 0
    return number[cluster]


def _inertia(rows: SparseRows, cluster: Numbers) -> float:
    """Return the sum of squared distances of unit vectors to their centres: pages minus sizes times |centre|²."""
    means = (mean for _, mean in _centres(rows, cluster))
    sizes = np.bincount(cluster)[1:]
    lengths = [float(mean @ mean) for mean in means]
    return float(sizes.sum() - sizes[sizes > 0] @ np.array(lengths))


def _centres(rows: SparseRows, cluster: Numbers) -> list[tuple[int, Reals]]:
    """Return each cluster that has pages, and its mean vector, shape (columns,)."""
    sizes, of_value = np.bincount(cluster), cluster[row_numbers(rows)]
    centres = []
    for number in np.flatnonzero(sizes[1:]) + 1:
        inside = of_value == number
        total = np.bincount(rows.indices[inside], weights=rows.data[inside], minlength=rows.shape[1])
        centres.append((int(number), total / sizes[number]))
    return centres


def _silhouettes(rows: SparseRows, cluster: Numbers) -> tuple[Reals, Reals]:
    """Return the silhouette and the closeness of each page; see `PageClusters`.

    The mean cosine distance of a page to the pages of a cluster is 1 minus its product with the centre, so no pairs of
    pages are compared. A page alone in its cluster has silhouette 0.
    """
    page, sizes = row_numbers(rows), np.bincount(cluster)
    own, other, closeness = (np.zeros(len(cluster)), np.full(len(cluster), np.inf), np.zeros(len(cluster)))
    for number, mean in _centres(rows, cluster):
        product = np.bincount(page, weights=rows.data * mean[rows.indices], minlength=len(cluster))
        is_own = cluster == number
        own[is_own] = (1 - product[is_own]) * sizes[number] / max(sizes[number] - 1, 1)
        closeness[is_own] = product[is_own]
        other[~is_own] = np.minimum(other[~is_own], 1 - product[~is_own])
    larger = np.maximum(own, other)
    compared = (sizes[cluster] > 1) & np.isfinite(other) & (larger > 0)
    silhouette = np.divide(other - own, larger, out=np.zeros(len(cluster)), where=compared)
    silhouette[cluster == 0] = np.nan
    return silhouette, closeness


def _characteristic(rows: SparseRows, cluster: Numbers, words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    overall = np.bincount(rows.indices, weights=rows.data, minlength=rows.shape[1]) / max(int((cluster > 0).sum()), 1)
    chosen = []
    for _, mean in _centres(rows, cluster):
        excess = (mean - overall).round(12)
        best = np.argsort(-excess, kind="stable")[:_WORDS]
        chosen.append(tuple(words[column] for column in best.tolist() if excess[column] > 0))
    return tuple(chosen)


@dataclass(frozen=True)
class LabelAgreement:
    """How well clusters agree with the labels of the labelled pages.

    Attributes:
        f: the paper's F: mean over the labels, with the best one-to-one assignment of clusters.
        purity: share of pages with the most frequent label of their cluster.
        v_measure: harmonic mean of homogeneity and completeness.
        f_of_starts: F of each start.
    """

    f: float
    purity: float
    v_measure: float
    f_of_starts: tuple[float, ...]


def agreement(found: PageClusters, labels: Sequence[str | None]) -> LabelAgreement | None:
    """Compare clusters with labels; None if no page has a label. A page in no cluster counts as one alone."""
    known = [row for row, label in enumerate(labels) if label is not None]
    if not known:
        return None
    truth = [str(labels[row]) for row in known]
    groups = _groups(found.cluster, known)
    pairs = mining.clustering(groups, truth)
    starts = tuple(mining.clustering(_groups(run, known), truth).f for run in found.runs)
    return LabelAgreement(pairs.f, _purity(pairs), _v_measure(truth, groups), starts)


def v_measure(found: PageClusters, names: Sequence[str]) -> float:
    """Return the V-measure of clusters and names, one for each page, for example its site."""
    return _v_measure(list(names), _groups(found.cluster, range(len(names))))


def _v_measure(truth: list[str], groups: list[str]) -> float:
    metrics = require("sklearn.metrics", extra="sklearn", purpose="clustering")
    return float(metrics.v_measure_score(truth, groups))


def _groups(cluster: Numbers, known: Sequence[int]) -> list[str]:
    return [str(cluster[row]) if cluster[row] else f"page {row}" for row in known]


def _purity(pairs: mining.Clustering) -> float:
    largest: dict[str, int] = {}
    for _, group, count in pairs.cells:
        largest[group] = max(largest.get(group, 0), count)
    return sum(largest.values()) / pairs.items


def fewer(found: PageClusters, plan: KMeansPlan) -> str:
    """Return a line for people if there are fewer clusters than wanted, else ""."""
    number = len(found.words)
    return (
        "" if number == plan.k else f"only {counted(number, 'cluster')}: the pages have no {plan.k} different vectors"
    )
