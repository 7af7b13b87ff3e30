"""Turn the parser's nodes into the columns of a page.

turbohtml builds the tree in C. One pass over its nodes in document order reads type, tag, parent and text, each by a
single call that runs in C for all nodes. Everything else (subtrees, dropped nodes, offsets) is computed on arrays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import compress, count, islice, repeat
from operator import attrgetter
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from turbohtml import Element, Text

from dehusk.backends import kernel
from dehusk.compiled.tree import subtree_ends
from dehusk.lazy import pattern
from dehusk.page import Meta
from dehusk.read.elements import ParsedElements, are_hidden, attributes, parse_document
from dehusk.read.raw_text import RAW_TEXT, holds_markup
from dehusk.read.tree_arrays import Mask, Rows, depths, follow, is_inside, times_inside
from dehusk.tags import DROPPED, PREFORMATTED, TAG_NUMBER, TEXT, numbers

_HEAD_NODES = 1000  # allowance for the head: the node limit applies to the body, this only bounds memory
PARSER_DEPTH = 512
"""Number of open elements at which the parser stops nesting, as browsers do."""
_LITTLE_TEXT, _LAST_NODES = 8000, 4  # characters below which all scripts are searched for more, else these nodes
_LINES = pattern(r"[^\n]*\n|[^\n]+")
_NODE_TYPE = defaultdict(int, {Element: 1, Text: 2})
_TAG, _PARENT, _DATA = attrgetter("tag"), attrgetter("parent"), attrgetter("data")
_MARKED = "[id],[style],[hidden],[aria-hidden=true]"


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
        elements: the parser's elements, not of shape (m,).
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
        self.elements: list[Element] = list(compress(self.nodes, self.is_element.tolist()))
        self.tag = np.zeros(len(types), dtype=np.uint16)
        self.tag[self.is_element] = np.fromiter(map(names.__getitem__, map(_TAG, self.elements)), np.uint16)
        self.extra_tags = tuple(names)[len(TAG_NUMBER) :]
        parents = (~self.is_text).nonzero()[0].tolist()  # not only elements: the content of a template is a node, too
        self._row_of = dict(zip(map(self.nodes.__getitem__, parents), parents, strict=True))
        self.parent = self.rows(map(_PARENT, self.nodes))
        self.end = subtree_ends(self.parent)

    def rows(self, nodes: Iterable[object]) -> Rows:
        """Return the index of each of the parser's nodes, -1 for text nodes and other objects."""
        return np.fromiter(map(self._row_of.get, nodes, repeat(-1)), np.int32)

    def inside(self, table: Mask) -> Mask:
        """Return which nodes are, or are inside, an element whose tag number is true in the table."""
        return is_inside(table[self.tag].nonzero()[0], self.end)

    def in_template(self) -> Mask:
        """Return which nodes have a template above them."""
        is_template: Mask = self.tag == TAG_NUMBER["template"]
        if not is_template.any():
            return is_template
        mask: Mask = times_inside(is_template.nonzero()[0], self.end) > is_template
        return mask

    def title(self) -> str:
        """Return the text of the first title element outside of drawings and templates."""
        rows, drawings = (self.tag == TAG_NUMBER["title"]).nonzero()[0], _IS_DRAWING[self.tag].nonzero()[0]
        if len(rows) and len(drawings) and rows[0] > drawings[0]:
            rows = rows[~is_inside(drawings, self.end)[rows]]
        if not len(rows):
            return ""
        inside = slice(int(rows[0]), int(self.end[rows[0]]))
        return "".join(map(_DATA, compress(self.nodes[inside], self.is_text[inside].tolist())))

    def body(self) -> Mask:
        """Return which elements and text nodes belong to the first body or frameset."""
        mask = np.zeros(len(self.nodes), dtype=np.bool_)
        roots = _IS_ROOT[self.tag].nonzero()[0]
        if len(roots):
            mask[roots[0] : self.end[roots[0]]] = True
        mask &= self.is_element | self.is_text
        return mask

    def text_in(self, tag: str) -> str:
        """Return the text inside all elements of a tag."""
        rows = (self.tag == TAG_NUMBER[tag]).nonzero()[0]
        return "".join(self.text(is_inside(rows, self.end))) if len(rows) else ""

    def swallowing(self, *, scripts: bool) -> tuple[tuple[str, str], ...]:
        """Return tag and content of elements of raw text that hold markup; of `scripts` all, or those at the end."""
        is_raw = _IS_RAW[self.tag[:-1]] & self.is_text[1:]
        if not scripts:
            is_raw[:-_LAST_NODES] &= ~_IS_LONG[self.tag[: -_LAST_NODES - 1]]
        pairs = ((self.nodes[row].tag, self.nodes[row + 1].data) for row in is_raw.nonzero()[0].tolist())
        return tuple(pair for pair in pairs if holds_markup(pair[1]))

    def text(self, mask: Mask) -> list[str]:
        """Return the texts of the text nodes selected by a mask."""
        return list(map(_DATA, compress(self.nodes, (mask & self.is_text).tolist())))


class _KeptNodes:
    """The n nodes of a document that become nodes of the page, and text nodes inserted among them.

    Attributes:
        tag: (n,) tag number.
        parent: (n,) parent node.
        end: (n,) one past the last node of each element's subtree.
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
        row_of = kept.cumsum(dtype=np.int32) - 1
        self.document = document
        self.tag = document.tag[kept]
        self.parent = row_of[parent[kept]]
        self.parent[:1] = -1
        self.end = row_of[document.end[kept] - 1] + 1
        self.texts = document.text(kept)
        self.elements: list[Element] = list(compress(document.elements, kept[document.is_element].tolist()))
        self.document_index = kept.nonzero()[0]
        self.is_alt = np.zeros(len(self.tag), dtype=np.bool_)
        self.starts_line = np.zeros(len(self.tag), dtype=np.bool_)

    def split_lines(self, most: int) -> None:
        """Split preformatted text nodes into one text node per line, until there are more than `most` lines."""
        pre = _IS_PRE[self.tag].nonzero()[0]
        if not len(pre):
            return
        inside = is_inside(pre, self.end)
        text_nodes = (self.tag == TEXT).nonzero()[0]
        counts = np.ones(len(self.tag), dtype=np.intp)
        texts: list[str] = []
        done = 0
        for index in inside[text_nodes].nonzero()[0].tolist():
            lines = _split(self.texts[index], most - len(texts)) or [""]
            texts += [*self.texts[done:index], *lines]
            counts[text_nodes[index]], done = len(lines), index + 1
        inside = inside.repeat(counts)
        self._repeat(counts)
        self.texts = texts + self.texts[done:]
        text_nodes = (self.tag == TEXT).nonzero()[0]
        starts = inside[text_nodes].nonzero()[0]
        self.starts_line[text_nodes[starts]] = [at > 0 and self.texts[at - 1][-1:] == "\n" for at in starts.tolist()]

    def add_alts(self) -> None:
        """Insert each image's alternative text as a text node below the image."""
        is_image = self.tag[self.tag != TEXT] == TAG_NUMBER["img"]
        alts = [(image.attr("alt") or "").strip() for image in compress(self.elements, is_image.tolist())]
        images = (self.tag == TAG_NUMBER["img"]).nonzero()[0][np.array(list(map(bool, alts)), dtype=np.bool_)]
        if not len(images):
            return
        counts = np.ones(len(self.tag), dtype=np.intp)
        counts[images] = 2
        texts, done = [], 0
        for before, alt in zip((self.tag == TEXT).cumsum()[images].tolist(), filter(None, alts), strict=True):
            texts += [*self.texts[done:before], alt]
            done = before
        self.texts = texts + self.texts[done:]
        self._repeat(counts)
        new = (counts.cumsum() - 1)[images]
        self.tag[new], self.parent[new], self.is_alt[new] = TEXT, new - 1, True

    def _repeat(self, counts: npt.NDArray[np.intp]) -> None:
        """Repeat each node `counts` times; children point to the first copy."""
        after = counts.cumsum(dtype=np.int32)
        first, self.end = (after - counts).astype(np.int32), after[self.end - 1].repeat(counts)
        self.parent = np.append(first[self.parent[:1] + 1] - 1, first[self.parent[1:]]).repeat(counts)
        self.tag, self.document_index = self.tag.repeat(counts), self.document_index.repeat(counts)
        self.is_alt, self.starts_line = self.is_alt.repeat(counts), self.starts_line.repeat(counts)

    def build(self, max_nodes: int) -> NodeColumns:
        """Return the columns of the first `max_nodes` nodes."""
        n = min(len(self.tag), max_nodes)
        tag, parent = self.tag[:n], self.parent[:n]
        rows = (tag != TEXT).nonzero()[0]
        elements = self.elements[: len(rows)]
        marked_rows, marked = self._marked(rows)
        styles = attributes(marked, "style")
        after_text, end = (tag == TEXT).nonzero()[0] + 1, np.minimum(self.end[:n], np.int32(n))
        end[after_text - 1] = after_text
        texts, lengths = self.texts[: len(after_text)], np.zeros(n + 1, dtype=np.int32)
        lengths[after_text] = np.fromiter(map(len, texts), np.int32, len(texts))
        offset = lengths.cumsum(dtype=np.int32)
        return NodeColumns(
            tag=tag,
            parent=parent,
            end=end,
            text="".join(texts),
            text_start=offset[:-1],
            text_end=offset[end],
            alt_nodes=self.is_alt[:n].nonzero()[0].astype(np.int32),
            line_nodes=self.starts_line[:n].nonzero()[0].astype(np.int32),
            elements=self._parsed(rows, elements, zip(marked_rows.tolist(), styles, strict=True)),
            classes=_encode(n, rows, attributes(elements, "class")),
            ids=_encode(n, marked_rows, attributes(marked, "id")),
            hidden_nodes=marked_rows[are_hidden(marked, styles)],
            cut=n < len(self.tag),
        )

    def _parsed(
        self, rows: npt.NDArray[np.intp], elements: list[Element], styles: Iterable[tuple[int, str | None]]
    ) -> ParsedElements:
        """Return the parser's elements, whose nodes are `rows`; `styles` are those of nodes that have one."""
        document, index = self.document, self.document_index[rows]
        in_template = document.in_template() & document.is_element
        number = (document.is_element & ~in_template).cumsum(dtype=np.int32)[index]
        known = {"style": {row: style for row, style in styles if style is not None}}
        parsed, has_templates = (document.document, elements), bool(in_template.any())
        return ParsedElements(rows, document.markup, index, number, has_templates, *parsed, known=known)

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


def _encode(n: int, rows: npt.NDArray[np.integer], values: list[str | None]) -> tuple[Rows, tuple[str, ...]]:
    """Return for each of n nodes the index of its value among the distinct values, and these; index 0 is ""."""
    number = defaultdict[str | None, int](count(1).__next__, {None: 0, "": 0})
    codes = np.zeros(n, dtype=np.int32)
    codes[rows] = np.fromiter(map(number.__getitem__, values), np.int32, len(values))
    del number[None]
    return codes, tuple(cast("dict[str, int]", number))


def _read_meta(document: _ParsedDocument) -> tuple[Meta, str]:
    """Return what the page declares outside its body, and the text of its noframes elements."""
    declared: dict[str, str] = {}
    entries: list[tuple[str, str]] = []
    for row in _IS_META[document.tag].nonzero()[0].tolist():
        element, tag = document.nodes[row], int(document.tag[row])
        if tag != TAG_NUMBER["meta"]:
            key, value = _declaration(tag, element)
            if value:
                declared.setdefault(key, value)
        elif name := element.attr("name") or element.attr("property"):
            entries.append((name, element.attr("content") or ""))
    title = " ".join(document.title().split())
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
