"""Read the kept content of a page as tokens, in one pass over the nodes that `write.pruning` keeps (`compiled.tokens`).

- What a page puts between the items of a list goes into the item before it if it is a list, and otherwise ends the
  list; the next item starts a new one. An item outside of any list starts a list.
- Headings, terms, captions of tables and cells are lines: block-level elements in them become spaces.
- A link around several leaves is a link around the first of them.
- Two `br` in a row separate paragraphs; one ends a line.
"""

from __future__ import annotations

from dehusk.base.lazy import pattern
from dehusk.blocks.labels import Labels
from dehusk.compiled.tokens import tokens_of
from dehusk.write.kept_content import KeptContent
from dehusk.write.tokens import Style, Token, TokenKind

MAX_DEPTH = 32
"""Maximum nesting of lists and quotes; deeper ones join those around them, so that depth cannot inflate the output."""

STYLES = {
    **dict.fromkeys(("b", "strong"), Style.STRONG),
    **dict.fromkeys(("i", "em"), Style.EMPHASIS),
    **dict.fromkeys(("s", "del"), Style.STRIKE),
    **dict.fromkeys(("code", "kbd", "samp"), Style.CODE),
}
"""Element -> the style of what is in it."""
CONTAINERS = {
    "blockquote": TokenKind.QUOTE,
    "figure": TokenKind.FIGURE,
    "dl": TokenKind.DEFINITIONS,
    "dd": TokenKind.DESCRIPTION,
}
"""Element -> the container that it is."""
_INTEGER = pattern(r"\s*([+-]?\d{1,9})(?!\d)")


def read_tokens(labels: Labels) -> list[Token]:
    """Return the kept content of a page as tokens, in document order; containers are balanced."""
    return tokens_of(KeptContent.of(labels))


def integer(value: str | None, default: int) -> int:
    """Return the number that an attribute starts with, as of columns of a cell; `default` if there is none."""
    match = _INTEGER.match(value) if value else None
    return int(match[1]) if match else default
