"""Read the leaves of a page's content: the lines of headings, paragraphs and terms, and code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dehusk.content.formulas import Formula
from dehusk.layout import counts_before, is_holder
from dehusk.page import Bools
from dehusk.tags import HEADINGS, numbers
from dehusk.write.containers import OpenContainers
from dehusk.write.inserts import text_in
from dehusk.write.kept_content import KeptContent
from dehusk.write.pruning import Pruned
from dehusk.write.runs import Line
from dehusk.write.tokens import Run, RunKind, Style, TableRow, Token, TokenKind

STYLES = {
    **dict.fromkeys(("b", "strong"), Style.STRONG),
    **dict.fromkeys(("i", "em"), Style.EMPHASIS),
    **dict.fromkeys(("s", "del"), Style.STRIKE),
    **dict.fromkeys(("code", "kbd", "samp"), Style.CODE),
}
_HEADING = numbers(HEADINGS)
_BREAK = numbers("br")
_PARTS = numbers("li td th pre")


class LeafReader:
    """What is open at a node of a page, and the line that is being collected."""

    def __init__(self, kept: KeptContent) -> None:
        self.kept, self.pruned, self.names = kept, kept.pruned, kept.names
        self.page = self.pruned.page
        self.texts, self.replaced = kept.texts, kept.replaced
        self.headed = _contains(self.pruned, self.page.is_one_of(_HEADING))
        self.broken = _contains(self.pruned, is_holder(self.page) | self.page.is_one_of(_BREAK))
        self.has_parts = _contains(self.pruned, self.page.is_one_of(_PARTS))
        self.inserts, self.ornaments = kept.inserts, kept.ornaments
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

    def formulas(self, formulas: Sequence[Formula], node: int) -> None:
        """Add formulas to the line, or as lines of their own."""
        for formula in formulas:
            run = Run(RunKind.FORMULA, formula.tex, self.style, node=node, display=formula.display)
            if formula.display and not self.in_line:
                self.flush()
            self.line.atom(run, text_node=text_in(self.page, node))
            if formula.display and not self.in_line:
                self.flush()

    def seam(self, seam: str) -> None:
        """Separate what follows from what is there, because all that stood between is gone."""
        if seam == " " or self.in_line:
            self.line.space()
        else:
            self.flush()

    def write_text(self, node: int) -> None:
        """Add the text of a text node to the line."""
        before, text, after = self.texts.of(node)
        text = self.replaced.get(node, text)
        if before or self.line.ends_in_image():
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

    def block(self, node: int, end: int) -> None:
        """A block-level element without a meaning of its own."""
        if self.in_line:
            self.line.space()
            self.open.append((end, self.line.space))
            return
        self.flush()
        holder, self.holder = self.holder, node

        def close() -> None:
            self.flush()
            self.holder = holder

        self.open.append((end, close))

    def styled(self, style: int, end: int) -> None:
        """Give what is in an element a style."""
        before, self.style = self.style, self.style | style
        self.open.append((end, lambda: setattr(self, "style", before)))

    def anchor(self, node: int, end: int) -> None:
        """Give what is in an element a link."""
        before, self.link = self.link, node
        self.open.append((end, lambda: setattr(self, "link", before)))

    def line_break(self, _node: int, _end: int) -> None:
        """End the line, or the paragraph if the line is at its start."""
        if self.in_line:
            self.line.space()
        elif self.line and not self.line.line_end():
            self.flush()

    def rule(self, node: int, _end: int) -> None:
        """Add a rule."""
        if self.in_line:
            self.line.space()
            return
        self.flush()
        self.emit(Token(TokenKind.RULE, node))

    def image(self, node: int, _end: int) -> None:
        """Add an image to the line, unless it is no content."""
        if node in self.ornaments:
            return
        alt = " ".join((self.page.attribute(node, "alt") or "").split())
        self.line.atom(Run(RunKind.IMAGE, alt, self.style, self._link(of_text=False), node))

    def heading(self, node: int, end: int) -> None:
        """Start a heading."""
        if self.has_parts[node]:  # a heading that is never closed
            self.block(node, end)
            return
        level = int(self.page.tag_name(node)[1])
        self._leaf(Token(TokenKind.HEADING, node, level=level), end)

    def term(self, node: int, end: int) -> None:
        """Start a term of a definition list."""
        if self.headed[node]:
            self.block(node, end)
        else:
            self._leaf(Token(TokenKind.TERM, node), end)

    def caption_of_table(self, node: int, end: int) -> None:
        """Start the caption of a table."""
        if self.headed[node]:
            self.block(node, end)
        else:
            self._leaf(Token(TokenKind.CAPTION, node), end)

    def caption_of_figure(self, node: int, end: int) -> None:
        """Start the caption of a figure."""
        if self.in_line:
            self.block(node, end)
            return
        self.flush()
        self.caption += 1

        def close() -> None:
            self.flush()
            self.caption -= 1

        self.open.append((end, close))

    def _leaf(self, token: Token, end: int) -> None:
        """An element that becomes one line."""
        if self.in_line:
            self.block(token.node, end)
            return
        self.flush()
        self.in_line += 1

        def close() -> None:
            self.in_line -= 1
            if any(run.kind is not RunKind.IMAGE for run in self.line.runs):
                token.first, token.last, token.runs = self.line.first, self.line.last, self.line.take()
                self.emit(token)
            else:
                self.flush()

        self.open.append((end, close))

    def code(self, node: int, end: int) -> None:
        """A listing; inline code unless it has several lines."""
        is_inline = self.page.tag_name(node) in STYLES
        if self.in_line or (is_inline and not self._is_listing(node)):
            if is_inline:
                self.styled(Style.CODE, end)
            else:
                self.block(node, end)
            return
        self.flush()
        first, last, text = self.texts.preformatted(node, end, self.names)
        self.skip = end
        if text:
            language = self.inserts.languages.get(node, "")
            self.emit(Token(TokenKind.CODE, node, text=text, language=language, first=first, last=last))

    def _is_listing(self, node: int) -> bool:
        """Return whether an element of inline code has several lines, and its block nothing else."""
        page, holder = self.page, self.holder
        if not self.broken[node] or self.line:
            return False
        return not page.text[page.text_end[node] : page.text_end[holder]].strip()

    def emit(self, token: Token) -> None:
        """Add a leaf to the tokens."""
        self.containers.end_list()
        self.tokens.append(token)
        self.leaf += 1

    def flush(self) -> None:
        """End the paragraph that has been collected."""
        if self.in_line or not self.line.runs:
            return
        first, last = self.line.first, self.line.last
        kind = TokenKind.CAPTION if self.caption else TokenKind.PARAGRAPH
        self.emit(Token(kind, self.holder, runs=self.line.take(), first=first, last=last))


def _contains(pruned: Pruned, targets: Bools) -> Bools:
    """Return which nodes, shape (n,), contain a kept node of the mask `targets`."""
    before = counts_before(pruned.page, pruned.nodes[targets[pruned.nodes]])
    contains: Bools = before[pruned.page.end] > before[1:]
    return contains
