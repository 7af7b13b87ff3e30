"""The parser's elements of a page, for attributes and CSS selectors; most pages are cleaned without them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, compress
from typing import Any

import numpy as np
import numpy.typing as npt
import turbohtml
from turbohtml import Element, MicrodataItem, Text

from dehusk.base.lazy import pattern
from dehusk.compiled import tree as _compiled
from dehusk.read.page import Attributes, Ints

_SELECTORS = 256  # with `:has()` that are remembered
_DEPTH = 8  # items of microdata inside each other, at most
_MARK = f"dehusk-has-{os.urandom(8).hex()}-"
"""What the names of attributes start with that mark elements for a while; no page has one, as none can guess it."""
_SELECTOR_SIGNS = pattern(r"""/\*.*?\*/|"[^"]*"|'[^']*'|:[\w-]*\\|\\.|:has\(|\(|\)""", re.IGNORECASE | re.DOTALL)


def parse_document(text: str) -> turbohtml.Document:
    """Parse the source of a page into the parser's tree."""
    return turbohtml.parse(text, positions=False, allow_declarative_shadow_roots=False)


def check_selector(selector: str) -> None:
    """Raise a ValueError that explains the error if `selector` is not a valid CSS selector."""
    turbohtml.parse("").select(selector)
    if any(sign.startswith(":") and sign.endswith("\\") for sign in _SELECTOR_SIGNS.findall(selector)):
        raise ValueError("a pseudo-class has a backslash in its name: write :has(), :not() or :is() as they are")


@lru_cache(_SELECTORS)
def _by_marks(selector: str) -> tuple[tuple[str, ...], str]:
    """Return the `:has()` of a selector and the selector with an attribute, `_MARK` and a number, in the place of each.

    Those that are within another one come before it, and it has their attributes.
    """
    found: list[str] = []
    opened: list[list[str]] = [[]]
    position = 0
    for sign in _SELECTOR_SIGNS.finditer(selector):
        opened[-1].append(selector[position : sign.start()])
        position = sign.end()
        if sign[0] == "(" or sign[0].lower() == ":has(":
            opened.append([])
        opened[-1].append(sign[0])
        if sign[0] == ")" and len(opened) > 1:
            whole = "".join(opened.pop())
            if whole.startswith(":"):
                found.append(whole)
                whole = f"[{_MARK}{len(found) - 1}]"
            opened[-1].append(whole)
    return tuple(found), "".join(chain.from_iterable(opened)) + selector[position:]


def _object_of(item: MicrodataItem, depth: int) -> dict[str, Any]:
    """Return an item of microdata, and those in it down to `_DEPTH`, as an object of JSON-LD."""
    properties = item.properties if depth < _DEPTH else {}
    found: dict[str, Any] = {"@type": (item.type or "").partition(" ")[0]}
    for name, values in properties.items():
        found[name] = [value if isinstance(value, str) else _object_of(value, depth + 1) for value in values]
    return found


@dataclass(repr=False)
class ParsedElements:
    """The e element nodes of a page."""

    rows: npt.NDArray[np.integer]
    """(e,) the elements' nodes in the page, ascending."""
    text: str
    """The page's source."""
    document_index: npt.NDArray[np.integer]
    """(e,) index of each element among all nodes of the parser's document."""
    number: Ints
    """(e,) number of each element among all elements of the document outside of templates, from 1."""
    has_templates: bool = False
    """Whether the document has elements in templates."""
    document: turbohtml.Document | None = field(default=None, compare=False)
    """The parser's tree; None after `release`."""
    nodes: list[Element] | None = field(default=None, compare=False)
    """The parser's elements; None until they are needed, and after `release`."""
    markup: str | None = field(default=None, compare=False)
    """The document as the parser or `exact_markup` writes it, from which attributes are read; None after `release`."""
    place: Ints | None = field(default=None, compare=False)
    """(e,) offset of each element's start tag in the markup."""
    omitted: tuple[str, Ints] | None = field(default=None, compare=False)
    """A word with which the contents of some scripts and styles start in the parser's tree, in place of those that the
    source has there, and where these start and end in it, shape (c, 2); None if the tree is of the whole source."""
    row_of: dict[int, int] = field(default_factory=dict, compare=False)
    """The node of each of the parser's elements, by its `id`."""

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the parser's tree: another process parses the page again where it needs it."""
        return self.__dict__ | {"document": None, "nodes": None, "row_of": {}}

    def numbers(self, nodes: npt.NDArray[np.integer]) -> Ints:
        """Return the number of each element node among all elements of the document outside of templates, from 1."""
        return self.number[self.rows.searchsorted(nodes)]

    def attributes(self) -> dict[int, Attributes]:
        """Return node -> (name, value) pairs as written, "" for a missing value; only nodes with attributes."""
        return _compiled.attributes(self)

    def attribute(self, node: int, name: str) -> str | None:
        """Return an attribute's value: None if the attribute is missing, "" if it has no value."""
        return _compiled.attribute(self, node, name)

    def attributes_of(self, nodes: npt.NDArray[np.integer]) -> list[Attributes]:
        """Return the (name, value) pairs of each of some nodes, as `attributes` does for all."""
        return _compiled.attributes_of(self, nodes)

    def values(self, nodes: npt.NDArray[np.integer], name: str) -> list[str | None]:
        """Return an attribute's value for each of some nodes, as `attribute` does for one."""
        return _compiled.attribute_values(self, nodes, name)

    def columns(self, nodes: npt.NDArray[np.integer], names: tuple[str, ...]) -> list[list[str | None]]:
        """Return several attributes of some nodes: for each name a list, as `values` returns it."""
        return _compiled.attribute_columns(self, nodes, names)

    def markup_of(self, nodes: npt.NDArray[np.integer], ends: npt.NDArray[np.integer], longest: int) -> list[str]:
        """Return the markup of each of some nodes up to the element that follows it, cut after `longest` characters.

        It has the drawings that are no nodes of the page. `ends` are the first nodes after each.
        """
        return _compiled.markup_of(self, nodes, ends, longest)

    def select(self, selector: str, *, contents: bool = True) -> list[Element]:
        """Return the parser's elements that match a CSS selector, in document order, including head and scripts.

        Without `contents`, scripts and styles may lack their text, which the parser may not have read.

        The elements of each `:has()` are selected first, and marked by an attribute: the parser selects them again for
        each element that comes after one in a selector, which takes the square of the page.

        Raises:
            turbohtml.SelectorSyntaxError: the selector is invalid (a ValueError).
        """
        tree = self._tree(contents=contents)
        if ":has(" not in selector.lower():
            return list(tree.select(selector))
        inner, outer = _by_marks(selector)
        marked = list[list[Element]]()
        try:
            for has in inner:
                marked.append(list(tree.select(has)))
                for element in marked[-1]:
                    element.attrs[f"{_MARK}{len(marked) - 1}"] = ""
            return list(tree.select(outer))
        finally:
            for number, elements in enumerate(marked):
                for element in elements:
                    del element.attrs[f"{_MARK}{number}"]

    def contents(self, element: Element) -> str:
        """Return the text of a script or style, also if the parser has not read it."""
        text = element.text
        if self.omitted is None or not text.startswith(self.omitted[0]):
            return text
        start, stop = self.omitted[1][int(text.removeprefix(self.omitted[0]))].tolist()
        return self.text[start:stop].replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")

    def microdata(self) -> list[dict[str, Any]]:
        """Return the items of microdata that are in no other one, as objects of JSON-LD: with "@type"."""
        if "itemscope" not in self.text:
            return []
        return [_object_of(item, 0) for item in self._tree().microdata()]

    def rows_of(self, elements: Sequence[Element]) -> Ints:
        """Return the node of each of the parser's elements, shape (len(elements),).

        The html element maps to the body. Elements that are not nodes of the page map to -1: those of the head, dropped
        and flattened ones.
        """
        if not len(self.rows) or not elements:
            return np.full(len(elements), -1, dtype=np.int32)
        row_of = self._row_of()
        rows = [0 if element.tag == "html" else row_of.get(id(element), -1) for element in elements]
        return np.array(rows, dtype=np.int32)

    def siblings_before(self, elements: Sequence[Element]) -> list[tuple[int, int, int]]:
        """Return what stands before each of the parser's elements below the same parent, which need not be nodes.

        Three numbers for each: the node of its parent, -1 if it is none; the node of the last element before it, -1 if
        there is none; the number of text nodes between that element (or the parent's start) and it.
        """
        parents = {id(element.parent): element.parent for element in elements}
        children = [child for parent in parents.values() if parent is not None for child in parent.children]
        inner = [child for child in children if isinstance(child, Element)]
        known = [parent for parent in parents.values() if isinstance(parent, Element)]
        row_of = dict(zip(map(id, inner + known), self.rows_of(inner + known).tolist(), strict=True))
        found: dict[int, tuple[int, int, int]] = {}
        parent, before, texts = -1, -1, 0
        for child in children:
            if id(child.parent) != parent:
                parent, before, texts = id(child.parent), -1, 0
            if isinstance(child, Text):
                texts += 1
            elif isinstance(child, Element):
                found[id(child)] = (row_of.get(parent, -1), before, texts)
                if row_of[id(child)] >= 0:
                    before, texts = row_of[id(child)], 0
        return [found.get(id(element), (-1, -1, 0)) for element in elements]

    def free_tree(self) -> None:
        """Free the parser's tree, which takes several times the memory of the columns; later calls parse again."""
        self.document, self.nodes, self.row_of = None, None, {}

    def release(self) -> None:
        """Free the parser's tree and the markup; later calls parse again."""
        self.free_tree()
        self.markup = self.place = None

    def _tree(self, *, contents: bool = True) -> turbohtml.Document:
        """Return the parser's tree of the whole source; parse it again if the tree was released.

        Without `contents`, scripts and styles may lack theirs.
        """
        if contents and self.omitted is not None:
            if self.document is not None and not self._put_back(self.document, *self.omitted):
                self.free_tree()
            self.omitted = None
        if self.document is None:
            self.document, self.omitted = parse_document(self.text), None
        return self.document

    def _put_back(self, document: turbohtml.Document, word: str, places: Ints) -> bool:
        """Give scripts and styles their contents again; return False if some are not found, those in templates."""
        holders = [element for element in document.select("script,style") if element.text.startswith(word)]
        for element in holders:
            element.set_text(self.contents(element))
        return len(holders) == len(places)

    def _row_of(self) -> dict[int, int]:
        """Return the node of each of the parser's elements, by its `id`."""
        if self.nodes is None:
            is_wanted = np.zeros(int(self.document_index.max(initial=-1)) + 1, dtype=np.bool_)
            is_wanted[self.document_index] = True
            descendants: Iterator[Any] = iter(self._tree(contents=False).descendants)
            self.nodes = list(compress(descendants, is_wanted.tolist()))
            self.row_of = dict(zip(map(id, self.nodes), self.rows.tolist(), strict=True))
        return self.row_of
