"""Groups of like siblings: the same parent, and the same signature or nearly the same elements inside."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks.units.keys import Indices, Keys, mix, run_starts
from dehusk.blocks.units.skeleton import Skeleton
from dehusk.read.page import Bools

ALIKE = 0.6
"""Siblings of one tag whose classes differ are alike if they share this part of the paths that each has below."""

_LEVELS = 3  # levels below a sibling that are compared


@dataclass(frozen=True, eq=False)
class Siblings:
    """Groups of s elements with the same parent that are alike."""

    element: Indices
    """(s,) the elements, in document order."""
    group: Indices
    """(s,) group of each of them."""
    size: Indices
    """(g,) members of each group."""
    cohesion: npt.NDArray[np.float64]
    """(g,) mean over the members of the share of the paths below that half or more of the members have."""


@dataclass(frozen=True, eq=False)
class _Paths:
    """The distinct paths of tags below the members of each group: one row per group and path."""

    key: Keys
    """Hash of group and path, ascending."""
    group: Indices
    path: Keys
    count: Indices
    """Members of the group with the path."""
    member: Indices
    """Member of each distinct pair of member and path."""
    row: Indices
    """Row of group and path for each of these pairs."""


def _largest(tree: Skeleton, lead: Indices, size: Indices) -> Indices:
    """Return for each group the largest group of its parent and tag, the first of equals, shape (g,)."""
    kind = tree.parent[lead] * tree.n_tags + tree.tag[lead]
    order = np.lexsort((lead, -size, kind))
    starts = run_starts(kind[order])
    largest = np.empty_like(order)
    largest[order] = order[np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))]
    return largest


def _joined(paths: _Paths, is_common: Bools, largest: Indices) -> Indices:
    """Return for each group the group that it belongs to: the largest of its parent and tag if alike, (g,)."""
    group, path = paths.group[is_common], paths.path[is_common]
    commons = paths.key[is_common]
    number = np.bincount(group, minlength=len(largest))
    if not len(commons):
        return np.arange(len(largest))
    sought = mix(path, largest[group])
    found = commons[np.minimum(commons.searchsorted(sought), len(commons) - 1)] == sought
    shared = np.bincount(group, weights=found, minlength=len(largest))
    alike = (number > 1) & (shared >= ALIKE * np.maximum(number, number[largest]))
    return np.where(alike, largest, np.arange(len(largest)))
