"""What `dehusk.compiled.decide` computes: lists, data tables, code listings and definition lists."""

from functools import lru_cache
from typing import NamedTuple

from dehusk.base.tags import HEADINGS, PREFORMATTED
from dehusk.blocks import Blocks
from oracle import records
from oracle.skeleton import Tree, below, lineage, nearest, skeleton_of, with_tag


class Masks(NamedTuple):
    """Which elements are what, in the order of the fields of `Structures`; and which cannot be records."""

    lists: list[bool]
    items: list[bool]
    tables: list[bool]
    rows: list[bool]
    listings: list[bool]
    definitions: list[bool]
    taken: list[bool]


def has_header_row(tree: Tree, rows: list[list[int]]) -> bool:
    """Return whether the first row are header cells, and none has more cells."""
    return all(tree.names[cell] == "th" for cell in rows[0]) and all(len(row) <= len(rows[0]) for row in rows)


def is_running_text(blocks: Blocks, tree: Tree, cell: int, is_marked: bool, without_links: bool) -> bool:
    inside = slice(tree.first[cell], tree.end[cell])
    chars = sum(blocks.chars[inside].tolist())
    chars -= sum(blocks.link_chars[inside].tolist()) if without_links else 0
    has_several = tree.end[cell] - tree.first[cell] > 1
    return chars > 1500 or (has_several and chars > (600 if is_marked else 200))


def is_data_table(blocks: Blocks, tree: Tree, table: int) -> bool:
    """Return whether a table is one of data: rows of short cells, with nothing else in it."""
    tables, heads = with_tag(tree, "table"), with_tag(tree, "caption thead th")
    inside = [e for e in below(tree, table) if nearest(tree, e, tables) == table]
    cells = [e for e in inside if tree.names[e] in {"td", "th"}]
    rows = [[cell for cell in cells if tree.parent[cell] == e] for e in inside if tree.names[e] == "tr"]
    wide = [row for row in rows if len(row) > 1]
    is_marked = any(tree.names[e] in {"th", "caption"} for e in below(tree, table))
    if len(wide) < (1 if is_marked else 2) or any(tables[e] for e in below(tree, table)):
        return False
    has_header_cells = has_header_row(tree, wide)
    has_header = has_header_cells and len(wide) > 2
    foreign = PREFORMATTED if has_header else HEADINGS | PREFORMATTED
    for e in inside:
        row = nearest(tree, e, with_tag(tree, "tr"))
        heads_rows = tree.names[e] in HEADINGS and row > table and sum(tree.parent[cell] == row for cell in cells) < 2
        is_line = tree.names[e] in PREFORMATTED and tree.end[e] - tree.first[e] < 2
        if tree.names[e] in foreign and nearest(tree, e, heads) < table and not heads_rows and not is_line:
            return False
    running = sum(is_running_text(blocks, tree, cell, is_marked, has_header_cells) for cell in cells)
    if running > (len(cells) / 8 if has_header else 0):
        return False
    inside_blocks = range(tree.first[table], tree.end[table])
    said = [b for b in inside_blocks if not has_header_cells or blocks.link_chars[b] < blocks.chars[b]]
    return len(said) <= (4 if has_header else 2) * len(cells)


@lru_cache(maxsize=4)
def data_tables(blocks: Blocks) -> list[bool]:
    """Return which elements are tables of data."""
    tree = skeleton_of(blocks)
    return [name == "table" and is_data_table(blocks, tree, e) for e, name in enumerate(tree.names)]


@lru_cache(maxsize=4)
def element_masks(blocks: Blocks) -> Masks:
    """Return which elements are what."""
    tree, tables = skeleton_of(blocks), data_tables(blocks)
    elements, names = range(len(tree.node)), tree.names
    lists, definitions = with_tag(tree, "ul ol menu dir select datalist"), with_tag(tree, "dl")
    in_list = [tree.parent[e] >= 0 and lists[tree.parent[e]] for e in elements]
    items = [in_list[e] and names[e] in {"li", "option", "optgroup"} for e in elements]
    is_code = [
        names[e] in PREFORMATTED or (names[e] in {"code", "samp"} and tree.end[e] - tree.first[e] > 1) for e in elements
    ]
    in_code = [any(is_code[outer] for outer in lineage(tree, e)[1:]) for e in elements]
    in_table = [any(tables[outer] for outer in lineage(tree, e)[1:]) for e in elements]
    defines = [names[e] in {"dt", "dd"} and names[tree.parent[e]] == "dl" for e in elements]
    return Masks(
        lists=lists,
        items=items,
        tables=tables,
        rows=[in_table[e] and names[e] == "tr" for e in elements],
        listings=[is_code[e] and not in_code[e] for e in elements],
        definitions=definitions,
        taken=[items[e] or (lists[e] and in_list[e]) or in_code[e] or in_table[e] or defines[e] for e in elements],
    )


def find_structures(blocks: Blocks) -> tuple[Masks, records.Records, records.Records]:
    """Return which elements are what, the pairs of terms and definitions, and the records."""
    masks = element_masks(blocks)
    return masks, records.find_pairs(blocks), records.find_records(blocks, masks.taken)
