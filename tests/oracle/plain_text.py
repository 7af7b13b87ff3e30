"""What `dehusk.compiled.write` writes as plain text: each block after what separates it, by the elements around it."""

from functools import lru_cache
from typing import NamedTuple

from dehusk.base.tags import HEADINGS, PREFORMATTED
from dehusk.blocks import Blocks
from dehusk.blocks.labels import CONTINUATION, LIST, Labels
from dehusk.blocks.layout import Gap
from dehusk.read.page import Page, whole_number
from dehusk.write.plain import plain_texts
from dehusk.write.text import BULLETED
from oracle.layout import gaps
from oracle.pruning import HOLDERS
from oracle.skeleton import skeleton_of
from oracle.structures import data_tables
from oracle.tree import is_in, lineages, tag_names

LISTS = frozenset({"ul", "ol", "dl", "menu", "dir"})
ITEMS = frozenset({"li", "dt", "dd"})
CELLS = frozenset({"td", "th"})
MOST_LEVELS = 32


class Line(NamedTuple):
    """A written block with what it is in; elements are None if there are none."""

    block: int
    gap: int
    """What separates it from the block before; nothing more than a space from a block that it continues."""
    pre: int | None
    table: int | None
    """The table of data."""
    row: int | None
    column: int
    """The column of its cell, where those to the left and above may span several."""
    item: int | None
    """The item of a list, outside of tables of data and preformatted text."""
    starts_item: bool
    is_listed: bool
    """Whether it starts an item, is directly in one, or is labelled as one."""
    outer_list: int | None


def around(page: Page, node: int, tags: frozenset[str]) -> int | None:
    """Return the innermost element around a node that has one of some tags."""
    return next((outer for outer in lineages(page)[node] if tag_names(page)[outer] in tags), None)


@lru_cache(maxsize=4)
def grids(blocks: Blocks) -> set[int]:
    """Return the tables of data."""
    return {skeleton_of(blocks).node[element] for element, is_data in enumerate(data_tables(blocks)) if is_data}


def place_in_table(blocks: Blocks, node: int) -> tuple[int | None, int | None, int]:
    """Return the table of data, the row and the column of the cell that a node is in."""
    page = blocks.page
    table, cell = around(page, node, frozenset({"table"})), around(page, node, CELLS)
    if table not in grids(blocks) or cell is None or table not in lineages(page)[cell]:
        return None, None, 0
    return table, int(page.parent[cell]), columns_of(blocks, table)[cell]


def span(page: Page, cell: int, name: str, least: int) -> int:
    """Return how many rows or columns a cell spans."""
    return max(whole_number(page.attribute(cell, name), 1), least)


@lru_cache(maxsize=64)
def columns_of(blocks: Blocks, table: int) -> dict[int, int]:
    """Return the column of each cell of a table: the first from which on all that it spans is free."""
    page, names, found = blocks.page, tag_names(blocks.page), dict[int, int]()
    inside = [node for node in range(table + 1, page.end[table]) if around(page, node, frozenset({"table"})) == table]
    cells = [node for node in inside if names[node] in CELLS]
    rows = sorted({node for node in inside if names[node] == "tr"} | {int(page.parent[cell]) for cell in cells})
    most = max(sum(page.parent[cell] == row for cell in cells) for row in rows)
    taken = set[tuple[int, int]]()
    for cell in cells:
        at, column = rows.index(int(page.parent[cell])), 0
        while (at, column) in taken:
            column += 1
        found[cell] = column
        across, down = min(span(page, cell, "colspan", 1), most), span(page, cell, "rowspan", 0) or len(rows)
        taken |= {(row, column + right) for row in range(at, min(at + down, len(rows))) for right in range(across)}
    return found


@lru_cache(maxsize=4)
def sections(labels: Labels) -> set[int]:
    """Return the elements around written headings."""
    page, starts = labels.blocks.page, labels.blocks.first[labels.written].tolist()
    return {outer for start in starts if is_in(page, start, HEADINGS) for outer in lineages(page)[start]}


def line_of(labels: Labels, block: int, gap: int, before: list[Line]) -> Line:
    """Return a written block with what it is in, after those before it."""
    page, first, kind = labels.blocks.page, int(labels.blocks.first[block]), labels.label[block]
    table, row, column = place_in_table(labels.blocks, first)
    pre, holder = around(page, first, PREFORMATTED), around(page, first, HOLDERS)
    may_be_listed = pre is None and row is None
    items = [outer for outer in lineages(page)[first] if tag_names(page)[outer] in ITEMS and may_be_listed]
    item = next((outer for outer in items if outer not in sections(labels)), None)
    starts_item = item is not None and all(line.item != item for line in before)
    may_be_listed &= item is not None or not items
    is_listed = starts_item or (item is not None and item == holder) or (may_be_listed and kind == LIST)
    lists = [outer for outer in lineages(page)[first] if tag_names(page)[outer] in LISTS]
    if kind == CONTINUATION and gap == Gap.BREAK and before and (pre is None or pre != before[-1].pre):
        gap = Gap.SPACE
    return Line(block, gap, pre, table, row, column, item, starts_item, is_listed, lists[-1] if lists else None)


def lines_of(labels: Labels) -> list[Line]:
    """Return the written blocks with what they are in."""
    written, found = labels.written.tolist(), list[Line]()
    for block, gap in zip(written, gaps(labels.blocks, written), strict=True):
        found.append(line_of(labels, block, gap, found))
    return found


def separator(blocks: Blocks, before: Line, line: Line) -> str:
    """Return what is written between two blocks."""
    between = blocks.page.text[blocks.span(before.block)[1] : blocks.span(line.block)[0]]
    same_pre = line.pre is not None and line.pre == before.pre
    if line.gap < Gap.LINE:
        return between if same_pre and between.isspace() else " " * (line.gap != Gap.NOTHING)
    if line.row is not None and line.row == before.row:
        return "\t" * (line.column - before.column) or " "
    same_table = line.table is not None and line.table == before.table
    follows_item = before.is_listed or before.item is not None
    same_list = line.is_listed and follows_item and line.outer_list == before.outer_list
    ends = 1 if line.gap == Gap.LINE or same_table or same_list else 2
    return "\n" * (max(between.count("\n"), 1) if same_pre else ends) + "\t" * line.column


def level_of(page: Page, lines: list[Line], line: Line) -> int:
    """Return in how many items of which something is written a line is, without the one that it starts."""
    if line.item is None or (line.gap < Gap.LINE and line is not lines[0]):
        return 0
    items = {each.item for each in lines}.intersection(lineages(page)[line.item])
    return min(len(items) - line.starts_item, MOST_LEVELS)


def marker(page: Page, line: Line, text: str) -> str:
    """Return the number or dash before a line of a list."""
    if line.item is not None and line.starts_item:
        parent, names = int(page.parent[line.item]), tag_names(page)
        like = [node for node in range(line.item) if (page.parent[node], names[node]) == (parent, names[line.item])]
        if names[parent] == "ol":
            return f"{whole_number(page.attribute(parent, 'start'), 1) + len(like)}. "
        return "- "
    return "- " if line.is_listed and line.item is None and not BULLETED.match(text) else ""


def to_text(labels: Labels) -> str:
    """Return the written blocks as text; they are indented less if that would take more than half of the source."""
    blocks, page, lines, texts, written = labels.blocks, labels.blocks.page, lines_of(labels), plain_texts(labels), ""
    levels, budget = [level_of(page, lines, line) for line in lines], len(page.elements.text) // 2
    most = max(most for most in range(MOST_LEVELS + 1) if sum(min(level, most) for level in levels) <= budget)
    for at, (line, level) in enumerate(zip(lines, levels, strict=True)):
        written += separator(blocks, lines[at - 1], line) if at else "\t" * line.column
        if not at or line.gap >= Gap.LINE:
            written += "  " * min(level, most) + marker(page, line, texts[line.block])
        written += texts[line.block]
    return f"{written}\n" if lines else ""
