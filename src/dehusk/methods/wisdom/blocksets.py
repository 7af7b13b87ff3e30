"""Sets of blocks of one page: search, merging and condensing put together (figure 4), and what came of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from dehusk.blocks import Blocks
from dehusk.caching import cached_property
from dehusk.methods.wisdom.block_search import cstm, dstm, leaves, mib, outermost
from dehusk.methods.wisdom.coverage_tree import CoverageTree, Nodes, aggregate
from dehusk.methods.wisdom.node_features import NodeFeatures
from dehusk.methods.wisdom.presets import Settings
from dehusk.page import Bools, Page
from dehusk.site.entropy import Reals
from dehusk.xpath import xpaths

BlockType = Literal["article", "toc"]

M2_LENGTH = 5
"""Characters that an innerText must have more of, for M2 (section 4.4)."""

_ROUNDING = 1e-9  # of CII, which is a difference of two sums over the page


@dataclass(frozen=True, eq=False)
class BlockSet:
    """The blocks of one type of one page; n nodes, r blocks, s skeleton nodes."""

    type: BlockType
    feature: str
    """f, the feature that was searched for: "CLEN", "API" or "ALEN"."""
    blocks: Blocks
    """The common blocks of the page, from which texts are taken."""
    tree: CoverageTree
    """The information coverage tree of the feature."""
    cii: Reals
    """(n,) CII of each node, NaN for nodes without terms."""
    skeleton: Nodes
    """(s,) root nodes of the blocks that the search found."""
    nodes: Nodes
    """(r,) root nodes of the blocks after merging, in document order; none is within another."""
    removed: Nodes
    """Root nodes of the parts that condensing took out of the blocks, outermost ones only."""

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def page(self) -> Page:
        """The page."""
        return self.blocks.page

    @cached_property
    def inside(self) -> Bools:
        """(n,) which nodes of the page stand in the blocks and were not taken out."""
        mask: Bools = (self.page.within(self.nodes) > 0) & (self.page.within(self.removed) == 0)
        return mask

    @property
    def scores(self) -> Reals:
        """(r,) f_A of each block."""
        return self.tree.f.take(self.nodes)

    @property
    def xpaths(self) -> list[str]:
        """The path of each block's root in the HTML5 tree."""
        found = xpaths(self.page, self.nodes.tolist())
        return [found[node] for node in self.nodes.tolist()]

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block without what was taken out; a line for each common block."""
        kept = np.flatnonzero(self.chars)
        points, line = self.blocks.points.take(kept), self.blocks.block_of.take(kept)
        root = np.cumsum(np.bincount(self.nodes, minlength=len(self.page))).take(self._node_of_char.take(kept)) - 1
        new = np.flatnonzero((np.diff(line) != 0) | (np.diff(root) != 0)) + 1
        text = points.tobytes().decode("utf-32-le")
        lines: list[list[str]] = [[] for _ in self.nodes]
        for start, end in zip([0, *new.tolist()], [*new.tolist(), len(text)], strict=True):
            if start < end:
                lines[int(root[start])].append(text[start:end].strip())
        return ["\n".join(one) for one in lines]

    @cached_property
    def chars(self) -> Bools:
        """(len(blocks.text),) which characters of the common blocks stand in these blocks."""
        mask: Bools = self.inside.take(self._node_of_char)
        return mask

    @cached_property
    def share(self) -> Reals:
        """(b,) share of the characters of each common block that stand in these blocks."""
        found = np.bincount(self.blocks.block_of, self.chars, len(self.blocks))
        return found / np.maximum(self.blocks.chars, 1)

    @cached_property
    def _node_of_char(self) -> Nodes:
        """(len(blocks.text),) the text node of each character of the common blocks."""
        texts = np.flatnonzero(self.page.is_text)
        # An empty text node begins where the next one does: the last that begins at or before a character holds it.
        place = np.searchsorted(self.page.text_start.take(texts), self.blocks.source, side="right") - 1
        return texts.take(place)


def articles(features: NodeFeatures, settings: Settings) -> BlockSet:
    """Return the article blocks of a page: f = CLEN, and CII of at least `least_cii` of 1 - TC_article."""
    allowed = features.cii >= least_cii(features, settings, 1 - settings.tc_article)
    return _mine(features, settings, "article", "CLEN", features.clen, allowed)


def least_cii(features: NodeFeatures, settings: Settings, bound: float) -> float:
    """Return the CII that a block needs: a bound, or less where the whole page has little and settings say so."""
    if settings.relative is not None and len(features.terms):
        bound = min(bound, settings.relative * float(features.cii[0]))
    return bound - _ROUNDING


def tables_of_contents(features: NodeFeatures, settings: Settings) -> BlockSet:
    """Return the TOC blocks of a page.

    With f = API, blocks have API_A ≥ TC_TOC a link; with f = ALEN they have CII ≥ `tc_alen`.
    """
    by_api = settings.toc == "api" or (settings.toc == "auto" and features.zero_api <= settings.zero_api)
    if not by_api:
        allowed = features.cii >= least_cii(features, settings, settings.tc_alen)
        return _mine(features, settings, "toc", "ALEN", features.alen, allowed)
    page, node = features.page, features.anchors.node
    api = np.zeros(len(page))
    api[node] = features.api
    total = aggregate(page, api)
    allowed = (features.links_in > 0) & (total >= settings.tc_toc * features.links_in)
    return _mine(features, settings, "toc", "API", total, allowed)


def _mine(
    features: NodeFeatures, settings: Settings, kind: BlockType, feature: str, f: Reals, allowed: Bools
) -> BlockSet:
    """Search, merge and condense.

    Args:
        features: of the page.
        settings: what to do.
        kind: type of the blocks.
        feature: name of f.
        f: (n,) f_A.
        allowed: (n,) the type constraint; false too where it has no value.
    """
    page = features.page
    tree = CoverageTree(page, features.children, f, settings.own_text)
    has_value = features.links_in > 0 if feature == "API" else ~np.isnan(features.cii)
    if settings.search == "m2":
        allowed, has_value = features.tlen > M2_LENGTH, features.tlen > 0
    found = mib(tree, allowed, settings.k, settings.st) if settings.search == "mib" else leaves(tree, allowed)
    nodes = dstm(tree, found, allowed, climb=settings.climb) if settings.dstm else found
    if settings.cstm:
        nodes = np.union1d(nodes, cstm(tree, found, allowed, settings.cstm))
    nodes = outermost(page, nodes)
    removed = np.zeros(0, dtype=np.intp)
    if settings.condense:
        failing = ~allowed & has_value & (page.within(nodes) > 0) & ~page.is_text
        removed = outermost(page, np.flatnonzero(failing))
    return BlockSet(kind, feature, features.terms.blocks, tree, features.cii, found, nodes, removed)
