"""The information coverage tree: features of subtrees, and how evenly they are spread (sections 3.1.3 and 3.2.1).

    f_A(N)    = f(N) + Σ_j f_A(n_j)             over the children n_j of N
    SII(N, f) = -Σ_j w_j log_m w_j              over its m children, w_j = f_A(n_j) / Σ_k f_A(n_k)

A subtree is a slice of the page's columns, so f_A is a difference of two prefix sums, for all nodes at once.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.tags import numbers
from dehusk.counts.entropy import Reals
from dehusk.read.page import Bools, Page

Nodes = npt.NDArray[np.intp]

_DUMMY = numbers("br hr wbr")  # scripts and comments never become nodes


def aggregate(page: Page, f: npt.NDArray[np.number]) -> Reals:
    """Return f_A of each node, shape (n,), given f of each node, shape (n,)."""
    before = np.append(0.0, np.cumsum(f, dtype=np.float64))
    sums: Reals = before.take(page.end) - before[:-1]
    return sums


class Children:
    """The element children of each node of a page, without dummy tags; c children in total, grouped by parent."""

    def __init__(self, page: Page) -> None:
        is_child = ~(page.is_text | page.is_one_of(_DUMMY))
        is_child[:1] = False
        child = np.flatnonzero(is_child)
        self.node: Nodes = child.take(np.argsort(page.parent.take(child), kind="stable"))
        """(c,) the children, by parent, in document order."""
        self.parent: Nodes = page.parent.take(self.node).astype(np.intp)
        """(c,) the parent of each child."""
        self.count = np.bincount(self.parent, minlength=len(page))
        """(n,) number of children of each node."""
        self.start = np.cumsum(self.count) - self.count
        """(n,) index in `node` of the first child of each node."""

    def of(self, node: int) -> Nodes:
        """Return the children of a node, in document order."""
        start = int(self.start[node])
        return self.node[start : start + int(self.count[node])]

    def sums(self, values: Reals) -> Reals:
        """Return the sum of a value over the children of each node, shape (n,)."""
        sums: Reals = np.bincount(self.parent, values.take(self.node), len(values)).astype(np.float64)
        return sums

    def largest(self, values: Reals) -> Reals:
        """Return the largest value among the children of each node, shape (n,); 0 for nodes without children."""
        largest = np.zeros(len(values))
        child_values = values.take(self.node)
        order = np.argsort(child_values, kind="stable")
        largest[self.parent.take(order)] = child_values.take(order)  # of several children, the last one written wins
        return largest


@dataclass(frozen=True, eq=False)
class CoverageTree:
    """An aggregated feature of the n nodes of a page."""

    page: Page
    children: Children
    f: Reals
    """(n,) f_A of each node, including text nodes: non-negative multiples of a power of 2, so that sums are exact."""
    own_text: bool
    """Whether the part of f_A that is directly in a node counts as one more child."""

    @cached_property
    def own(self) -> Reals:
        """(n,) f(N): the part of f_A that is not in a child of the node."""
        return self.f - self.children.sums(self.f)

    @cached_property
    def sii(self) -> Reals:
        """(n,) structure information index, 0 to 1; 0 for nodes with fewer than two children or with f_A = 0."""
        spread = self.children.sums(_f_ln_f(self.f))
        total, m = self.children.sums(self.f), self.children.count
        if self.own_text:
            spread, total, m = spread + _f_ln_f(self.own), total + self.own, m + (self.own > 0)
        entropy = np.log(np.where(total > 0, total, 1.0)) - spread / np.where(total > 0, total, 1.0)
        return np.where((m > 1) & (total > 0), np.clip(entropy / np.log(np.maximum(m, 2)), 0.0, 1.0), 0.0)

    @cached_property
    def leaf(self) -> Bools:
        """(n,) which nodes are leaves: elements without element children, or whose own text is the largest child.

        Own text is not a node, so a search that would visit it next has to stop at the node that contains it.
        """
        is_leaf = self.children.count == 0
        if self.own_text:
            is_leaf |= (self.own > 0) & (self.own >= self.children.largest(self.f))
        mask: Bools = is_leaf & ~self.page.is_text
        return mask


def _f_ln_f(f: Reals) -> Reals:
    """Return f ln f of each value, 0 for f = 0."""
    products: Reals = f * np.log(np.where(f > 0, f, 1.0))
    return products
