"""n-grams as 64-bit hashes: their document frequency, and the parts of a document that frequent ones cover.

A gram's hash follows from its characters alone, so grams of documents never seen are looked up in the same table. Two
windows of the largest power of two below n, which overlap, make the hash of an n-gram; the windows' hashes come by
doubling, so the cost is O(N log n) array work. With M grams in the table a gram that is not in it is taken for one
that is with a chance of about M / 2^64.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dehusk.methods.alternation.strings import Points
from dehusk.page import Bools

Hashes = npt.NDArray[np.uint64]
Spans = npt.NDArray[np.int64]
_LEFT = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_BUCKET = 1 << 20
"""Hashes sorted at once: a table grows by more buckets and not by larger ones, so time is linear in the grams."""


def gram_hashes(points: Points, n: int) -> Hashes:
    """Return the hash of the n-gram at each place, shape (max(0, len(points) - n + 1),).

    Args:
        points: (N,) code points.
        n: characters of a gram, at least 1.
    """
    if len(points) < n:
        return np.zeros(0, dtype=np.uint64)
    hashes, width = _mixed(points.astype(np.uint64) + _LEFT), 1
    while 2 * width <= n:
        hashes, width = _joined(hashes, width), 2 * width
    return _joined(hashes, n - width) if width < n else hashes


def _joined(hashes: Hashes, distance: int) -> Hashes:
    """Return a hash of each pair of windows `distance` apart."""
    joined = hashes[:-distance] * _LEFT
    joined += hashes[distance:]
    return _mixed(joined)


def _mixed(values: Hashes) -> Hashes:
    values *= _MIX
    values ^= values >> _HALF
    values *= _MIX
    return values


def document_frequent(documents: Sequence[Hashes], t: int) -> tuple[Hashes, int]:
    """Return the grams that at least t documents hold, sorted, and the number of different grams.

    Args:
        documents: the grams of each document, each gram once and sorted.
        t: least number of documents, at least 1.
    """
    total = sum(map(len, documents))
    edges = np.linspace(0, 2.0**64, max(1, total // _BUCKET) + 1)[1:-1].astype(np.uint64)
    cuts = np.array([np.concatenate([[0], np.searchsorted(d, edges), [len(d)]]) for d in documents], dtype=np.intp)
    frequent, distinct = [np.zeros(0, dtype=np.uint64)], 0
    for bucket in range(len(edges) + 1 if len(documents) else 0):
        rows = zip(documents, cuts[:, bucket].tolist(), cuts[:, bucket + 1].tolist(), strict=True)
        found, counts = np.unique(np.concatenate([d[a:b] for d, a, b in rows]), return_counts=True)
        frequent.append(found[counts >= t])
        distinct += len(found)
    return np.concatenate(frequent), distinct


def is_in(hashes: Hashes, table: Hashes) -> Bools:
    """Return which hashes are in a sorted table, shape (len(hashes),); sorting them first keeps look-ups in cache."""
    found = np.zeros(len(hashes), dtype=np.bool_)
    if len(table) and len(hashes):
        order = np.argsort(hashes)
        ordered = hashes[order]
        place = np.minimum(np.searchsorted(table, ordered), len(table) - 1)
        found[order] = table[place] == ordered
    return found


def covered(starts: npt.NDArray[np.integer], n: int) -> Spans:
    """Return the maximal spans that n-grams at the places `starts` (rising) cover, shape (k, 2), end excluded."""
    if not len(starts):
        return np.zeros((0, 2), dtype=np.int64)
    apart = np.flatnonzero(np.diff(starts) > n)
    first, last = np.append(0, apart + 1), np.append(apart, len(starts) - 1)
    return np.stack([starts[first], starts[last] + n], axis=1).astype(np.int64)
