"""The parser's nodes to the columns of a page.

turbohtml builds the WHATWG tree in C; one walk over its nodes in document order takes kind, tag, parent and text, each
by one call that runs in C for all nodes. Everything else (subtrees, what is dropped, offsets) is computed on arrays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, compress, islice, repeat
from operator import attrgetter, methodcaller
from typing import Any

import numpy as np
import numpy.typing as npt
from turbohtml import Element, Text

from dehusk.page import Meta
from dehusk.read.elements import ParsedElements, parsed
from dehusk.tags import DROPPED, PREFORMATTED, TAG_NUMBER, TEXT, numbers

_APART = 1000  # nodes of a usual head: the node limit is about the body, this bound only about memory
PARSER_DEPTH = 512
"""Open elements at which the parser stops to nest, as browsers do."""
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_KIND = {Element: 1, Text: 2}
_TAG, _PARENT, _DATA = attrgetter("tag"), attrgetter("parent"), attrgetter("data")
_CLASS, _ID = methodcaller("attr", "class"), methodcaller("attr", "id")
_MARKED = '[id],[style*="none" i],[style*="hidden" i],[hidden],[aria-hidden=true]'
_HIDING = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_Rows = npt.NDArray[np.int32]
_Mask = npt.NDArray[np.bool_]


class _Numbers(dict[str, int]):
    """Tag numbers that grow by the names a page invents; past 65,535 names share the last number."""

    def __missing__(self, tag: str) -> int:
        number = min(len(self), 0xFFFF)
        self[tag] = number
        return number


@dataclass
class NodeColumns:
    """Columns of a page as `Page` documents them, before the page's other facts are known."""

    tag: npt.NDArray[np.uint16]
    parent: _Rows
    end: _Rows
    texts: list[str]
    alt_nodes: _Rows
    line_nodes: _Rows
    elements: ParsedElements
    classes: tuple[_Rows, tuple[str, ...]]
    ids: tuple[_Rows, tuple[str, ...]]
    hidden_nodes: _Rows
    extra_tags: tuple[str, ...] = ()
    meta: Meta = field(default_factory=Meta)
    frames: str = ""
    """Text of noframes elements, which is markup."""
    flattened: int = 0
    cut: bool = False
    capped: bool = False
    """Whether elements nest as deep as the parser lets them: what the page nests deeper stands beside them."""

    @classmethod
    def empty(cls) -> NodeColumns:
        """Return the columns of a page without nodes."""
        none = np.zeros(0, dtype=np.int32)
        return cls(
            none.astype(np.uint16),
            none,
            none,
            [],
            none,
            none,
            ParsedElements(none, "", none, []),
            (none, ("",)),
            (none, ("",)),
            none,
        )


def read_nodes(text: str, *, max_nodes: int, max_depth: int) -> NodeColumns:
    """Parse a page and turn its nodes into columns.

    Args:
        text: the page's source.
        max_nodes: nodes after so many are left away (`cut` is then set).
        max_depth: elements nested deeper are dissolved into their ancestor (`flattened` counts them).
    """
    source = _ParsedDocument(text, 4 * max_nodes + _APART)
    level = _depth(source.end) + source.is_element
    keep = source.body() & ~source.inside(_IS_DROPPED)
    deep = keep & source.is_element & (level > max_depth + 1)  # the html element is a level, too
    made = _KeptNodes(source, keep, deep)
    made.split_lines()
    made.add_alts()
    built = made.build(max_nodes)
    built.flattened, built.cut = int(deep.sum()), built.cut or source.cut
    built.capped = int(level.max(initial=0)) > PARSER_DEPTH
    built.meta, built.frames = _head(source)
    built.extra_tags = source.extra_tags
    return built


def _table(names: frozenset[str]) -> _Mask:
    """Return a mask over tag numbers that is true for the tags named."""
    mask = np.zeros(0x10000, dtype=np.bool_)
    mask[numbers(names)] = True
    return mask


_IS_DROPPED = _table(DROPPED)
_IS_ROOT = _table(frozenset({"body", "frameset"}))
_IS_PRE = _table(PREFORMATTED)
_IS_DRAWING = _table(frozenset({"svg", "template"}))
_IS_NOTED = _table(frozenset({"html", "base", "link", "meta"}))


class _ParsedDocument:
    """All nodes of a document in document order, m of them: head, comments and what will be dropped included."""

    def __init__(self, text: str, most: int) -> None:
        self.markup, self.document = text, parsed(text)
        self.nodes: list[Any] = list(islice(self.document.descendants, most + 1))
        self.cut = len(self.nodes) > most
        del self.nodes[most:]
        kinds = np.fromiter(map(_KIND.get, map(type, self.nodes), repeat(0)), np.uint8, len(self.nodes))
        self.is_element, self.is_text = kinds == _KIND[Element], kinds == _KIND[Text]
        names = _Numbers(TAG_NUMBER)
        elements = compress(self.nodes, self.is_element.tolist())
        self.tag = np.zeros(len(kinds), dtype=np.uint16)
        self.tag[self.is_element] = np.fromiter(map(names.__getitem__, map(_TAG, elements)), np.uint16)
        self.extra_tags = tuple(names)[len(TAG_NUMBER) :]
        self._ids = np.fromiter(map(id, self.nodes), np.int64, len(kinds))
        self._by_id = np.argsort(self._ids)
        self.parent = self.rows(map(_PARENT, self.nodes))
        self.end = _ends(self.parent)

    def rows(self, nodes: Iterable[object]) -> _Rows:
        """Return the row of each node, -1 for what is no row."""
        wanted = np.fromiter(map(id, nodes), np.int64)
        if not len(self._ids):
            return np.full(len(wanted), -1, dtype=np.int32)
        found = self._by_id[np.searchsorted(self._ids, wanted, sorter=self._by_id).clip(max=len(self._ids) - 1)]
        return np.where(self._ids[found] == wanted, found, -1).astype(np.int32)

    def inside(self, table: _Mask) -> _Mask:
        """Return which nodes are elements of the table or lie in one."""
        return _covered(np.flatnonzero(table[self.tag]), self.end)

    def body(self) -> _Mask:
        """Return which elements and texts belong to the first body or frameset."""
        mask = np.zeros(len(self.nodes), dtype=np.bool_)
        roots = np.flatnonzero(_IS_ROOT[self.tag])
        if len(roots):
            mask[roots[0] : self.end[roots[0]]] = True
        mask &= self.is_element | self.is_text
        return mask

    def text(self, mask: _Mask) -> list[str]:
        """Return the texts of the text nodes of a mask."""
        return list(map(_DATA, compress(self.nodes, (mask & self.is_text).tolist())))


def _ends(parent: _Rows) -> _Rows:
    """Return one past the last node of each subtree: the next sibling of the node or of the nearest that has one."""
    n = len(parent)
    order = np.argsort(parent, kind="stable")
    siblings = parent[order[1:]] == parent[order[:-1]]
    following = np.full(n + 1, n, dtype=np.int32)
    following[order[:-1][siblings]] = order[1:][siblings]
    pointer = np.append(np.where(following[:-1] < n, np.arange(n), parent), n)
    pointer[pointer < 0] = n
    return following.take(_followed(pointer))[:n]


def _followed(pointer: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return where pointers lead in the end; pointers of pointers double the distance, so depth costs little."""
    while True:
        further = pointer.take(pointer)
        if np.array_equal(further, pointer):
            return pointer
        pointer = further


def _depth(end: _Rows) -> _Rows:
    """Return how many nodes are above each."""
    n = len(end)
    return (np.arange(n) - np.cumsum(np.bincount(end, minlength=n + 1)[:n])).astype(np.int32)


def _covered(roots: npt.NDArray[np.intp], end: _Rows) -> _Mask:
    """Return which nodes lie in the subtrees of some nodes, the roots included."""
    n = len(end)
    change = np.bincount(roots, minlength=n + 1) - np.bincount(end[roots], minlength=n + 1)
    mask: _Mask = np.cumsum(change[:n]) > 0
    return mask


class _KeptNodes:
    """The kept nodes, with what is inserted among them."""

    def __init__(self, source: _ParsedDocument, keep: _Mask, deep: _Mask) -> None:
        kept = keep & ~deep
        parent = source.parent
        if deep.any():
            parent = _followed(np.where(deep, parent, np.arange(len(parent))))[parent].astype(np.int32)
        place = np.cumsum(kept, dtype=np.int32) - 1
        self.source, self.kept = source, kept
        self.tag = source.tag[kept]
        self.parent = place[parent[kept]]
        self.parent[:1] = -1
        self.texts = source.text(kept)
        self.elements: list[Element] = list(compress(source.nodes, (kept & source.is_element).tolist()))
        self.origin = np.flatnonzero(kept)
        self.alts = np.zeros(len(self.tag), dtype=np.bool_)
        self.lines = np.zeros(len(self.tag), dtype=np.bool_)

    def split_lines(self) -> None:
        """Make each line of preformatted text a text node of its own."""
        pre = np.flatnonzero(_IS_PRE[self.tag])
        if not len(pre):
            return
        inside = _covered(pre, _ends(self.parent))
        where = np.flatnonzero(self.tag == TEXT)
        counts = np.ones(len(self.tag), dtype=np.intp)
        texts, done = [], 0
        for index in np.flatnonzero(inside[where]).tolist():
            lines = _LINES.findall(self.texts[index]) or [""]
            texts += [*self.texts[done:index], *lines]
            counts[where[index]], done = len(lines), index + 1
        inside = np.repeat(inside, counts)
        self._repeat(counts)
        self.texts = texts + self.texts[done:]
        ended = np.array([False, *(text.endswith("\n") for text in self.texts[:-1])], dtype=np.bool_)
        where = np.flatnonzero(self.tag == TEXT)
        self.lines[where] = ended[: len(where)] & inside[where]

    def add_alts(self) -> None:
        """Give each image its alternative text as a text child."""
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
        self.tag[new], self.parent[new], self.alts[new] = TEXT, new - 1, True

    def _repeat(self, counts: npt.NDArray[np.intp]) -> None:
        """Repeat nodes; what pointed to a node points to its first copy."""
        first = (np.cumsum(counts) - counts).astype(np.int32)
        self.parent = np.repeat(np.append(first[self.parent[:1] + 1] - 1, first[self.parent[1:]]), counts)
        self.tag, self.origin = np.repeat(self.tag, counts), np.repeat(self.origin, counts)
        self.alts, self.lines = np.repeat(self.alts, counts), np.repeat(self.lines, counts)

    def build(self, max_nodes: int) -> NodeColumns:
        """Return the columns of the nodes."""
        n = min(len(self.tag), max_nodes)
        tag, parent = self.tag[:n], self.parent[:n]
        rows = np.flatnonzero(tag != TEXT)
        elements = self.elements[: len(rows)]
        places, marked = self._marked(rows)
        return NodeColumns(
            tag=tag,
            parent=parent,
            end=_ends(parent),
            texts=self.texts[: int((tag == TEXT).sum())],
            alt_nodes=np.flatnonzero(self.alts[:n]).astype(np.int32),
            line_nodes=np.flatnonzero(self.lines[:n]).astype(np.int32),
            elements=ParsedElements(rows, self.source.markup, self.origin[rows], elements),
            classes=_coded(n, rows, list(map(_CLASS, elements))),
            ids=_coded(n, places, list(map(_ID, marked))),
            hidden_nodes=np.array([row for row, e in zip(places.tolist(), marked, strict=True) if _hides(e)], np.int32),
            cut=n < len(self.tag),
        )

    def _marked(self, rows: npt.NDArray[np.intp]) -> tuple[_Rows, list[Element]]:
        """Return the elements that have an id or may be hidden by their own attributes, and their rows, rising."""
        row_of = np.full(len(self.source.nodes) + 1, -1, dtype=np.int32)
        row_of[self.origin[rows]] = rows
        found = self.source.document.select(_MARKED)
        places = row_of[self.source.rows(found)]
        return places[places >= 0], list(compress(found, (places >= 0).tolist()))


def _hides(element: Element) -> bool:
    shown = element.attr("hidden") is None and element.attr("aria-hidden") != "true"
    return not shown or _HIDING.search(element.attr("style") or "") is not None


def _coded(n: int, rows: npt.NDArray[np.integer], values: list[str | None]) -> tuple[_Rows, tuple[str, ...]]:
    """Return for each of n nodes the number of its value, and the distinct values; "" for none is number 0."""
    names = [name for name in dict.fromkeys(chain(("",), values)) if name is not None]
    number: dict[str | None, int] = {None: 0} | dict(zip(names, range(len(names)), strict=True))
    codes = np.zeros(n, dtype=np.int32)
    codes[rows] = np.fromiter(map(number.__getitem__, values), np.int32, len(values))
    return codes, tuple(names)


def _head(source: _ParsedDocument) -> tuple[Meta, str]:
    """Return what stands beside the body's text, and the text of noframes elements."""
    titles = np.flatnonzero((source.tag == TAG_NUMBER["title"]) & ~source.inside(_IS_DRAWING))[:1]
    frames = np.flatnonzero(source.tag == TAG_NUMBER["noframes"])
    found: dict[str, str] = {}
    entries: list[tuple[str, str]] = []
    for row in np.flatnonzero(_IS_NOTED[source.tag]).tolist():
        element, tag = source.nodes[row], int(source.tag[row])
        if tag != TAG_NUMBER["meta"]:
            for key, value in _facts(tag, element):
                found.setdefault(key, value)
        elif name := element.attr("name") or element.attr("property"):
            entries.append((name, element.attr("content") or ""))
    title = " ".join("".join(source.text(_covered(titles, source.end))).split())
    meta = Meta(title, found.get("language"), found.get("base"), found.get("canonical"), tuple(entries))
    return meta, "".join(source.text(_covered(frames, source.end))) if len(frames) else ""


def _facts(tag: int, element: Element) -> list[tuple[str, str]]:
    """Return what an html, base or link element says of the page."""
    if tag == TAG_NUMBER["html"]:
        facts = [("language", element.attr("lang") or element.attr("xml:lang"))]
    elif tag == TAG_NUMBER["base"]:
        facts = [("base", element.attr("href"))]
    else:
        facts = [("canonical", element.attr("href") if (element.attr("rel") or "").lower() == "canonical" else "")]
    return [(key, value) for key, value in facts if value]
