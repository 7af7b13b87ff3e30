"""Markdown: CommonMark with GitHub's tables, strikethrough and footnotes, written from tokens.

Nothing is written as HTML. What the markup of the page says and Markdown cannot:

- Cells that span columns or rows are followed by empty cells. A table without a header row has its first row as header,
  because Markdown requires one. A caption becomes a paragraph before the table.
- Terms of a definition list become strong paragraphs, followed by their definitions.
- Two lists that follow each other have different markers, or they would become one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dehusk.content.addresses import Addresses
from dehusk.content.images import find_images
from dehusk.labels import Labels
from dehusk.page import Page
from dehusk.write.interface import Writer, from_labels
from dehusk.write.markdown_lines import LineContext, cell_line, heading_line, write_line
from dehusk.write.table_grids import table_rows
from dehusk.write.token_reader import read_tokens
from dehusk.write.tokens import Edge, Run, Style, Token, TokenKind

_ENTITY = re.compile(r"&(?=#?\w+;)")
_TICKS = re.compile("`{3,}")
_BULLETS, _DELIMITERS = ("- ", "* "), (". ", ") ")
_QUOTE = "> "
_PREFIX_SHARE, _SPARE = 1, 5_000
"""Characters of indentation and quote marks per character of the page's source, and besides."""
_ADDRESS_SHARE = 4
"""Characters of addresses that are looked up, most of them twice, per character of the page's source."""


def to_markdown(labels: Labels) -> str:
    """Return the kept blocks as Markdown; unless empty, it ends with a line end."""
    return _MarkdownWriter(labels.blocks.page, read_tokens(labels)).write()


@dataclass
class _Frame:
    """A container that lines are in."""

    kind: TokenKind
    marker: str = ""
    """What the first line starts with."""
    prefix: str = ""
    """What the other lines start with."""
    is_fresh: bool = True
    """Whether no line has been written in it."""
    is_tight: bool = False
    """Whether no empty lines separate the items of a list, or what is in an item."""
    number: int | None = None
    """Number of the next item of an ordered list."""
    delimiter: str = ""
    """What follows the number of an item, or the bullet."""


class _MarkdownWriter:
    """Writes tokens line by line."""

    def __init__(self, page: Page, tokens: list[Token]) -> None:
        self.page, self.tokens = page, tokens
        self.context = _References(page).context()
        self.lines: list[str] = []
        self.frames: list[_Frame] = []
        self.to_spend = _PREFIX_SHARE * len(page.elements.text) + _SPARE
        self.closed_list: _Frame | None = None
        self.tight = _tight_lists(tokens)

    def write(self) -> str:
        """Return the Markdown."""
        for index, token in enumerate(self.tokens):
            if token.edge is Edge.LEAF:
                self._leaf(token)
                self.closed_list = None
            elif token.edge is Edge.OPEN:
                self._open(index, token)
            else:
                frame = self.frames.pop()
                self.closed_list = frame if frame.kind is TokenKind.LIST else None
        return "\n".join(self.lines) + "\n" if self.lines else ""

    def _open(self, index: int, token: Token) -> None:
        frame = _Frame(token.kind)
        if token.kind is TokenKind.QUOTE:
            frame.marker = frame.prefix = _QUOTE
        elif token.kind is TokenKind.LIST:
            frame.is_tight, frame.number = index in self.tight, token.start
            frame.delimiter = self._delimiter(ordered=token.start is not None)
        elif token.kind is TokenKind.ITEM:
            self._item(frame)
        elif token.kind is TokenKind.NOTE:
            frame.marker, frame.prefix = f"[^{token.text}]: ", "    "
        self.frames.append(frame)
        self.closed_list = None

    def _delimiter(self, *, ordered: bool) -> str:
        """Return the delimiter of a list, another one than that of a list just before it."""
        choices = _DELIMITERS if ordered else _BULLETS
        before = self.closed_list.delimiter if self.closed_list else ""
        return choices[1] if before == choices[0] else choices[0]

    def _item(self, frame: _Frame) -> None:
        items = self.frames[-1]
        frame.is_tight = items.is_tight
        if items.number is None:
            frame.marker = items.delimiter
        else:
            frame.marker = f"{min(max(items.number, 0), 999_999_999)}{items.delimiter}"
            items.number += 1
        frame.prefix = " " * len(frame.marker)

    def _leaf(self, token: Token) -> None:
        lines = self._lines_of(token)
        if not lines:
            return
        if self.lines and not self._follows_tightly():
            self._write_line("", [frame for frame in self.frames if not frame.is_fresh])
        for line in lines:
            self._write_line(line, self.frames)
            for frame in self.frames:
                frame.is_fresh = False

    def _write_line(self, line: str, frames: list[_Frame]) -> None:
        """Add a line inside of some containers; once their marks are as long as the page, they are left out."""
        start = (
            "".join(frame.marker if frame.is_fresh else frame.prefix for frame in frames) if self.to_spend > 0 else ""
        )
        self.to_spend -= len(start)
        self.lines.append(f"{start}{line}" if line else start.rstrip())

    def _follows_tightly(self) -> bool:
        """Return whether a leaf starts on the line after what is before it."""
        fresh = next((index for index, frame in enumerate(self.frames) if frame.is_fresh), None)
        if fresh is None:
            return False
        frame = self.frames[fresh]
        if frame.kind is TokenKind.ITEM:
            return frame.is_tight
        return frame.kind is TokenKind.LIST and fresh > 0 and self.frames[fresh - 1].is_tight

    def _lines_of(self, token: Token) -> list[str]:
        """Return the lines of a leaf."""
        if token.kind is TokenKind.CODE:
            return _fenced(token)
        if token.kind is TokenKind.TABLE:
            return self._table(token)
        if token.kind is TokenKind.RULE:
            return ["___" if self.frames and self.frames[-1].is_fresh else "---"]
        runs = _strong(token.runs) if token.kind is TokenKind.TERM else token.runs
        text = write_line(runs, self.context)
        if token.kind is TokenKind.HEADING and text:
            return [f"{'#' * token.level} {heading_line(text)}"]
        return text.split("\n") if text else []

    def _table(self, token: Token) -> list[str]:
        rows = [
            [cell_line(write_line(cell.runs, self.context)) if cell else "" for cell in row]
            for row in table_rows(token)
        ]
        if not rows or not any(map(any, rows)):
            return []
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return [lines[0], f"|{' --- |' * len(rows[0])}", *lines[1:]]


class _References:
    """The addresses of a page's links and images; links become text once their addresses are longer than the page."""

    def __init__(self, page: Page) -> None:
        self.page, self.addresses = page, Addresses.of(page)
        self.images = find_images(page, self.addresses)
        self.to_spend = _ADDRESS_SHARE * len(page.elements.text) + _SPARE
        self.links: dict[int, str | None] = {}

    def context(self) -> LineContext:
        """Return what the writer of lines needs."""
        return LineContext(self.link, self.image)

    def link(self, node: int) -> str | None:
        """Return the address of a link; None if it has none, or the page's addresses are too long."""
        if node not in self.links:
            address = self.addresses.resolve(self.page.attribute(node, "href") or "")
            self.links[node] = _ENTITY.sub("&amp;", address) if address else None
        return self._within_bounds(self.links[node])

    def image(self, node: int) -> str | None:
        """Return the address of an image; None if it has none, or repeats another image."""
        address = None if node in self.images.copies else self.images.sources.get(node)
        return self._within_bounds(_ENTITY.sub("&amp;", address) if address else None)

    def _within_bounds(self, address: str | None) -> str | None:
        self.to_spend -= len(address or "")
        return address if self.to_spend > 0 else None


def _strong(runs: list[Run]) -> list[Run]:
    return [replace(run, style=run.style | Style.STRONG) for run in runs]


def _fenced(token: Token) -> list[str]:
    longest = max((len(ticks) for ticks in _TICKS.findall(token.text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{token.language}", *token.text.split("\n"), fence]


def _tight_lists(tokens: Sequence[Token]) -> set[int]:
    """Return the indices of the starts of lists whose items are one leaf each, and nested lists after it."""
    tight: set[int] = set()
    open_at: list[int] = []
    for index, token in enumerate(tokens):
        if token.edge is Edge.CLOSE:
            open_at.pop()
            continue
        parent = tokens[open_at[-1]] if open_at else None
        if parent is not None and parent.kind is TokenKind.ITEM and tokens[index - 1] is not parent:
            may_follow = token.kind is TokenKind.LIST and token.start in (None, 1)
            if not may_follow:
                tight.discard(open_at[-2])
        if token.edge is Edge.OPEN:
            if token.kind is TokenKind.LIST:
                tight.add(index)
            open_at.append(index)
    return tight


WRITER = Writer(
    name="markdown",
    extension=".md",
    media_type="text/markdown",
    write=from_labels(to_markdown),
    aliases=("gfm", "commonmark"),
    text_only=True,
)
