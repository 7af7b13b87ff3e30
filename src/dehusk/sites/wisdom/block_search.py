"""The search for blocks and the merging of their siblings: MIB, DSTM, k-CSTM (3.2.2 and 3.3), M1 and M2 (4.4).

The argument `allowed` is always the type constraint: a mask, shape (n,), of the nodes that can be blocks.
"""

from heapq import heapify, heappop, heappush

import numpy as np

from dehusk.read.page import Bools, Page
from dehusk.sites.wisdom.coverage_tree import CoverageTree, Nodes


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


def dstm(tree: CoverageTree, nodes: Nodes, allowed: Bools, *, climb: bool = False) -> Nodes:
    """Return nodes and their qualified siblings: those that are allowed and have a smaller f_A, but not 0.

    Args:
        tree: coverage tree of the feature f_A.
        nodes: distinct nodes, ascending.
        allowed: (n,) the type constraint.
        climb: whether a node without siblings uses those of its first ancestor that has some.
    """
    return np.union1d(nodes, _qualified(tree, _non_singletons(tree, nodes) if climb else nodes, allowed))


def cstm(tree: CoverageTree, nodes: Nodes, allowed: Bools, k: int) -> Nodes:
    """Return nodes and what k-CSTM merges with them: the qualified siblings of their k-th non-singleton ancestors.

    The ancestors themselves are not merged. The other arguments are those of `dstm`.
    """
    ancestors = nodes
    for _ in range(k):
        parents = tree.page.parent.take(ancestors).astype(np.intp)
        ancestors = _non_singletons(tree, parents[parents >= 0])
    return np.union1d(nodes, _qualified(tree, ancestors, allowed))


def _non_singletons(tree: CoverageTree, nodes: Nodes) -> Nodes:
    """Return for each node the first non-singleton at or above it: a node that has siblings with f_A > 0."""
    children, filled = tree.children, tree.f > 0
    siblings = children.sums(filled.astype(np.float64)).take(children.parent) - filled.take(children.node)
    mask = np.zeros(len(tree.f), dtype=np.bool_)
    mask[children.node] = siblings >= 1
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
