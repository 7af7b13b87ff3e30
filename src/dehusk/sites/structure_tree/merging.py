"""Merging of groups of tag nodes with similar words (section 3.2, step 3)."""

from collections import OrderedDict
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

_MOST = 32  # groups that a group is compared with, so that the work is never quadratic


@dataclass
class Group:
    """Tag nodes with the same Tag and Attr under the same element."""

    m: int
    """Number of tag nodes."""
    counts: dict[int, int]
    """Key of a word -> number of tag nodes that have it."""
    characteristic: set[int]
    """I, the words that at least a share gamma of the tag nodes has."""


def prefix_length(size: npt.NDArray[np.integer], lambda_: float) -> npt.NDArray[np.int64]:
    """Return how many of the rarest words of each set suffice to find all sets with |A ∩ B| / |A ∪ B| ≥ λ.

    Two sets with that similarity share a word among the first |A| - ⌈λ |A|⌉ + 1 of each, if both are in the same order.

    Args:
        size: number of words of each set.
        lambda_: λ.
    """
    needed: npt.NDArray[np.int64] = np.ceil(lambda_ * size - 1e-9).astype(np.int64)
    return size - needed + 1


def merge_similar(groups: list[Group], gamma: float, lambda_: float) -> list[int]:
    """Merge groups until no two that are compared are similar; modifies the groups.

    Groups are processed in order. A group is merged with the first similar one, into the earlier of the two, and the
    union, with its new characteristic words, is processed again at once. A group is compared only with groups that
    share a rare word with it, rarest words first, and with about 32 groups or fewer.

    Returns:
        For each group the index of the group that it is merged into; its own index if it is not merged.
    """
    pool = _Pool(groups, gamma, lambda_)
    for start in range(len(groups)):
        group = start
        while pool.is_alive(group) and (partner := pool.partner(group)) is not None:
            pool.absorb(min(group, partner), max(group, partner))
            group = min(group, partner)
    return pool.targets()


class _Pool:
    """Groups with an index of their rare words."""

    def __init__(self, groups: list[Group], gamma: float, lambda_: float) -> None:
        self._groups: list[Group] = groups
        self._gamma, self._lambda = gamma, lambda_
        self._into = list(range(len(groups)))
        frequency: dict[int, int] = {}
        for group in groups:
            for word in group.characteristic:
                frequency[word] = frequency.get(word, 0) + 1
        self._frequency = frequency
        self._index: dict[int, OrderedDict[int, None]] = {}
        self._rare: dict[int, list[int]] = {}
        for number in range(len(groups)):
            self._enter(number)

    def is_alive(self, number: int) -> bool:
        """Return whether a group is not merged into another one."""
        return self._into[number] == number

    def partner(self, number: int) -> int | None:
        """Return the first group that is similar to a group; None if there is none."""
        candidates: set[int] = set()
        for word in self._rare[number]:
            candidates.update(islice(self._index[word], _MOST + 1))
            if len(candidates) > _MOST:
                break
        candidates.discard(number)
        words = self._groups[number].characteristic
        for candidate in sorted(candidates):
            other_words = self._groups[candidate].characteristic
            shared = len(words & other_words)
            if shared and shared / (len(words) + len(other_words) - shared) >= self._lambda:
                return candidate
        return None

    def absorb(self, first: int, second: int) -> None:
        """Merge the second group into the first."""
        target, source = self._groups[first], self._groups[second]
        self._leave(first)
        self._leave(second)
        self._into[second] = first
        target.m += source.m
        candidates = target.characteristic | source.characteristic
        small, large = sorted((target.counts, source.counts), key=len)  # moving the smaller one moves few words
        for word, count in small.items():
            large[word] = large.get(word, 0) + count
        target.counts, source.counts = large, {}
        target.characteristic = {word for word in candidates if large[word] / target.m >= self._gamma}
        source.characteristic = set()
        self._enter(first)

    def targets(self) -> list[int]:
        """Return for each group the group that it ends up in."""
        for number, into in enumerate(self._into):
            self._into[number] = self._into[into]  # groups are merged into earlier ones, which are final by now
        return self._into

    def _enter(self, number: int) -> None:
        words = sorted(self._groups[number].characteristic, key=lambda word: (self._frequency[word], word))
        self._rare[number] = words[: int(prefix_length(np.array(len(words)), self._lambda))]
        for word in self._rare[number]:
            self._index.setdefault(word, OrderedDict())[number] = None

    def _leave(self, number: int) -> None:
        for word in self._rare.pop(number):
            del self._index[word][number]
