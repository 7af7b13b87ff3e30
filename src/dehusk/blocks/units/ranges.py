"""Ranges of blocks that nest, and what is inside what."""

from dataclasses import dataclass, field

import numpy as np

from dehusk.blocks.units.keys import Indices

INNER = 1 << 60
"""The lowest rank of ranges that are inside every other range of the same blocks."""


@dataclass(frozen=True, eq=False)
class Ranges:
    """Columns of u ranges."""

    kind: Indices
    first: Indices
    """(u,) first block."""
    end: Indices
    """(u,) one past the last block; greater than `first`."""
    node: Indices
    """(u,) node, or -1."""
    rank: Indices
    """(u,) which of several ranges of the same blocks is the outer one: that with the lowest rank."""
    depth: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    """(u,) number of ranges around each; empty before `nest`."""
    parent: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    """(u,) innermost range around each, -1 if there is none; empty before `nest`."""

    @classmethod
    def alike(cls, kind: int, first: Indices, end: Indices, node: Indices, rank: Indices) -> "Ranges":
        """Return ranges of one kind."""
        return cls(np.full(len(first), kind), first, end, node, rank)

    def joined(self, *others: "Ranges") -> "Ranges":
        """Return these and other ranges, not nested yet."""
        parts = (self, *others)
        return Ranges(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("kind", "first", "end", "node", "rank")
            )
        )


def nest(ranges: Ranges) -> Ranges:
    """Return the ranges, of which no two may overlap without one containing the other, outer ones before inner ones."""
    order = ranges.rank.argsort(kind="stable")
    order = order[(ranges.first * (int(ranges.end.max(initial=0)) + 1) - ranges.end)[order].argsort(kind="stable")]
    first, end = ranges.first[order], ranges.end[order]
    index = np.arange(len(order))
    depth = index - np.sort(end).searchsorted(first, "right")
    return Ranges(
        ranges.kind[order],
        first,
        end,
        ranges.node[order],
        ranges.rank[order],
        depth,
        _last_at(depth, depth - 1, index),
    )


def innermost(nested: Ranges, size: int) -> Indices:
    """Return the innermost range around each of `size` blocks, -1 if there is none, shape (size,)."""
    block = np.arange(size)
    started = nested.first.searchsorted(block, "right")
    depth = started - np.sort(nested.end).searchsorted(block, "right")
    return _last_at(nested.depth, depth - 1, started)


def _last_at(depth: Indices, sought: Indices, before: Indices) -> Indices:
    """Return the last index below `before` with the sought depth, shape of `sought`; -1 if the depth is negative."""
    u = len(depth)
    if not u:
        return np.full(len(sought), -1)
    key = np.sort(depth * u + np.arange(u))
    found = key[key.searchsorted(sought * u + before) - 1] % u
    return np.where(sought >= 0, found, -1)
