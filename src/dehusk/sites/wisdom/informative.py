"""The informative structure (IS) of a page: the tree of its blocks and of everything above them (section 1).

It contains every node of the blocks except the parts that condensing removes, and all ancestors of these nodes.
`dehusk.sites.outline` writes it as text, JSON and HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.base.errors import require_type
from dehusk.read.page import Page
from dehusk.sites.wisdom.blocksets import BlockSet
from dehusk.sites.wisdom.coverage_tree import Nodes


@dataclass(frozen=True, eq=False)
class InformativeStructure:
    """The m nodes of an informative structure, in document order, the root first; empty if the page has no blocks."""

    sets: Sequence[BlockSet]
    """Block sets of the same page."""
    nodes: Nodes
    """(m,) node numbers in the page."""

    @classmethod
    def of(cls, *sets: BlockSet) -> Self:
        """Return the informative structure of one or more block sets of the same page.

        Args:
            *sets: the block sets, for example `article` and `toc` of `Wisdom.blocks`.

        Raises:
            TypeError: an argument is not a `BlockSet`.
            ValueError: there are no sets, or their pages differ.
        """
        for block_set in sets:
            require_type(block_set, BlockSet, "InformativeStructure.of() takes BlockSet")
        if not sets or any(block_set.page is not sets[0].page for block_set in sets):
            raise ValueError("an informative structure needs one or more block sets of the same page")
        page = sets[0].page
        inside = np.zeros(len(page), dtype=np.bool_)
        for block_set in sets:
            inside |= block_set.inside
        if not inside.any():
            return cls(sets, np.zeros(0, dtype=np.intp))
        before = np.append(0, np.cumsum(inside))
        return cls(sets, np.flatnonzero(before.take(page.end) > before[:-1]))

    @property
    def page(self) -> Page:
        """The page."""
        return self.sets[0].page

    @cached_property
    def parents(self) -> Nodes:
        """(m,) index in `nodes` of the parent of each node, -1 for the root."""
        parent = self.page.parent.take(self.nodes)
        return np.where(parent < 0, -1, np.searchsorted(self.nodes, parent)).astype(np.intp)

    @cached_property
    def roots(self) -> dict[int, list[dict[str, Any]]]:
        """Root node of a block -> type, feature, score (f_A) and CII of each block with this root."""
        roots: dict[int, list[dict[str, Any]]] = {}
        for block_set in self.sets:
            nodes = block_set.nodes
            rows = zip(nodes.tolist(), block_set.scores.tolist(), block_set.cii.take(nodes).tolist(), strict=True)
            for node, score, cii in rows:
                value = None if cii != cii else round(cii, 6)  # noqa: PLR0124 (JSON has no NaN)
                entry = {"type": block_set.type, "feature": block_set.feature, "score": round(score, 6), "cii": value}
                roots.setdefault(node, []).append(entry)
        return roots

    @cached_property
    def texts(self) -> dict[int, str]:
        """Text node of the structure -> its text with white space folded; empty texts are missing."""
        blocks, page = self.sets[0].blocks, self.page
        nodes = self.nodes[page.is_text.take(self.nodes)]
        start = np.searchsorted(blocks.source, page.text_start.take(nodes))
        end = np.searchsorted(blocks.source, page.text_end.take(nodes))
        rows = zip(nodes.tolist(), start.tolist(), end.tolist(), strict=True)
        return {node: blocks.text[first:stop] for node, first, stop in rows if stop > first}
