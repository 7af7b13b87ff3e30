"""The kinds of kept blocks, by their markup and by the names of the elements around them.

A block gets the first of these kinds that applies: header, code, comment, table, list, continuation, paragraph.

A line after a `br` is a continuation only in a `p`. In CLEANEVAL's gold texts, half of the lines that follow a
paragraph in the same `p` continue its segment; in cells and other elements, two thirds start a new segment.
"""

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.features.family import FeatureSettings
from dehusk.features.lexicon import nodes_with_word_of
from dehusk.labels import CODE, COMMENT, CONTINUATION, HEADER, OTHER, PARAGRAPH, TABLE, by_markup
from dehusk.layout import Gap, Nodes, counts_before, gaps, is_holder
from dehusk.page import Bools
from dehusk.tags import numbers
from dehusk.units.tables import table_nodes

Kinds = npt.NDArray[np.uint8]

_PRE = numbers("pre listing xmp plaintext")
_CODE = numbers("code samp kbd")
_TABLE = numbers("table")
_CELL = numbers("td th")
_P, _BR = numbers("p"), numbers("br")
_MAIN = numbers("main h1")
_COMMENT = "comment"


@kernel("kinds.block_kinds")
def block_kinds(blocks: Blocks, kept: Bools, settings: FeatureSettings) -> Kinds:
    """Return the kind of each block, shape (b,), as an index into `dehusk.labels.KINDS`; dropped blocks are OTHER.

    Args:
        blocks: the blocks of a page.
        kept: (b,) whether the block is content.
        settings: settings of the features, whose words for comments, `lexicon.comment`, identify the elements that
            contain comments. With the settings of the method's own features, nothing is computed twice.
    """
    kinds = by_markup(blocks, kept)
    free = kept & (kinds != HEADER)
    kinds[free & _in_data_table(blocks)] = TABLE
    kinds[free & _in_comment(blocks, settings)] = COMMENT
    kinds[free & _is_code(blocks, kinds)] = CODE
    kinds[_continues(blocks, kinds)] = CONTINUATION
    return kinds


def _in_data_table(blocks: Blocks) -> Bools:
    """Return whether each block is in a cell of a data table, shape (b,); see `dehusk.units.tables`."""
    page = blocks.page
    is_table = page.is_one_of(_TABLE)
    if not is_table.any():
        return np.zeros(len(blocks), dtype=np.bool_)
    table, cell = page.nearest(is_table)[blocks.first], page.nearest(page.is_one_of(_CELL))[blocks.first]
    is_grid = np.append(table_nodes(blocks), False)  # index -1 is for blocks outside tables
    inside: Bools = is_grid[table] & (cell > table)
    return inside


def _in_comment(blocks: Blocks, settings: FeatureSettings) -> Bools:
    """Return whether each block is in an element whose class or id names comments, shape (b,).

    Elements that contain the page's `h1` or `main` are excluded: themes give names like "comments-open" to the
    element of the whole article.
    """
    page, nodes = blocks.page, comment_nodes(blocks, settings)
    if not len(nodes):
        return np.zeros(len(blocks), dtype=np.bool_)
    before = counts_before(page, page.nodes_of(_MAIN))
    nodes = nodes[before[page.end[nodes]] == before[nodes]]
    inside: Bools = page.within_at(nodes, blocks.node) > 0
    return inside


def comment_nodes(blocks: Blocks, settings: FeatureSettings) -> Nodes:
    """Return the nodes whose class or id has a word for comments, ascending."""
    if _COMMENT not in settings.classes:
        return np.zeros(0, dtype=np.intp)
    return nodes_with_word_of(blocks, settings, _COMMENT).nonzero()[0]


def _is_code(blocks: Blocks, kinds: Kinds) -> Bools:
    """Return whether each block is preformatted, or a paragraph that contains only code, shape (b,)."""
    page = blocks.page
    preformatted = page.within_at(page.nodes_of(_PRE), blocks.node) > 0
    whole = page.within_at(page.nodes_of(_CODE), blocks.node) > 0
    is_code: Bools = preformatted | (whole & (kinds == PARAGRAPH))
    return is_code


def _continues(blocks: Blocks, kinds: Kinds) -> Bools:
    """Return whether each block is a paragraph that follows another in the same `p`, after one `br`, shape (b,)."""
    page, kept = blocks.page, (kinds != OTHER).nonzero()[0]
    continues = np.zeros(len(blocks), dtype=np.bool_)
    if not len(page.line_nodes) and not len(page.nodes_of(_BR)):
        return continues
    holder = page.nearest(is_holder(page)).take(blocks.first.take(kept))
    plain = page.is_one_of(_P).take(holder) & (kinds.take(kept) == PARAGRAPH)
    follows = plain[1:] & (holder[1:] == holder[:-1]) & (np.diff(kept) == 1)
    if follows.any():
        line = gaps(blocks, kept)[1:] == Gap.LINE
        continues[kept[1:][follows & plain[:-1] & line]] = True
    return continues
