"""Top-down construction of the compressed structure tree from all pages of a site (section 3.2, steps 1 to 4).

All pages are worked on together, one level after the other. A group of tag nodes is first those that are the i-th
child of tag nodes of one element with one presentation style; its key is a hash of just these three. Groups that are
merged take the key of the first of them. What was merged is remembered as `Aliases`, so that any page, one of the
site's or a new one, finds its elements by hashing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.caching import cached_property
from dehusk.methods.structure_tree.merging import Group, merge_similar, prefix_length
from dehusk.site.hashing import Keys, mix, pair_keys
from dehusk.site.table import Table
from dehusk.site.tag_tree import LEAF, ROOT, TagNodes


@dataclass(frozen=True, eq=False)
class Aliases:
    """Which groups were merged into which."""

    group: Keys
    """(a,) keys of groups that became part of another, rising."""
    into: Keys
    """(a,) key of the group that each became part of."""

    def __len__(self) -> int:
        return len(self.group)

    def resolve(self, keys: Keys) -> Keys:
        """Return the keys of the elements that groups are part of, shape unchanged."""
        if not len(self):
            return keys
        row = np.minimum(np.searchsorted(self.group, keys), len(self) - 1)
        return np.where(self.group[row] == keys, self.into[row], keys)


class TagForest:
    """The tag nodes of one or more pages in one row; t tag nodes, o pairs of a leaf and a different word in it."""

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
        found = [nodes.occurrences for nodes in pages]
        self.holder = np.concatenate([leaf + start for (leaf, _, _), start in zip(found, self.first, strict=True)])
        """(o,) the leaf; rises."""
        self.word = np.concatenate([word for _, word, _ in found])
        """(o,) key of the word."""

    @cached_property
    def levels(self) -> list[npt.NDArray[np.intp]]:
        """The tag nodes of each level in the order of pages and documents, the roots' level first."""
        order = np.argsort(self.level, kind="stable")
        return np.split(order, np.searchsorted(self.level[order], np.arange(1, int(self.level.max()) + 1)))

    def groups(self, rows: npt.NDArray[np.intp], keys: Keys) -> Keys:
        """Return the key of the group of each tag node of a level, given the keys of the elements above."""
        above = self.parent[rows]
        place = pair_keys(self.label[rows], self.index[rows].astype(np.uint64))
        return pair_keys(pair_keys(keys[above], self.style[above]), place)

    def words_of(self, rows: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], Keys]:
        """Return the different words below each of some tag nodes: (place in `rows`, key of the word)."""
        start, end = np.searchsorted(self.holder, rows), np.searchsorted(self.holder, self.end[rows])
        size = end - start
        owner = np.repeat(np.arange(len(rows)), size)
        word = self.word[np.repeat(start - np.cumsum(size) + size, size) + np.arange(int(size.sum()))]
        _, kept = np.unique(pair_keys(owner.astype(np.uint64), word), return_index=True)
        return owner[kept], word[kept]


def merge_pages(pages: Sequence[TagNodes], gamma: float, lambda_: float) -> tuple[list[Keys], Aliases]:
    """Merge the pages of one site from top to bottom.

    Args:
        pages: tag nodes of at least one page; where merging depends on an order, it is theirs.
        gamma: share of a group's tag nodes that must have a word to make it characteristic.
        lambda_: Jaccard similarity of characteristic words from which groups are merged.

    Returns:
        For each page the keys of the elements of its tag nodes, shape (t,); and what was merged.
    """
    forest = TagForest(pages)
    keys = np.full(len(forest.kind), ROOT, dtype=np.uint64)
    merged: list[tuple[Keys, Keys]] = []
    for rows in forest.levels[1:]:
        level = _Level(forest, rows, keys, gamma, lambda_)
        merged.append(level.merge())
        keys[rows] = _with_kind(level.element, forest.kind[rows])
    group = np.concatenate([pair[0] for pair in merged]) if merged else np.zeros(0, dtype=np.uint64)
    into = np.concatenate([pair[1] for pair in merged]) if merged else group
    order = np.argsort(group)
    return np.split(keys, forest.first[1:]), Aliases(group[order], into[order])


def element_keys(nodes: TagNodes, aliases: Aliases) -> Keys:
    """Return the key of the element of each tag node of one page, shape (t,), in a tree that was built."""
    forest = TagForest([nodes])
    keys = np.full(len(nodes), ROOT, dtype=np.uint64)
    for rows in forest.levels[1:]:
        keys[rows] = _with_kind(aliases.resolve(forest.groups(rows, keys)), forest.kind[rows])
    return keys


class _Level:
    """The groups of one level of a site, while they are merged; r tag nodes, g groups in document order."""

    def __init__(self, forest: TagForest, rows: npt.NDArray[np.intp], keys: Keys, gamma: float, lambda_: float) -> None:
        self.forest, self.rows, self.gamma, self.lambda_ = forest, rows, gamma, lambda_
        found, first, inverse, size = np.unique(
            forest.groups(rows, keys), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.argsort(order)
        self.key = found[order]
        """(g,) key of each group."""
        self.size = size[order]
        """(g,) tag nodes of each."""
        self.group = rank[inverse]
        """(r,) group of each tag node."""
        heads = rows[first[order]]
        parents = keys[forest.parent[heads]]
        self.rivalry = np.unique(pair_keys(parents, forest.label[heads]), return_inverse=True)[1]
        """(g,) groups with the same number may be merged: they share Tag, Attr and the element above."""
        self.into = np.arange(len(self.key))
        """(g,) the group that each is part of."""

    @property
    def element(self) -> Keys:
        """(r,) key of the element of each tag node."""
        return self.key[self.into[self.group]]

    def merge(self) -> tuple[Keys, Keys]:
        """Merge what can be merged; return keys of groups that became part of another, and of these others."""
        rivals = np.bincount(self.rivalry)[self.rivalry] > 1
        if rivals.any():
            counts = self._word_counts(rivals)
            chosen = counts.where(counts.counts / self.size[counts.keys[:, 0].astype(np.intp)] >= self.gamma)
            self._merge_equal(chosen)
            if self.lambda_ < 1:
                self._merge_near(counts, chosen)
        moved = np.flatnonzero(self.into != np.arange(len(self.into)))
        return self.key[moved], self.key[self.into[moved]]

    def _word_counts(self, rivals: npt.NDArray[np.bool_]) -> Table:
        """Return (group, word) -> tag nodes of the group that have the word, for groups that have a rival."""
        members = np.flatnonzero(rivals[self.group])
        owner, word = self.forest.words_of(self.rows[members])
        return Table.of(self.group[members[owner]].astype(np.uint64), word)

    def _merge_equal(self, chosen: Table) -> None:
        """Merge groups with the same characteristic words; the union has the same ones, so the order is of no matter.

        Sets are compared by the sum of their words' hashes: n groups take n steps however many are equal.
        """
        groups = chosen.keys[:, 0].astype(np.intp)
        sums = np.zeros(len(self.key), dtype=np.uint64)
        np.add.at(sums, groups, mix(chosen.keys[:, 1]))
        filled = np.unique(groups)
        same = pair_keys(self.rivalry[filled].astype(np.uint64), sums[filled])
        _, first, inverse = np.unique(same, return_index=True, return_inverse=True)
        self.into[filled] = filled[first][inverse]

    def _merge_near(self, counts: Table, chosen: Table) -> None:
        """Merge groups whose characteristic words are nearly the same, class of rivals by class."""
        group = chosen.keys[:, 0].astype(np.intp)
        size = np.bincount(group, minlength=len(self.key))
        # Two different sets, one of them of s words, are at most s / (s + 1) similar.
        able = (self.into[group] == group) & (size[group] / (size[group] + 1) >= self.lambda_)
        group, word = group[able], chosen.keys[able, 1]
        near = self._near_classes(group, word, size)
        touched = near[self.rivalry[counts.keys[:, 0].astype(np.intp)]]
        into = self.into[counts.keys[touched, 0].astype(np.intp)].astype(np.uint64)
        united = Table.of(into, counts.keys[touched, 1], counts=counts.counts[touched])
        members = np.unique(group[near[self.rivalry[group]]])
        tag_nodes = np.bincount(self.into, weights=self.size).astype(np.int64)
        made = [_group(united, int(one), int(tag_nodes[one]), self.gamma) for one in members.tolist()]
        order = np.argsort(self.rivalry[members], kind="stable")
        begins = np.flatnonzero(np.diff(self.rivalry[members][order], prepend=-1))
        into_of = np.arange(len(self.key))
        for places in np.split(order, begins[1:]) if len(order) else []:
            became = merge_similar([made[one] for one in places.tolist()], self.gamma, self.lambda_)
            into_of[members[places]] = members[places][became]
        self.into = into_of[self.into]

    def _near_classes(
        self, group: npt.NDArray[np.intp], word: Keys, size: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Return in which classes of rivals two groups share one of their rarest words; no others can be similar."""
        both = pair_keys(self.rivalry[group].astype(np.uint64), word)
        _, inverse, frequency = np.unique(both, return_inverse=True, return_counts=True)
        order = np.lexsort((word, frequency[inverse], group))
        begins = np.flatnonzero(np.diff(group[order], prepend=-1))
        place = np.arange(len(order)) - np.repeat(begins, np.diff(np.append(begins, len(order))))
        rare = order[place < prefix_length(size[group[order]], self.lambda_)]
        shared = np.bincount(inverse[rare], minlength=len(frequency)) > 1
        near = np.zeros(int(self.rivalry.max()) + 1, dtype=np.bool_)
        near[self.rivalry[group[rare[shared[inverse[rare]]]]]] = True
        return near


def _group(united: Table, number: int, m: int, gamma: float) -> Group:
    rows = slice(*np.searchsorted(united.keys[:, 0], np.array([number, number + 1], dtype=np.uint64)).tolist())
    counts = dict(zip(united.keys[rows, 1].tolist(), united.counts[rows].tolist(), strict=True))
    return Group(m, counts, {word for word, count in counts.items() if count / m >= gamma})


def _with_kind(keys: Keys, kind: npt.NDArray[np.uint8]) -> Keys:
    """Return the keys of elements: the leaves among merged tag nodes are an element of their own."""
    return np.where(kind == LEAF, pair_keys(keys, kind.astype(np.uint64)), keys)
