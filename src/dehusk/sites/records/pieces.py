"""Pieces: the texts of a page between two tags or after a label's colon, with keys that pages of one design share.

The column of a field is found by its piece: where it stands (the path of its element), what stands before it (labels,
headings), and whether its text is the same on other pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.characters import CharClass
from dehusk.base.hashing import Keys, span_keys
from dehusk.base.tags import HEADINGS, is_block_level, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices, run_starts
from dehusk.read.page import Bools, Page
from dehusk.sites.records.paths import element_paths

LABEL_CHARS = 40
"""A colon ends a label if at most this many characters of its piece come before it."""

_CONTROLS = numbers("option optgroup button textarea select")
_HEADINGS = numbers(tuple(HEADINGS | {"caption", "legend", "summary"}))
_TH, _TD, _DT, _A = numbers("th"), numbers("td"), numbers("dt"), numbers("a")
_ITEMS = numbers("li dd option")
_WHOLE = frozenset({"text", "names"})  # fields that are no columns of arrays
_COLONS = np.array([ord(":"), ord("：")], dtype=np.uint32)
_ENDS = np.array([ord(character) for character in ":：)]"], dtype=np.uint32)
_HOLDER = np.append(is_block_level(), False)
_HOLDER[numbers("br hr")] = False


@dataclass(frozen=True, eq=False)
class Pieces:
    """The p pieces of one or more pages in document order, as columns."""

    text: str
    """The text that all pieces are parts of."""
    start: Indices
    """(p,) offset in `text` of each piece, white space not included."""
    end: Indices
    """(p,) offset one past its last character."""
    key: Keys
    """(p,) key of the text."""
    path: Keys
    """(p,) key of the path from the record's element to the piece's, cells counted; see `ElementPaths`."""
    loose: Keys
    """(p,) the same without counting cells."""
    holder: Keys
    """(p,) key of the path to the block-level element around the piece, cells not counted."""
    parent: Indices
    """(p,) number of the element around that block-level element; equal for pieces of siblings."""
    block: Indices
    """(p,) number of the block."""
    node: Indices
    """(p,) text node on its page."""
    record: Indices
    """(p,) record, page or post that the piece belongs to, ascending."""
    words: Indices
    """(p,) number of words."""
    link: Indices
    """(p,) link that it is in, -1 for none."""
    is_direct: Bools
    """(p,) whether the block-level element holds it directly."""
    is_heading: Bools
    """(p,) whether it is in a heading, a caption or a legend."""
    is_term: Bools
    """(p,) whether the markup says that it is a label: a term, or a header cell in a row with other cells."""
    is_item: Bools
    """(p,) whether it is in an item of a list."""
    is_label_like: Bools
    """(p,) whether it ends with a colon."""
    has_ink: Bools
    """(p,) whether it has a letter, a digit or another character that is not punctuation."""
    ends_word: Bools
    """(p,) whether it ends with a letter, a digit, a colon or a bracket."""
    starts_node: Bools
    """(p,) whether it is the first piece of its text node in its block."""
    names: tuple[str, ...] = ()
    """(p,) what names each piece of linked data; empty for other pieces."""

    def __len__(self) -> int:
        return len(self.start)

    def string(self, index: int) -> str:
        """Return the text of a piece."""
        return self.text[self.start[index] : self.end[index]]

    def strings(self, which: npt.NDArray[np.integer]) -> list[str]:
        """Return the texts of some pieces."""
        text, starts, ends = self.text, self.start.take(which), self.end.take(which)
        return [text[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]

    def only(self, which: npt.NDArray[np.integer] | Bools) -> "Pieces":
        """Return some of the pieces."""
        columns = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _WHOLE}
        names = tuple(self.names[n] for n in np.arange(len(self))[which].tolist()) if self.names else ()
        return replace(self, names=names, **{name: column[which] for name, column in columns.items()})


def joined(parts: Sequence[Pieces], records: Sequence[int] | None = None) -> Pieces:
    """Return the pieces of several pages as one; records, blocks and elements are numbered anew.

    Args:
        parts: the pieces of each page.
        records: number of records of each page; None for one.
    """
    sizes = {name: [_size(getattr(part, name)) for part in parts] for name in ("block", "parent")}
    sizes["record"] = list(records) if records is not None else [1] * len(parts)
    sizes["start"] = sizes["end"] = [len(part.text) for part in parts]
    columns = {}
    for field in fields(Pieces):
        if field.name in _WHOLE:
            continue
        values = np.concatenate([getattr(part, field.name) for part in parts])
        if field.name in sizes:
            before = np.cumsum([0, *sizes[field.name][:-1]])
            values = values + np.repeat(before, [len(part) for part in parts])
        columns[field.name] = values
    names = tuple(name for part in parts for name in part.names)
    return Pieces("".join(part.text for part in parts), **columns, names=names)


def _size(column: Indices) -> int:
    return int(column.max(initial=-1)) + 1


def pieces_of(blocks: Blocks, record_of: Indices | None = None, roots: Indices | None = None) -> Pieces:
    """Return the pieces of a page's records, or of the page as one record.

    Args:
        blocks: the blocks of the page.
        record_of: (b,) record of each block, -1 for none; None for one record.
        roots: (r,) element that each record starts with.
    """
    page, text_nodes = blocks.page, np.flatnonzero(blocks.page.is_text)
    of_char = text_nodes[page.text_start.take(text_nodes).searchsorted(blocks.source, "right") - 1]
    first = np.flatnonzero(_boundaries(blocks, of_char))
    node, block = of_char.take(first), blocks.block_of.take(first).astype(np.intp)
    record = np.zeros(len(first), np.intp) if record_of is None else record_of.take(block)
    start, end = _trimmed(blocks, first)
    kept = np.flatnonzero((record >= 0) & (end > start) & ~(page.within(page.nodes_of(_CONTROLS)) > 0).take(node))
    kept = kept[np.argsort(record.take(kept), kind="stable")]
    start, end, node = start.take(kept), end.take(kept), node.take(kept)
    block, record = block.take(kept), record.take(kept)
    root = np.zeros(len(kept), np.intp) if roots is None else roots.take(record)
    holder = page.nearest(_HOLDER.take(page.tag, mode="clip")).take(node).astype(np.intp)
    holder = np.maximum(holder, 0)
    paths, element = element_paths(page), page.parent.take(node).astype(np.intp)
    total = np.zeros(len(blocks.text) + 1, dtype=np.intp)
    np.cumsum(blocks.char_class < CharClass.PUNCT, out=total[1:])
    ink = total.take(end) - total.take(start)
    words = blocks.word_start.cumsum()
    starts_node = run_starts(node) | run_starts(block)
    return Pieces(
        text=blocks.text,
        start=start,
        end=end,
        key=span_keys(blocks.code_points, start, end),
        path=paths.below(page, root, element, exact=True),
        loose=paths.below(page, root, element, exact=False),
        holder=paths.below(page, root, np.maximum(holder, root), exact=False),
        parent=np.maximum(page.parent.take(holder), 0).astype(np.intp),
        block=block,
        node=node,
        record=record,
        words=(words.take(end - 1) - words.take(start) + 1).astype(np.intp),
        link=_innermost(page, page.nodes_of(_A), node),
        is_direct=element == holder,
        is_item=(page.within(page.nodes_of(_ITEMS)) > 0).take(node),
        is_heading=(page.within(page.nodes_of(_HEADINGS)) > 0).take(node),
        is_term=_in_terms(page).take(node),
        is_label_like=np.isin(blocks.code_points.take(end - 1), _COLONS),
        has_ink=ink > 0,
        ends_word=(blocks.char_class.take(end - 1) < CharClass.PUNCT)
        | np.isin(blocks.code_points.take(end - 1), _ENDS),
        starts_node=starts_node,
    )


@cached_per_object
def page_pieces(blocks: Blocks) -> Pieces:
    """Return the pieces of a page as one record."""
    return pieces_of(blocks)


@cached_per_object
def link_addresses(page: Page) -> dict[int, str]:
    """Return node -> `href` of the links of a page that have one; needs the parser's tree the first time only."""
    nodes = page.nodes_of(_A)
    hrefs = page.elements.values(nodes, "href")
    return {node: href for node, href in zip(nodes.tolist(), hrefs, strict=True) if href}


def _innermost(page: Page, elements: Indices, nodes: Indices) -> Indices:
    """Return which of some elements, none in another, each node is in, -1 for none, shape (k,)."""
    if not len(elements):
        return np.full(len(nodes), -1)
    found = elements.take(np.maximum(elements.searchsorted(nodes, "right") - 1, 0))
    return np.where((found <= nodes) & (nodes < page.end.take(found)), found, -1)


def _boundaries(blocks: Blocks, of_char: Indices) -> Bools:
    """Return where pieces start, shape (len(text),): at text nodes, at blocks, and after the colon of a label."""
    starts = run_starts(of_char) | run_starts(blocks.block_of)
    points = blocks.code_points
    colon = np.flatnonzero(np.isin(points, _COLONS))
    colon = colon[(colon > 0) & (colon + 1 < len(points))]
    if not len(colon):
        return starts
    first = np.flatnonzero(starts)
    of_piece = first.searchsorted(colon, "right") - 1
    before = blocks.char_class.take(colon - 1)
    ends_word = (before == CharClass.ALPHA) | (before == CharClass.DIGIT) | (points.take(colon - 1) == ord(")"))
    ends_word &= (points.take(colon) != ord(":")) | (blocks.char_class.take(colon + 1) == CharClass.WHITE)
    is_first = run_starts(of_piece) & (colon - first.take(of_piece) <= LABEL_CHARS)
    starts[colon[is_first & ends_word] + 1] = True
    return starts


def _trimmed(blocks: Blocks, first: Indices) -> tuple[Indices, Indices]:
    """Return where pieces start and end without the white space at their ends; empty for white space alone."""
    last = np.append(first[1:], len(blocks.text))[: len(first)]
    ink = np.flatnonzero(blocks.char_class != CharClass.WHITE)
    low, high = ink.searchsorted(first), ink.searchsorted(last)
    padded = np.append(ink, 0)
    start, end = padded.take(np.minimum(low, len(ink))), padded.take(np.maximum(high - 1, 0)) + 1
    return start, np.where(high > low, end, start)


def _in_terms(page: Page) -> Bools:
    """Return which nodes, shape (n,), are in a term, or in a header cell of a row with other cells."""
    header, cell = page.nodes_of(_TH), page.nodes_of(_TD)
    header = header[np.isin(page.parent.take(header), page.parent.take(cell))]
    mask: Bools = page.within(np.sort(np.concatenate([header, page.nodes_of(_DT)]))) > 0
    return mask
