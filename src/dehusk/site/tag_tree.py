"""Tag nodes of pages, and the elements that they are merged in (Yi & Liu 2003, section 3.2).

A page's tag nodes are cut off at virtual leaves: the words below a leaf are the leaf's. Words that stand directly in
a node above the leaves are those of a leaf of their own, `#text`. In the paper, which tag nodes of a site are one
element follows from all pages at once. The ordinal form here asks one page alone:

    key(root) = const,   key(child) = hash(key(parent), tag and display attributes, ordinal among its equals, kind)

so that pages can be counted one by one, in any order and anywhere, and the counts add up. The key is computed as a
sum over the node and what is above it, hence without a walk through levels.
"""

from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from dehusk.caching import cached_property
from dehusk.page import Bools, Ints, Page
from dehusk.site.display import display_keys, display_names
from dehusk.site.hashing import Keys, mix, pair_keys, span_keys, text_key
from dehusk.site.terms import Terms

INNER, LEAF, OWN_TEXT = range(3)
"""Kinds of tag nodes: above the leaves, a (virtual) leaf, the words directly in an inner node."""

ROOT = text_key("the virtual root")
"""Key of the element that all pages share."""

_ROOT_LABEL, _TEXT_LABEL = text_key("root"), text_key("#text")

Leaves = int | Literal["grandparent"]


@dataclass(frozen=True, eq=False)
class TagNodes:
    """The t tag nodes of one page in document order, the virtual root first."""

    terms: Terms
    leaves: Leaves
    """Which nodes are virtual leaves, as `tag_nodes` takes it."""
    classes: bool
    """Whether the class is a display attribute."""
    node: Ints
    """(t,) node of the page, -1 for the virtual root; that of the inner node for `OWN_TEXT`."""
    parent: Ints
    """(t,) number of the parent tag node, -1 for the root."""
    end: Ints
    """(t,) one past the last tag node of the subtree."""
    kind: npt.NDArray[np.uint8]
    """(t,) `INNER`, `LEAF` or `OWN_TEXT`."""
    label: Keys
    """(t,) key of tag and display attributes."""
    holder: Ints
    """(w,) the `LEAF` or `OWN_TEXT` that each word of `terms` stands in."""

    def __len__(self) -> int:
        return len(self.node)

    @property
    def cut(self) -> str:
        """How the page was cut; tag nodes of different cuts have nothing to do with each other."""
        return cut_name(self.leaves, self.classes)

    @cached_property
    def level(self) -> Ints:
        """(t,) tag nodes above each; 0 for the root."""
        closed = np.cumsum(np.bincount(self.end, minlength=len(self) + 1)[:-1])
        return (np.arange(len(self)) - closed).astype(np.int32)

    @cached_property
    def index(self) -> Ints:
        """(t,) place among the children of the parent, from 0 on; 0 for `OWN_TEXT`, which is no child."""
        index = np.zeros(len(self), dtype=np.int32)
        index[self._children] = _places(self.parent[self._children])
        return index

    @cached_property
    def style(self) -> Keys:
        """(t,) key of the presentation style (section 3.2): the labels of the children in order; 0 without children."""
        style = np.zeros(len(self), dtype=np.uint64)
        children = self._children[np.argsort(self.parent[self._children], kind="stable")]
        parent = self.parent[children]
        start = np.flatnonzero(np.diff(parent, prepend=-1))
        style[parent[start]] = span_keys(self.label[children], start, np.append(start[1:], len(children))[: len(start)])
        return style

    @cached_property
    def occurrences(self) -> tuple[Ints, Keys, npt.NDArray[np.int64]]:
        """For each different word of each leaf its (tag node, key, occurrences there), by tag node and key."""
        order = np.lexsort((self.terms.key, self.holder))
        holder, key = self.holder[order], self.terms.key[order]
        change = (np.diff(holder, prepend=-1) != 0) | (np.diff(key, prepend=np.uint64(0)) != 0)
        first = np.flatnonzero(change)
        return holder[first], key[first], np.diff(np.append(first, len(order)))

    @cached_property
    def ordinal_keys(self) -> Keys:
        """(t,) key of the element that each tag node is of, as this page alone says; see the module."""
        ordinal = _places(pair_keys(self.parent.astype(np.uint64), self.label))
        place = self.level.astype(np.uint64) * np.uint64(4) + self.kind
        local = pair_keys(pair_keys(self.label, ordinal.astype(np.uint64)), place)
        change = np.append(local, np.uint64(0))
        np.subtract.at(change, self.end, local)
        keys = mix(np.cumsum(change[:-1], dtype=np.uint64))
        keys[0] = ROOT
        return keys

    def names(self, known: Container[int] = ()) -> dict[int, str]:
        """Return tag and display attributes for a person, by label; without the labels that are known."""
        labels, first = np.unique(self.label, return_index=True)
        fixed = {_ROOT_LABEL: "root", _TEXT_LABEL: "#text"}
        rows = zip(labels.tolist(), self.node[first].tolist(), strict=True)
        new = {label: node for label, node in rows if label not in known and label not in fixed}
        texts = display_names(self.terms.blocks.page, list(new.values()), classes=self.classes)
        return {**fixed, **dict(zip(new, texts, strict=True))}

    @cached_property
    def _children(self) -> npt.NDArray[np.intp]:
        return np.flatnonzero((self.kind != OWN_TEXT) & (self.parent >= 0))


def cut_name(leaves: Leaves, classes: bool) -> str:
    """Return the name of a cut; see `TagNodes.cut`."""
    return f"leaves={leaves}, classes={classes}"


def tag_nodes(words: Terms, *, leaves: Leaves = 1, classes: bool = True) -> TagNodes:
    """Cut a page's tree off at virtual leaves and find the words of each.

    Args:
        words: the words of the page.
        leaves: the highest height of a virtual leaf: elements that have at most so many levels of elements below them
            are leaves, unless what they stand in is one too. 0 takes the actual leaf tags. "grandparent" is what the
            paper's section 3.3 says word by word: any grandparent of an actual leaf tag is a leaf; the topmost counts.
        classes: whether the class is a display attribute.
    """
    page = words.blocks.page
    if not len(page):
        return _root_alone(words, leaves, classes)
    inner = _inner(page, leaves)
    elements = np.flatnonzero(~page.is_text & inner[page.parent])
    elements = np.append(0, elements[elements > 0])
    is_row = np.zeros(len(page), dtype=np.bool_)
    is_row[elements] = True
    holders = page.nearest(is_row)[words.node]
    own = np.unique(holders[inner[holders]])
    node = np.concatenate([[-1], elements, own]).astype(np.int32)
    kind = np.full(len(node), OWN_TEXT, dtype=np.uint8)
    kind[: 1 + len(elements)] = np.append(INNER, np.where(inner[elements], INNER, LEAF))
    order = np.argsort(node, kind="stable")  # own text follows the node that it stands in
    node, kind = node[order], kind[order]
    row, own_row = _rows(len(page), node, kind != OWN_TEXT), _rows(len(page), node, kind == OWN_TEXT)
    parent = np.where(kind == OWN_TEXT, row[node], np.where(node > 0, row[page.parent[node]], 0))
    parent[0] = -1
    end = np.where(kind == OWN_TEXT, np.arange(len(node)) + 1, np.searchsorted(node, page.end[node]))
    end[0] = len(node)
    label = np.full(len(node), _TEXT_LABEL, dtype=np.uint64)
    label[0] = _ROOT_LABEL
    label[row[elements]] = display_keys(page, elements, classes=classes)
    return TagNodes(
        terms=words,
        leaves=leaves,
        classes=classes,
        node=node,
        parent=parent.astype(np.int32),
        end=end.astype(np.int32),
        kind=kind,
        label=label,
        holder=np.where(inner[holders], own_row[holders], row[holders]),
    )


def _inner(page: Page, leaves: Leaves) -> Bools:
    """Return which nodes, shape (n,), are elements above the virtual leaves."""
    is_element = ~page.is_text
    above = _parents(page, is_element)
    if leaves == "grandparent":
        actual = np.flatnonzero(is_element & ~above)
        up = np.maximum(page.parent, 0)
        inner: Bools = is_element & (page.within(np.unique(up[up[actual]])) == 0)
        return inner
    for _ in range(leaves):
        if not above.any():
            break
        above = _parents(page, above)
    return above


def _parents(page: Page, mask: Bools) -> Bools:
    """Return which nodes, shape (n,), are the parent of an element of a mask."""
    found = np.zeros(len(page), dtype=np.bool_)
    nodes = np.flatnonzero(mask)
    found[page.parent[nodes[nodes > 0]]] = True
    return found


def _rows(n: int, node: Ints, mask: Bools) -> Ints:
    """Return for each node of the page, shape (n,), the row of `node` that holds it within a mask, -1 for none."""
    rows = np.full(n, -1, dtype=np.int32)
    found = np.flatnonzero(mask & (node >= 0))
    rows[node[found]] = found
    return rows


def _places(group: npt.NDArray[np.integer]) -> Ints:
    """Return how many rows of the same group come before each row, shape unchanged."""
    order = np.argsort(group, kind="stable")
    begins = np.flatnonzero(np.append(True, group[order][1:] != group[order][:-1])[: len(order)])
    places = np.zeros(len(group), dtype=np.int32)
    places[order] = np.arange(len(group)) - np.repeat(begins, np.diff(np.append(begins, len(group))))
    return places


def _root_alone(words: Terms, leaves: Leaves, classes: bool) -> TagNodes:
    """Return the tag nodes of a page that was not parsed: the virtual root alone."""
    return TagNodes(
        terms=words,
        leaves=leaves,
        classes=classes,
        node=np.array([-1], dtype=np.int32),
        parent=np.array([-1], dtype=np.int32),
        end=np.array([1], dtype=np.int32),
        kind=np.array([INNER], dtype=np.uint8),
        label=np.array([_ROOT_LABEL], dtype=np.uint64),
        holder=np.zeros(0, dtype=np.int32),
    )
