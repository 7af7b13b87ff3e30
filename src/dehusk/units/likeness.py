"""Groups of like siblings: the same parent, and the same signature or nearly the same elements inside."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.page import Bools
from dehusk.units.keys import Indices, Keys, distinct, mix, numbered, run_starts
from dehusk.units.skeleton import Skeleton

ALIKE = 0.6
"""Siblings of one tag whose classes differ are alike if they share this part of the paths that each has below."""

_LEVELS = 3  # levels below a sibling that are compared
_TAG_BITS = np.uint64(16)


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


def like_siblings(tree: Skeleton, eligible: Bools) -> Siblings:
    """Group the eligible elements by parent and signature, then join groups with nearly the same paths below."""
    element = eligible.nonzero()[0]
    key = tree.parent[element] * tree.n_signatures + tree.signature[element]
    lead, group, size = distinct(key)
    paths = _count_paths(tree, element, group)
    of = size[paths.group]
    is_common = 2 * paths.count >= np.where(of == 2, 4, of)  # of two members, both
    total = np.bincount(paths.member, minlength=len(element))
    common = np.bincount(paths.member, weights=is_common[paths.row], minlength=len(element))
    share = np.where(total > 0, common / np.maximum(total, 1), 1.0)
    cohesion = np.bincount(group, weights=share, minlength=len(lead)) / size
    joined = _joined(paths, is_common, _largest(tree, element[lead], size))
    kept = (joined == np.arange(len(joined))).nonzero()[0]  # the largest of its parent and tag is never joined
    group = numbered(joined, len(joined))[group]
    return Siblings(element, group, np.bincount(group, minlength=len(kept)), cohesion[kept])


def _count_paths(tree: Skeleton, element: Indices, group: Indices) -> _Paths:
    member_of = np.full(len(tree), -1)
    member_of[element] = np.arange(len(element))
    tag, inner = tree.tag.astype(np.uint64), np.arange(len(tree))
    path, outer = tag, tree.parent
    members, paths = [], []
    for level in range(1, _LEVELS + 1):
        member = np.where(outer >= 0, member_of[outer], -1)
        found = member >= 0
        members.append(member[found])
        paths.append(path[found])
        inside = outer >= 0
        inner, path, outer = inner[inside], path[inside], outer[inside]
        path = path | (tag[outer] << (_TAG_BITS * np.uint64(level)))
        outer = tree.parent[outer]
    member, path = np.concatenate(members), np.concatenate(paths)
    row, _, _ = distinct(mix(path, member))
    of_row, path = group[member[row]], path[row]
    key = mix(path, of_row)
    lead, of_pair, count = distinct(key)
    return _Paths(key[lead], of_row[lead], path[lead], count, member[row], of_pair)


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
