"""What `dehusk.compiled.decide` computes: headers, items, tables, code, comments and continued paragraphs."""

from collections.abc import Sequence

from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from dehusk.blocks.labels import CODE, COMMENT, CONTINUATION, HEADER, LIST, OTHER, PARAGRAPH, TABLE
from dehusk.blocks.layout import Gap
from dehusk.label.features import FeatureSettings
from oracle.blocks import BLOCK_LEVEL
from oracle.features_names import nodes_with_word
from oracle.layout import gap
from oracle.skeleton import skeleton_of
from oracle.structures import data_tables
from oracle.tree import is_in, lineages, tag_names


def in_table(blocks: Blocks, block: int) -> bool:
    """Return whether a block is in a cell of its innermost table, and that is one of data."""
    tree, names = skeleton_of(blocks), tag_names(blocks.page)
    is_data = dict(zip(tree.node, data_tables(blocks), strict=True))
    around = lineages(blocks.page)[int(blocks.first[block])]
    table = next((node for node in around if names[node] == "table"), None)
    return table is not None and is_data[table] and any(node > table and names[node] in {"td", "th"} for node in around)


def in_comment(blocks: Blocks, block: int, settings: FeatureSettings) -> bool:
    """Return whether a block is in an element whose name is one for comments, and that has no h1 or main."""
    page, names = blocks.page, tag_names(blocks.page)
    for node in nodes_with_word(page, settings.classes.get("comment", ())):
        has_main = not {"main", "h1"}.isdisjoint(names[node : int(page.end[node])])
        if not has_main and node in lineages(page)[int(blocks.node[block])]:
            return True
    return False


def continues(blocks: Blocks, block: int) -> bool:
    """Return whether a block and the one before are right in the same p, with one line end between."""
    page, names, holders = blocks.page, tag_names(blocks.page), []
    for each in (block - 1, block):
        around = lineages(page)[int(blocks.first[each])]
        holders.append(next((node for node in around if names[node] in BLOCK_LEVEL - {"br", "hr"}), 0))
    return holders[0] == holders[1] and names[holders[0]] == "p" and gap(blocks, block - 1, block) == Gap.LINE


def block_kinds(blocks: Blocks, kept: Sequence[bool], settings: FeatureSettings) -> list[int]:
    """Return the kind of each block; those that are not kept are OTHER."""
    page, kinds = blocks.page, list[int]()
    for block, node in enumerate(blocks.node.tolist()):
        if not kept[block]:
            kinds.append(OTHER)
        elif is_in(page, node, HEADINGS):
            kinds.append(HEADER)
        elif is_in(page, node, frozenset({"pre", "listing", "xmp", "plaintext"})):
            kinds.append(CODE)
        elif in_comment(blocks, block, settings):
            kinds.append(COMMENT)
        elif in_table(blocks, block):
            kinds.append(TABLE)
        elif is_in(page, node, frozenset({"li", "dt", "dd"})):
            kinds.append(LIST)
        else:
            kinds.append(CODE if is_in(page, node, frozenset({"code", "samp", "kbd"})) else PARAGRAPH)
    paragraphs = [block for block, kind in enumerate(kinds) if kind == PARAGRAPH]
    for block in paragraphs:
        if block - 1 in paragraphs and continues(blocks, block):
            kinds[block] = CONTINUATION
    return kinds
