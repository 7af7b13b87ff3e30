"""Importance of elements and entropy of words, from the counts of a site (section 3.3, equations 1 to 4)."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.hashing import Keys, pair_keys
from dehusk.counts.structure_counts import StructureCounts
from dehusk.counts.tag_tree import INNER, ROOT
from dehusk.read.page import Ints

Reals = npt.NDArray[np.float64]

_ROUNDING = 1e-12
"""Entropies this near to 1 are 1, so that words that all tag nodes have alike weigh exactly 0. A word that only one of
a million tag nodes lacks has an entropy of 1 - 7e-8."""


@dataclass(frozen=True, eq=False)
class StructureTree:
    """The compressed structure tree of one site; e elements, sorted by key."""

    pages: int
    key: Keys
    """(e,) key of each element."""
    parent: Ints
    """(e,) index of the parent element, -1 for the root."""
    label: Keys
    """(e,) key of Tag and Attr; `names` has the text."""
    kind: npt.NDArray[np.uint8]
    """(e,) `INNER`, `LEAF` or `OWN_TEXT` of `dehusk.counts.tag_tree`."""
    m: npt.NDArray[np.int64]
    """(e,) |E.TAGs|, the number of tag nodes merged into the element."""
    styles: npt.NDArray[np.int64]
    """(e,) |E.STYLEs|, the number of distinct presentation styles; 0 for leaves."""
    features: npt.NDArray[np.int64]
    """(e,) N, the number of distinct words in a leaf; 0 for inner elements."""
    node_importance: Reals
    """(e,) NodeImp(E), 0 to 1."""
    path_importance: Reals
    """(e,) PathImp(E), 0 to 1; at least the parent's."""
    level: Ints
    """(e,) number of elements above each."""
    pairs: Keys
    """(h,) keys of (leaf, word), ascending; only pairs with an entropy above 0."""
    entropy: Reals
    """(h,) H_E(a) of each of `pairs`."""
    names: dict[int, str] = field(repr=False)
    """Label -> Tag and Attr as readable text."""

    def __len__(self) -> int:
        return len(self.key)

    @cached_property
    def levels(self) -> list[npt.NDArray[np.intp]]:
        """The elements of each level, the root first."""
        return _by_level(self.level)

    def rows(self, keys: Keys) -> npt.NDArray[np.intp]:
        """Return the indices of elements by key, shape unchanged; -1 for elements that are not in the tree."""
        row = np.minimum(np.searchsorted(self.key, keys), len(self) - 1)
        return np.where(self.key[row] == keys, row, -1)

    def entropies(self, elements: Keys, words: Keys) -> Reals:
        """Return H_E(a) of each word in its leaf element, shape (w,); 0 for pairs that no page of the site has."""
        if not len(self.pairs):
            return np.zeros(len(words))
        keys = pair_keys(elements, words)
        row = np.minimum(np.searchsorted(self.pairs, keys), len(self.pairs) - 1)
        return np.where(self.pairs[row] == keys, self.entropy[row], 0.0)

    def weights(self, elements: Keys, words: Keys) -> Reals:
        """Return PathImp(E) (1 - H_E(a)) of each word in its leaf element, shape (w,): equation 5 without f.

        Unknown elements count as if they had one tag node: PathImp is 1.
        """
        row = self.rows(elements)
        return np.where(row >= 0, self.path_importance[row], 1.0) * (1.0 - self.entropies(elements, words))


def grow_tree(counts: StructureCounts) -> StructureTree:
    """Build the tree of a site; entropies of 0 are dropped.

    Args:
        counts: counts of one or more pages.
    """
    keys, parents, label, kind = counts.elements.keys.T
    m = counts.elements.counts
    parent = np.where(keys == ROOT, -1, np.searchsorted(keys, parents)).astype(np.int32)
    styles, imp = _style_importance(counts, keys, m)
    features, leaf_imp, pairs, entropy = _leaf_importance(counts, keys, m)
    imp = np.where(kind == INNER, imp, leaf_imp)
    levels = _levels(parent)
    return StructureTree(
        pages=counts.pages,
        key=np.ascontiguousarray(keys),
        parent=parent,
        label=label,
        kind=kind.astype(np.uint8),
        m=m,
        styles=styles,
        features=features,
        node_importance=imp,
        path_importance=_path_importance(imp, parent, levels),
        level=levels,
        pairs=pairs,
        entropy=entropy,
        names=counts.names,
    )


def _style_importance(
    counts: StructureCounts, keys: Keys, m: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], Reals]:
    """Return |E.STYLEs| and NodeImp of inner elements, each (e,), by equation 1: -Σ p_i log_m p_i, 1 if m = 1."""
    element = np.searchsorted(keys, counts.styles.keys[:, 0])
    p = counts.styles.counts / m[element]
    entropy = np.bincount(element, weights=-p * np.log(p), minlength=len(keys))
    imp = np.where(m > 1, entropy / np.log(np.maximum(m, 2)), 1.0)
    return np.bincount(element, minlength=len(keys)), np.clip(imp, 0.0, 1.0)


def _leaf_importance(
    counts: StructureCounts, keys: Keys, m: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], Reals, Keys, Reals]:
    """Compute equations 2 and 3: H_E(a) of each word in each leaf, and 1 - their mean; 0 for leaves without words.

    With tf the occurrences of a word in a tag node and TF their sum, p_ij = tf_ij / TF and
    H = (ln TF - Σ tf ln tf / TF) / ln m.

    Returns:
        N, shape (e,); NodeImp, shape (e,); and for entropies above 0 the keys of (leaf, word) and the entropies.
    """
    rows, nodes = counts.words.keys, counts.words.counts
    leaf, word, tf = rows[:, 0], rows[:, 1], rows[:, 2].astype(np.float64)
    first = np.flatnonzero(np.append(True, (rows[1:, :2] != rows[:-1, :2]).any(axis=1))[: len(rows)])
    element = np.searchsorted(keys, leaf[first])
    if not len(first):
        none = np.zeros(len(keys))
        return none.astype(np.int64), none, np.zeros(0, dtype=np.uint64), np.zeros(0)
    total = np.add.reduceat(tf * nodes, first)
    spread = np.add.reduceat(tf * np.log(tf) * nodes, first)
    shared = np.add.reduceat(nodes, first) > 1  # the entropy of a word in one tag node is 0, whatever rounding gives
    entropy = np.where(shared, (np.log(total) - spread / total) / np.log(np.maximum(m[element], 2)), 0.0)
    entropy = np.where(entropy > 1.0 - _ROUNDING, 1.0, np.maximum(entropy, 0.0))
    features = np.bincount(element, minlength=len(keys))
    imp = np.where(features > 0, 1 - np.bincount(element, entropy, len(keys)) / np.maximum(features, 1), 0.0)
    kept = np.flatnonzero(entropy > 0)
    pairs = pair_keys(leaf[first[kept]], word[first[kept]])
    order = np.argsort(pairs)
    return features, np.clip(imp, 0.0, 1.0), pairs[order], entropy[kept][order]


def _levels(parent: Ints) -> Ints:
    """Return the number of elements above each, shape (e,), with pointers that double their distance at each step."""
    pointer = np.append(np.where(parent < 0, len(parent), parent), len(parent))
    level = np.append((parent >= 0).astype(np.int32), np.int32(0))
    for _ in range(len(parent).bit_length()):
        level += level[pointer]
        pointer = pointer[pointer]
    return level[:-1]


def _by_level(level: Ints) -> list[npt.NDArray[np.intp]]:
    order = np.argsort(level, kind="stable")
    return np.split(order, np.searchsorted(level[order], np.arange(1, int(level.max()) + 1)))


def _path_importance(imp: Reals, parent: Ints, level: Ints) -> Reals:
    """Return equation 4: 1 - Π (1 - NodeImp) over each element and all elements above it, shape (e,)."""
    rest = 1.0 - imp
    for rows in _by_level(level)[1:]:
        rest[rows] *= rest[parent[rows]]
    return 1.0 - rest
