"""Weights of the words of a page (section 3.3, equation 5), and the scores of its blocks."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.hashing import Keys
from dehusk.counts.tag_tree import TagNodes
from dehusk.read.page import Ints
from dehusk.sites.structure_tree.importance import Reals, StructureTree


@dataclass(frozen=True, eq=False)
class LeafWords:
    """The o distinct words of each leaf of a page: all that its vector depends on, in 24 bytes a word."""

    site: str
    element: Keys
    """(o,) key of the element of the leaf."""
    word: Keys
    """(o,) key of the word."""
    count: npt.NDArray[np.int64]
    """(o,) number of its occurrences in the leaf, f in the paper."""

    @classmethod
    def of(cls, nodes: TagNodes, keys: Keys, site: str) -> "LeafWords":
        """Return the words of a page with t tag nodes; `keys` are those of their elements, shape (t,)."""
        leaf, word, count = nodes.occurrences
        return cls(site, keys[leaf], word, count)


@dataclass(frozen=True, eq=False)
class WordWeights:
    """The weights of the w words of a page with t tag nodes and b blocks, by the tree of its site.

    Elements and words that no learned page has count as if they were on one page (m = 1): an unknown element has
    NodeImp and PathImp 1, a word that is new in its leaf has entropy 0.
    """

    tree: StructureTree
    nodes: TagNodes
    """Tag nodes of the page, with the same virtual leaves as those of the tree."""
    keys: Keys
    """(t,) key of the element of each tag node."""

    @cached_property
    def element(self) -> npt.NDArray[np.intp]:
        """(t,) index of the element of each tag node in the tree, -1 if the tree does not have it."""
        return self.tree.rows(self.keys)

    @cached_property
    def node_importance(self) -> Reals:
        """(t,) NodeImp of the element of each tag node."""
        return np.where(self.element >= 0, self.tree.node_importance[self.element], 1.0)

    @cached_property
    def weight(self) -> Reals:
        """(w,) weight of each word occurrence, PathImp(E) (1 - H_E(a)), 0 to 1.

        The paper's W_E(a, T) is the sum over the f occurrences of a in the tag node T; see `of_leaves`.
        """
        return self.tree.weights(self.keys[self.nodes.holder], self.nodes.terms.key)

    def of_blocks(self) -> Reals:
        """Return the mean weight of the words of each block, shape (b,); 0 for blocks without words."""
        return self._block_means(self.weight)

    def importance_of_blocks(self) -> Reals:
        """Return the mean NodeImp of the leaves of each block's words, shape (b,); 0 for blocks without words."""
        return self._block_means(self.node_importance[self.nodes.holder])

    def _block_means(self, values: Reals) -> Reals:
        words = self.nodes.terms
        b = len(words.blocks)
        size = np.bincount(words.block, minlength=b)
        return np.bincount(words.block, weights=values, minlength=b) / np.maximum(size, 1)

    def reasons(self) -> list[str]:
        """Return for each block its importance and weight, and how common the element of its first word is."""
        words, tree = self.nodes.terms, self.tree
        importance, weight = self.importance_of_blocks().tolist(), self.of_blocks().tolist()
        reasons = ["no words"] * len(words.blocks)
        blocks, first = np.unique(words.block, return_index=True)
        elements = self.element[self.nodes.holder[first]]
        for block, element in zip(blocks.tolist(), elements.tolist(), strict=True):
            spread = (
                f"has {tree.m[element]} tag nodes on {tree.pages} pages" if element >= 0 else "is on no learned page"
            )
            reasons[block] = f"importance {importance[block]:.2f}, weight {weight[block]:.2f}; its element {spread}"
        return reasons

    def of_leaves(self) -> tuple[Ints, Keys, Reals]:
        """Return W_E(a, T) of each distinct word of each leaf, as columns: tag node, key of the word, weight."""
        leaf, word, tf = self.nodes.occurrences
        return leaf, word, self.tree.weights(self.keys[leaf], word) * tf
