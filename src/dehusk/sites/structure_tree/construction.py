"""Top-down construction of the compressed structure tree from all pages of a site (section 3.2, steps 1 to 4).

All pages advance together, one level of their trees at a time. Tag nodes form a group if they are the i-th child of tag
nodes with the same presentation style in the same element; the key of the group is a hash of these three facts. Groups
are then merged if their words are similar, and a merged group takes the key of the first one. `Aliases` records the
merges, so that the elements of any page, one of the site's or a new one, are found by hashing.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.hashing import Keys, mix, pair_keys
from dehusk.counts.table import Table
from dehusk.counts.tag_tree import LEAF, ROOT, TagNodes
from dehusk.read.page import Bools

# ---------------------------------------------------------------- merging
# Merging of groups of tag nodes with similar words (section 3.2, step 3).

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


# ---------------------------------------------------------------- construction

Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Aliases:
    """The groups that were merged into other groups."""

    group: Keys
    """(a,) keys of the groups, ascending."""
    into: Keys
    """(a,) key of the group that each was merged into."""

    def __len__(self) -> int:
        return len(self.group)

    def resolve(self, keys: Keys) -> Keys:
        """Return the keys of the elements that groups belong to, shape unchanged."""
        if not len(self):
            return keys
        row = np.minimum(np.searchsorted(self.group, keys), len(self) - 1)
        return np.where(self.group[row] == keys, self.into[row], keys)


class TagForest:
    """The t tag nodes of one or more pages, concatenated, with o pairs of a leaf and a distinct word in it."""

    def __init__(self, pages: Sequence[TagNodes]) -> None:
        sizes = np.array([len(nodes) for nodes in pages])
        self.first = (np.cumsum(sizes) - sizes).tolist()
        """Number of each page's root."""
        shift = np.repeat(self.first, sizes)
        self.parent = np.concatenate([nodes.parent for nodes in pages]) + shift
        self.end = np.concatenate([nodes.end for nodes in pages]) + shift
        self.kind = np.concatenate([nodes.kind for nodes in pages])
        self.label = np.concatenate([nodes.label for nodes in pages])
        self.style = np.concatenate([nodes.style for nodes in pages])
        self.index = np.concatenate([nodes.index for nodes in pages])
        self.level = np.concatenate([nodes.level for nodes in pages])
        occurrences = [nodes.word_occurrences for nodes in pages]
        leaves = [leaf + start for (leaf, _, _), start in zip(occurrences, self.first, strict=True)]
        self.holder = np.concatenate(leaves)
        """(o,) the leaf, ascending."""
        self.word = np.concatenate([word for _, word, _ in occurrences])
        """(o,) key of the word."""

    @cached_property
    def levels(self) -> list[Indices]:
        """The tag nodes of each level, from the roots down; within a level in the order of pages and documents."""
        order = np.argsort(self.level, kind="stable")
        return np.split(order, np.searchsorted(self.level[order], np.arange(1, int(self.level.max()) + 1)))

    def groups(self, rows: Indices, keys: Keys) -> Keys:
        """Return the key of the group of each tag node of a level, given the element keys of the levels above."""
        above = self.parent[rows]
        position = pair_keys(self.label[rows], self.index[rows].astype(np.uint64))
        return pair_keys(pair_keys(keys[above], self.style[above]), position)

    def words_of(self, rows: Indices) -> tuple[Indices, Keys]:
        """Return the distinct words at or below tag nodes, as pairs of columns: index into `rows`, key of the word."""
        start, end = np.searchsorted(self.holder, rows), np.searchsorted(self.holder, self.end[rows])
        size = end - start
        owner = np.repeat(np.arange(len(rows)), size)
        word = self.word[np.repeat(start - np.cumsum(size) + size, size) + np.arange(int(size.sum()))]
        _, first = np.unique(pair_keys(owner.astype(np.uint64), word), return_index=True)
        return owner[first], word[first]


def merge_pages(pages: Sequence[TagNodes], gamma: float, lambda_: float) -> tuple[list[Keys], Aliases]:
    """Merge the pages of a site into elements, from top to bottom.

    Args:
        pages: tag nodes of one or more pages; merges that depend on an order follow this one.
        gamma: a word is characteristic of a group if at least this share of its tag nodes has it.
        lambda_: groups are merged if the Jaccard similarity of their characteristic words is at least this.

    Returns:
        The element keys of each page's tag nodes, shape (t,) per page; and the merges.
    """
    forest = TagForest(pages)
    keys = np.full(len(forest.kind), ROOT, dtype=np.uint64)
    merges: list[tuple[Keys, Keys]] = []
    for rows in forest.levels[1:]:
        level = _Level(forest, rows, keys, gamma, lambda_)
        merges.append(level.merge())
        keys[rows] = _with_kind(level.element, forest.kind[rows])
    group = np.concatenate([merged for merged, _ in merges]) if merges else np.zeros(0, dtype=np.uint64)
    into = np.concatenate([target for _, target in merges]) if merges else group
    order = np.argsort(group)
    return np.split(keys, forest.first[1:]), Aliases(group[order], into[order])


def element_keys(nodes: TagNodes, aliases: Aliases) -> Keys:
    """Return the element key of each tag node of a page, shape (t,), given the merges of its site."""
    forest = TagForest([nodes])
    keys = np.full(len(nodes), ROOT, dtype=np.uint64)
    for rows in forest.levels[1:]:
        keys[rows] = _with_kind(aliases.resolve(forest.groups(rows, keys)), forest.kind[rows])
    return keys


class _Level:
    """The groups of one level of a site while they are merged: r tag nodes, g groups in document order.

    Only groups of the same family can be merged: those that share Tag, Attr and the element above.
    """

    def __init__(self, forest: TagForest, rows: Indices, keys: Keys, gamma: float, lambda_: float) -> None:
        self.forest, self.rows, self.gamma, self.lambda_ = forest, rows, gamma, lambda_
        group_keys, first, inverse, size = np.unique(
            forest.groups(rows, keys), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.argsort(order)
        self.key = group_keys[order]
        """(g,) key of each group."""
        self.size = size[order]
        """(g,) number of tag nodes in each group."""
        self.group = rank[inverse]
        """(r,) group of each tag node."""
        heads = rows[first[order]]
        parents = keys[forest.parent[heads]]
        self.family = np.unique(pair_keys(parents, forest.label[heads]), return_inverse=True)[1]
        """(g,) number of each group's family."""
        self.into = np.arange(len(self.key))
        """(g,) the group that each group is merged into; itself if it is not merged."""

    @property
    def element(self) -> Keys:
        """(r,) element key of each tag node."""
        return self.key[self.into[self.group]]

    def merge(self) -> tuple[Keys, Keys]:
        """Merge groups; return the keys of those merged into another group, and of these other groups."""
        has_relatives = np.bincount(self.family)[self.family] > 1
        if has_relatives.any():
            counts = self._word_counts(has_relatives)
            characteristic = counts.select(counts.counts / self.size[_groups_of(counts)] >= self.gamma)
            self._merge_equal(characteristic)
            if self.lambda_ < 1:
                self._merge_similar(counts, characteristic)
        merged = np.flatnonzero(self.into != np.arange(len(self.into)))
        return self.key[merged], self.key[self.into[merged]]

    def _word_counts(self, chosen: Bools) -> Table:
        """Return (group, word) -> number of the group's tag nodes that have the word, for chosen groups."""
        members = np.flatnonzero(chosen[self.group])
        owner, word = self.forest.words_of(self.rows[members])
        return Table.of(self.group[members[owner]].astype(np.uint64), word)

    def _merge_equal(self, characteristic: Table) -> None:
        """Merge groups with the same characteristic words; the order is irrelevant, as the union has the same ones.

        Sets are compared by the sum of their words' hashes, so n groups take n steps, however many are equal.
        """
        groups = _groups_of(characteristic)
        sums = np.zeros(len(self.key), dtype=np.uint64)
        np.add.at(sums, groups, mix(characteristic.keys[:, 1]))
        nonempty = np.unique(groups)
        same = pair_keys(self.family[nonempty].astype(np.uint64), sums[nonempty])
        _, first, inverse = np.unique(same, return_index=True, return_inverse=True)
        self.into[nonempty] = nonempty[first][inverse]

    def _merge_similar(self, counts: Table, characteristic: Table) -> None:
        """Merge groups with similar characteristic words, one family after the other."""
        group, word = self._comparable(characteristic)
        is_family_chosen = self._families_with_shared_rare_words(group, word)
        members = np.unique(group[is_family_chosen[self.family[group]]])
        groups = self._groups(members, counts.select(is_family_chosen[self.family[_groups_of(counts)]]))
        into = np.arange(len(self.key))
        for indices in _indices_by_value(self.family[members]):
            targets = merge_similar([groups[index] for index in indices.tolist()], self.gamma, self.lambda_)
            into[members[indices]] = members[indices[targets]]
        self.into = into[self.into]

    def _comparable(self, characteristic: Table) -> tuple[Indices, Keys]:
        """Return group and word of each row of a table, for the groups that can be similar to another one.

        Groups that were merged into another are left out, and those with few words: two different sets, one of them of
        s words, have a Jaccard similarity of s / (s + 1) or less.
        """
        group = _groups_of(characteristic)
        size = np.bincount(group, minlength=len(self.key))
        is_comparable = (self.into[group] == group) & (size[group] / (size[group] + 1) >= self.lambda_)
        return group[is_comparable], characteristic.keys[is_comparable, 1]

    def _families_with_shared_rare_words(self, group: Indices, word: Keys) -> Bools:
        """Return for each family whether two of its groups share one of their rarest words; otherwise none is similar.

        Args:
            group: group of each pair of a group and one of its characteristic words.
            word: key of the word of each pair.
        """
        size = np.bincount(group, minlength=len(self.key))
        word_in_family = pair_keys(self.family[group].astype(np.uint64), word)
        _, inverse, frequency = np.unique(word_in_family, return_inverse=True, return_counts=True)
        order = np.lexsort((word, frequency[inverse], group))  # the words of each group, the rarest first
        starts = np.flatnonzero(np.diff(group[order], prepend=-1))
        rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
        rare = order[rank < prefix_length(size[group[order]], self.lambda_)]
        is_shared = np.bincount(inverse[rare], minlength=len(frequency)) > 1
        families = np.zeros(int(self.family.max()) + 1, dtype=np.bool_)
        families[self.family[group[rare[is_shared[inverse[rare]]]]]] = True
        return families

    def _groups(self, members: Indices, counts: Table) -> list[Group]:
        """Return groups with their words, including what was merged into them.

        Args:
            members: the groups.
            counts: (group, word) -> number of the group's tag nodes that have the word.
        """
        target = self.into[_groups_of(counts)].astype(np.uint64)
        totals = Table.of(target, counts.keys[:, 1], counts=counts.counts)
        tag_nodes = np.bincount(self.into, weights=self.size).astype(np.int64)[members]
        rows = np.searchsorted(totals.keys[:, 0], np.stack([members, members + 1]).astype(np.uint64)).T
        return [
            _group(totals, first, end, m, self.gamma)
            for (first, end), m in zip(rows.tolist(), tag_nodes.tolist(), strict=True)
        ]


def _group(counts: Table, first: int, end: int, m: int, gamma: float) -> Group:
    """Return the group of m tag nodes whose words are the rows from `first` to `end` (excluded) of a table."""
    words, tag_nodes = counts.keys[first:end, 1].tolist(), counts.counts[first:end].tolist()
    frequency = dict(zip(words, tag_nodes, strict=True))
    return Group(m, frequency, {word for word, count in frequency.items() if count / m >= gamma})


def _groups_of(counts: Table) -> Indices:
    """Return the first column of a table of (group, word)."""
    return counts.keys[:, 0].astype(np.intp)


def _indices_by_value(values: npt.NDArray[np.integer]) -> list[Indices]:
    """Return for each distinct value the indices at which it occurs, in ascending order."""
    if not len(values):
        return []
    order = np.argsort(values, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(values[order])) + 1)


def _with_kind(keys: Keys, kind: npt.NDArray[np.uint8]) -> Keys:
    """Return element keys in which the leaves among merged tag nodes form an element of their own."""
    return np.where(kind == LEAF, pair_keys(keys, kind.astype(np.uint64)), keys)
