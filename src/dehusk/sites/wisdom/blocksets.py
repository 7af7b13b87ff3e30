"""The article or TOC blocks of a page: search, merging and condensing combined (figure 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from typing import Literal

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.blocks import Blocks
from dehusk.counts.entropy import Reals
from dehusk.read.page import Bools, Page
from dehusk.read.xpath import xpaths
from dehusk.sites.wisdom.coverage_tree import CoverageTree, Nodes, aggregate
from dehusk.sites.wisdom.link_estimates import at_strong_places
from dehusk.sites.wisdom.node_features import NodeFeatures
from dehusk.sites.wisdom.presets import Settings

# ---------------------------------------------------------------- block search
# The search for blocks and the merging of their siblings: MIB, DSTM, k-CSTM (3.2.2 and 3.3), M1 and M2 (4.4).
#
# The argument `allowed` is always the type constraint: a mask, shape (n,), of the nodes that can be blocks.


def mib(tree: CoverageTree, allowed: Bools, k: float, st: float) -> Nodes:
    """Return up to k evenly filled nodes with the largest f_A, none inside another.

    MIB(k, f_A, ST) visits nodes from the root down, always the one with the largest f_A next; ties in document order.
    A node with SII > ST and a leaf end the search in their subtree: they are blocks if they are allowed, and otherwise
    dropped with everything below them. Other nodes add their children to the queue. Nodes with f_A = 0 are never
    visited.

    Args:
        tree: coverage tree of the feature f_A.
        allowed: (n,) the type constraint.
        k: number of blocks, or infinity.
        st: ST.
    """
    stops = (tree.sii > st) | tree.leaf
    heap = [(-float(tree.f[0]), 0)] if len(tree.f) else []
    blocks: list[int] = []
    while heap and len(blocks) < k:
        f, node = heappop(heap)
        if not f:
            break
        if not stops[node]:
            children = tree.children.of(node)
            pairs = list(zip((-tree.f.take(children)).tolist(), children.tolist(), strict=True))
            if len(pairs) > len(heap):
                heap += pairs
                heapify(heap)
            else:
                for pair in pairs:
                    heappush(heap, pair)
        elif allowed[node]:
            blocks.append(node)
    return np.array(sorted(blocks), dtype=np.intp)


def leaves(tree: CoverageTree, allowed: Bools) -> Nodes:
    """Return all allowed leaves, none inside another: the skeleton of the methods M1 and M2."""
    return outermost(tree.page, np.flatnonzero(tree.leaf & allowed & (tree.f > 0)))


def dstm(tree: CoverageTree, nodes: Nodes, allowed: Bools, *, climb: int = 0) -> Nodes:
    """Return nodes and their qualified siblings: those that are allowed and have a smaller f_A, but not 0.

    Args:
        tree: coverage tree of the feature f_A.
        nodes: distinct nodes, ascending.
        allowed: (n,) the type constraint.
        climb: a node with fewer siblings uses those of its first ancestor that has so many.
    """
    return np.union1d(nodes, _qualified(tree, _non_singletons(tree, nodes, climb) if climb else nodes, allowed))


def cstm(tree: CoverageTree, nodes: Nodes, allowed: Bools, k: int, *, siblings: int = 2) -> Nodes:
    """Return nodes and what k-CSTM merges with them: the qualified siblings of their k-th non-singleton ancestors.

    The ancestors themselves are not merged. The other arguments are those of `dstm` and `_non_singletons`.
    """
    ancestors = nodes
    for _ in range(k):
        parents = tree.page.parent.take(ancestors).astype(np.intp)
        ancestors = _non_singletons(tree, parents[parents >= 0], siblings)
    return np.union1d(nodes, _qualified(tree, ancestors, allowed))


def _non_singletons(tree: CoverageTree, nodes: Nodes, siblings: int) -> Nodes:
    """Return for each node the first non-singleton at or above it: a node with so many siblings with f_A > 0."""
    children, filled = tree.children, tree.f > 0
    company = children.sums(filled.astype(np.float64)).take(children.parent) - filled.take(children.node)
    mask = np.zeros(len(tree.f), dtype=np.bool_)
    mask[children.node] = company >= siblings
    nearest = np.unique(tree.page.nearest(mask).take(nodes)).astype(np.intp)
    return nearest[nearest >= 0]


def _qualified(tree: CoverageTree, nodes: Nodes, allowed: Bools) -> Nodes:
    """Return the qualified siblings of nodes; visits each parent once, however many of its children are given."""
    parent = tree.page.parent.take(nodes)
    order = np.argsort(tree.f.take(nodes), kind="stable")
    order = order[parent.take(order) >= 0]
    limit = np.zeros(len(tree.f))
    limit[parent.take(order)] = tree.f.take(nodes.take(order))  # of several children, the last one written wins
    children = tree.children
    f = tree.f.take(children.node)
    return children.node[allowed.take(children.node) & (f > 0) & (f < limit.take(children.parent))]


def outermost(page: Page, nodes: Nodes) -> Nodes:
    """Return the nodes that are not inside another one; the nodes are distinct."""
    depth = page.within(nodes).take(nodes)
    return nodes.take(np.flatnonzero(depth == 1))


# ---------------------------------------------------------------- blocksets

BlockType = Literal["article", "toc"]

M2_LENGTH = 5
"""M2 takes nodes whose innerText has more characters than this (section 4.4)."""

_ROUNDING = 1e-9  # of CII, which is a difference of two sums over the page


@dataclass(frozen=True, eq=False)
class BlockSet:
    """The blocks of one type on a page of n nodes: r blocks, merged from s skeleton nodes."""

    type: BlockType
    feature: str
    """The feature f of the search: "CLEN", "API", "estimated API" or "ALEN"."""
    blocks: Blocks
    """The common blocks of the page, which supply the texts."""
    tree: CoverageTree
    """The information coverage tree of the feature."""
    cii: Reals
    """(n,) CII of each node, NaN for nodes without terms."""
    skeleton: Nodes
    """(s,) root nodes of the blocks that the search returns."""
    nodes: Nodes
    """(r,) root nodes of the blocks after merging, in document order; none is inside another."""
    removed: Nodes
    """Root nodes of the parts that condensing removes from the blocks; none is inside another."""

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def page(self) -> Page:
        """The page."""
        return self.blocks.page

    @cached_property
    def inside(self) -> Bools:
        """(n,) which nodes of the page are in the blocks and not removed by condensing."""
        mask: Bools = (self.page.within(self.nodes) > 0) & (self.page.within(self.removed) == 0)
        return mask

    @property
    def scores(self) -> Reals:
        """(r,) f_A of each block."""
        return self.tree.f.take(self.nodes)

    @property
    def xpaths(self) -> list[str]:
        """The XPath of each block's root in the HTML5 tree."""
        path_of = xpaths(self.page, self.nodes.tolist())
        return [path_of[node] for node in self.nodes.tolist()]

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block without the removed parts, one line per common block."""
        kept = np.flatnonzero(self.chars)
        points, line = self.blocks.code_points.take(kept), self.blocks.block_of.take(kept)
        root = np.cumsum(np.bincount(self.nodes, minlength=len(self.page))).take(self.node_of_char.take(kept)) - 1
        line_starts = np.flatnonzero((np.diff(line) != 0) | (np.diff(root) != 0)) + 1
        text = points.tobytes().decode("utf-32-le")
        lines: list[list[str]] = [[] for _ in self.nodes]
        for start, end in zip([0, *line_starts.tolist()], [*line_starts.tolist(), len(text)], strict=True):
            if start < end:
                lines[int(root[start])].append(text[start:end].strip())
        return ["\n".join(block_lines) for block_lines in lines]

    @cached_property
    def chars(self) -> Bools:
        """(len(blocks.text),) which characters of the common blocks are in these blocks."""
        mask: Bools = self.inside.take(self.node_of_char)
        return mask

    @cached_property
    def share(self) -> Reals:
        """(b,) share of the characters of each common block that are in these blocks."""
        covered = np.bincount(self.blocks.block_of, self.chars, len(self.blocks))
        return covered / np.maximum(self.blocks.chars, 1)

    @cached_property
    def node_of_char(self) -> Nodes:
        """(len(blocks.text),) the text node of each character of the common blocks."""
        texts = np.flatnonzero(self.page.is_text)
        # An empty text node starts where the next one does: the last one that starts at or before a character has it.
        index = np.searchsorted(self.page.text_start.take(texts), self.blocks.source, side="right") - 1
        return texts.take(index)


def articles(features: NodeFeatures, settings: Settings) -> BlockSet:
    """Return the article blocks of a page: f = CLEN, and CII ≥ `least_cii` for 1 - TC_article."""
    allowed = features.cii >= least_cii(features, settings, 1 - settings.tc_article)
    if settings.st_article is not None:
        settings = replace(settings, st=settings.st_article)
    return _find_blocks(features, settings, "article", ("CLEN", features.clen), allowed)


def least_cii(features: NodeFeatures, settings: Settings, bound: float) -> float:
    """Return the CII that a block needs: the bound, or `settings.relative` of the whole page's CII if that is less."""
    if settings.relative is not None and len(features.terms):
        bound = min(bound, settings.relative * float(features.cii[0]))
    return bound - _ROUNDING


def tables_of_contents(features: NodeFeatures, settings: Settings) -> BlockSet:
    """Return the TOC blocks of a page.

    With f = API, estimated or not, blocks have API_A ≥ TC_TOC per link; with f = ALEN, they have links, and CII ≥
    `least_cii` for `tc_alen`.
    """
    if settings.toc == "estimated" and features.zero_estimates <= settings.zero_api:
        return _by_api(features, settings, "estimated API", features.estimated_api * _is_strong(features, settings))
    if settings.toc == "api" or (settings.toc != "alen" and features.zero_api <= settings.zero_api):
        return _by_api(features, settings, "API", features.api)
    allowed = (features.cii >= least_cii(features, settings, settings.tc_alen)) & features.has_link
    return _find_blocks(features, settings, "toc", ("ALEN", features.alen), allowed)


def _is_strong(features: NodeFeatures, settings: Settings) -> Bools:
    chars = features.tlen.take(features.anchors.node)
    return at_strong_places(features.anchors, features.estimated_api, chars, settings.link_share)


def _by_api(features: NodeFeatures, settings: Settings, name: str, api: Reals) -> BlockSet:
    """Return the TOC blocks by API of each link, shape (a,)."""
    f = np.zeros(len(features.page))
    f[features.anchors.node] = api
    total = aggregate(features.page, f)
    allowed = (features.links_in > 0) & (total >= settings.tc_toc * features.links_in)
    return _find_blocks(features, settings, "toc", (name, total), allowed)


def _find_blocks(
    features: NodeFeatures, settings: Settings, block_type: BlockType, feature: tuple[str, Reals], allowed: Bools
) -> BlockSet:
    """Search, merge and condense.

    Args:
        features: features of the page.
        settings: the settings.
        block_type: type of the blocks.
        feature: name of f, and f_A of each node, shape (n,).
        allowed: (n,) whether each node fulfils the type constraint; False if the constraint has no value for it.
    """
    page, (name, f) = features.page, feature
    tree = CoverageTree(page, features.children, f, settings.own_text)
    has_value = features.links_in > 0
    if name in ("CLEN", "ALEN"):
        has_value = ~np.isnan(features.cii) & (features.has_link | (name == "CLEN"))
    if settings.search == "m2":
        allowed, has_value = features.tlen > M2_LENGTH, features.tlen > 0
    skeleton = mib(tree, allowed, settings.k, settings.st) if settings.search == "mib" else leaves(tree, allowed)
    nodes = dstm(tree, skeleton, allowed, climb=settings.climb * settings.siblings) if settings.dstm else skeleton
    if settings.cstm:
        nodes = np.union1d(nodes, cstm(tree, skeleton, allowed, settings.cstm, siblings=settings.siblings))
    nodes = outermost(page, nodes)
    removed = np.zeros(0, dtype=np.intp)
    if settings.condense:
        failing = ~allowed & has_value & (page.within(nodes) > 0) & ~page.is_text
        if settings.spare_links and block_type == "toc" and name != "ALEN":
            failing &= aggregate(page, (tree.leaf & allowed & (f > 0)).astype(np.float64)) == 0
        removed = outermost(page, np.flatnonzero(failing))
    return BlockSet(block_type, name, features.terms.blocks, tree, features.cii, skeleton, nodes, removed)
