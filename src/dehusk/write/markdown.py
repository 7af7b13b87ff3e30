"""Markdown: CommonMark with GitHub's tables, strikethrough, formulas and footnotes, written from tokens.

Nothing is written as HTML. What the markup of the page says and Markdown cannot:

- Cells that span columns or rows are followed by empty cells. A table without a header row has its first row as header,
  because Markdown requires one. A caption becomes a paragraph before the table.
- A heading that is strong as a whole is not marked so.
- Terms of a definition list become strong paragraphs, followed by their definitions.
- Two lists that follow each other have different markers, or they would become one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from dehusk.backends import kernel
from dehusk.labels import Labels
from dehusk.lazy import pattern
from dehusk.write.attribution import Attribution, attribute
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.kept_content import KeptContent
from dehusk.write.markdown_lines import LineContext, cell_line, heading_line, write_line
from dehusk.write.options import DEFAULTS, WriteOptions
from dehusk.write.preamble import with_front_matter
from dehusk.write.references import References
from dehusk.write.table_grids import table_rows
from dehusk.write.titles import title_to_add
from dehusk.write.token_reader import tokens_of
from dehusk.write.tokens import Edge, Run, RunKind, Style, Token, TokenKind

_TICKS = pattern("`{3,}")
_SCHEME = pattern(r"[A-Za-z][\w+.-]*:(?=\S)")
_BULLETS, _DELIMITERS = ("- ", "* "), (". ", ") ")
_QUOTE = "> "
_POST_LEVEL = 3
"""Level of the heading of a post that is no reply."""
_PREFIX_SHARE, _SPARE = 1, 5_000
"""Characters of indentation and quote marks per character of the page's source, and besides."""


def to_markdown(labels: Labels) -> str:
    """Return the kept blocks as Markdown; unless empty, it ends with a line end."""
    return content_written(KeptContent.of(labels), DEFAULTS)


def write_markdown(cleaned: CleanedPage, options: WriteOptions) -> str:
    """Return a page as Markdown, with its title and metadata as the options say."""
    kept = KeptContent.of(cleaned.labels)
    text = content_written(kept, options)
    if title := title_to_add(cleaned, options.title or "auto"):
        has_formulas = bool(kept.inserts.formulas) and _has_formulas(tokens_of(kept))
        context = LineContext(_nothing, _nothing, has_formulas=has_formulas)
        text = f"# {heading_line(write_line([Run(RunKind.TEXT, title)], context))}\n\n{text}"
    return with_front_matter(cleaned, text) if options.front_matter == "yaml" else text


@kernel("markdown.content_written")
def content_written(kept: KeptContent, options: WriteOptions) -> str:
    """Return the kept content of a page as Markdown, without title and metadata."""
    return written(kept.labels, tokens_of(kept), options)


@kernel("markdown.written")
def written(labels: Labels, tokens: list[Token], options: WriteOptions) -> str:
    """Return the tokens of a page as Markdown, without title and metadata."""
    return _MarkdownWriter(labels, tokens, options).write()


def _nothing(_: int) -> None:
    """Return the address of a link or image in a title, which has none."""


def part_writer(labels: Labels, tokens: list[Token]) -> Callable[[list[Token]], str]:
    """Return a function that writes parts of a page, each of balanced tokens; all keep to the bounds of the one page.

    Args:
        labels: the labels of the page.
        tokens: all tokens of the page.
    """
    return _MarkdownWriter(labels, tokens, DEFAULTS).write_part


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

    def __init__(self, labels: Labels, tokens: list[Token], options: WriteOptions) -> None:
        page = labels.blocks.page
        self.tokens, self.quotes_posts = tokens, options.posts == "quotes"
        self.posts = Attribution() if options.posts == "plain" else attribute(labels, tokens)
        self.quote = self.next_quote = ""
        self.quoted = 0
        images = {run.node for token in tokens for run in _runs(token) if run.kind is RunKind.IMAGE}
        self.references = References(page, options, images)
        self.references.look_up({run.link for token in tokens for run in _runs(token) if run.link >= 0})
        self.context = _context(self.references, tokens)
        self.lines: list[str] = []
        self.frames: list[_Frame] = []
        self.to_spend = _PREFIX_SHARE * len(page.elements.text) + _SPARE
        self.closed_list: _Frame | None = None
        self.tight = _tight_lists(tokens)

    def write(self) -> str:
        """Return the Markdown."""
        for index, token in enumerate(self.tokens):
            if token.edge is Edge.LEAF:
                if index not in self.posts.lines:
                    self._post(index)
                    self._leaf(token)
                self.closed_list = None
            elif token.edge is Edge.OPEN:
                if index in self.posts.openings:
                    self._post(index)
                self._open(index, token)
            else:
                frame = self.frames.pop()
                self.closed_list = frame if frame.kind is TokenKind.LIST else None
        if self.references.notes:
            self.lines += ["", *(f"[^{label}]: {address}" for address, label in self.references.notes.items())]
        return "\n".join(self.lines) + "\n" if self.lines else ""

    def write_part(self, tokens: list[Token]) -> str:
        """Return the Markdown of some tokens; what is left of the bounds of the page is what later parts have."""
        self.tokens, self.tight = tokens, _tight_lists(tokens)
        self.lines, self.frames, self.closed_list = [], [], None
        return self.write()

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

    def _post(self, index: int) -> None:
        """Start the post that starts with a leaf, and end the quote of a post before a leaf outside of posts."""
        level, opening = self.posts.levels.get(index, -1), self.posts.openings.get(index)
        if self.quotes_posts and (opening is not None or level < 0):
            self.quote, self.next_quote = "", _QUOTE * (level + 1)
            self.quoted = len(self.frames)
        if opening:
            style = Style.STRONG if self.quotes_posts else Style.PLAIN
            kind = TokenKind.PARAGRAPH if self.quotes_posts else TokenKind.HEADING
            runs = [Run(RunKind.TEXT, opening, style)]
            self._leaf(Token(kind, 0, runs=runs, level=min(_POST_LEVEL + level, 6)))

    def _leaf(self, token: Token) -> None:
        starts_note = any(frame.is_fresh and frame.kind is TokenKind.NOTE for frame in self.frames)
        lines = self._lines_of(_no_address(token) if starts_note else token)
        if not lines:
            return
        if not self.frames and not self.quotes_posts:
            self.lines += ["", *lines] if self.lines else lines
            return
        marked = self._is_marked(len(lines))
        if self.lines and not (marked and self._follows_tightly()):
            self._write_line("", [frame for frame in self.frames if not frame.is_fresh], marked=marked)
        self.quote = self.next_quote
        if starts_note and token.kind is TokenKind.CODE:
            self._end_line_of_note(marked=marked)
        for line in lines:
            self._write_line(line, self.frames, marked=marked)
            for frame in self.frames:
                frame.is_fresh = False

    def _end_line_of_note(self, *, marked: bool) -> None:
        """Write the label of a footnote on a line of its own; readers without footnotes see no fence after it."""
        inner = max(index for index, frame in enumerate(self.frames) if frame.kind is TokenKind.NOTE)
        for _ in range(2):
            self._write_line("", self.frames[: inner + 1], marked=marked)
            for frame in self.frames[: inner + 1]:
                frame.is_fresh = False

    def _is_marked(self, lines: int) -> bool:
        """Return whether the lines of a leaf have the marks of their containers.

        Once the marks are as long as the page, leaves are written without them. A leaf has marks on all of its lines or
        on none, because a listing ends where the marks of its container do.
        """
        marks = sum(max(len(frame.marker), len(frame.prefix)) for frame in self.frames) + len(self.next_quote)
        if marks * (lines + 1) > self.to_spend:
            self.to_spend = 0
        return marks <= self.to_spend

    def _write_line(self, line: str, frames: list[_Frame], *, marked: bool) -> None:
        """Add a line inside of some containers, with their marks or without."""
        marks = [frame.marker if frame.is_fresh else frame.prefix for frame in frames]
        marks.insert(min(self.quoted, len(marks)), self.quote)
        start = "".join(marks) if marked else ""
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
        if token.kind is TokenKind.HEADING:
            runs = _not_all_strong(runs)
        text = write_line(runs, self.context)
        if token.kind is TokenKind.HEADING and text:
            return [f"{'#' * token.level} {heading_line(text)}"]
        return text.split("\n") if text else []

    def _table(self, token: Token) -> list[str]:
        grid = table_rows(token)
        rows = [[cell_line(write_line(cell.runs, self.context)) if cell else "" for cell in row] for row in grid]
        if not any(map(any, rows)):
            return []
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return [lines[0], f"|{' --- |' * len(rows[0])}", *lines[1:]]


def _context(references: References, tokens: list[Token]) -> LineContext:
    """Return what the writer of lines needs to know about a page."""
    return LineContext(
        lambda node: references.destination(references.link(node)),
        lambda node: references.destination(references.image(node)),
        note=references.note if references.options.links == "footnotes" else None,
        has_formulas=_has_formulas(tokens),
    )


def _has_formulas(tokens: list[Token]) -> bool:
    return any(run.kind is RunKind.FORMULA for token in tokens for run in _runs(token))


def _runs(token: Token) -> Iterator[Run]:
    yield from token.runs
    for row in token.rows:
        for cell in row.cells:
            yield from cell.runs


def _no_address(token: Token) -> Token:
    """Return the first leaf of a footnote, as code if it starts like an address.

    Readers of Markdown that have no footnotes take `[^1]: scheme:…` for the address of a link.
    """
    if not (token.runs and token.runs[0].kind is RunKind.TEXT and _SCHEME.match(token.runs[0].text)):
        return token
    first = replace(token.runs[0], style=token.runs[0].style | Style.CODE)
    return replace(token, runs=[first, *token.runs[1:]])


def _strong(runs: Sequence[Run]) -> list[Run]:
    return [replace(run, style=run.style | Style.STRONG) for run in runs]


def _not_all_strong(runs: Sequence[Run]) -> Sequence[Run]:
    """Return the runs of a heading, which is strong anyway; the strong parts of one that has others stay."""
    texts = [run for run in runs if run.kind is RunKind.TEXT and run.text.strip()]
    if not all(run.style & Style.STRONG for run in texts):
        return runs
    return [replace(run, style=run.style & ~Style.STRONG) for run in runs]


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
    write=write_markdown,
    options=frozenset({"title", "links", "images", "tracking", "posts", "front_matter"}),
    aliases=("gfm", "commonmark"),
    text_only=True,
)
