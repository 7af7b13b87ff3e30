"""Vectors of unit length, before and after the words are weighted by the tree of their site."""

import numpy as np

from dehusk.read.page import Bools
from dehusk.sites.structure_tree.importance import Reals
from dehusk.sites.structure_tree.vectors import PageVectors, SparseRows


def word_rows(vectors: PageVectors, *, by_tree: bool) -> SparseRows:
    """Return what the words of pages count: the sum of their weights by the tree, or their occurrences."""
    return vectors.weights if by_tree else vectors.counts


def idf_of(rows: SparseRows) -> Reals:
    """Return ln(N / df) of each column, shape (columns,): N rows, df of them with a value; 0 for empty columns."""
    df = np.bincount(rows.indices, minlength=rows.shape[1])
    return np.where(df > 0, np.log(max(rows.shape[0], 1) / np.maximum(df, 1)), 0.0)


def unit_rows(rows: SparseRows, idf: Reals | None = None) -> SparseRows:
    """Return rows of unit length (Euclidean); a row without values, or with only zeros, is empty.

    Args:
        rows: a matrix without negative values.
        idf: (columns,) what to multiply the values of each column with before.
    """
    if idf is not None:
        values = rows.data * idf[rows.indices]
        kept = values > 0
        ends = np.append(0, np.cumsum(kept))[rows.indptr]
        rows = SparseRows(values[kept], rows.indices[kept], ends, rows.shape)
    page = row_numbers(rows)
    length = np.sqrt(np.bincount(page, weights=rows.data**2, minlength=rows.shape[0]))
    return rows._replace(data=rows.data / length[page])


def row_numbers(rows: SparseRows) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the row of each value."""
    return np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))


def has_words(rows: SparseRows) -> Bools:
    """Return for each row whether it has any value."""
    filled: Bools = np.diff(rows.indptr) > 0
    return filled


def chosen_rows(rows: SparseRows, chosen: Bools) -> SparseRows:
    """Return some of the rows, in their order."""
    kept = chosen[row_numbers(rows)]
    sizes = np.diff(rows.indptr)[chosen]
    ends = np.append(0, np.cumsum(sizes)).astype(np.int64)
    return SparseRows(rows.data[kept], rows.indices[kept], ends, (len(sizes), rows.shape[1]))


def vectors_for(vectors: PageVectors, *, by_tree: bool, idf: bool) -> SparseRows:
    """Return unit vectors of pages before or after weighting.

    Args:
        vectors: the words of the pages.
        by_tree: whether words count the sum of their weights by the tree instead of their occurrences.
        idf: whether these are multiplied by `idf_of`.
    """
    rows = word_rows(vectors, by_tree=by_tree)
    return unit_rows(rows, idf_of(rows) if idf else None)


def vectors_name(*, by_tree: bool, idf: bool) -> str:
    """Return the name of such vectors for people."""
    plain = "weights of the tree" if by_tree else "tf"
    return f"{plain} × idf" if idf and by_tree else "tf-idf" if idf else plain
