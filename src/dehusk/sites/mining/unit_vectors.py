"""Vectors of unit length, before and after the words are weighted by the tree of their site, and those of a rival.

The rival needs no tree: it multiplies the occurrences of a word by ln(N / df) over the N pages of the site.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from dehusk.read.page import Bools
from dehusk.sites.structure_tree.importance import Reals
from dehusk.sites.structure_tree.vector_files import NamedVectors
from dehusk.sites.structure_tree.vectors import PageVectors, SparseRows

SIDES: Final[Mapping[str, str]] = {
    "before": "before weighting",
    "after": "after weighting",
    "rival": "by idf of the site",
}
"""Name of a side in reports -> how a sentence calls it."""


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
    weights = np.ones(len(rows.data)) if idf is None else idf[rows.indices]
    return _of_unit_length(_times(rows, weights))


def site_idf_rows(rows: SparseRows, sites: Sequence[str]) -> SparseRows:
    """Return rows of unit length after each value is multiplied by ln(N / df) over the N rows of its site.

    The only page of a site teaches nothing about it, so that its values stay as they are.

    Args:
        rows: occurrences of words.
        sites: (rows,) the site of each.
    """
    site = np.unique(np.array(sites, dtype=np.str_), return_inverse=True)[1]
    size = np.bincount(site)
    of_value = site[row_numbers(rows)]
    _, word, df = np.unique(of_value * rows.shape[1] + rows.indices, return_inverse=True, return_counts=True)
    idf = np.log(size[of_value] / df[word])
    return _of_unit_length(_times(rows, np.where(size[of_value] > 1, idf, 1.0)))


def _times(rows: SparseRows, factors: Reals) -> SparseRows:
    """Multiply each value, and drop zeros."""
    values = rows.data * factors
    kept = values > 0
    ends = np.append(0, np.cumsum(kept))[rows.indptr]
    return SparseRows(values[kept], rows.indices[kept], ends, rows.shape)


def _of_unit_length(rows: SparseRows) -> SparseRows:
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


def side_vectors(table: NamedVectors, side: str, *, idf: bool) -> SparseRows:
    """Return the unit vectors of a side; those of the rival are the same with `idf` and without."""
    if side == "rival":
        return site_idf_rows(table.vectors.counts, table.sites)
    return vectors_for(table.vectors, by_tree=side == "after", idf=idf)


def vectors_name(side: str, *, idf: bool) -> str:
    """Return the name of the vectors of a side for people."""
    if side == "rival":
        return "tf × idf of the site"
    plain = "weights of the tree" if side == "after" else "tf"
    return f"{plain} × idf" if idf and side == "after" else "tf-idf" if idf else plain
