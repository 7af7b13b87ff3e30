"""Read the kept content of a page as tokens, in one pass over the nodes that `write.pruning` keeps.

- What a page puts between the items of a list goes into the item before it if it is a list, and otherwise ends the
  list; the next item starts a new one. An item outside of any list starts a list.
- Headings, terms, captions of tables and cells are lines: block-level elements in them become spaces.
- A link around several leaves is a link around the first of them.
- Two `br` in a row separate paragraphs; one ends a line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dehusk.backends import kernel
from dehusk.labels import Labels
from dehusk.lazy import pattern
from dehusk.tags import HEADINGS, TAG_NUMBER, numbers
from dehusk.write.containers import Container
from dehusk.write.inserts import text_in
from dehusk.write.kept_content import KeptContent
from dehusk.write.leaf_reader import STYLES, LeafReader
from dehusk.write.safety import BLOCK
from dehusk.write.tokens import Edge, Run, RunKind, Style, TableCell, TableRow, Token, TokenKind

MAX_DEPTH = 32
"""Maximum nesting of lists and quotes; deeper ones join those around them, so that depth cannot inflate the output."""

CONTAINERS = {
    "blockquote": TokenKind.QUOTE,
    "figure": TokenKind.FIGURE,
    "dl": TokenKind.DEFINITIONS,
    "dd": TokenKind.DESCRIPTION,
}
"""Element -> the container that it is."""
_HEADING = numbers(HEADINGS)
_BREAK = numbers("br")
_PARTS = numbers("li td th pre")
_INTEGER = pattern(r"\s*([+-]?\d{1,9})(?!\d)")


def read_tokens(labels: Labels) -> list[Token]:
    """Return the kept content of a page as tokens, in document order; containers are balanced."""
    return tokens_of(KeptContent.of(labels))


@kernel("tokens.tokens_of")
def tokens_of(kept: KeptContent) -> list[Token]:
    """Return kept content as tokens."""
    return _TokenReader(kept).read()


def integer(value: str | None, default: int) -> int:
    """Return the number that an attribute starts with, as of columns of a cell; `default` if there is none."""
    match = _INTEGER.match(value) if value else None
    return int(match[1]) if match else default


class _TokenReader(LeafReader):
    """One pass over the kept nodes of a page."""

    def read(self) -> list[Token]:
        """Return the tokens."""
        nodes, seams, has_inserts = self.pruned.nodes.tolist(), self.pruned.seams, bool(self.inserts)
        for node, name, end in zip(nodes, self.names, self.page.end[self.pruned.nodes].tolist(), strict=True):
            if node < self.skip:
                continue
            while self.open and self.open[-1][0] <= node:
                self.open.pop()[1]()
            if node in seams:
                self.seam(seams[node])
            if has_inserts and self._insert(node, end):
                continue
            if not name:
                self.write_text(node)
            elif opener := _OPENERS.get(name):
                opener(self, node, end)
            elif name in BLOCK:
                self.block(node, end)
        while self.open:
            self.open.pop()[1]()
        self.flush()
        self.containers.leave(0)
        return self.tokens

    def _insert(self, node: int, end: int) -> bool:
        """Write a formula or a reference; return whether it stands for the node and all that is in it."""
        inserts = self.inserts
        self.formulas(inserts.formulas.first.get(node, ()), node)
        if after := inserts.formulas.after.get(node, ()):
            self.open.append((end, partial(self.formulas, after, node)))
        if (label := inserts.notes.get(node)) and not self.in_line:
            self._note(label, node, end)
            return False
        formula, reference = inserts.formulas.roots.get(node), inserts.references.get(node)
        if formula:
            self.formulas((formula,), node)
        elif reference:
            run = Run(RunKind.REFERENCE, reference, self.style, node=node)
            self.line.atom(run, text_node=text_in(self.page, node))
        elif node not in inserts.left_out:
            return False
        self.skip = end
        return True

    def _note(self, label: str, node: int, end: int) -> None:
        self.flush()
        self.containers.end_list()
        self.tokens.append(Token(TokenKind.NOTE, node, Edge.OPEN, text=label))
        self._enter(Container(TokenKind.NOTE, node, is_written=True), end)

    def table(self, node: int, end: int) -> None:
        if self.in_line:
            self.block(node, end)
            return
        self.flush()
        self.rows = []
        token = Token(TokenKind.TABLE, node, rows=self.rows)

        def close() -> None:
            self.flush()
            self.rows = None
            if token.rows:
                self.emit(token)

        self.open.append((end, close))

    def row(self, node: int, end: int) -> None:
        if self.rows is None:
            self.block(node, end)
            return
        in_head = self.page.tag_name(int(self.page.parent[node])) == "thead"
        self.rows.append(TableRow(node, [], in_head))

    def cell(self, node: int, end: int) -> None:
        if not self.rows:
            self.block(node, end)
            return
        name = self.page.tag_name(node)
        columns, rows = (integer(self.page.attribute(node, each), 1) for each in ("colspan", "rowspan"))
        cell = TableCell(node, [], name == "th", max(columns, 1), max(rows, 0))
        self.rows[-1].cells.append(cell)
        self.in_line += 1
        self.leaf += 1

        def close() -> None:
            self.in_line -= 1
            cell.first, cell.last, cell.runs = self.line.first, self.line.last, self.line.take()

        self.open.append((end, close))

    def section_of_table(self, node: int, end: int) -> None:
        if self.rows is None:
            self.block(node, end)

    def list(self, node: int, end: int) -> None:
        if self.in_line or self.containers.depth >= MAX_DEPTH:
            self.block(node, end)
            return
        start = integer(self.page.attribute(node, "start"), 1) if self.page.tag[node] == TAG_NUMBER["ol"] else None
        self.flush()
        self.containers.end_implied_list()
        self._enter(Container(TokenKind.LIST, node, start=start), end)

    def item(self, node: int, end: int) -> None:
        if self.in_line or self.containers.depth > MAX_DEPTH or node in self.inserts.notes:
            self.block(node, end)
            return
        self.flush()
        if not self.containers.is_in_list():
            parent = int(self.page.parent[node])
            self._enter(Container(TokenKind.LIST, node, is_implied=True), int(self.page.end[parent]))
        item = self.containers.start_item(node)

        def close() -> None:
            self.flush()
            item.is_over = True

        self.open.append((end, close))

    def container(self, kind: TokenKind, node: int, end: int) -> None:
        """A quote, figure, definition list or definition."""
        if self.in_line or self.containers.depth >= MAX_DEPTH:
            self.block(node, end)
            return
        self.flush()
        self.containers.end_list()
        self.tokens.append(Token(kind, node, Edge.OPEN))
        self._enter(Container(kind, node, is_written=True), end)

    def _enter(self, container: Container, end: int) -> None:
        depth = self.containers.enter(container)

        def close() -> None:
            self.flush()
            self.containers.leave(depth)

        self.open.append((end, close))


_Opener = Callable[[_TokenReader, int, int], None]


def _style_opener(style: int) -> _Opener:
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
    **{name: _style_opener(style) for name, style in STYLES.items() if style is not Style.CODE},
    **{name: _container_opener(kind) for name, kind in CONTAINERS.items()},
}
