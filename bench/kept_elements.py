"""The elements of a page's kept text, read from its nodes: what a writer of structured text must write."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dehusk.base.tags import HEADINGS, PREFORMATTED, numbers
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes, has_ink, is_holder
from dehusk.blocks.units.footnotes import Footnotes, find_footnotes
from dehusk.blocks.units.tables import table_nodes
from dehusk.read.addresses import Addresses
from dehusk.read.page import Bools, Page
from elements import Element, ink

_HEADING = numbers(HEADINGS)
_ITEM = numbers("li")
_LIST = numbers("ul ol menu dir")
_ORDERED = numbers("ol")
_PRE = numbers(PREFORMATTED)
_LINK = numbers("a")
_TABLE = numbers("table")
_ROW = numbers("tr")
_CELL = numbers("td th")
_BREAK = numbers("br hr")


Span = tuple[int, int]


@dataclass(frozen=True)
class KeptElement:
    """An element with its place on the page."""

    element: Element
    node: int
    """Node of the heading, item, cell, listing or link."""
    spans: tuple[Span, ...]
    """Where its text is: (start, end) in characters of `page.text`."""


def kept_elements(labels: Labels, *, notes: bool = False) -> list[KeptElement]:
    """Return the headings, list items, cells, lines of code and links of the kept blocks, kind by kind.

    An element counts if it contains kept text outside of others of its kind. What is in preformatted text counts as
    code only, and of tables, only those of data do (`dehusk.blocks.units.tables`). Rows and columns are numbered
    without those that have no kept text.

    Args:
        labels: the labels of a page.
        notes: whether footnotes (`dehusk.blocks.units.footnotes`) are written as such: then they are no list items,
            and have no links back.
    """
    page = labels.blocks.page
    footnotes = find_footnotes(page, Addresses.of(page)) if notes else Footnotes()
    text = kept_text(labels)
    text = text[page.within(np.array(sorted(footnotes.left_out), dtype=np.intp))[text] == 0]
    in_pre = page.within(page.nodes_of(_PRE)) > 0
    grid = np.append(table_nodes(labels.blocks), False)
    table = page.nearest(page.is_one_of(_TABLE))
    in_grid = grid[table] & (page.nearest(page.is_one_of(_CELL)) > table)
    prose = text[~in_pre[text]]
    elements = [*_headings(page, prose[~in_grid[prose]]), *_items(page, prose[~in_grid[prose]], footnotes)]
    elements += [*_cells(page, prose[in_grid[prose]]), *_code(page, text[in_pre[text]])]
    return [*elements, *_links(page, prose)]


def kept_text(labels: Labels) -> Nodes:
    """Return the text nodes of the kept blocks that contain ink, without the omitted ones."""
    blocks, page = labels.blocks, labels.blocks.page
    kept = np.flatnonzero(labels.kept)
    change = np.bincount(blocks.first[kept], minlength=len(page) + 1)
    change -= np.bincount(blocks.last[kept] + 1, minlength=len(page) + 1)
    mask = (np.cumsum(change[:-1]) > 0) & page.is_text & has_ink(page)
    mask[np.setdiff1d(page.alt_nodes, blocks.first[kept])] = False
    mask[labels.omitted] = False
    return np.flatnonzero(mask)


def _grouped(page: Page, text: Nodes, targets: Bools) -> Iterator[tuple[int, str, tuple[Span, ...]]]:
    """Yield each target that contains text, in document order, its ink outside inner targets, and where that is."""
    parts: dict[int, list[Span]] = defaultdict(list)
    for element, node in zip(page.nearest(targets)[text].tolist(), text.tolist(), strict=True):
        if element >= 0:
            parts[element].append((int(page.text_start[node]), int(page.text_end[node])))
    for element in sorted(parts):
        spans = tuple(parts[element])
        yield element, ink("".join(page.text[start:end] for start, end in spans)), spans


def _outermost(page: Page, nodes: Nodes) -> Bools:
    mask = np.zeros(len(page), dtype=np.bool_)
    mask[nodes[page.within(nodes)[nodes] == 1]] = True
    return mask


def _headings(page: Page, text: Nodes) -> Iterator[KeptElement]:
    for node, written, spans in _grouped(page, text, page.is_one_of(_HEADING)):
        yield KeptElement(Element("heading", written, (int(page.tag_name(node)[1]),)), node, spans)


def _items(page: Page, text: Nodes, footnotes: Footnotes) -> Iterator[KeptElement]:
    items = np.setdiff1d(page.nodes_of(_ITEM), np.array(sorted(footnotes.notes), dtype=np.intp))
    is_item = np.zeros(len(page), dtype=np.bool_)
    is_item[items] = True
    ordered = np.append(page.is_one_of(_ORDERED), False)[page.nearest(page.is_one_of(_LIST))]
    depth = page.within(items)
    for node, written, spans in _grouped(page, text, is_item):
        kind = "ol" if ordered[node] else "ul"
        yield KeptElement(Element("item", written, (int(depth[node]) - 1, kind)), node, spans)


def _cells(page: Page, text: Nodes) -> Iterator[KeptElement]:
    written = {cell: (ink_of, spans) for cell, ink_of, spans in _grouped(page, text, page.is_one_of(_CELL))}
    table = page.nearest(page.is_one_of(_TABLE))
    cells_of: dict[int, list[int]] = defaultdict(list)
    for cell in page.nodes_of(_CELL).tolist():
        cells_of[int(page.parent[cell])].append(cell)
    taken: dict[int, set[tuple[int, int]]] = defaultdict(set)
    found: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    filled_rows: dict[int, int] = defaultdict(int)
    for row in sorted({int(page.parent[cell]) for cell in written}):
        in_table, index, column = taken[int(table[row])], filled_rows[int(table[row])], 0
        filled_rows[int(table[row])] += 1
        for cell in cells_of[row]:
            while (index, column) in in_table:
                column += 1
            wide, high = (_span(page, cell, name) for name in ("colspan", "rowspan"))
            in_table.update((index + i, column + j) for i in range(high) for j in range(wide))
            if cell in written:
                found[int(table[row])].append((index, column, cell))
    for placed in found.values():
        rank = {column: index for index, column in enumerate(sorted({column for _, column, _ in placed}))}
        for index, column, cell in placed:
            ink_of, spans = written[cell]
            yield KeptElement(Element("cell", ink_of, (index, rank[column])), cell, spans)


def _span(page: Page, cell: int, name: str) -> int:
    value = (page.attribute(cell, name) or "").strip()
    return min(int(value), 100) if value.isascii() and value.isdigit() and int(value) > 0 else 1


def _code(page: Page, text: Nodes) -> Iterator[KeptElement]:
    """Yield the lines of preformatted text; a `br` and a block-level element divide lines, as in a browser."""
    pre = page.nearest(_outermost(page, page.nodes_of(_PRE)))
    divides = page.is_one_of(_BREAK) | is_holder(page)
    kept = np.zeros(len(page), dtype=np.bool_)
    kept[text] = True
    shown = kept | (page.is_text & ~has_ink(page))
    for element in np.unique(pre[text]).tolist():
        inside = np.arange(element + 1, page.end[element])
        ends = set(page.end[inside[is_holder(page)[inside]]].tolist())
        lines: list[list[Span]] = [[]]
        for node in inside.tolist():
            if divides[node] or node in ends:
                lines.append([])
            if shown[node] and page.is_text[node]:
                _add_lines(lines, page, node)
        for spans in lines:
            line = "".join(page.text[start:end] for start, end in spans)
            if ink(line):
                yield KeptElement(Element("code", line.rstrip()), element, tuple(spans))


def _add_lines(lines: list[list[Span]], page: Page, node: int) -> None:
    """Add the lines of a text node to the last of the lines, and to new ones."""
    start, end = int(page.text_start[node]), int(page.text_end[node])
    for piece in page.text[start:end].splitlines(keepends=True):
        lines[-1].append((start, start + len(piece.rstrip("\r\n"))))
        start += len(piece)
        if piece[-1] in "\r\n":
            lines.append([])


def _links(page: Page, text: Nodes) -> Iterator[KeptElement]:
    addresses = Addresses.of(page)
    for node, written, spans in _grouped(page, text, page.is_one_of(_LINK)):
        if address := addresses.resolve(page.attribute(node, "href") or ""):
            yield KeptElement(Element("link", written, (address,)), node, spans)
