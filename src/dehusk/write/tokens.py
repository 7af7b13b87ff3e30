"""The kept content of a page as a stream of tokens: headings, paragraphs, lists, tables, code, and the text in them.

`read_tokens` (`write.token_reader`) makes the stream; writers of structured formats (Markdown, TEI) and chunks read it,
so that they agree on what a page is made of. A token is a leaf, or the start or end of a container; containers nest:

```
open list · open item · paragraph · close item · open item · paragraph · open list · … · close item · close list
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum


class TokenKind(Enum):
    """What a token is; the kinds from QUOTE on are containers."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    TERM = "term"
    """A term of a definition list."""
    CAPTION = "caption"
    """The caption of the next table, or of the figure around it."""
    CODE = "code"
    """A code listing or other preformatted text."""
    TABLE = "table"
    """A table of data."""
    RULE = "rule"
    QUOTE = "quote"
    LIST = "list"
    ITEM = "item"
    DEFINITIONS = "definitions"
    DESCRIPTION = "description"
    """What defines a term of a definition list."""
    FIGURE = "figure"
    NOTE = "note"
    """A footnote."""


class Edge(IntEnum):
    """Whether a token starts a container, ends one, or is a leaf."""

    OPEN = 1
    LEAF = 0
    CLOSE = -1


class Style:
    """The styles of a text, as bits of a number; several may apply. Not an enumeration, because those are slow."""

    PLAIN = 0
    STRONG = 1
    EMPHASIS = 2
    STRIKE = 4
    CODE = 8


class RunKind(Enum):
    """What a run is."""

    TEXT = "text"
    BREAK = "break"
    """The end of a line, as in verse or an address."""
    IMAGE = "image"
    FORMULA = "formula"
    REFERENCE = "reference"
    """A reference to a footnote."""


@dataclass(slots=True)
class Run:
    """A piece of a line: text of one style and link, or something that stands in a line like text."""

    kind: RunKind
    text: str
    """White space is folded and trimmed at the ends of a leaf. The alternative text of an image, the TeX of a formula,
    the label of a footnote."""
    style: int = Style.PLAIN
    """Bits of `Style`."""
    link: int = -1
    """The node of the link it is in, -1 for none."""
    node: int = -1
    """The node of an image or formula."""
    display: bool = False
    """Whether a formula stands on lines of its own."""


@dataclass(slots=True)
class TableCell:
    """A cell of a table."""

    node: int
    runs: list[Run]
    is_header: bool
    columns: int = 1
    """Number of columns it spans, as declared, at least 1."""
    rows: int = 1
    """Number of rows it spans, as declared, at least 1; 0 for all remaining rows."""
    first: int = -1
    """Its first kept text node, -1 if it has none."""
    last: int = -1
    """Its last kept text node, -1 if it has none."""


@dataclass(slots=True)
class TableRow:
    """A row of a table."""

    node: int
    cells: list[TableCell]
    in_head: bool
    """Whether it is in the table's `thead`."""


@dataclass(slots=True)
class Token:
    """A leaf of the content, or the start or end of a container; fields that do not apply have their defaults."""

    kind: TokenKind
    node: int
    """The element; that of an implied container is its first child."""
    edge: Edge = Edge.LEAF
    runs: Sequence[Run] = ()
    """The text of a heading, paragraph, term or caption."""
    level: int = 0
    """Level of a heading, 1 to 6."""
    start: int | None = None
    """Number of the first item of an ordered list; None for other lists."""
    text: str = ""
    """The text of code; the label of a footnote."""
    language: str = ""
    """The language of code, "" if unknown."""
    rows: Sequence[TableRow] = ()
    """The rows of a table."""
    first: int = -1
    """The first kept text node of a leaf, -1 if it has none (as an image)."""
    last: int = -1
    """The last kept text node of a leaf, -1 if it has none."""
