"""Feature vectors of pages (end of section 3.3), and the file formats for them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dehusk.extras import require
from dehusk.hashing import Keys
from dehusk.methods.structure_tree.importance import Reals
from dehusk.methods.structure_tree.weights import WordWeights

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Vocabulary:
    """The words of all sites in alphabetical order; each is a column of the vectors."""

    def __init__(self, words: dict[int, str]) -> None:
        self.names: npt.NDArray[np.object_] = np.array(sorted(set(words.values())), dtype=object)
        """(columns,) the words."""
        column = {word: number for number, word in enumerate(self.names.tolist())}
        order = np.argsort(np.fromiter(words, np.uint64, len(words)))
        self._keys = np.fromiter(words, np.uint64, len(words))[order]
        self._columns = np.fromiter((column[word] for word in words.values()), np.int32, len(words))[order]

    def __len__(self) -> int:
        return len(self.names)

    def columns(self, keys: Keys) -> npt.NDArray[np.int32]:
        """Return the column of each key, shape unchanged; -1 for words that no learned page has."""
        if not len(self._keys):
            return np.full(len(keys), -1, dtype=np.int32)
        row = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[row] == keys, self._columns[row], np.int32(-1))


def matrix(pages: Iterable[WordWeights], vocabulary: Vocabulary) -> csr_matrix:
    """Return the vectors of pages as a SciPy matrix, shape (pages, words), float64.

    The value of a word is the sum of its weights in the page (equation 5 summed over the leaves); zeros are not stored.

    Raises:
        MissingExtraError: SciPy is not installed.
    """
    sparse = require("scipy.sparse", extra="vectors", purpose="transform()")
    rows = [_vector(weights, vocabulary) for weights in pages]
    ends = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    columns = np.concatenate([np.zeros(0, dtype=np.int32), *(columns for columns, _ in rows)])
    values = np.concatenate([np.zeros(0), *(values for _, values in rows)])
    vectors: csr_matrix = sparse.csr_matrix((values, columns, ends), shape=(len(rows), len(vocabulary)))
    return vectors


def _vector(weights: WordWeights, vocabulary: Vocabulary) -> tuple[npt.NDArray[np.int32], Reals]:
    column = vocabulary.columns(weights.nodes.terms.key)
    columns, inverse = np.unique(column, return_inverse=True)
    values: Reals = np.bincount(inverse, weights=weights.weight, minlength=len(columns)).astype(np.float64)
    kept = (columns >= 0) & (values > 0)
    return columns[kept], values[kept]


def svmlight(vectors: csr_matrix, targets: Sequence[float] | None = None) -> Iterator[str]:
    """Return the lines of an SVMlight file, one per page: target, then column:value pairs; columns start at 1.

    Args:
        vectors: vectors of pages, as `transform` returns them.
        targets: one number per page; None for 0 everywhere, which means "unknown" to SVMlight.

    Raises:
        ValueError: the numbers of targets and pages differ.
    """
    numbers = [0.0] * vectors.shape[0] if targets is None else list(targets)
    if len(numbers) != vectors.shape[0]:
        raise ValueError(f"{len(numbers)} targets for {vectors.shape[0]} pages")
    for (columns, values), target in zip(_rows(vectors), numbers, strict=True):
        pairs = "".join(f" {column + 1}:{value!r}" for column, value in zip(columns, values, strict=True))
        yield f"{target:g}{pairs}\n"


def json_lines(
    vectors: csr_matrix, names: npt.NDArray[np.object_], pages: Sequence[str] | None = None
) -> Iterator[str]:
    """Return the lines of a JSON Lines file, one object per page: `page`, and `weights` from word to weight.

    Args:
        vectors: vectors of pages, as `transform` returns them.
        names: (columns,) the words, as `get_feature_names_out` returns them.
        pages: one name per page; None to number them from 0.

    Raises:
        ValueError: the numbers of pages or names do not fit the matrix.
    """
    page_names: list[Any] = list(range(vectors.shape[0])) if pages is None else list(pages)
    if (len(page_names), len(names)) != vectors.shape:
        raise ValueError(f"{len(page_names)} pages and {len(names)} names for a matrix of shape {vectors.shape}")
    words = names.tolist()
    for (columns, values), page in zip(_rows(vectors), page_names, strict=True):
        weights = dict(zip((words[column] for column in columns), values, strict=True))
        yield json.dumps({"page": page, "weights": weights}, ensure_ascii=False) + "\n"


def _rows(vectors: csr_matrix) -> Iterator[tuple[list[int], list[float]]]:
    columns, values, ends = vectors.indices.tolist(), vectors.data.tolist(), vectors.indptr.tolist()
    for start, end in pairwise(ends):
        yield columns[start:end], values[start:end]
