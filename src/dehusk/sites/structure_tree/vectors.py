"""Feature vectors of pages (end of section 3.3): the weights of each word, added up over the leaves of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.extras import require
from dehusk.base.hashing import Keys
from dehusk.label.stemming import stem
from dehusk.read.page import Bools
from dehusk.sites.structure_tree.importance import Reals, StructureTree
from dehusk.sites.structure_tree.weights import LeafWords

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Counts = npt.NDArray[np.int64]
Columns = npt.NDArray[np.int32]


class Vocabulary:
    """Words in alphabetical order; each is a column of vectors."""

    def __init__(self, words: dict[int, str]) -> None:
        self.names: npt.NDArray[np.object_] = np.array(sorted(set(words.values())), dtype=object)
        """(columns,) the words."""
        column = {word: number for number, word in enumerate(self.names.tolist())}
        order = np.argsort(np.fromiter(words, np.uint64, len(words)))
        self._keys = np.fromiter(words, np.uint64, len(words))[order]
        self._columns = np.fromiter((column[word] for word in words.values()), np.int32, len(words))[order]

    def __len__(self) -> int:
        return len(self.names)

    def columns(self, keys: Keys) -> Columns:
        """Return the column of each key, shape unchanged; -1 for words that have no column."""
        if not len(self._keys):
            return np.full(len(keys), -1, dtype=np.int32)
        row = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[row] == keys, self._columns[row], np.int32(-1))


class SparseRows(NamedTuple):
    """A matrix in compressed sparse rows, with the attributes of SciPy's `csr_matrix`, but without SciPy."""

    data: Reals
    """(v,) values other than 0."""
    indices: Columns
    """(v,) column of each, ascending within a row."""
    indptr: Counts
    """(rows + 1,) row i is the slice indptr[i]:indptr[i + 1] of the other two."""
    shape: tuple[int, int]


class Dropped(NamedTuple):
    """What vectors lose by a fixed vocabulary."""

    words: int
    """Number of words without a column."""
    share: float
    """Their share of all weights, 0 to 1."""


@dataclass(frozen=True, eq=False)
class PageVectors:
    """The words of p pages in c columns; page i is the slice start[i]:start[i + 1] of the v pairs of page and word."""

    words: tuple[str, ...]
    """(c,) the words, without duplicates."""
    start: Counts
    """(p + 1,)"""
    column: Columns
    """(v,) column of the word, ascending within a page."""
    weight: Reals
    """(v,) sum of W_E(a, T) over the leaves of the page: 0 to `count`; 0 for words that all pages have alike."""
    count: Counts
    """(v,) number of occurrences in the page, at least 1."""
    familiar: Bools
    """(p,) whether the tree of the page's site has the element of any of its words; True for pages without words."""

    def __len__(self) -> int:
        return len(self.start) - 1

    @cached_property
    def page(self) -> npt.NDArray[np.intp]:
        """(v,) page of each pair."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    @cached_property
    def weights(self) -> SparseRows:
        """The weights, without zeros."""
        return self._rows(self.weight)

    @cached_property
    def counts(self) -> SparseRows:
        """The numbers of occurrences: vectors of the same pages without the tree."""
        return self._rows(self.count.astype(np.float64))

    def normalised(self) -> PageVectors:
        """Return the vectors with weights of unit length (Euclidean); empty vectors stay empty."""
        length = np.sqrt(np.bincount(self.page, weights=self.weight**2, minlength=len(self)))
        return replace(self, weight=self.weight / np.where(length > 0, length, 1.0)[self.page])

    def stemmed(self, language: str) -> PageVectors:
        """Return vectors whose columns are stems; the weights of words with the same stem are added.

        Args:
            language: a language of Snowball: "english", "german".

        Raises:
            ConfigError: there is no stemmer for the language.
            MissingExtraError: the library is not installed.
        """
        stems = [word if "=" in word else stem(language, word) for word in self.words]  # not of images and links
        names = tuple(sorted(set(stems)))
        column = {name: number for number, name in enumerate(names)}
        return self._moved(np.fromiter((column[name] for name in stems), np.int32, len(stems)), names)

    def restricted(self, words: Sequence[str]) -> tuple[PageVectors, Dropped]:
        """Return vectors with exactly these columns, in this order, and what they lose.

        Args:
            words: the words of the columns, without duplicates.
        """
        column = {word: number for number, word in enumerate(words)}
        target = np.fromiter((column.get(word, -1) for word in self.words), np.int32, len(self.words))
        is_lost = target[self.column] < 0
        total = float(self.weight.sum())
        share = float(self.weight[is_lost].sum()) / total if total else 0.0
        return self._moved(target, tuple(words)), Dropped(int((target < 0).sum()), share)

    def _moved(self, target: Columns, words: tuple[str, ...]) -> PageVectors:
        """Return vectors whose columns are moved to others, -1 to drop them; columns that meet are added."""
        pairs = _merged(self.page, target[self.column], self.weight, self.count, pages=len(self))
        return PageVectors(words, *pairs, familiar=self.familiar)

    def _rows(self, values: Reals) -> SparseRows:
        kept = values > 0
        ends = np.append(0, np.cumsum(kept))[self.start]
        return SparseRows(values[kept], self.column[kept], ends, (len(self), len(self.words)))


def _merged(
    page: npt.NDArray[np.intp], column: Columns, weight: Reals, count: Counts, *, pages: int
) -> tuple[Counts, Columns, Reals, Counts]:
    """Sort pairs of page and word, add equal ones, and leave out those whose column is -1; see `PageVectors`.

    Returns:
        `start`, `column`, `weight` and `count` of `PageVectors`.
    """
    order = np.lexsort((column, page))
    order = order[column[order] >= 0]
    page, column = page[order], column[order]
    first = np.flatnonzero((np.diff(page, prepend=-1) != 0) | (np.diff(column, prepend=-1) != 0))
    start = np.append(0, np.cumsum(np.bincount(page[first], minlength=pages))).astype(np.int64)
    if not len(first):
        return start, column, np.zeros(0), np.zeros(0, dtype=np.int64)
    return start, column[first], np.add.reduceat(weight[order], first), np.add.reduceat(count[order], first)


def interleaved(parts: Sequence[PageVectors], rows: Sequence[Sequence[int]]) -> PageVectors:
    """Return the vectors of several parts as one; page i of part j becomes page rows[j][i].

    Args:
        parts: vectors, each with words of its own.
        rows: for each part the new rows of its pages; all of them together are 0 to p - 1.
    """
    words = tuple(sorted({word for part in parts for word in part.words}))
    number = {word: column for column, word in enumerate(words)}
    places = [np.array(places, dtype=np.intp) for places in rows]
    page = [new[part.page] for part, new in zip(parts, places, strict=True)]
    column = [np.array([number[word] for word in part.words], dtype=np.int32)[part.column] for part in parts]
    familiar = np.zeros(sum(map(len, parts)), dtype=np.bool_)
    for part, new in zip(parts, places, strict=True):
        familiar[new] = part.familiar
    weight = np.concatenate([np.zeros(0), *(part.weight for part in parts)])
    count = np.concatenate([np.zeros(0, dtype=np.int64), *(part.count for part in parts)])
    joined = (np.concatenate([np.zeros(0, dtype=np.intp), *page]), np.concatenate([np.zeros(0, np.int32), *column]))
    return PageVectors(words, *_merged(*joined, weight, count, pages=len(familiar)), familiar=familiar)


class VectorCollector:
    """Collects the words of pages one by one; a page takes 24 bytes for each of its distinct words."""

    def __init__(self) -> None:
        self._pages: list[tuple[Keys, Reals, Counts]] = []
        self._familiar: list[bool] = []

    def add(self, page: LeafWords, tree: StructureTree) -> None:
        """Weigh the words of a page by the tree of its site, and add them up over its leaves (equation 5)."""
        word, inverse = np.unique(page.word, return_inverse=True)
        values = tree.weights(page.element, page.word) * page.count
        weight: Reals = np.bincount(inverse, weights=values, minlength=len(word)).astype(np.float64)
        count = np.bincount(inverse, weights=page.count, minlength=len(word)).astype(np.int64)
        self._pages.append((word, weight, count))
        self._familiar.append(not len(word) or bool((tree.rows(page.element) >= 0).any()))

    def vectors(self, vocabulary: Vocabulary) -> PageVectors:
        """Return the vectors of the pages; words that are not in the vocabulary are left out."""
        sizes = [len(word) for word, _, _ in self._pages]
        none = (np.zeros(0, dtype=np.uint64), np.zeros(0), np.zeros(0, dtype=np.int64))
        word, weight, count = (np.concatenate(parts) for parts in zip(none, *self._pages, strict=True))
        page = np.repeat(np.arange(len(sizes)), sizes)
        pairs = _merged(page, vocabulary.columns(word), weight, count, pages=len(sizes))
        return PageVectors(tuple(vocabulary.names.tolist()), *pairs, familiar=np.array(self._familiar, dtype=np.bool_))


def to_scipy(rows: SparseRows) -> csr_matrix:
    """Return a matrix of SciPy, shape (pages, words), float64.

    Raises:
        MissingExtraError: SciPy is not installed.
    """
    sparse = require("scipy.sparse", extra="vectors", purpose="transform()")
    matrix: csr_matrix = sparse.csr_matrix((rows.data, rows.indices, rows.indptr), shape=rows.shape)
    return matrix


def each_row(rows: SparseRows | csr_matrix) -> Iterator[tuple[list[int], list[float]]]:
    """Yield the columns and values of each row."""
    columns, values, ends = rows.indices.tolist(), rows.data.tolist(), rows.indptr.tolist()
    for start, end in pairwise(ends):
        yield columns[start:end], values[start:end]
