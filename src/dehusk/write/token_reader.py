"""Read the kept content of a page as tokens, in one pass over the nodes that `write.pruning` keeps.

- What a page puts between the items of a list goes into the item before it if it is a list, and otherwise ends the
  list; the next item starts a new one. An item outside of any list starts a list.
- Headings, terms, captions of tables and cells are lines: block-level elements in them become spaces.
- A link around several leaves is a link around the first of them.
- Two `br` in a row separate paragraphs; one ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from dehusk.labels import Labels
from dehusk.layout import counts_before, grids, is_holder
from dehusk.page import Bools
from dehusk.tags import HEADINGS, TAG_NUMBER, numbers
from dehusk.write.containers import Container, OpenContainers
from dehusk.write.node_texts import NodeTexts
from dehusk.write.plain import replacements
from dehusk.write.pruning import Pruned, dissolve, prune
from dehusk.write.runs import Line
from dehusk.write.safety import BLOCK
from dehusk.write.tokens import Edge, Run, RunKind, Style, TableCell, TableRow, Token, TokenKind

MAX_DEPTH = 32
"""Maximum nesting of lists and quotes; deeper ones join those around them, so that depth cannot inflate the output."""

_STYLES = {
    **dict.fromkeys(("b", "strong"), Style.STRONG),
    **dict.fromkeys(("i", "em"), Style.EMPHASIS),
    **dict.fromkeys(("s", "del"), Style.STRIKE),
    **dict.fromkeys(("code", "kbd", "samp"), Style.CODE),
}
_CONTAINERS = {
    "blockquote": TokenKind.QUOTE,
    "figure": TokenKind.FIGURE,
    "dl": TokenKind.DEFINITIONS,
    "dd": TokenKind.DESCRIPTION,
}
_HEADING = numbers(HEADINGS)
_BREAK = numbers("br")
_INTEGER = re.compile(r"\s*([+-]?\d{1,9})(?!\d)")


def read_tokens(labels: Labels) -> list[Token]:
    """Return the kept content of a page as tokens, in document order; containers are balanced."""
    return _TokenReader(labels).read()


class _TokenReader:
    """One pass over the kept nodes of a page."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.pruned = labels, prune(labels)
        self.page = self.pruned.page
        tables = grids(labels.blocks, np.flatnonzero(labels.kept))
        self.names: list[str] = dissolve(self.pruned, ~tables).tolist()
        self.texts, self.replaced = NodeTexts(labels, self.pruned), replacements(self.page)
        self.headed = _contains(self.pruned, self.page.is_one_of(_HEADING))
        self.broken = _contains(self.pruned, is_holder(self.page) | self.page.is_one_of(_BREAK))
        self.tokens: list[Token] = []
        self.line, self.style, self.link = Line(), Style.PLAIN, -1
        self.holder = 0
        self.linked: dict[int, int] = {}
        self.in_line = 0
        self.caption = 0
        self.leaf = 0
        self.skip = 0
        self.containers = OpenContainers(self.tokens)
        self.open: list[tuple[int, Callable[[], None]]] = []
        self.rows: list[TableRow] | None = None

    def read(self) -> list[Token]:
        """Return the tokens."""
        nodes, seams = self.pruned.nodes.tolist(), self.pruned.seams
        for node, name, end in zip(nodes, self.names, self.page.end[self.pruned.nodes].tolist(), strict=True):
            if node < self.skip:
                continue
            while self.open and self.open[-1][0] <= node:
                self.open.pop()[1]()
            if node in seams:
                self._seam(seams[node])
            if not name:
                self._text(node)
            elif opener := _OPENERS.get(name):
                opener(self, node, end)
            elif name in BLOCK:
                self._block(node, end)
        while self.open:
            self.open.pop()[1]()
        self._flush()
        self.containers.leave(0)
        return self.tokens

    def _seam(self, seam: str) -> None:
        if seam == " " or self.in_line:
            self.line.space()
        else:
            self._flush()

    def _text(self, node: int) -> None:
        before, text, after = self.texts.of(node)
        text = self.replaced.get(node, text)
        if before:
            self.line.space()
        if text:
            self.line.text(text, self.style, self._link(of_text=True), node)
            if after:
                self.line.space()

    def _link(self, *, of_text: bool) -> int:
        """Return the link around the next run: the current one, unless an earlier leaf has it."""
        if self.link < 0 or self.linked.setdefault(self.link, self.leaf) != self.leaf:
            return -1
        if not of_text:
            del self.linked[self.link]  # a card's picture, and then its title
        return self.link

    def _block(self, node: int, end: int) -> None:
        """A block-level element without a meaning of its own."""
        if self.in_line:
            self.line.space()
            self.open.append((end, self.line.space))
            return
        self._flush()
        holder, self.holder = self.holder, node

        def close() -> None:
            self._flush()
            self.holder = holder

        self.open.append((end, close))

    def styled(self, style: Style, end: int) -> None:
        before, self.style = self.style, self.style | style
        self.open.append((end, lambda: setattr(self, "style", before)))

    def anchor(self, node: int, end: int) -> None:
        before, self.link = self.link, node
        self.open.append((end, lambda: setattr(self, "link", before)))

    def line_break(self, _node: int, _end: int) -> None:
        if self.in_line:
            self.line.space()
        elif self.line and not self.line.line_end():
            self._flush()

    def rule(self, node: int, _end: int) -> None:
        if self.in_line:
            self.line.space()
            return
        self._flush()
        self._emit(Token(TokenKind.RULE, node))

    def image(self, node: int, _end: int) -> None:
        alt = " ".join((self.page.attribute(node, "alt") or "").split())
        self.line.atom(Run(RunKind.IMAGE, alt, self.style, self._link(of_text=False), node))

    def heading(self, node: int, end: int) -> None:
        level = int(self.page.tag_name(node)[1])
        self._leaf(Token(TokenKind.HEADING, node, level=level), end)

    def term(self, node: int, end: int) -> None:
        if self.headed[node]:
            self._block(node, end)
        else:
            self._leaf(Token(TokenKind.TERM, node), end)

    def caption_of_table(self, node: int, end: int) -> None:
        self._leaf(Token(TokenKind.CAPTION, node), end)

    def caption_of_figure(self, node: int, end: int) -> None:
        if self.in_line:
            self._block(node, end)
            return
        self._flush()
        self.caption += 1

        def close() -> None:
            self._flush()
            self.caption -= 1

        self.open.append((end, close))

    def _leaf(self, token: Token, end: int) -> None:
        """An element that becomes one line."""
        if self.in_line:
            self._block(token.node, end)
            return
        self._flush()
        self.in_line += 1

        def close() -> None:
            self.in_line -= 1
            if any(run.kind is not RunKind.IMAGE for run in self.line.runs):
                token.first, token.last, token.runs = self.line.first, self.line.last, self.line.take()
                self._emit(token)
            else:
                self._flush()

        self.open.append((end, close))

    def code(self, node: int, end: int) -> None:
        """A listing; inline code unless it has several lines."""
        is_inline = self.page.tag_name(node) in _STYLES
        if self.in_line or (is_inline and not self.broken[node]):
            if is_inline:
                self.styled(Style.CODE, end)
            else:
                self._block(node, end)
            return
        self._flush()
        first, last, text = self.texts.preformatted(node, end, self.names)
        self.skip = end
        if text:
            self._emit(Token(TokenKind.CODE, node, text=text, language="", first=first, last=last))

    def table(self, node: int, end: int) -> None:
        if self.in_line:
            self._block(node, end)
            return
        self._flush()
        token = Token(TokenKind.TABLE, node)
        self.rows = token.rows

        def close() -> None:
            self._flush()
            self.rows = None
            if token.rows:
                self._emit(token)

        self.open.append((end, close))

    def row(self, node: int, end: int) -> None:
        if self.rows is None:
            self._block(node, end)
            return
        in_head = self.page.tag_name(int(self.page.parent[node])) == "thead"
        self.rows.append(TableRow(node, [], in_head))

    def cell(self, node: int, end: int) -> None:
        if not self.rows:
            self._block(node, end)
            return
        name = self.page.tag_name(node)
        columns, rows = (self._integer(node, each, 1) for each in ("colspan", "rowspan"))
        cell = TableCell(node, [], name == "th", max(columns, 1), max(rows, 0))
        self.rows[-1].cells.append(cell)
        self.in_line += 1
        self.leaf += 1

        def close() -> None:
            self.in_line -= 1
            cell.first, cell.last, cell.runs = self.line.first, self.line.last, self.line.take()

        self.open.append((end, close))

    def _integer(self, node: int, name: str, default: int) -> int:
        match = _INTEGER.match(self.page.attribute(node, name) or "")
        return int(match[1]) if match else default

    def section_of_table(self, node: int, end: int) -> None:
        if self.rows is None:
            self._block(node, end)

    def list(self, node: int, end: int) -> None:
        if self.in_line or self.containers.depth >= MAX_DEPTH:
            self._block(node, end)
            return
        start = self._integer(node, "start", 1) if self.page.tag[node] == TAG_NUMBER["ol"] else None
        self._flush()
        self.containers.end_implied_list()
        self._enter(Container(TokenKind.LIST, node, start=start), end)

    def item(self, node: int, end: int) -> None:
        if self.in_line or self.containers.depth > MAX_DEPTH:
            self._block(node, end)
            return
        self._flush()
        if not self.containers.is_in_list():
            parent = int(self.page.parent[node])
            self._enter(Container(TokenKind.LIST, node, is_implied=True), int(self.page.end[parent]))
        item = self.containers.start_item(node)

        def close() -> None:
            self._flush()
            item.is_over = True

        self.open.append((end, close))

    def container(self, kind: TokenKind, node: int, end: int) -> None:
        """A quote, figure, definition list or definition."""
        if self.in_line or self.containers.depth >= MAX_DEPTH:
            self._block(node, end)
            return
        self._flush()
        self.containers.end_list()
        self.tokens.append(Token(kind, node, Edge.OPEN))
        self._enter(Container(kind, node, is_written=True), end)

    def _enter(self, container: Container, end: int) -> None:
        depth = self.containers.enter(container)

        def close() -> None:
            self._flush()
            self.containers.leave(depth)

        self.open.append((end, close))

    def _emit(self, token: Token) -> None:
        self.containers.end_list()
        self.tokens.append(token)
        self.leaf += 1

    def _flush(self) -> None:
        """End the paragraph that has been collected."""
        if self.in_line or not self.line:
            return
        first, last = self.line.first, self.line.last
        kind = TokenKind.CAPTION if self.caption else TokenKind.PARAGRAPH
        self._emit(Token(kind, self.holder, runs=self.line.take(), first=first, last=last))


def _contains(pruned: Pruned, targets: Bools) -> Bools:
    """Return which nodes, shape (n,), contain a kept node of the mask `targets`."""
    before = counts_before(pruned.page, pruned.nodes[targets[pruned.nodes]])
    contains: Bools = before[pruned.page.end] > before[1:]
    return contains


_Opener = Callable[[_TokenReader, int, int], None]


def _style_opener(style: Style) -> _Opener:
    return lambda reader, _, end: reader.styled(style, end)


def _container_opener(kind: TokenKind) -> _Opener:
    return lambda reader, node, end: reader.container(kind, node, end)


_OPENERS: dict[str, _Opener] = {
    **dict.fromkeys(HEADINGS, _TokenReader.heading),
    **dict.fromkeys(("ul", "ol"), _TokenReader.list),
    **dict.fromkeys(("td", "th"), _TokenReader.cell),
    **dict.fromkeys(("thead", "tbody", "tfoot"), _TokenReader.section_of_table),
    **dict.fromkeys(("pre", "code", "kbd", "samp"), _TokenReader.code),
    "li": _TokenReader.item,
    "dt": _TokenReader.term,
    "caption": _TokenReader.caption_of_table,
    "figcaption": _TokenReader.caption_of_figure,
    "table": _TokenReader.table,
    "tr": _TokenReader.row,
    "a": _TokenReader.anchor,
    "br": _TokenReader.line_break,
    "hr": _TokenReader.rule,
    "img": _TokenReader.image,
    **{name: _style_opener(style) for name, style in _STYLES.items() if style is not Style.CODE},
    **{name: _container_opener(kind) for name, kind in _CONTAINERS.items()},
}
