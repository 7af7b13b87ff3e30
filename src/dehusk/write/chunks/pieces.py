"""The pieces of a page that are not divided further: its leaves, or parts of those that are longer than a chunk.

A paragraph is divided into lines and sentences, a table into rows, a listing into lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dehusk.write.chunks.kept_text import KeptText
from dehusk.write.chunks.measuring import Measure
from dehusk.write.chunks.splitting import TextSplitter
from dehusk.write.tokens import Edge, TableRow, Token, TokenKind

_SHARE = 2
"""Headings before a leaf may take at most the limit divided by this of the chunk that the leaf has to fit into."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A leaf, or a part of one."""

    token: int
    """The index of the leaf's token."""
    end_token: int
    """One past the last token that goes with the leaf, such as an image after it."""
    start: int
    """Where it starts in the kept text."""
    end: int
    blocks: tuple[int, int]
    """(first, end) among the written blocks."""
    rows: tuple[int, int] | None = None
    """(first, end) of the rows of a table of which this is a part."""
    level: int = 0
    """Level of a heading, 1 to 6; 0 for other pieces."""
    is_part: bool = False
    can_be_cut: bool = False
    """Whether a part of it makes sense: it is neither a listing nor a table."""


def read_pieces(kept: KeptText, tokens: list[Token], measure: Measure, limit: int, overlap: int) -> list[TextPiece]:
    """Return the pieces of a page in the order of its text; together they have every written block.

    Args:
        kept: the text of the page.
        tokens: its tokens.
        measure: measures slices of the text.
        limit: the size of a chunk.
        overlap: what a chunk may repeat of the one before it; parts of a leaf leave room for it.
    """
    splitter = TextSplitter(kept, measure, limit - overlap)
    pieces: list[TextPiece] = []
    heads = 0  # size of the headings that are just before
    for leaf in _leaves(kept, tokens):
        if leaf.level:
            heads += measure.size(leaf.start, leaf.end)
        room = limit - heads if _SHARE * heads <= limit else limit
        if measure.size(leaf.start, leaf.end) <= (limit if leaf.level else room):
            pieces.append(leaf)
        else:
            pieces += _parts(leaf, tokens[leaf.token], kept, splitter)
        heads = heads if leaf.level else 0
    return pieces


def _leaves(kept: KeptText, tokens: list[Token]) -> Iterator[TextPiece]:
    """Yield the leaves; one without text, or within a block of the one before it, goes with the one before it."""
    found = [(index, first) for index, first in _first_blocks(kept, tokens) if first >= 0]
    bounds: list[tuple[int, int]] = []
    for index, first in found:
        if not bounds or first > bounds[-1][1]:
            bounds.append((index, first if bounds else 0))
    for number, (index, first) in enumerate(bounds):
        last = bounds[number + 1][1] if number + 1 < len(bounds) else len(kept.start)
        next_token = bounds[number + 1][0] if number + 1 < len(bounds) else len(tokens)
        token = tokens[index]
        yield TextPiece(
            index,
            _last_leaf(tokens, index, next_token) + 1,
            int(kept.line_start[first]),
            int(kept.end[last - 1]),
            (first, last),
            level=token.level if token.kind is TokenKind.HEADING else 0,
            can_be_cut=token.kind not in (TokenKind.CODE, TokenKind.TABLE),
        )


def _last_leaf(tokens: list[Token], first: int, end: int) -> int:
    last = end - 1
    while tokens[last].edge is not Edge.LEAF and last > first:
        last -= 1
    return last


def _first_blocks(kept: KeptText, tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """Yield (index of a leaf's token, the first written block in it, -1 if none starts there)."""
    leaves = [index for index, token in enumerate(tokens) if token.edge is Edge.LEAF]
    spans = np.array([_text_nodes(tokens[index]) for index in leaves], dtype=np.int64).reshape(-1, 2)
    yield from zip(leaves, _blocks_from(kept, spans).tolist(), strict=True)


def _blocks_from(
    kept: KeptText, spans: np.ndarray[tuple[int, int], np.dtype[np.int64]]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the first written block with text in each span of text nodes, shape (s,); -1 if none starts there."""
    blocks, written = kept.labels.blocks, kept.labels.written
    starts, ends = blocks.first[written], blocks.last[written]
    first, last = spans[:, 0], spans[:, 1]
    block = np.searchsorted(ends, first)
    found = (first >= 0) & (block < len(starts))
    found[found] = starts[block[found]] <= last[found]
    return np.where(found, block, -1)


def _text_nodes(token: Token) -> tuple[int, int]:
    """Return the first and last text node of a leaf, -1 if it has none."""
    if token.kind is TokenKind.TABLE:
        return _text_nodes_of_rows(token.rows)
    return token.first, token.last


def _text_nodes_of_rows(rows: Sequence[TableRow]) -> tuple[int, int]:
    cells = [cell for row in rows for cell in row.cells if cell.first >= 0]
    return (min(cell.first for cell in cells), max(cell.last for cell in cells)) if cells else (-1, -1)


def _parts(leaf: TextPiece, token: Token, kept: KeptText, splitter: TextSplitter) -> list[TextPiece]:
    """Return the parts of a leaf that is too long."""
    if token.kind is TokenKind.TABLE:
        return _rows(leaf, token, kept)
    lines = _lines(leaf, kept)
    if token.kind is TokenKind.CODE:
        return lines
    return [part for line in lines for part in _sentences(line, kept, splitter)]


def _rows(leaf: TextPiece, token: Token, kept: KeptText) -> list[TextPiece]:
    """Return the rows of a table; those without text go with the row before them."""
    spans = np.array([_text_nodes_of_rows([row]) for row in token.rows], dtype=np.int64)
    starts: list[tuple[int, int]] = []
    for row, block in enumerate(_blocks_from(kept, spans).tolist()):
        if block >= 0 and (not starts or block > starts[-1][1]):
            starts.append((row, block) if starts else (0, leaf.blocks[0]))
    ends = [*starts[1:], (len(token.rows), leaf.blocks[1])]
    return [
        _part(leaf, kept, (block, end_block), rows=(row, end_row))
        for (row, block), (end_row, end_block) in zip(starts, ends, strict=True)
    ]


def _lines(leaf: TextPiece, kept: KeptText) -> list[TextPiece]:
    first, end = leaf.blocks
    starts = [first, *(first + 1 + np.flatnonzero(kept.starts_line[first + 1 : end])).tolist()]
    return [_part(leaf, kept, each) for each in zip(starts, [*starts[1:], end], strict=True)]


def _part(
    leaf: TextPiece, kept: KeptText, blocks: tuple[int, int], *, rows: tuple[int, int] | None = None
) -> TextPiece:
    start, end = int(kept.line_start[blocks[0]]), int(kept.end[blocks[1] - 1])
    level = leaf.level if blocks[0] == leaf.blocks[0] else 0
    return replace(leaf, start=start, end=end, blocks=blocks, rows=rows, level=level, is_part=True)


def _sentences(line: TextPiece, kept: KeptText, splitter: TextSplitter) -> list[TextPiece]:
    parts = splitter.split(line.start, line.end)
    return [
        replace(cut_piece(line, kept, start, end), level=0 if index else line.level)
        for index, (start, end) in enumerate(parts)
    ]


def cut_piece(piece: TextPiece, kept: KeptText, start: int, end: int) -> TextPiece:
    """Return the part of a piece in a slice of the text."""
    first, last = piece.blocks
    first_block = min(int(np.searchsorted(kept.end[first:last], start, "right")) + first, last - 1)
    end_block = int(np.searchsorted(kept.line_start[first:last], end)) + first
    return replace(piece, start=start, end=end, blocks=(first_block, max(end_block, first_block + 1)), is_part=True)
