"""Tables that are not what their elements say: cells that a style sheet lays out, cells with a drawing for yes or no.

Javadoc writes its summaries without tables and rows: `<div class="summary-table">` has nothing but `div` elements, the
cells, of which the first ones, of the class `table-header`, name the columns. As many are a row.

In tables that compare or specify, a drawing or the sign of an icon font says whether something is so. Without it, what
a thing lacks would read as what it has: such a cell gets a sign.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes, has_ink
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_BOX, _CELLS, _IMAGE = numbers("div")[0], numbers("td"), numbers("img")
_HEADER = NamePattern(r"(?:^|\s)table-header(?:$|\s)", "table-header")
_COLUMNS, _ROWS = 2, 2  # of a grid, at least; one row names the columns
YES, NO = "✓", "✗"
_DRAWING = 2_000  # characters of markup of a cell with a drawing, of which larger ones are pictures
_SAYING = pattern(
    r"\s(?:class|href|aria-label|title|alt|data-icon)=\"([^\"]{1,200})\"|<(?:title|text)\b[^>]{0,200}>([^<]{1,40})<"
)
_YES = pattern(r"(?i:(?<![^\W_])(?:check(?:mark)?|tick|yes|true)(?![^\W_]))|[✓✔✅☑]")
_NO = pattern(r"(?i:(?<![^\W_])(?:cross(?:mark)?|no(?!-)|times|xmark|x-mark|false)(?![^\W_]))|[✗✘❌✖]")


@cached_per_object
def grid_cells(page: Page) -> dict[int, tuple[int, int, bool]]:
    """Return cell -> row, column, and whether it names a column, for the cells that only a style sheet lays out."""
    headers = page.nodes_of_class(_HEADER)
    found = dict[int, tuple[int, int, bool]]()
    if not len(headers):
        return found
    is_header = frozenset(headers.tolist())
    for grid in sorted(set(page.parent[headers].tolist())):
        cells = [*_children(page, grid)]
        columns = next((place for place, cell in enumerate(cells) if cell not in is_header), 0)
        if columns < _COLUMNS or len(cells) % columns or len(cells) < _ROWS * columns:
            continue
        if all(page.tag[cell] == _BOX for cell in cells) and page.tag[grid] == _BOX:
            found |= {cell: (*divmod(place, columns), cell in is_header) for place, cell in enumerate(cells)}
    return found


def _children(page: Page, node: int) -> Iterator[int]:
    """Yield the children of an element, but white space."""
    child, end = node + 1, int(page.end[node])
    while child < end:
        if not page.is_text[child] or page.text_of(child).strip():
            yield child
        child = int(page.end[child])


def with_grids(page: Page, nodes: Nodes, names: list[str]) -> list[str]:
    """Return the names of elements in the output, (m,), with such cells and what is around them as parts of tables."""
    cells = grid_cells(page)
    if not cells:
        return names
    around = {int(page.parent[cell]) for cell in cells}
    rows = zip(nodes.tolist(), names, strict=True)
    return ["td" if node in cells else "table" if node in around else name for node, name in rows]


@cached_per_object
def signs_in_cells(page: Page) -> dict[int, str]:
    """Return cell -> the sign for yes or no, for those with nothing but a drawing that says so, by its names."""
    cells = page.nodes_of(_CELLS)
    if len(cells):
        cells = _without(page, cells, has_ink(page).nonzero()[0])
        cells = _without(page, cells, page.nodes_of(_IMAGE))
    if not len(cells):
        return {}
    markup = zip(cells.tolist(), page.elements.markup_of(cells, page.end[cells], _DRAWING), strict=True)
    found = {cell: _sign_of(source) for cell, source in markup if "</" in source}
    return {cell: sign for cell, sign in found.items() if sign}


def signs_beside(page: Page) -> dict[int, str]:
    """Return text node -> the sign of the cell that follows it in its row: plain text has no cells without text."""
    found, signs = dict[int, str](), signs_in_cells(page)
    texts = has_ink(page).nonzero()[0] if signs else np.array([], np.intp)
    for cell, sign in signs.items():
        before = int(texts.searchsorted(cell)) - 1
        if before >= 0 and texts[before] > page.parent[cell]:
            text = int(texts[before])
            found[text] = f"{found[text]} {sign}" if text in found else sign
    return found


def _without(page: Page, cells: Nodes, nodes: Nodes) -> Nodes:
    """Return the cells that have none of some nodes."""
    without: Nodes = cells[nodes.searchsorted(cells) == nodes.searchsorted(page.end[cells])]
    return without


def _sign_of(source: str) -> str:
    """Return the sign that stands for a drawing, "" if its names do not say one of yes and no."""
    inside = source.partition(">")[2]
    names = " ".join(name or text for name, text in _SAYING.findall(inside))
    is_yes, is_no = _YES.search(names) is not None, _NO.search(names) is not None
    return "" if is_yes == is_no else YES if is_yes else NO
