"""Of what kind kept blocks are: what their markup says, and what the names of the elements around them say.

A block has the first of these kinds that fits: header, code, comment, table, list, continuation, paragraph.

A line after a `br` is a continuation in a `p` alone. Of CLEANEVAL's lines that follow a paragraph in the same `p`, half
go on in its segment; in cells and in other elements two thirds begin one of their own.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.family import FeatureSettings
from dehusk.features.lexicon import nodes_with_word_of
from dehusk.labels import CODE, COMMENT, CONTINUATION, HEADER, OTHER, PARAGRAPH, TABLE, by_markup
from dehusk.layout import Gap, counts_before, gaps, grids, is_holder
from dehusk.page import Bools
from dehusk.tags import numbers

Kinds = npt.NDArray[np.uint8]

_PRE = numbers("pre listing xmp plaintext")
_CODE = numbers("code samp kbd")
_TABLE = numbers("table")
_CELL = numbers("td th")
_P = numbers("p")
_MAIN = numbers("main h1")
_COMMENT = "comment"


def structure(blocks: Blocks, kept: Bools, settings: FeatureSettings) -> Kinds:
    """Return the kind of each block, shape (b,), as indices into `dehusk.labels.KINDS`; what is not kept is OTHER.

    Args:
        blocks: the blocks of a page.
        kept: (b,) which of them are content.
        settings: of the features; its words for comments, `lexicon.comment`, tell the elements that hold them. The
            settings that the method computes its features with cost nothing anew.
    """
    kinds = by_markup(blocks, kept)
    free = kept & (kinds != HEADER)
    kinds[free & _in_data_table(blocks, kept)] = TABLE
    kinds[free & _in_comment(blocks, settings)] = COMMENT
    kinds[free & _is_code(blocks, kinds)] = CODE
    kinds[_goes_on(blocks, kinds)] = CONTINUATION
    return kinds


def _in_data_table(blocks: Blocks, kept: Bools) -> Bools:
    """Return which blocks stand in a cell of a table whose rows mean something; see `dehusk.layout.grids`."""
    page = blocks.page
    is_table = page.is_one_of(_TABLE)
    if not is_table.any():
        return np.zeros(len(blocks), dtype=np.bool_)
    table, cell = page.nearest(is_table)[blocks.first], page.nearest(page.is_one_of(_CELL))[blocks.first]
    is_grid = np.append(grids(blocks, np.flatnonzero(kept)), False)  # the last is where there is no table
    inside: Bools = is_grid[table] & (cell > table)
    return inside


def _in_comment(blocks: Blocks, settings: FeatureSettings) -> Bools:
    """Return which blocks stand in an element that is named for comments and does not hold the page's main heading.

    Themes write the likes of "comments-open" on the whole article; such an element holds the `h1` or `main`.
    """
    page = blocks.page
    if _COMMENT not in settings.classes:
        return np.zeros(len(blocks), dtype=np.bool_)
    nodes = np.flatnonzero(nodes_with_word_of(blocks, settings, _COMMENT))
    if not len(nodes):
        return np.zeros(len(blocks), dtype=np.bool_)
    before = counts_before(page, page.nodes_of(_MAIN))
    nodes = nodes[before[page.end[nodes]] == before[nodes]]
    inside: Bools = page.within(nodes)[blocks.node] > 0
    return inside


def _is_code(blocks: Blocks, kinds: Kinds) -> Bools:
    """Return which blocks are preformatted, or are paragraphs of nothing but code."""
    page = blocks.page
    preformatted = page.within(page.nodes_of(_PRE))[blocks.node] > 0
    whole = page.within(page.nodes_of(_CODE))[blocks.node] > 0
    found: Bools = preformatted | (whole & (kinds == PARAGRAPH))
    return found


def _goes_on(blocks: Blocks, kinds: Kinds) -> Bools:
    """Return which paragraphs follow another one in the same `p`, with one `br` between."""
    page, kept = blocks.page, np.flatnonzero(kinds != OTHER)
    goes_on = np.zeros(len(blocks), dtype=np.bool_)
    holder = page.nearest(is_holder(page)).take(blocks.first.take(kept))
    plain = page.is_one_of(_P).take(holder) & (kinds.take(kept) == PARAGRAPH)
    follows = plain[1:] & (holder[1:] == holder[:-1]) & (np.diff(kept) == 1)
    if follows.any():
        line = gaps(blocks, kept)[1:] == Gap.LINE
        goes_on[kept[1:][follows & plain[:-1] & line]] = True
    return goes_on
