"""Tag nodes of pages, and the elements that they are merged into (Yi & Liu 2003, section 3.2).

The tree of a page is cut off at virtual leaves: words below a leaf belong to the leaf. Words directly in a node above
the leaves belong to a separate leaf, `#text`. In the paper, all pages together determine which tag nodes of a site are
the same element. In the ordinal form used here, a single page determines it:

    key(root) = const,   key(child) = hash(key(parent), tag and display attributes, ordinal among its equals, kind)

so pages can be counted one by one, in any order and on any machine, and the counts add up. The key is computed as a sum
over the node and its ancestors, without a loop over levels.
"""

from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object, cached_property
from dehusk.base.hashing import Keys, mix, pair_keys, span_keys, text_keys
from dehusk.base.tags import numbers
from dehusk.compiled.text import text_key
from dehusk.counts.display import display_keys, display_names
from dehusk.counts.terms import Terms
from dehusk.read.page import Bools, Ints, Page

# ---------------------------------------------------------------- images and links
# Images and links as content of leaves, beside words (Yi & Liu 2003, section 3.1: `src=image.gif`).

_ATTRIBUTES = {"img": "src", "a": "href"}
_LONGEST = 200  # characters of an address; the key of a longer one, such as an image in the page itself, stands for it


@dataclass(frozen=True, eq=False)
class LeafContents:
    """The x images and links of a page, in document order."""

    node: Ints
    """(x,) the element."""
    key: Keys
    """(x,) key of its text; no word has the same."""
    texts: tuple[str, ...]
    """(x,) attribute and address: `src=image.gif`, `href=/news`; without spaces."""


NO_CONTENTS = LeafContents(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint64), ())


@cached_per_object
def leaf_contents(page: Page) -> LeafContents:
    """Return the images and links of a page, with their addresses as written."""
    nodes, texts = [], []
    for tag, attribute in _ATTRIBUTES.items():
        found = page.nodes_of(numbers(tag))
        for node, value in zip(found.tolist(), page.elements.values(found, attribute), strict=True):
            if address := (value or "").strip():
                nodes.append(node)
                texts.append(f"{attribute}={_shown(address)}")
    if not nodes:
        return NO_CONTENTS
    order = np.argsort(nodes)
    keys = text_keys(texts)
    return LeafContents(
        np.array(nodes, dtype=np.int32)[order], keys[order], tuple(texts[row] for row in order.tolist())
    )


def _shown(address: str) -> str:
    text = "%20".join(address.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 17]}…{text_key(text):016x}"


# ---------------------------------------------------------------- tag tree

INNER, LEAF, OWN_TEXT = range(3)
"""Kinds of tag nodes: a node above the leaves, a (virtual) leaf, and the words directly in an inner node."""

ROOT = text_key("the virtual root")
"""Key of the root element, which all pages share."""

_ROOT_LABEL, _TEXT_LABEL = text_key("root"), text_key("#text")

Leaves = int | Literal["grandparent"]
Content = Literal["words", "all"]


@dataclass(frozen=True)
class TreeCut:
    """How a page becomes tag nodes; those of different cuts are not comparable."""

    leaves: Leaves = 1
    """The maximum height of a virtual leaf: the topmost elements with at most this many levels of elements below them
    are leaves. 0 selects the actual leaf tags. "grandparent" follows section 3.3 of the paper literally: every
    grandparent of an actual leaf tag is a leaf; the topmost counts."""
    classes: bool = True
    """Whether the class counts as a display attribute."""
    sheets: bool = False
    """Whether the rules of the page's own style sheets count as display attributes; see `dehusk.counts.display`."""
    content: Content = "words"
    """What leaves contain: "words", or "all" for images and links as well; see `dehusk.counts.tag_tree`."""

    @property
    def name(self) -> str:
        """The cut as text, as counts store it."""
        others = ", sheets=True" * self.sheets + f", content={self.content}" * (self.content != "words")
        return f"leaves={self.leaves}, classes={self.classes}{others}"


@dataclass(frozen=True, eq=False)
class TagNodes:
    """The t tag nodes of one page in document order, the virtual root first."""

    terms: Terms
    made: TreeCut
    """How the page was cut at leaves."""
    node: Ints
    """(t,) node of the page; -1 for the virtual root, the inner node for `OWN_TEXT`."""
    parent: Ints
    """(t,) index of the parent tag node; -1 for the root."""
    end: Ints
    """(t,) index one past the last tag node of the subtree."""
    kind: npt.NDArray[np.uint8]
    """(t,) `INNER`, `LEAF` or `OWN_TEXT`."""
    label: Keys
    """(t,) key of the tag's name and display attributes."""
    holder: Ints
    """(w,) the `LEAF` or `OWN_TEXT` that contains each word of `terms`."""
    contents: LeafContents
    """The x images and links that count as content of leaves."""
    contents_holder: Ints
    """(x,) the `LEAF` or `OWN_TEXT` that contains each of `contents`."""

    def __len__(self) -> int:
        return len(self.node)

    @property
    def cut(self) -> str:
        """The name of the cut."""
        return self.made.name

    @cached_property
    def level(self) -> Ints:
        """(t,) number of tag nodes above each; 0 for the root."""
        closed = np.cumsum(np.bincount(self.end, minlength=len(self) + 1)[:-1])
        return (np.arange(len(self)) - closed).astype(np.int32)

    @cached_property
    def index(self) -> Ints:
        """(t,) index among the children of the parent, from 0; 0 for `OWN_TEXT`, which does not count as a child."""
        index = np.zeros(len(self), dtype=np.int32)
        index[self._children] = _ranks(self.parent[self._children])
        return index

    @cached_property
    def style(self) -> Keys:
        """(t,) key of the presentation style (section 3.2), the labels of the children in order; 0 if none."""
        style = np.zeros(len(self), dtype=np.uint64)
        children = self._children[np.argsort(self.parent[self._children], kind="stable")]
        parent = self.parent[children]
        start = np.flatnonzero(np.diff(parent, prepend=-1))
        style[parent[start]] = span_keys(self.label[children], start, np.append(start[1:], len(children))[: len(start)])
        return style

    @cached_property
    def occurrences(self) -> tuple[Ints, Keys, npt.NDArray[np.int64]]:
        """(tag node, key, occurrences) of each distinct word (or image, link) of each leaf, by tag node and key."""
        return _distinct(np.append(self.holder, self.contents_holder), np.append(self.terms.key, self.contents.key))

    @property
    def word_occurrences(self) -> tuple[Ints, Keys, npt.NDArray[np.int64]]:
        """The same of words only: the textual contents of leaves."""
        return _distinct(self.holder, self.terms.key) if len(self.contents.key) else self.occurrences

    @property
    def vocabulary(self) -> dict[int, str]:
        """Key -> word (or image, link) of the page."""
        keys, words = self.terms.distinct
        return dict(zip([*keys.tolist(), *self.contents.key.tolist()], [*words, *self.contents.texts], strict=True))

    @cached_property
    def ordinal_keys(self) -> Keys:
        """(t,) key of the element that each tag node belongs to, in the ordinal form; see the module docstring."""
        ordinal = _ranks(pair_keys(self.parent.astype(np.uint64), self.label))
        level_and_kind = self.level.astype(np.uint64) * np.uint64(4) + self.kind
        local = pair_keys(pair_keys(self.label, ordinal.astype(np.uint64)), level_and_kind)
        change = np.append(local, np.uint64(0))
        np.subtract.at(change, self.end, local)
        keys = mix(np.cumsum(change[:-1], dtype=np.uint64))
        keys[0] = ROOT
        return keys

    def names(self, named: Container[int] = ()) -> dict[int, str]:
        """Return label -> readable tag and display attributes, except for labels in `named`."""
        labels, first = np.unique(self.label, return_index=True)
        fixed = {_ROOT_LABEL: "root", _TEXT_LABEL: "#text"}
        rows = zip(labels.tolist(), self.node[first].tolist(), strict=True)
        new = {label: node for label, node in rows if label not in named and label not in fixed}
        texts = display_names(
            self.terms.blocks.page, list(new.values()), classes=self.made.classes, sheets=self.made.sheets
        )
        return {**fixed, **dict(zip(new, texts, strict=True))}

    @cached_property
    def _children(self) -> npt.NDArray[np.intp]:
        return np.flatnonzero((self.kind != OWN_TEXT) & (self.parent >= 0))


def tag_nodes(words: Terms, cut: TreeCut = TreeCut()) -> TagNodes:
    """Cut a page's tree off at virtual leaves and assign the words, and by option images and links, to them.

    Args:
        words: the words of the page.
        cut: where to cut it, and what counts.
    """
    page = words.blocks.page
    if not len(page):
        return _root_only(words, cut)
    inner = _inner(page, cut.leaves)
    elements = np.flatnonzero(~page.is_text & inner[page.parent])
    elements = np.append(0, elements[elements > 0])
    is_row = np.zeros(len(page), dtype=np.bool_)
    is_row[elements] = True
    contents = leaf_contents(page) if cut.content == "all" else NO_CONTENTS
    holders = page.nearest(is_row)[np.append(words.node, contents.node)]
    own = np.unique(holders[inner[holders]])
    node = np.concatenate([[-1], elements, own]).astype(np.int32)
    kind = np.full(len(node), OWN_TEXT, dtype=np.uint8)
    kind[: 1 + len(elements)] = np.append(INNER, np.where(inner[elements], INNER, LEAF))
    order = np.argsort(node, kind="stable")  # own text follows the node that contains it
    node, kind = node[order], kind[order]
    row, own_row = _rows(len(page), node, kind != OWN_TEXT), _rows(len(page), node, kind == OWN_TEXT)
    parent = np.where(kind == OWN_TEXT, row[node], np.where(node > 0, row[page.parent[node]], 0))
    parent[0] = -1
    end = np.where(kind == OWN_TEXT, np.arange(len(node)) + 1, np.searchsorted(node, page.end[node]))
    end[0] = len(node)
    label = np.full(len(node), _TEXT_LABEL, dtype=np.uint64)
    label[0] = _ROOT_LABEL
    label[row[elements]] = display_keys(page, elements, classes=cut.classes, sheets=cut.sheets)
    holder = np.where(inner[holders], own_row[holders], row[holders])
    return TagNodes(
        terms=words,
        made=cut,
        node=node,
        parent=parent.astype(np.int32),
        end=end.astype(np.int32),
        kind=kind,
        label=label,
        holder=holder[: len(words)],
        contents=contents,
        contents_holder=holder[len(words) :],
    )


def _distinct(holder: Ints, key: Keys) -> tuple[Ints, Keys, npt.NDArray[np.int64]]:
    """Return the distinct pairs of columns, sorted, and how often each occurs."""
    order = np.lexsort((key, holder))
    holder, key = holder[order], key[order]
    change = (np.diff(holder, prepend=-1) != 0) | (np.diff(key, prepend=np.uint64(0)) != 0)
    first = np.flatnonzero(change)
    return holder[first], key[first], np.diff(np.append(first, len(order)))


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
    """Return which nodes, shape (n,), are the parent of an element selected by a mask."""
    parents = np.zeros(len(page), dtype=np.bool_)
    nodes = np.flatnonzero(mask)
    parents[page.parent[nodes[nodes > 0]]] = True
    return parents


def _rows(n: int, node: Ints, mask: Bools) -> Ints:
    """Return for each of the n nodes of the page its row in `node` among those of the mask; -1 for none."""
    row_of = np.full(n, -1, dtype=np.int32)
    rows = np.flatnonzero(mask & (node >= 0))
    row_of[node[rows]] = rows
    return row_of


def _ranks(group: npt.NDArray[np.integer]) -> Ints:
    """Return how many rows of the same group come before each row, shape unchanged."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.append(True, group[order][1:] != group[order][:-1])[: len(order)])
    ranks = np.zeros(len(group), dtype=np.int32)
    ranks[order] = np.arange(len(group)) - np.repeat(starts, np.diff(np.append(starts, len(group))))
    return ranks


def _root_only(words: Terms, cut: TreeCut) -> TagNodes:
    """Return the tag nodes of a page without nodes: just the virtual root."""
    return TagNodes(
        terms=words,
        made=cut,
        node=np.array([-1], dtype=np.int32),
        parent=np.array([-1], dtype=np.int32),
        end=np.array([1], dtype=np.int32),
        kind=np.array([INNER], dtype=np.uint8),
        label=np.array([_ROOT_LABEL], dtype=np.uint64),
        holder=np.zeros(0, dtype=np.int32),
        contents=NO_CONTENTS,
        contents_holder=np.zeros(0, dtype=np.int32),
    )
