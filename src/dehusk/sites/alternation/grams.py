"""n-grams as 64-bit hashes: their document frequency, and the parts of a document that they cover.

The hash of a gram depends only on its characters, so the grams of new documents can be looked up in the same table. It
combines the hashes of two overlapping windows whose length is the largest power of two below n; these are computed by
doubling, in O(N log n) array operations. A gram that is not in a table of M grams is mistaken for one of them with a
probability of about M / 2^64.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.read.page import Bools
from dehusk.sites.alternation.strings import Points

Hashes = npt.NDArray[np.uint64]
Spans = npt.NDArray[np.int64]
_LEFT = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_BUCKET = 1 << 20
"""Hashes sorted at once: larger tables have more buckets, not larger ones, so time is linear in the number of grams."""


def gram_hashes(points: Points, n: int) -> Hashes:
    """Return the hash of the n-gram at each position, shape (max(0, len(points) - n + 1),).

    Args:
        points: (N,) code points.
        n: number of characters in a gram, at least 1.
    """
    if len(points) < n:
        return np.zeros(0, dtype=np.uint64)
    hashes, width = _mixed(points.astype(np.uint64) + _LEFT), 1
    while 2 * width <= n:
        hashes, width = _joined(hashes, width), 2 * width
    return _joined(hashes, n - width) if width < n else hashes


def _joined(hashes: Hashes, distance: int) -> Hashes:
    """Return a hash of each pair of windows that are `distance` apart."""
    joined = hashes[:-distance] * _LEFT
    joined += hashes[distance:]
    return _mixed(joined)


def _mixed(values: Hashes) -> Hashes:
    values *= _MIX
    values ^= values >> _HALF
    values *= _MIX
    return values


@dataclass(frozen=True, eq=False)
class GramPlaces:
    """The n-grams of a document, by ascending start."""

    start: npt.NDArray[np.int64]
    length: npt.NDArray[np.int64]
    """n; with bounds, the length of a stretch shorter than n."""
    hashes: Hashes

    def spans(self, table: Hashes) -> Spans:
        """Return the maximal spans that the grams in a sorted table cover, shape (k, 2), ends excluded."""
        found = np.flatnonzero(is_in(self.hashes, table))
        return covered(self.start[found], self.length[found])


def gram_places(points: Points, n: int, bounds: str = "") -> GramPlaces:
    """Return the n-grams of a document.

    Args:
        points: (N,) code points.
        n: number of characters in a gram, at least 1.
        bounds: characters that a gram may have at its ends only. A stretch from one of them to the next, both included,
            is a gram, too, if it is shorter than n.
    """
    hashes = gram_hashes(points, n)
    start = np.arange(len(hashes))
    if not bounds:
        return GramPlaces(start, np.full(len(start), n), hashes)
    longest, is_stretch = longest_grams(points, bounds)
    start = np.flatnonzero(longest[: len(hashes)] >= n)
    short = np.flatnonzero(is_stretch & (longest < n))
    starts, lengths = np.concatenate([start, short]), np.concatenate([np.full(len(start), n), longest[short]])
    hashes = np.concatenate([hashes[start], _stretch_hashes(points, short, longest[short])])
    order = np.argsort(starts, kind="stable")
    return GramPlaces(starts[order], lengths[order], hashes[order])


def _stretch_hashes(points: Points, start: npt.NDArray[np.integer], length: npt.NDArray[np.integer]) -> Hashes:
    """Return the hash of each stretch of at least two characters; equal to `gram_hashes` for its length."""
    hashes = np.zeros(len(start), dtype=np.uint64)
    width = 2
    while width <= int(length.max(initial=0)):
        windows = gram_hashes(points, width)
        own = np.flatnonzero((length >= width) & (length < 2 * width))
        left, right = windows[start[own]], windows[start[own] + length[own] - width]
        hashes[own] = np.where(length[own] == width, left, _mixed(left * _LEFT + right))
        width *= 2
    return hashes


def longest_grams(points: Points, bounds: str) -> tuple[npt.NDArray[np.int64], Bools]:
    """Return the length of the longest gram that starts at each character, and whether this is a stretch.

    A gram ends with the document, or with the next delimiter after its first character. A stretch begins and ends with
    a delimiter. Both results have the shape (len(points),).
    """
    is_delimiter = np.isin(points, np.array([ord(letter) for letter in bounds], dtype=np.uint32))
    ends = np.append(np.flatnonzero(is_delimiter) + 1, len(points))
    following = np.cumsum(is_delimiter)  # delimiters up to the character, so the index of the next one
    return ends[following] - np.arange(len(points)), is_delimiter & (following < len(ends) - 1)


def document_frequent(documents: Sequence[Hashes], t: int) -> tuple[Hashes, int]:
    """Return the sorted grams that at least t documents contain, and the number of distinct grams.

    Args:
        documents: the distinct grams of each document, sorted.
        t: least number of documents, at least 1.
    """
    total = sum(map(len, documents))
    edges = np.linspace(0, 2.0**64, max(1, total // _BUCKET) + 1)[1:-1].astype(np.uint64)
    cuts = np.array([np.concatenate([[0], np.searchsorted(d, edges), [len(d)]]) for d in documents], dtype=np.intp)
    frequent, distinct = [np.zeros(0, dtype=np.uint64)], 0
    for bucket in range(len(edges) + 1 if len(documents) else 0):
        rows = zip(documents, cuts[:, bucket].tolist(), cuts[:, bucket + 1].tolist(), strict=True)
        grams, counts = np.unique(np.concatenate([d[a:b] for d, a, b in rows]), return_counts=True)
        frequent.append(grams[counts >= t])
        distinct += len(grams)
    return np.concatenate(frequent), distinct


def is_in(hashes: Hashes, table: Hashes) -> Bools:
    """Return which hashes are in a sorted table, shape (len(hashes),)."""
    mask = np.zeros(len(hashes), dtype=np.bool_)
    if len(table) and len(hashes):
        order = np.argsort(hashes)  # sorted look-ups stay in the cache
        ordered = hashes[order]
        row = np.minimum(np.searchsorted(table, ordered), len(table) - 1)
        mask[order] = table[row] == ordered
    return mask


def covered(starts: npt.NDArray[np.integer], lengths: npt.NDArray[np.integer]) -> Spans:
    """Return the maximal spans that grams at ascending positions cover, shape (k, 2), ends excluded."""
    if not len(starts):
        return np.zeros((0, 2), dtype=np.int64)
    ends = np.maximum.accumulate(starts + lengths)
    apart = np.flatnonzero(starts[1:] > ends[:-1])
    first, last = np.append(0, apart + 1), np.append(apart, len(starts) - 1)
    return np.stack([starts[first], ends[last]], axis=1).astype(np.int64)
