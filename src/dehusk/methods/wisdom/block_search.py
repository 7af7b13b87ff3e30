"""Searching for blocks and merging their siblings: MIB, DSTM, k-CSTM (sections 3.2.2 and 3.3), M1 and M2 (4.4).

`allowed` is always the type constraint: which nodes of the page may be blocks.
"""

from heapq import heapify, heappop, heappush

import numpy as np

from dehusk.methods.wisdom.coverage_tree import CoverageTree, Nodes
from dehusk.page import Bools, Page


def mib(tree: CoverageTree, allowed: Bools, k: float, st: float) -> Nodes:
    """Return at most k nodes with the largest f_A that are evenly filled, no two within each other.

    MIB(k, f_A, ST): from the root on, the node with the largest f_A is taken; equal ones in document order. If its
    SII is above ST or it is a leaf, it is a block where it is allowed, else it is left out with all below it.
    Otherwise its children are looked at. Nodes with f_A = 0 are never looked at.

    Args:
        tree: of the feature f_A; n nodes.
        allowed: (n,).
        k: how many.
        st: ST.
    """
    stops = (tree.sii > st) | tree.leaf
    heap = [(-float(tree.f[0]), 0)] if len(tree.f) else []
    found: list[int] = []
    while heap and len(found) < k:
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
            found.append(node)
    return np.array(sorted(found), dtype=np.intp)


def leaves(tree: CoverageTree, allowed: Bools) -> Nodes:
    """Return all leaves that are allowed: the skeleton of the methods M1 and M2; no two within each other."""
    return outermost(tree.page, np.flatnonzero(tree.leaf & allowed & (tree.f > 0)))


def dstm(tree: CoverageTree, nodes: Nodes, allowed: Bools, *, climb: bool = False) -> Nodes:
    """Return nodes with their qualified siblings: those that are allowed and have a smaller f_A, but not 0.

    Args:
        tree: of the feature f_A; n nodes.
        nodes: distinct nodes, rising.
        allowed: (n,).
        climb: whether the siblings of a node without any are those of its first ancestor that has some.
    """
    return np.union1d(nodes, _qualified(tree, _in_company(tree, nodes) if climb else nodes, allowed))


def cstm(tree: CoverageTree, nodes: Nodes, allowed: Bools, k: int) -> Nodes:
    """Return nodes with what k-CSTM merges: the qualified siblings of the k-th non-singleton ancestor of each.

    The ancestors themselves are not merged. Arguments are those of `dstm`.
    """
    ancestors = nodes
    for _ in range(k):
        parents = tree.page.parent.take(ancestors).astype(np.intp)
        ancestors = _in_company(tree, parents[parents >= 0])
    return np.union1d(nodes, _qualified(tree, ancestors, allowed))


def _in_company(tree: CoverageTree, nodes: Nodes) -> Nodes:
    """Return for each node the first at or above it that is no singleton: it has siblings with f_A > 0."""
    children, filled = tree.children, tree.f > 0
    siblings = children.sums(filled.astype(np.float64)).take(children.parent) - filled.take(children.node)
    mask = np.zeros(len(tree.f), dtype=np.bool_)
    mask[children.node] = siblings >= 1
    found = np.unique(tree.page.nearest(mask).take(nodes)).astype(np.intp)
    return found[found >= 0]


def _qualified(tree: CoverageTree, nodes: Nodes, allowed: Bools) -> Nodes:
    """Return the qualified siblings of nodes; each parent is looked at once, however many children are given."""
    parent = tree.page.parent.take(nodes)
    order = np.argsort(tree.f.take(nodes), kind="stable")
    order = order[parent.take(order) >= 0]
    limit = np.zeros(len(tree.f))
    limit[parent.take(order)] = tree.f.take(nodes.take(order))  # where a parent stands twice, the last one stays
    children = tree.children
    f = tree.f.take(children.node)
    return children.node[allowed.take(children.node) & (f > 0) & (f < limit.take(children.parent))]


def outermost(page: Page, nodes: Nodes) -> Nodes:
    """Return those of distinct nodes that are not within another."""
    within = page.within(nodes).take(nodes)
    return nodes.take(np.flatnonzero(within == 1))
