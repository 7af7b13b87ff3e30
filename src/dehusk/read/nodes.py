"""Turn the parser's nodes into the columns of a page.

turbohtml builds the tree in C. One pass over its nodes in document order reads type, tag, parent and text, each by a
single call that runs in C for all nodes. Everything else (subtrees, dropped nodes, offsets) is computed on arrays.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import field
from itertools import chain, compress, islice
from operator import attrgetter, methodcaller
from typing import Any

import numpy as np
import numpy.typing as npt
from turbohtml import Element, Text

from dehusk.backends import kernel
from dehusk.lazy import dataclass, pattern
from dehusk.page import Meta
from dehusk.read.elements import ParsedElements, parse_document
from dehusk.read.raw_text import RAW_TEXT, holds_markup
from dehusk.read.tree_arrays import Mask, Rows, depths, follow, is_inside, subtree_ends, times_inside
from dehusk.tags import DROPPED, PREFORMATTED, TAG_NUMBER, TEXT, numbers

_HEAD_NODES = 1000  # allowance for the head: the node limit applies to the body, this only bounds memory
PARSER_DEPTH = 512
"""Number of open elements at which the parser stops nesting, as browsers do."""
_LITTLE_TEXT, _LAST_NODES = 8000, 4  # characters below which all scripts are searched for more, else these nodes
_LINES = pattern(r"[^\n]*\n|[^\n]+")
_NODE_TYPE = defaultdict(int, {Element: 1, Text: 2})
_TAG, _PARENT, _DATA = attrgetter("tag"), attrgetter("parent"), attrgetter("data")
_CLASS, _ID = methodcaller("attr", "class"), methodcaller("attr", "id")
_MARKED = '[id],[style*="none" i],[style*="hidden" i],[hidden],[aria-hidden=true]'
_HIDING = pattern(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


class _Numbers(dict[str, int]):
    """Tag numbers; unknown names get the next number, and from 65,535 on they share the last one."""

    def __missing__(self, tag: str) -> int:
        number = min(len(self), 0xFFFF)
        self[tag] = number
        return number


@dataclass
class NodeColumns:
    """The columns of a page, as `Page` documents them, and what had to be changed or dropped."""

    tag: npt.NDArray[np.uint16]
    parent: Rows
    end: Rows
    text: str
    text_start: Rows
    text_end: Rows
    alt_nodes: Rows
    line_nodes: Rows
    elements: ParsedElements
    classes: tuple[Rows, tuple[str, ...]]
    """`class_code` and `class_names`."""
    ids: tuple[Rows, tuple[str, ...]]
    """`id_code` and `id_names`."""
    hidden_nodes: Rows
    extra_tags: tuple[str, ...] = ()
    meta: Meta = field(default_factory=Meta)
    frames: str = ""
    """Text of the noframes elements, which is markup."""
    swallowing: tuple[tuple[str, str], ...] = ()
    """Tag and content of the elements of raw text that hold what looks like a part of the page."""
    swallowed: bool = False
    """Whether an iframe's text, which is never shown, contains the end of a noscript."""
    flattened: int = 0
    """Number of elements flattened because of `max_depth`."""
    cut: bool = False
    """Whether nodes were dropped because of `max_nodes`."""
    capped: bool = False
    """Whether nesting reaches `PARSER_DEPTH`; the parser makes deeper elements siblings."""

    @property
    def texts(self) -> list[str]:
        """The texts of the text nodes."""
        is_text = self.tag == TEXT
        bounds = zip(self.text_start[is_text].tolist(), self.text_end[is_text].tolist(), strict=True)
        return [self.text[start:end] for start, end in bounds]

    @classmethod
    def empty(cls) -> NodeColumns:
        """Return the columns of a page without nodes."""
        none = np.zeros(0, dtype=np.int32)
        return cls(
            none.astype(np.uint16),
            none,
            none,
            "",
            none,
            none,
            none,
            none,
            ParsedElements(none, "", none, none),
            (none, ("",)),
            (none, ("",)),
            none,
        )


@kernel("reading.read_nodes")
def read_nodes(text: str, *, max_nodes: int, max_depth: int) -> NodeColumns:
    """Parse a page and turn its nodes into columns.

    Args:
        text: the page's source.
        max_nodes: further nodes are dropped, and `cut` is set.
        max_depth: deeper elements are replaced by their children, and counted in `flattened`.
    """
    document = _ParsedDocument(text, 2 * max_nodes + _HEAD_NODES)
    level = depths(document.end) + document.is_element
    keep = document.body() & ~document.inside(_IS_DROPPED)
    deep = keep & document.is_element & (level > max_depth + 1)  # the html element is a level, too
    nodes = _KeptNodes(document, keep, deep)
    nodes.split_lines(max_nodes)
    nodes.add_alts()
    columns = nodes.build(max_nodes)
    columns.flattened, columns.cut = int(deep.sum()), columns.cut or document.cut
    columns.capped = int(level.max(initial=0)) > PARSER_DEPTH
    columns.meta, columns.frames = _read_meta(document)
    columns.swallowing = document.swallowing(scripts=len(columns.text) < _LITTLE_TEXT)
    columns.swallowed, columns.extra_tags = "</noscript" in document.text_in("iframe"), document.extra_tags
    return columns


def _table(names: frozenset[str]) -> Mask:
    """Return a mask over tag numbers, shape (65536,), that is true for the named tags."""
    mask = np.zeros(0x10000, dtype=np.bool_)
    mask[numbers(names)] = True
    return mask


_IS_DROPPED = _table(DROPPED)
_IS_ROOT = _table(frozenset({"body", "frameset"}))
_IS_PRE = _table(PREFORMATTED)
_IS_DRAWING = _table(frozenset({"svg", "template"}))
_IS_RAW, _IS_LONG = _table(RAW_TEXT), _table(frozenset({"script", "style"}))
_IS_META = _table(frozenset({"html", "base", "link", "meta"}))


class _ParsedDocument:
    """The m nodes of a document in document order, including head, comments and nodes that will be dropped.

    Attributes (columns of shape (m,)):
        cut: whether the document has more than `max_nodes` nodes; the others are missing here.
        is_element: whether each node is an element.
        is_text: whether each node is a text node.
        tag: tag number, 0 for nodes other than elements.
        parent: parent node, -1 for the root and for nodes whose parent is missing.
        end: one past the last node of the subtree.
    """

    def __init__(self, text: str, max_nodes: int) -> None:
        self.markup, self.document = text, parse_document(text)
        self.nodes: list[Any] = list(islice(self.document.descendants, max_nodes + 1))
        self.cut = len(self.nodes) > max_nodes
        del self.nodes[max_nodes:]
        types = np.frombuffer(bytes(map(_NODE_TYPE.__getitem__, map(type, self.nodes))), dtype=np.uint8)
        self.is_element, self.is_text = types == _NODE_TYPE[Element], types == _NODE_TYPE[Text]
        names = _Numbers(TAG_NUMBER)
        elements = compress(self.nodes, self.is_element.tolist())
        self.tag = np.zeros(len(types), dtype=np.uint16)
        self.tag[self.is_element] = np.fromiter(map(names.__getitem__, map(_TAG, elements)), np.uint16)
        self.extra_tags = tuple(names)[len(TAG_NUMBER) :]
        ids = np.fromiter(map(id, compress(self.nodes, (~self.is_text).tolist())), np.int64)
        order = np.argsort(ids)
        self._ids, self._by_id = ids.take(order), np.flatnonzero(~self.is_text).take(order)
        self.parent = self.rows(map(_PARENT, self.nodes))
        self.end = subtree_ends(self.parent)

    def rows(self, nodes: Iterable[object]) -> Rows:
        """Return the index of each of the parser's nodes, -1 for text nodes and other objects."""
        ids = np.fromiter(map(id, nodes), np.int64)
        if not len(self._ids):
            return np.full(len(ids), -1, dtype=np.int32)
        found = np.searchsorted(self._ids, ids)
        is_found = self._ids.take(found, mode="clip") == ids
        return np.where(is_found, self._by_id.take(found, mode="clip"), -1).astype(np.int32)

    def inside(self, table: Mask) -> Mask:
        """Return which nodes are, or are inside, an element whose tag number is true in the table."""
        return is_inside(np.flatnonzero(table[self.tag]), self.end)

    def in_template(self) -> Mask:
        """Return which nodes have a template above them."""
        is_template = self.tag == TAG_NUMBER["template"]
        mask: Mask = times_inside(np.flatnonzero(is_template), self.end) > is_template
        return mask

    def body(self) -> Mask:
        """Return which elements and text nodes belong to the first body or frameset."""
        mask = np.zeros(len(self.nodes), dtype=np.bool_)
        roots = np.flatnonzero(_IS_ROOT[self.tag])
        if len(roots):
            mask[roots[0] : self.end[roots[0]]] = True
        mask &= self.is_element | self.is_text
        return mask

    def text_in(self, tag: str) -> str:
        """Return the text inside all elements of a tag."""
        rows = np.flatnonzero(self.tag == TAG_NUMBER[tag])
        return "".join(self.text(is_inside(rows, self.end))) if len(rows) else ""

    def swallowing(self, *, scripts: bool) -> tuple[tuple[str, str], ...]:
        """Return tag and content of elements of raw text that hold markup; of `scripts` all, or those at the end."""
        is_raw = _IS_RAW[self.tag[:-1]] & self.is_text[1:]
        if not scripts:
            is_raw[:-_LAST_NODES] &= ~_IS_LONG[self.tag[: -_LAST_NODES - 1]]
        pairs = ((self.nodes[row].tag, self.nodes[row + 1].data) for row in np.flatnonzero(is_raw).tolist())
        return tuple(pair for pair in pairs if holds_markup(pair[1]))

    def text(self, mask: Mask) -> list[str]:
        """Return the texts of the text nodes selected by a mask."""
        return list(map(_DATA, compress(self.nodes, (mask & self.is_text).tolist())))


class _KeptNodes:
    """The n nodes of a document that become nodes of the page, and text nodes inserted among them.

    Attributes:
        tag: (n,) tag number.
        parent: (n,) parent node.
        texts: the texts of the text nodes.
        elements: the parser's elements.
        document_index: (n,) index of each node in the document.
        is_alt: (n,) whether the node is an image's alternative text.
        starts_line: (n,) whether the node starts a line of preformatted text.
    """

    def __init__(self, document: _ParsedDocument, keep: Mask, deep: Mask) -> None:
        kept = keep & ~deep
        parent = document.parent
        if deep.any():
            parent = follow(np.where(deep, parent, np.arange(len(parent))))[parent].astype(np.int32)
        row_of = np.cumsum(kept, dtype=np.int32) - 1
        self.document = document
        self.tag = document.tag[kept]
        self.parent = row_of[parent[kept]]
        self.parent[:1] = -1
        self.texts = document.text(kept)
        self.elements: list[Element] = list(compress(document.nodes, (kept & document.is_element).tolist()))
        self.document_index = np.flatnonzero(kept)
        self.is_alt = np.zeros(len(self.tag), dtype=np.bool_)
        self.starts_line = np.zeros(len(self.tag), dtype=np.bool_)

    def split_lines(self, most: int) -> None:
        """Split preformatted text nodes into one text node per line, until there are more than `most` lines."""
        pre = np.flatnonzero(_IS_PRE[self.tag])
        if not len(pre):
            return
        inside = is_inside(pre, subtree_ends(self.parent))
        text_nodes = np.flatnonzero(self.tag == TEXT)
        counts = np.ones(len(self.tag), dtype=np.intp)
        texts: list[str] = []
        done = 0
        for index in np.flatnonzero(inside[text_nodes]).tolist():
            lines = _split(self.texts[index], most - len(texts)) or [""]
            texts += [*self.texts[done:index], *lines]
            counts[text_nodes[index]], done = len(lines), index + 1
        inside = np.repeat(inside, counts)
        self._repeat(counts)
        self.texts = texts + self.texts[done:]
        text_nodes = np.flatnonzero(self.tag == TEXT)
        starts = np.flatnonzero(inside[text_nodes])
        self.starts_line[text_nodes[starts]] = [at > 0 and self.texts[at - 1][-1:] == "\n" for at in starts.tolist()]

    def add_alts(self) -> None:
        """Insert each image's alternative text as a text node below the image."""
        is_image = self.tag[self.tag != TEXT] == TAG_NUMBER["img"]
        alts = [(image.attr("alt") or "").strip() for image in compress(self.elements, is_image.tolist())]
        images = np.flatnonzero(self.tag == TAG_NUMBER["img"])[np.array(list(map(bool, alts)), dtype=np.bool_)]
        if not len(images):
            return
        counts = np.ones(len(self.tag), dtype=np.intp)
        counts[images] = 2
        texts, done = [], 0
        for before, alt in zip(np.cumsum(self.tag == TEXT)[images].tolist(), filter(None, alts), strict=True):
            texts += [*self.texts[done:before], alt]
            done = before
        self.texts = texts + self.texts[done:]
        self._repeat(counts)
        new = (np.cumsum(counts) - 1)[images]
        self.tag[new], self.parent[new], self.is_alt[new] = TEXT, new - 1, True

    def _repeat(self, counts: npt.NDArray[np.intp]) -> None:
        """Repeat each node `counts` times; children point to the first copy."""
        first = (np.cumsum(counts) - counts).astype(np.int32)
        self.parent = np.repeat(np.append(first[self.parent[:1] + 1] - 1, first[self.parent[1:]]), counts)
        self.tag, self.document_index = np.repeat(self.tag, counts), np.repeat(self.document_index, counts)
        self.is_alt, self.starts_line = np.repeat(self.is_alt, counts), np.repeat(self.starts_line, counts)

    def build(self, max_nodes: int) -> NodeColumns:
        """Return the columns of the first `max_nodes` nodes."""
        n = min(len(self.tag), max_nodes)
        tag, parent = self.tag[:n], self.parent[:n]
        rows = np.flatnonzero(tag != TEXT)
        elements = self.elements[: len(rows)]
        marked_rows, marked = self._marked(rows)
        texts, end = self.texts[: int((tag == TEXT).sum())], subtree_ends(parent)
        lengths = np.zeros(n + 1, dtype=np.int32)
        lengths[np.flatnonzero(tag == TEXT) + 1] = np.fromiter(map(len, texts), np.int32, len(texts))
        offset = np.cumsum(lengths, dtype=np.int32)
        return NodeColumns(
            tag=tag,
            parent=parent,
            end=end,
            text="".join(texts),
            text_start=offset[:-1],
            text_end=offset[end],
            alt_nodes=np.flatnonzero(self.is_alt[:n]).astype(np.int32),
            line_nodes=np.flatnonzero(self.starts_line[:n]).astype(np.int32),
            elements=self._parsed(rows, elements),
            classes=_encode(n, rows, list(map(_CLASS, elements))),
            ids=_encode(n, marked_rows, list(map(_ID, marked))),
            hidden_nodes=marked_rows[np.fromiter(map(_is_hidden, marked), np.bool_, len(marked))],
            cut=n < len(self.tag),
        )

    def _parsed(self, rows: npt.NDArray[np.intp], elements: list[Element]) -> ParsedElements:
        """Return the parser's elements, whose nodes are `rows`."""
        document, index = self.document, self.document_index[rows]
        in_template = document.in_template() & document.is_element
        number = np.cumsum(document.is_element & ~in_template, dtype=np.int32)[index]
        return ParsedElements(
            rows, document.markup, index, number, bool(in_template.any()), document.document, elements
        )

    def _marked(self, rows: npt.NDArray[np.intp]) -> tuple[Rows, list[Element]]:
        """Return the elements with an id, and those that may be hidden by their own attributes; first their nodes."""
        row_of = np.full(len(self.document.nodes) + 1, -1, dtype=np.int32)
        row_of[self.document_index[rows]] = rows
        elements = self.document.document.select(_MARKED)
        marked_rows = row_of[self.document.rows(elements)]
        return marked_rows[marked_rows >= 0], list(compress(elements, (marked_rows >= 0).tolist()))


def _split(text: str, most: int) -> list[str]:
    """Return the first lines of a text, one more than `most`; if none are left to take, the text."""
    if text.count("\n") <= most:
        lines: list[str] = _LINES.findall(text)
        return lines
    return [line[0] for line in islice(_LINES.finditer(text), most + 1)] if most >= 0 else [text]


def _is_hidden(element: Element) -> bool:
    if element.attr("hidden") is not None or element.attr("aria-hidden") == "true":
        return True
    style = element.attr("style")
    return style is not None and _HIDING.search(style) is not None


def _encode(n: int, rows: npt.NDArray[np.integer], values: list[str | None]) -> tuple[Rows, tuple[str, ...]]:
    """Return for each of n nodes the index of its value among the distinct values, and these; index 0 is ""."""
    names = [name for name in dict.fromkeys(chain(("",), values)) if name is not None]
    number: dict[str | None, int] = {None: 0} | dict(zip(names, range(len(names)), strict=True))
    codes = np.zeros(n, dtype=np.int32)
    codes[rows] = np.fromiter(map(number.__getitem__, values), np.int32, len(values))
    return codes, tuple(names)


def _read_meta(document: _ParsedDocument) -> tuple[Meta, str]:
    """Return what the page declares outside its body, and the text of its noframes elements."""
    titles = np.flatnonzero((document.tag == TAG_NUMBER["title"]) & ~document.inside(_IS_DRAWING))[:1]
    declared: dict[str, str] = {}
    entries: list[tuple[str, str]] = []
    for row in np.flatnonzero(_IS_META[document.tag]).tolist():
        element, tag = document.nodes[row], int(document.tag[row])
        if tag != TAG_NUMBER["meta"]:
            key, value = _declaration(tag, element)
            if value:
                declared.setdefault(key, value)
        elif name := element.attr("name") or element.attr("property"):
            entries.append((name, element.attr("content") or ""))
    title = " ".join("".join(document.text(is_inside(titles, document.end))).split())
    meta = Meta(title, declared.get("language"), declared.get("base"), declared.get("canonical"), tuple(entries))
    return meta, document.text_in("noframes")


def _declaration(tag: int, element: Element) -> tuple[str, str | None]:
    """Return the field of `Meta` that an html, base or link element declares, and its value."""
    if tag == TAG_NUMBER["html"]:
        return "language", element.attr("lang") or element.attr("xml:lang")
    if tag == TAG_NUMBER["base"]:
        return "base", element.attr("href")
    is_canonical = (element.attr("rel") or "").lower() == "canonical"
    return "canonical", element.attr("href") if is_canonical else None
