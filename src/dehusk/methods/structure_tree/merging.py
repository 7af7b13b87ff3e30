"""Merging of groups of tag nodes that say nearly the same (section 3.2, step 3)."""

from collections import OrderedDict
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

_MOST = 32  # groups that one is compared with: no input makes the work quadratic


@dataclass
class Group:
    """Tag nodes with the same Tag and Attr under one element."""

    m: int
    """Tag nodes."""
    counts: dict[int, int]
    """Word -> tag nodes that have it."""
    characteristic: set[int]
    """I, the words that at least gamma of the tag nodes have."""


def prefix_length(size: npt.NDArray[np.integer], lambda_: float) -> npt.NDArray[np.int64]:
    """Return how many words of sets, rarest first, must be looked at to find all pairs with |A ∩ B| / |A ∪ B| ≥ λ.

    Sets that are so similar share a word among the first |A| - ⌈λ |A|⌉ + 1 of each, when both are in the same order.
    """
    needed: npt.NDArray[np.int64] = np.ceil(lambda_ * size - 1e-9).astype(np.int64)
    return size - needed + 1


def merge_similar(groups: list[Group], gamma: float, lambda_: float) -> list[int]:
    """Merge groups until no two that were compared are similar; return for each group the one it became part of.

    Groups are taken in their order; one is merged with the first that is similar, into the earlier of the two, and
    the union, whose characteristic words are found anew, is looked at again at once. A group is compared with those
    that share a rare word with it, with at most about 32, rarest words first. The groups themselves are changed.
    """
    pool = _Pool(groups, gamma, lambda_)
    for start in range(len(groups)):
        group = start
        while pool.alive(group) and (partner := pool.partner(group)) is not None:
            pool.absorb(min(group, partner), max(group, partner))
            group = min(group, partner)
    return pool.became()


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

    def alive(self, number: int) -> bool:
        return self._into[number] == number

    def partner(self, number: int) -> int | None:
        """Return the first group that is similar."""
        near: set[int] = set()
        for word in self._rare[number]:
            near.update(islice(self._index[word], _MOST + 1))
            if len(near) > _MOST:
                break
        near.discard(number)
        mine = self._groups[number].characteristic
        for other in sorted(near):
            theirs = self._groups[other].characteristic
            shared = len(mine & theirs)
            if shared and shared / (len(mine) + len(theirs) - shared) >= self._lambda:
                return other
        return None

    def absorb(self, first: int, second: int) -> None:
        """Merge the second group into the first."""
        one, two = self._groups[first], self._groups[second]
        self._leave(first)
        self._leave(second)
        self._into[second] = first
        one.m += two.m
        candidates = one.characteristic | two.characteristic
        small, large = sorted((one.counts, two.counts), key=len)  # the larger is kept, so that no word moves often
        for word, count in small.items():
            large[word] = large.get(word, 0) + count
        one.counts, two.counts = large, {}
        one.characteristic = {word for word in candidates if large[word] / one.m >= self._gamma}
        two.characteristic = set()
        self._enter(first)

    def became(self) -> list[int]:
        """Return for each group the one that it is part of in the end."""
        for number, into in enumerate(self._into):
            self._into[number] = self._into[into]  # earlier ones are final already
        return self._into

    def _enter(self, number: int) -> None:
        words = sorted(self._groups[number].characteristic, key=lambda word: (self._frequency[word], word))
        self._rare[number] = words[: int(prefix_length(np.array(len(words)), self._lambda))]
        for word in self._rare[number]:
            self._index.setdefault(word, OrderedDict())[number] = None

    def _leave(self, number: int) -> None:
        for word in self._rare.pop(number):
            del self._index[word][number]
