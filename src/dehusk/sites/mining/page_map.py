"""Two coordinates of pages: the first two principal components of their unit vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dehusk.base.extras import require
from dehusk.read.page import Bools
from dehusk.sites.mining.unit_vectors import chosen_rows, has_words, row_numbers
from dehusk.sites.structure_tree.importance import Reals
from dehusk.sites.structure_tree.vectors import SparseRows, to_scipy

_MOST_EXACT = 400  # pages or words whose products all fit into a small matrix
_REFITS = 2  # how often far pages are left out of the search for the axes
_DUST = 1e-9  # what only rounding made of 0


@dataclass(frozen=True, eq=False)
class PageMap:
    """Where p pages are on a map.

    Attributes:
        place: (p, 2) coordinates; NaN for pages with an empty vector, which are on no map. The sign of each coordinate
            is such that the page farthest from 0 has a positive one.
        is_far: (p,) whether a page is far from most others, see `far_pages`; the axes were found without these.
        share: share of the variance of the other pages that the two coordinates show, 0 to 1.
    """

    place: Reals
    is_far: Bools
    share: float


def map_of(rows: SparseRows) -> PageMap:
    """Return the map of pages; equal input gives an equal map.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    filled = has_words(rows)
    place = np.full((len(filled), 2), np.nan)
    shown = chosen_rows(rows, filled)
    if not filled.any():
        return PageMap(place, np.zeros(len(filled), dtype=np.bool_), 0.0)
    found, share = _found(shown, np.ones(shown.shape[0], dtype=np.bool_))
    for _ in range(_REFITS):
        is_far = far_pages(found)
        if not is_far.any():
            break
        found, share = _found(shown, ~is_far)
    farthest = np.argmax(np.abs(found).round(9), axis=0)
    place[filled] = found * np.where(found[farthest, [0, 1]] < 0, -1.0, 1.0)
    far = np.zeros(len(filled), dtype=np.bool_)
    far[filled] = far_pages(found)
    return PageMap(place, far, share)


def far_pages(place: Reals) -> Bools:
    """Return which of n points are far from most others, shape (n,).

    These are, in a coordinate, farther from the middle 90 % of the points than the ends of that range from each other.
    """
    low, high = np.quantile(place, (0.05, 0.95), axis=0)
    span = np.maximum(high - low, _DUST)
    far: Bools = ((place < low - span) | (place > high + span)).any(axis=1) & bool((high - low).min() > _DUST)
    return far


def _found(rows: SparseRows, chosen: Bools) -> tuple[Reals, float]:
    """Return the coordinates of all rows on the axes of some, and the share of variance."""
    part = chosen_rows(rows, chosen)
    with require("threadpoolctl", extra="sklearn", purpose="a map of pages").threadpool_limits(1):
        axes, share = _exact(part) if min(part.shape) <= _MOST_EXACT else _iterated(part)
    page, mean = row_numbers(rows), np.bincount(part.indices, weights=part.data, minlength=rows.shape[1])
    place = np.array(
        [
            np.bincount(page, weights=rows.data * axis[rows.indices], minlength=rows.shape[0])
            - axis @ mean / part.shape[0]
            for axis in axes
        ]
    ).T
    return np.where(np.abs(place) < _DUST, 0.0, place), share


def _exact(rows: SparseRows) -> tuple[Reals, float]:
    """Return the two axes, shape (2, columns), by the products of all pairs of rows, or of columns."""
    matrix = to_scipy(rows)
    pages, columns = rows.shape
    if columns < pages:
        total = np.asarray(matrix.sum(axis=0)).ravel()
        return _largest((matrix.T @ matrix).toarray() - np.outer(total, total) / pages)
    product: Reals = (matrix @ matrix.T).toarray()
    mean = product.mean(axis=0)
    vectors, share = _largest(product - mean - mean[:, None] + mean.mean())
    axes = (matrix.T @ (vectors - vectors.mean(axis=1, keepdims=True)).T).T
    length = np.sqrt((axes**2).sum(axis=1, keepdims=True))
    return axes / np.where(length > _DUST, length, 1.0), share


def _largest(products: Reals) -> tuple[Reals, float]:
    """Return the eigenvectors of the two largest eigenvalues, shape (2, n), and the share of these; 0 for none."""
    values, vectors = np.linalg.eigh(products)
    found, total = np.zeros((2, len(values))), float(np.trace(products))
    usable = min(2, int((values > _DUST).sum()))
    found[:usable] = vectors.T[::-1][:usable]
    return found, float(values[::-1][:usable].sum()) / total if usable else 0.0


def _iterated(rows: SparseRows) -> tuple[Reals, float]:
    """Return the same for many rows and columns, without their products."""
    library = require("sklearn.decomposition", extra="sklearn", purpose="a map of pages")
    mean = np.bincount(rows.indices, weights=rows.data, minlength=rows.shape[1]) / rows.shape[0]
    if float((rows.data**2).sum()) / rows.shape[0] - float(mean @ mean) < _DUST:
        return np.zeros((2, rows.shape[1])), 0.0
    model = library.PCA(2, svd_solver="arpack", random_state=0).fit(to_scipy(rows))
    return model.components_, float(np.sum(model.explained_variance_ratio_))
