"""Read the kept content of a page as tokens, in one pass over the nodes that `write.pruning` keeps (`compiled.tokens`).

- What a page puts between the items of a list goes into the item before it if it is a list, and otherwise ends the
  list; the next item starts a new one. An item outside of any list starts a list.
- Headings, terms, captions of tables and cells are lines: block-level elements in them become spaces.
- A link around several leaves is a link around the first of them.
- Two `br` in a row separate paragraphs; one ends a line.

The kept content is the kept nodes and what stands for parts of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object, cached_property
from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER, numbers
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes
from dehusk.blocks.units.tables import table_nodes
from dehusk.compiled.tokens import tokens_of
from dehusk.read.names import NameWords
from dehusk.read.page import Page
from dehusk.write.content.callouts import with_questions
from dehusk.write.content.emails import hidden_emails
from dehusk.write.content.grids import grid_cells, signs_in_cells, with_grids
from dehusk.write.content.headline import with_headline
from dehusk.write.content.ornaments import ornaments_among
from dehusk.write.content.recipes import with_recipe_items
from dehusk.write.inserts import Inserts, read_inserts, replacements_in_runs
from dehusk.write.pruning import Pruned, dissolve, prune
from dehusk.write.safety import BLOCK
from dehusk.write.tokens import Style, Token, TokenKind

_TABLE, _CAPTION = numbers("table"), numbers("caption")


@dataclass(frozen=True, eq=False)
class KeptContent:
    """The m kept nodes of a page and what stands for parts of them."""

    labels: Labels
    pruned: Pruned
    names: list[str]
    """(m,) the name of each element in the output, "" for text nodes; tables for layout are div elements."""
    inserts: Inserts
    replaced: dict[int, str]
    """Text node -> what stands for its text."""
    grid: dict[int, tuple[int, int, bool]]
    """Cell of a table that has no rows -> row, column, and whether it is a header."""
    signs: dict[int, str]
    """Cell that has only a drawing -> what it says."""

    @classmethod
    def of(cls, labels: Labels) -> KeptContent:
        """Return the kept content of a page."""
        pruned, tables = prune(labels), table_nodes(labels.blocks)
        page, signs = pruned.page, signs_in_cells(pruned.page)
        if signs:
            tables = tables.copy()
            tables[page.nearest(page.is_one_of(_TABLE))[[*signs]]] = True
        dissolved = with_headline(labels, pruned.nodes, dissolve(pruned, ~tables))  # it may be in a cell of the layout
        dissolved = _with_captions(page, pruned.nodes, dissolved)
        names = with_recipe_items(page, pruned.nodes, with_questions(page, pruned.nodes, dissolved.tolist()))
        names = with_grids(page, pruned.nodes, names)
        inserts = read_inserts(pruned, np.flatnonzero(tables))
        return cls(labels, pruned, names, inserts, replacements_in_runs(page), grid_cells(page), signs)

    @cached_property
    def ornaments(self) -> frozenset[int]:
        """Kept images that are no content."""
        nodes = self.pruned.nodes
        return ornaments_among(self.pruned.page, nodes[self.pruned.page.tag[nodes] == TAG_NUMBER["img"]])


def _with_captions(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names with the captions of tables that are dissolved as strong lines."""
    if not len(page.nodes_of(_CAPTION)):
        return names
    return np.where(page.is_one_of(_CAPTION)[nodes] & (names == "div"), "summary", names)


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


# ---------------------------------------------------------------- preformatted
# The text of preformatted elements, with its white space.

_LINE_ENDS = frozenset({"br", "hr"})
_LITERAL = frozenset(numbers("pre listing xmp plaintext").tolist())
"""The tags of elements of which all white space is text."""
_LINE = pattern(r"(?:^|[\s-])(?:code-line|highlight(?:ed)?-line)(?:$|\s)|(?:^|\s)line(?:$|\s)")
"""Classes of lines of code that their style sheet shows as blocks, as Gatsby's does, and Shiki's where no line ends."""
_LINES = NameWords("line")
_INVISIBLE = pattern("[\u00ad\u2060\ufeff\u180e\r]")
_BLANK_LINES = pattern(r"\A(?:[^\S\n]*\n)+")


@cached_per_object
def _shown_as_lines(page: Page) -> frozenset[int]:
    """Return the codes of the classes of such lines."""
    return frozenset(code for code in page.classes.having(_LINES) if _LINE.search(page.class_names[code]))


def preformatted(pruned: Pruned, names: list[str], node: int, end: int) -> tuple[int, int, str]:
    """Return the first and last text node below an element of a page, and the text with its white space."""
    page, emails = pruned.page, hidden_emails(pruned.page)
    start, stop = np.searchsorted(pruned.nodes, (node + 1, end)).tolist()
    inner, lines, seams, source = pruned.nodes[start:stop], _shown_as_lines(page), pruned.seams, page.text
    columns = (column[inner].tolist() for column in (page.class_code, page.end, page.text_start, page.text_end))
    parts: list[str] = []
    inside: list[int] = []
    blocks: list[int] = []
    at_start = True
    line_end = -1  # where a line ends that the style sheet shows as a block
    for each, name, code, after, first, last in zip(inner.tolist(), names[start:stop], *columns, strict=True):
        is_line = code in lines
        breaks = name in _LINE_ENDS or name in BLOCK or is_line or seams.get(each, " ") != " "
        if 0 <= line_end <= each:
            line_end, breaks = -1, breaks or source[first:last][:1] != "\n"
        line_end = after if is_line else line_end
        while blocks and blocks[-1] <= each:
            blocks.pop()
            breaks = True
        if name in BLOCK:
            blocks.append(after)
        if breaks and (name in _LINE_ENDS or not at_start):
            parts.append("\n")
            at_start = True
        if not name:
            text = emails.get(each, source[first:last])
            parts.append(text)
            inside.append(each)
            at_start = text.endswith("\n") if text else at_start
    text = _BLANK_LINES.sub("", _INVISIBLE.sub("", "".join(parts))).rstrip()
    text = text if int(page.tag[node]) in _LITERAL else text.lstrip(" \t")
    return (inside[0], inside[-1], text) if inside else (-1, -1, text)
