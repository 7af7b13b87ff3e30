"""Read the kept content of a page as tokens, in one pass over the nodes that `write.pruning` keeps (`compiled.tokens`).

- What a page puts between the items of a list goes into the item before it if it is a list, and otherwise ends the
  list; the next item starts a new one. An item outside of any list starts a list.
- Headings, terms, captions of tables and cells are lines: block-level elements in them become spaces.
- A link around several leaves is a link around the first of them.
- Two `br` in a row separate paragraphs; one ends a line.
"""

from __future__ import annotations

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


def read_tokens(labels: Labels) -> list[Token]:
    """Return the kept content of a page as tokens, in document order; containers are balanced."""
    return tokens_of(KeptContent.of(labels))
