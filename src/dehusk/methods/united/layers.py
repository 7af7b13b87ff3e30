"""The layers of the net, and how they pool over groups of blocks; `net` explains the formulas.

A page of more than `PIECE` blocks is computed piece by piece, so that memory grows with one vector per block and not
with all intermediate products. The values are the same: they are whole numbers (`rounding`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dehusk.methods.united.rounding import STEPS, VECTOR_STEPS, Affine, moved, normalised, rounded

Floats = npt.NDArray[np.float32]

PIECE = 1001 * 16
"""Maximum number of blocks that are computed at once; no page of the open sets has as many.

Rows of as many numbers start in different sets of a processor's caches. Those of a power of two all start in the same
one, so that transposing them takes four times as long.
"""
_EXACT = 1 << 17  # of as many numbers of 7 bits, sums are exact in float32


@dataclass(frozen=True, eq=False)
class Groups:
    """The g groups of all partitions of the blocks, and how to pool values over all of them at once.

    The values are one matrix with a column per partition, flattened: the value of block i for partition j is row
    i * partitions + j. Groups of a single block are not pooled: the mean and the maximum are its value.
    """

    number: npt.NDArray[np.intp]
    """(partitions, b) group of each block in its partition."""
    bounds: list[int]
    """(partitions + 1,) the first group of each partition."""
    lead: npt.NDArray[np.intp]
    """(g,) row of the first block of each group."""
    several: npt.NDArray[np.intp]
    """(m,) the groups of more than one block."""
    rows: npt.NDArray[np.intp]
    """Rows of the blocks of these groups, group by group."""
    start: npt.NDArray[np.intp]
    """(m,) start of each of these groups in `rows`."""
    size: Floats
    """(m, 1) number of blocks of each of these groups."""

    @classmethod
    def of(cls, partitions: Sequence[npt.NDArray[np.intp]]) -> Groups:
        """Sort the groups; of each partition, each number from 0 to the largest has a block."""
        number = np.array(partitions)
        bounds = np.append(0, (number.max(axis=1) + 1).cumsum())
        group = (number + bounds[:-1, None]).ravel()
        order = group.argsort(kind="stable")
        size = np.bincount(group)
        blocks = number.shape[1]
        rows = np.arange(number.size).reshape(blocks, -1).T.ravel().take(order)
        several = (size > 1).nonzero()[0]
        pooled = size.take(several)
        return cls(
            number=number,
            bounds=bounds.tolist(),
            lead=rows.take(size.cumsum() - size),
            several=several,
            rows=rows.compress((size > 1).repeat(size)),
            start=pooled.cumsum() - pooled,
            size=pooled[:, None].astype(np.float32),
        )

    def pool(self, values: Floats) -> Floats:
        """Return the mean and the maximum of each group, shape (g, 2e), of whole numbers, shape (b * partitions, e).

        The numbers are at most `LARGEST`; as bytes, their maxima take less time.
        """
        lead, e = values.take(self.lead, axis=0), values.shape[1]
        pooled = np.concatenate([lead, lead], axis=1)
        del lead
        for first, last in self._portions():
            groups, start = self.several[first:last], self.start[first:last]
            stop = len(self.rows) if last == len(self.several) else self.start[last]
            ordered = values.take(self.rows[start[0] : stop], axis=0)
            pooled[groups, :e] = np.rint(sums_of_runs(ordered, start - start[0]) / self.size[first:last])
            pooled[groups, e:] = np.maximum.reduceat(ordered.astype(np.int8), start - start[0], axis=0)
        return pooled

    def _portions(self) -> list[tuple[int, int]]:
        """Return the bounds of groups, among those of more than one block, that are pooled at once."""
        edges = [0, len(self.several)]
        if self.number.shape[1] > PIECE:
            edges = self.several.searchsorted(self.bounds).tolist()
        return [(first, last) for first, last in pairwise(edges) if first < last]


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer: its linear maps, with the parts of the matrix O, and the distance k."""

    a: Affine
    v: Affine
    o: Affine
    p: Affine
    near: tuple[Floats, Floats, Floats]
    """Each (d, d): the parts of O for z of the block, of the one before it and of the one after it."""
    pools: Floats
    """(pools of all groups, d) the part of O for the groups."""
    distance: int

    @classmethod
    def of(cls, weights: Mapping[str, Floats], number: int) -> Layer:
        """Return a layer of a net."""
        a, v, o = (Affine.of(weights, f"layer.{number}.{name}", steps=STEPS) for name in "avo")
        d = len(a.bias)
        return cls(
            a=a,
            v=v,
            o=o,
            p=Affine.of(weights, f"layer.{number}.p", steps=VECTOR_STEPS),
            near=(o.matrix[:d], o.matrix[d : 2 * d], o.matrix[2 * d : 3 * d]),
            pools=o.matrix[3 * d :],
            distance=int(weights["distances"][number]),
        )

    def update(self, h: Floats, groups: Groups) -> None:
        """Add the layer's output to the vectors of the blocks, shape (b, d), in place."""
        b = len(h)
        if b <= PIECE:
            u = normalised(h)
            pooled = groups.pool(rounded(self.v.apply(u)).reshape(b * len(groups.number), -1))
            h[:] = moved(self._output(u, (0, 0, b), groups, self._seen(pooled, groups)), h)
            return
        values = np.empty((b, len(self.v.bias)), dtype=np.float32)
        for start, stop in pieces(b):
            values[start:stop] = rounded(self.v.apply(normalised(h[start:stop])))
        seen = self._seen(groups.pool(values.reshape(b * len(groups.number), -1)), groups)
        del values
        before = h[:0]  # the vectors before the piece as they were
        for start, stop in pieces(b):
            origin = start - len(before)
            window = np.concatenate([before, h[start : stop + self.distance]])
            before = window[: stop - origin][-self.distance :]
            change = self._output(normalised(window), (origin, start, stop), groups, seen)
            h[start:stop] = moved(change, h[start:stop])

    def _seen(self, pooled: Floats, groups: Groups) -> list[Floats]:
        """Return the pools of each partition: of few groups times the part of O for them, of many as they are."""
        width = pooled.shape[1]
        return [
            pooled[first:last] if last - first > PIECE else pooled[first:last] @ self.pools[j * width : (j + 1) * width]
            for j, (first, last) in enumerate(pairwise(groups.bounds))
        ]

    def _output(self, u: Floats, rows: tuple[int, int, int], groups: Groups, seen: Sequence[Floats]) -> Floats:
        """Return what the layer adds to the vectors of some blocks.

        Args:
            u: normalised vectors of these blocks and of those within the distance.
            rows: the first block in `u`, the first block to compute, and the one after the last.
            groups: the groups of all blocks.
            seen: the pools of each partition, of `_seen`.
        """
        origin, start, stop = rows
        m, left = stop - start, start - origin
        z, (own, before, after) = rounded(self.a.apply(u), 0), self.near
        hidden = z[left : left + m] @ own
        k = min(self.distance, len(u))
        skip = max(k - left, 0)  # blocks without a neighbour before them
        hidden[skip:] += z[left + skip - k : max(left + m - k, 0)] @ before
        following = z[left + k : left + m + k]
        hidden[: len(following)] += following @ after
        taken = np.empty_like(hidden)
        for j, (number, part) in enumerate(zip(groups.number, seen, strict=True)):
            if len(part) > PIECE:
                width = part.shape[1]
                hidden += part.take(number[start:stop], axis=0) @ self.pools[j * width : (j + 1) * width]
            else:
                hidden += part.take(number[start:stop], axis=0, out=taken, mode="clip") if len(part) > 1 else part
        return self.p.apply(rounded(self.o.of_sums(hidden), 0))


def pieces(size: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of runs of at most `PIECE` blocks."""
    for start in range(0, size, PIECE):
        yield start, min(start + PIECE, size)


def sums_of_runs(rows: Floats, start: npt.NDArray[np.intp]) -> Floats:
    """Return the sum of each run of rows of whole numbers.

    As pairs, complex numbers, two columns take the time of one. Sums of more than `_EXACT` rows need float64.
    """
    if len(rows) > _EXACT:
        return np.add.reduceat(rows, start, axis=0, dtype=np.float64).astype(np.float32)
    if rows.shape[1] % 2:
        return np.add.reduceat(rows, start, axis=0)
    return np.add.reduceat(rows.view(np.complex64), start, axis=0).view(np.float32)
