"""Clustering and classification of vectors of pages, with fixed settings: nothing is chosen on the pages that are judged.

k-means has as many clusters as there are classes and starts from random pages (`init="random"`,
one start per run), as in Yi & Liu; their linear SVM has C = 1 and hinge loss, as in SVMlight for vectors of length 1,
and takes one class against the rest.
"""

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator

from dehusk.lab.papers.cst import Strings
from dehusk.measures import mining
from dehusk.measures.intervals import Interval

_DRAWS = 1000


def held_out_classes(
    vectors: csr_matrix, truth: Strings, folds: npt.NDArray[np.generic], model: BaseEstimator
) -> Strings:
    """Return the class of each page, predicted by a model that was trained on the pages of the other folds."""
    predicted = np.empty_like(truth)
    for fold in np.unique(folds):
        test = folds == fold
        predicted[test] = model.fit(vectors[~test], truth[~test]).predict(vectors[test])
    return predicted


def macro_f(predicted: Strings, truth: Strings) -> float:
    """Return the mean of F over the classes."""
    return mining.classification(predicted.tolist(), truth.tolist()).macro_f


def macro_f_interval(predicted: Strings, truth: Strings, groups: npt.NDArray[np.generic]) -> Interval:
    """Return the 95 % bootstrap interval of the mean of macro F over groups of pages; pages are drawn within groups.

    Args:
        predicted: predicted class of each page, shape (n,).
        truth: class of each page, shape (n,).
        groups: the group of each page, such as its site, shape (n,).
    """
    names, codes = np.unique(np.concatenate([truth, predicted]), return_inverse=True)
    cells = codes[: len(truth)] * len(names) + codes[len(truth) :]
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    random, draws = np.random.default_rng(0), []
    for _ in range(_DRAWS):
        counts = [np.bincount(cells[random.choice(pages, len(pages))], minlength=len(names) ** 2) for pages in members]
        draws.append(np.mean(list(map(_f_of_counts, counts))))
    return Interval(*np.quantile(draws, (0.025, 0.975)).tolist())


def _f_of_counts(counts: npt.NDArray[np.intp]) -> float:
    """Return macro F of a flat table of true and predicted classes, over the classes that occur."""
    side = int(np.sqrt(len(counts)))
    table = counts.reshape(side, side)
    sizes = table.sum(axis=0) + table.sum(axis=1)
    return float(np.mean(2 * np.diag(table)[sizes > 0] / sizes[sizes > 0]))
