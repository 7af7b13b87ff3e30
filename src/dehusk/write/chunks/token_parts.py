"""The tokens of a chunk: those of its leaves, or of parts of them, in the containers that they are in on the page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from dehusk.base.characters import CharClass
from dehusk.compiled.text import classify
from dehusk.write.chunks.kept_text import KeptText
from dehusk.write.chunks.pieces import TextPiece
from dehusk.write.table_grids import table_rows
from dehusk.write.tokens import Edge, Run, RunKind, TableCell, TableRow, Token, TokenKind


class TokenParts:
    """Cuts the tokens of a page."""

    def __init__(self, kept: KeptText, tokens: list[Token]) -> None:
        self._kept, self._tokens = kept, tokens
        self._above, self._number = _containers(tokens)
        self._leaf, self._cutter = -1, RunCutter([])
        self._grid: tuple[int, list[TableRow]] = (-1, [])
        self._bounds: dict[int, tuple[int, int]] = {}

    def measure_leaves(self, pieces: Sequence[TextPiece]) -> None:
        """Note where in the text the leaves are of which pieces are parts."""
        for token, parts in groupby(pieces, key=lambda piece: piece.token):
            each = list(parts)
            self._bounds[token] = each[0].start, each[-1].end

    def of(self, pieces: Sequence[TextPiece]) -> list[Token]:
        """Return the balanced tokens of some pieces that follow each other."""
        inside = self._opened(pieces[0].token)
        tokens = list(inside)
        at = pieces[0].token
        for leaf, parts in groupby(pieces, key=lambda piece: piece.token):
            each = list(parts)
            tokens += self._tokens[at:leaf]
            at = each[-1].end_token
            start, end = each[0].start, each[-1].end
            if (start, end) == self._bounds[leaf]:
                tokens += self._tokens[leaf:at]
                continue
            tokens.append(self._part(leaf, start, end, (each[0].rows or (0, 0))[0], (each[-1].rows or (0, 0))[1]))
            if end == self._bounds[leaf][1]:
                tokens += self._tokens[leaf + 1 : at]
        return tokens + _closing(tokens)

    def _opened(self, leaf: int) -> list[Token]:
        """Return the starts of the containers that a leaf is in; lists start with the number of its item."""
        chain: list[Token] = []
        index, number = self._above[leaf], 0
        while index >= 0:
            token = self._tokens[index]
            if token.kind is TokenKind.LIST and token.start is not None:
                token = replace(token, start=token.start + number)
            chain.append(token)
            number = self._number[index]
            index = self._above[index]
        return chain[::-1]

    def _part(self, leaf: int, start: int, end: int, first_row: int, end_row: int) -> Token:
        """Return the token of a part of a leaf."""
        token, kept = self._tokens[leaf], self._kept
        if token.kind is TokenKind.TABLE:
            return replace(token, rows=self._rows(leaf, first_row, end_row))
        if token.kind is TokenKind.CODE:
            return replace(token, text=kept.text[start:end])
        ink = kept.ink_before
        whole_start, whole_end = self._bounds[leaf]
        if leaf != self._leaf:
            self._leaf, self._cutter = leaf, RunCutter(token.runs)
        if self._cutter.ink == ink[whole_end] - ink[whole_start]:
            runs = self._cutter.cut(int(ink[start] - ink[whole_start]), int(ink[end] - ink[whole_start]))
        else:
            runs = [Run(RunKind.TEXT, " ".join(kept.text[start:end].split()))]
        is_rest = token.kind is TokenKind.HEADING and start > whole_start
        return replace(token, runs=runs, kind=TokenKind.PARAGRAPH if is_rest else token.kind)

    def _rows(self, leaf: int, first: int, end: int) -> list[TableRow]:
        """Return rows of a table, without spans, after its header row."""
        if self._grid[0] != leaf:
            token = self._tokens[leaf]
            rows = [
                TableRow(
                    row.node, [replace(cell, columns=1, rows=1) if cell else _empty(row) for cell in cells], row.in_head
                )
                for row, cells in zip(token.rows, table_rows(token), strict=True)
            ]
            self._grid = leaf, rows
        rows = self._grid[1]
        is_header = rows[0].in_head or all(cell.is_header for cell in rows[0].cells)
        return rows[:1] + rows[first:end] if first and is_header else rows[first:end]


class RunCutter:
    """Cuts runs by the number of characters other than white space.

    Args:
        runs: the runs of a leaf.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        texts = [run.text if run.kind is RunKind.TEXT else "" for run in runs]
        self._starts = np.append(0, np.cumsum([len(text) for text in texts], dtype=np.int64)).tolist()
        points = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
        self._inked = np.flatnonzero(classify(points) < CharClass.WHITE)

    @property
    def ink(self) -> int:
        """The number of characters other than white space."""
        return len(self._inked)

    def cut(self, first: int, end: int) -> list[Run]:
        """Return the runs from one inked character to before another; what has no text goes with what follows it."""
        if first >= end:
            return []
        start, stop = int(self._inked[first]), int(self._inked[end - 1]) + 1
        cut = []
        from_run = bisect_right(self._starts, start) - 1
        while from_run > 0 and self._starts[from_run - 1] == start:
            from_run -= 1
        for index in range(from_run, len(self._runs)):
            run, run_start = self._runs[index], self._starts[index]
            if run_start >= stop:
                break
            if run.kind is RunKind.TEXT:
                run = replace(run, text=run.text[max(start - run_start, 0) : stop - run_start])
            cut.append(run)
        return cut


def _containers(tokens: list[Token]) -> tuple[list[int], list[int]]:
    """Return for each token the start of the container it is in, -1 for none, and how many items of it come before."""
    above, number = [-1] * len(tokens), [0] * len(tokens)
    open_at: list[int] = []
    items: list[int] = []
    for index, token in enumerate(tokens):
        if token.edge is Edge.CLOSE:
            open_at.pop()
            items.pop()
        above[index] = open_at[-1] if open_at else -1
        if token.edge is Edge.OPEN:
            if token.kind is TokenKind.ITEM and items:
                number[index] = items[-1]
                items[-1] += 1
            open_at.append(index)
            items.append(0)
    return above, number


def _closing(tokens: list[Token]) -> list[Token]:
    """Return the ends of the containers that some tokens leave open."""
    open_tokens: list[Token] = []
    for token in tokens:
        if token.edge is Edge.OPEN:
            open_tokens.append(token)
        elif token.edge is Edge.CLOSE:
            open_tokens.pop()
    return [replace(token, edge=Edge.CLOSE) for token in reversed(open_tokens)]


def _empty(row: TableRow) -> TableCell:
    return TableCell(row.node, [], is_header=row.in_head)
