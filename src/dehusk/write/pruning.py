"""Choose the nodes of a cleaned page: those of the kept blocks, and those that structure them.

These nodes are kept: the text nodes of kept blocks that are not omitted, all elements above them, the white space
between them, the empty cells of rows with kept text, and `br`, `hr`, `wbr` and images between two kept blocks, or next
to one with no block-level boundary in between; an image is also kept in a `figure` with kept text. If everything
between two kept blocks is dropped, a `br` (or a space) replaces it, so that words do not run together.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.compiled.layout import gaps
from dehusk.labels import Labels
from dehusk.layout import Gap, Nodes, boundaries, counts_before, has_ink, is_holder
from dehusk.page import Bools, Ints, Page
from dehusk.tags import KNOWN, PREFORMATTED, TAG_NUMBER, numbers
from dehusk.write.safety import MATH, output_names

_EMPTY = numbers("br hr img wbr")
_IMAGE = numbers("img")
_RULE = numbers("hr")
_FIGURE = numbers("figure")
_CELL = numbers("td th")
_ROW = numbers("tr")
_TABLE = numbers("table")
_LINK = numbers("a")
_PRE = numbers(PREFORMATTED)
_PARENTS = {
    **dict.fromkeys(("thead", "tbody", "tfoot", "caption"), numbers("table")),
    **dict.fromkeys(("td", "th"), numbers("tr")),
    "tr": numbers("table thead tbody tfoot"),
}
_PARTS = numbers(tuple(_PARENTS))
_NO_TEXT = numbers("table thead tbody tfoot tr")
_NAMES = np.array(output_names(), dtype=object)


@dataclass(frozen=True, eq=False)
class Pruned:
    """The m nodes of a cleaned page, in document order, without the root."""

    page: Page
    nodes: Nodes
    """(m,) node numbers."""
    names: npt.NDArray[np.object_]
    """(m,) name of each element in the output; "" for text nodes."""
    seams: dict[int, str]
    """Text node (or image) -> what to write before it, because all that separated it from the text before is gone."""
    links: dict[int, int] = field(default_factory=dict)
    """Text node -> the link to write around just this text, since the link's own element is not written."""
    fold: bool = False
    """Whether to fold white space outside of preformatted text to one space, as browsers show it."""


def prune(labels: Labels) -> Pruned:
    """Return the nodes of a page reduced to its kept blocks."""
    return Pruned(labels.blocks.page, *kept_columns(labels, _NAMES))


@kernel("pruning.kept_columns")
def kept_columns(
    labels: Labels, known: npt.NDArray[np.object_]
) -> tuple[Nodes, npt.NDArray[np.object_], dict[int, str]]:
    """Return the columns of a `Pruned`: `nodes`, `names` and `seams`.

    Args:
        labels: the labels of the page.
        known: (KNOWN,) the name in the output of each element by its tag number.
    """
    blocks, kept = labels.blocks, labels.written
    page = blocks.page
    text = _text(blocks, kept)
    text[labels.omitted] = False
    stays = text | _empty_elements(labels, text)
    stays |= _white(page, text) & ~_text(blocks, _others(kept, len(blocks)))
    stays[labels.omitted] = False
    before = counts_before(page, np.flatnonzero(stays))
    stays |= before[page.end] > before[:-1]
    stays[page.nodes_of(_CELL)] |= (stays & page.is_one_of(_ROW))[page.parent[page.nodes_of(_CELL)]]
    seams = _seams(blocks, kept, stays, text)
    stays[:1] = stays[page.alt_nodes] = False
    nodes = np.flatnonzero(stays)
    return nodes, element_names(page, stays, known)[nodes], seams


def dissolve(pruned: Pruned, tables: Bools) -> npt.NDArray[np.object_]:
    """Return the names, shape (m,), with the elements of some tables renamed to div; `tables` is a mask over nodes."""
    page, nodes = pruned.page, pruned.nodes
    if not len(page.nodes_of(_TABLE)):
        return pruned.names
    parts = page.is_one_of(_PARTS) | page.is_one_of(_TABLE)
    affected = (parts & np.append(tables, False)[page.nearest(page.is_one_of(_TABLE))])[nodes]
    return np.where(affected, "div", pruned.names)


def _text(blocks: Blocks, chosen: Nodes) -> Bools:
    """Return which nodes, shape (n,), are text of the blocks numbered `chosen`."""
    page = blocks.page
    change = np.bincount(blocks.first[chosen], minlength=len(page) + 1)
    change -= np.bincount(blocks.last[chosen] + 1, minlength=len(page) + 1)
    text = (np.cumsum(change[:-1]) > 0) & page.is_text
    if len(page.alt_nodes):
        is_alt = _mask(page, page.alt_nodes)
        is_alt[blocks.first[chosen]] = False
        text[is_alt] = False
    return text


def _mask(page: Page, nodes: Nodes | Ints) -> Bools:
    """Return a mask over the nodes, shape (n,)."""
    mask = np.zeros(len(page), dtype=np.bool_)
    mask[nodes] = True
    return mask


def _others(chosen: Nodes, n: int) -> Nodes:
    """Return the numbers from 0 to n that are not chosen."""
    is_other = np.ones(n, dtype=np.bool_)
    is_other[chosen] = False
    return np.flatnonzero(is_other)


def _first_and_last(page: Page, text: Bools) -> tuple[Ints, Ints, Ints]:
    """Return the innermost block-level element of each node, and its first and last kept text node, shapes (n,)."""
    holder, nodes = page.nearest(is_holder(page)), np.flatnonzero(text)
    first, last = np.full(len(page), len(page), dtype=np.int32), np.full(len(page), -1, dtype=np.int32)
    np.minimum.at(first, holder[nodes], nodes)
    np.maximum.at(last, holder[nodes], nodes)
    return holder, first[holder], last[holder]


def _white(page: Page, text: Bools) -> Bools:
    """Return which text nodes, shape (n,), are white space between kept texts of one block-level element."""
    _, first, last = _first_and_last(page, text)
    index = np.arange(len(page))
    white = page.is_text & ~text & (index > first) & (index < last) & ~has_ink(page)
    white[page.alt_nodes] = False
    return white


def _empty_elements(labels: Labels, text: Bools) -> Bools:
    """Return which br, hr, wbr and img stay, shape (n,); an image that is itself a block stays as its text node."""
    blocks, page = labels.blocks, labels.blocks.page
    nodes, n = page.nodes_of(_EMPTY), len(page)
    following = np.searchsorted(blocks.first, nodes)
    is_written = np.zeros(len(blocks) + 2, dtype=np.bool_)
    is_written[labels.written + 1] = True
    before, after = is_written[following], is_written[following + 1]
    holders = np.flatnonzero(is_holder(page))
    divided = boundaries(page, np.concatenate((holders, page.end[holders], page.nodes_of(_RULE))))
    last, first = np.append(0, blocks.last)[following], np.append(blocks.first, n)[following]
    stays = (
        (before & after) | (before & (divided[nodes] == divided[last])) | (after & (divided[first] == divided[nodes]))
    )
    is_image = page.tag[nodes] == TAG_NUMBER["img"]
    stays |= is_image & _in_figure(page, text)[nodes]
    images_are_blocks = bool(blocks.is_alt.any())
    for index in np.flatnonzero(stays & is_image).tolist():
        stays[index] = _shows(page, int(nodes[index]), images_are_blocks)
    mask = np.zeros(n, dtype=np.bool_)
    mask[nodes[stays]] = True
    return mask


def _in_figure(page: Page, text: Bools) -> Bools:
    """Return which nodes, shape (n,), are in a figure with kept text."""
    figures = page.nodes_of(_FIGURE)
    before = counts_before(page, np.flatnonzero(text))
    inside: Bools = page.within(figures[before[page.end[figures]] > before[figures]]) > 0
    return inside


def _shows(page: Page, image: int, is_block: bool) -> bool:
    """Return whether an image shows something that is not a block's text; tracking pixels do not."""
    alt, source = page.attribute(image, "alt"), page.attribute(image, "src")
    if alt and alt.strip():
        return not is_block
    if {page.attribute(image, "width"), page.attribute(image, "height")} & {"0", "1"}:
        return False
    return bool(source and source.strip() and not source.strip().lower().startswith("data:"))


def _seams(blocks: Blocks, kept: Nodes, stays: Bools, text: Bools) -> dict[int, str]:
    """Return text node -> what to write before it, for blocks that have lost everything that separated them.

    Args:
        blocks: the blocks of a page.
        kept: (k,) the blocks that are written.
        stays: (n,) which nodes are written.
        text: (n,) which of them are texts of the blocks.
    """
    page = blocks.page
    if len(kept) < 2:
        return {}
    before, after = blocks.last[kept[:-1]], blocks.first[kept[1:]]
    holders = np.flatnonzero(stays & is_holder(page))
    empty = np.flatnonzero(stays & page.is_one_of(numbers("br hr")))
    remaining = boundaries(page, np.concatenate((holders, page.end[holders], empty)))
    divided = remaining[after] > remaining[before]
    lines = _line_ends(page, stays)
    if lines is not None:
        divided |= lines[after] > lines[blocks.first[kept[:-1]]]
    gap, texts = gaps(blocks, kept)[1:], np.flatnonzero(text)
    starts = texts[np.searchsorted(texts, after)]  # the first text of a block may be omitted
    if len(page.alt_nodes):
        starts = np.where(_mask(page, page.alt_nodes)[starts], page.parent[starts], starts)
    seams = dict.fromkeys(starts[(gap >= Gap.LINE) & ~divided].tolist(), "<br>")
    return seams | dict.fromkeys(starts[(gap == Gap.SPACE) & (np.diff(kept) > 1)].tolist(), " ")


def _line_ends(page: Page, stays: Bools) -> npt.NDArray[np.int64] | None:
    """Return how many kept preformatted text nodes with a line end come before each node, shape (n + 1,).

    None if the page has no preformatted elements.
    """
    if not len(page.nodes_of(_PRE)):
        return None
    ends = np.zeros(len(page.text) + 1, dtype=np.int64)
    np.cumsum(page.code_points == 10, out=ends[1:])
    in_pre = page.within(page.nodes_of(_PRE)) > 0
    return counts_before(
        page, np.flatnonzero(stays & page.is_text & in_pre & (ends[page.text_end] > ends[page.text_start]))
    )


def element_names(page: Page, stays: Bools, known: npt.NDArray[np.object_] = _NAMES) -> npt.NDArray[np.object_]:
    """Return the name of each node in the output, shape (n,), "" for text nodes."""
    names = np.where(page.tag < KNOWN, np.take(known, page.tag, mode="clip"), "span")
    math = _formulas(page)
    names[_outer_links(page, stays)] = "span"
    for node in math.tolist():
        names[node] = page.tag_name(node)
    parts, tables = page.is_one_of(_PARTS), page.is_one_of(_TABLE)
    if not (parts | tables).any():
        return names
    table = page.nearest(tables)
    broken = np.zeros(len(page) + 1, dtype=np.bool_)
    broken[-1] = True  # nodes outside of tables have nearest -1
    broken[table[_misplaced(page, stays)]] = True
    names[(parts | tables) & broken[table]] = "div"
    return names


def _outer_links(page: Page, stays: Bools) -> Bools:
    """Return which links, shape (n,), contain another link, as an unclosed anchor does."""
    links = stays & page.is_one_of(_LINK)
    before = counts_before(page, np.flatnonzero(links))
    links &= before[page.end] > before[1:]
    return links


def _misplaced(page: Page, stays: Bools) -> Nodes:
    """Return parents with children that no parser would put there, in tables with flattened elements."""
    wrong = page.is_one_of(_NO_TEXT)[page.parent] & ~page.is_one_of(_PARTS)
    for name, parents in _PARENTS.items():
        wrong |= (page.tag == TAG_NUMBER[name]) & ~page.is_one_of(parents)[page.parent]
    wrong[:1] = False
    return page.parent[wrong & stays].astype(np.intp)


def _formulas(page: Page) -> Nodes:
    """Return the elements of MathML formulas that contain nothing but MathML."""
    if "math" not in page.extra_tags:
        return np.zeros(0, dtype=np.intp)
    # the page numbers these names itself, so the table that Page.is_one_of uses does not have them
    is_mathml = np.isin(page.tag, [KNOWN + index for index, name in enumerate(page.extra_tags) if name in MATH])
    roots = np.flatnonzero(page.tag == KNOWN + page.extra_tags.index("math"))
    before = counts_before(page, np.flatnonzero(~is_mathml & ~page.is_text))
    pure = roots[before[page.end[roots]] == before[roots]]
    return np.flatnonzero(is_mathml & (page.within(pure) > 0))
