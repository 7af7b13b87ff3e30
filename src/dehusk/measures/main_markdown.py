r"""Markdown of a page's main content compared with gold Markdown, as WebMainBench does.

Sources: *Dripper: Token-Efficient Main HTML Extraction with a Lightweight LM* (arXiv 2511.23119), which defines the set
and its ROUGE-N, and the set's repository (opendatalab/WebMainBench: README, `metrics/`), which defines the rest.

ROUGE-N F1, N = 5, over runs of N tokens, each counted as often as both sides have it:

    P = common / predicted,  R = common / gold,  F1 = 2 P R / (P + R)

Tokens are jieba's, in every language, of the untrimmed text: marks and white space are tokens, case is kept.

Edit similarity, with the Levenshtein distance in characters, of the whole text ("text": the README says plain text, its
code compares all of the Markdown), of its code, its formulas and the text of its tables:

    1 - distance / max(predicted, gold)

* Code: what stands between lines of three backquotes, and two indented lines or more after an empty line, unless one of
  them is like an item of a list or names a sum of money.
* Formulas: what stands between unescaped ``$$``, ``\[ \]``, ``$`` or ``\( \)`` outside of code. The repository can ask
  a language model to leave out prices ("$5 and $6"); here they stay, as they do there without one.
* Tables: if there are tables in HTML, the first one; otherwise the rows of all Markdown tables as one table. Cells are
  joined by a space, rows by a line end; empty Markdown cells do not count.

TEDS of these tables, with APTED's distance of ordered trees: 1 - distance / max(nodes), as the README says. Adding or
removing a node costs 1, renaming it 1 if the tag differs, and for cells of one tag the edit distance of their texts
over the longer text. The repository's code gives APTED the trees written as text, which APTED takes for trees of one
node: its distance is at most 1, so published figures of `table_TEDS`, and of the mean `overall`, do not compare with
these.

A part of a page that both sides lack does not count there: see `PartEdits.length`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from dehusk.base.extras import require
from dehusk.measures.metrics import Counts, Overlap
from dehusk.measures.tokens import distances
from dehusk.read.parsing import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from dehusk.read.page import Page

PARTS: Final = ("text", "code", "formulas", "tables")
"""What is compared by edit distance."""
_LEAST_INDENTED = 2
_MOST_CELLS = 250_000
_MOST_DEEP = 100
_FENCED = re.compile(r"```(.*?)```", re.DOTALL)
_INLINE = re.compile(r"`[^`]*`")
_INDENT = re.compile(r" {4}|\t")
_NO_CODE = re.compile(r"[-•*]\s|\d+\.\s|.*(\$[\d,]|\b(million|billion|thousand)\b)", re.IGNORECASE)
_FORMULAS = tuple(
    re.compile(rf"(?<!\\){start}(.*?)(?<!\\){end}", re.DOTALL)
    for start, end in ((r"\$\$", r"\$\$"), (r"\\\[", r"\\\]"), (r"\$", r"\$"), (r"\\\(", r"\\\)"))
)
_RULE_CELL = re.compile(r":?-{3,}:?")
_RULE_ROW = re.compile(r"[\s|:-]+")
_GROUPS = frozenset({"thead", "tbody", "tfoot"})


@dataclass(frozen=True, slots=True)
class RougeN(Overlap):
    """Counts of runs of tokens in common; see `rouge_n`."""


@dataclass(frozen=True, slots=True)
class PartEdits(Counts):
    """Edits between two texts.

    Attributes:
        edits: characters to insert, remove or replace.
        length: characters of the longer text; 0 if both are empty, where WebMainBench counts nothing.
    """

    edits: int = 0
    length: int = 0

    @property
    def similarity(self) -> float:
        """``1 - edits / length``; 1 if both texts are empty."""
        return 1 - self.edits / self.length if self.length else 1.0


@dataclass(frozen=True, slots=True)
class TableTrees:
    """How far the trees of two tables are apart; see `table_trees`."""

    distance: float
    nodes: int
    """Nodes of the larger tree."""

    @property
    def similarity(self) -> float:
        """TEDS: ``1 - distance / nodes``."""
        return max(0.0, 1 - self.distance / self.nodes)


@dataclass(eq=False)
class TableNode:
    """A node of a table's tree."""

    tag: str
    text: str
    """The text of a cell; "" of other elements."""
    children: list[TableNode]


def rouge_n(predicted: str, gold: str, *, n: int = 5) -> RougeN:
    """Count the runs of n tokens that two texts have in common.

    Two blank texts score 1. A text of fewer than n tokens has no run and scores 0, even if both texts are the same.

    Args:
        predicted: Markdown that was kept of a page.
        gold: Markdown that should have been kept.
        n: number of tokens in a run.

    Raises:
        MissingExtraError: jieba is not installed.
    """
    if not predicted.strip() and not gold.strip():
        return RougeN()
    ours, theirs = (_runs(text, n) for text in (predicted, gold))
    return RougeN((ours & theirs).total(), max(1, ours.total()), max(1, theirs.total()))


def _runs(text: str, n: int) -> Counter[tuple[str, ...]]:
    tokens = _jieba().lcut(text)
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


@cache
def _jieba() -> ModuleType:
    jieba = require("jieba", extra="webmainbench", purpose="ROUGE-N of WebMainBench")
    jieba.setLogLevel("WARNING")
    return jieba


def part_edits(predicted: str, gold: str) -> dict[str, PartEdits]:
    """Compare each of `PARTS` of two texts in Markdown.

    Args:
        predicted: Markdown that was kept of a page.
        gold: Markdown that should have been kept.
    """
    ours, theirs = (_parts(text) for text in (predicted, gold))
    return {part: _edits(ours[part], theirs[part]) for part in PARTS}


def table_trees(predicted: str, gold: str) -> TableTrees | None:
    """Compare the tables of two texts in Markdown as trees.

    Returns:
        None where there is no figure: neither side has a table, or the trees are so large (product of their nodes over
        250,000, or deeper than 100) that APTED takes more than some seconds.

    Raises:
        MissingExtraError: apted is not installed.
    """
    trees = [_tree(page) if (page := _table_page(text)) else [] for text in (predicted, gold)]
    sizes = [len(tree) for tree in trees]
    if not any(sizes):
        return None
    if not all(sizes):
        return TableTrees(max(sizes), max(sizes))
    if sizes[0] * sizes[1] > _MOST_CELLS or max(map(_depth, trees)) > _MOST_DEEP:
        return None
    apted = require("apted", extra="webmainbench", purpose="TEDS of tables")
    costs = apted.Config()
    costs.rename = _renaming
    return TableTrees(apted.APTED(trees[0][0], trees[1][0], costs).compute_edit_distance(), max(sizes))


def _edits(predicted: str, gold: str) -> PartEdits:
    return PartEdits(distances().Levenshtein.distance(predicted, gold), max(len(predicted), len(gold)))


def _parts(markdown: str) -> dict[str, str]:
    page = _table_page(markdown)
    return {
        "text": markdown,
        "code": "\n".join([*_fenced(markdown), *_indented(markdown)]),
        "formulas": "\n".join(_formulas(markdown)),
        "tables": "\n".join(filter(None, _rows(page))) if page else "",
    }


def _fenced(markdown: str) -> Iterator[str]:
    for found in _FENCED.finditer(markdown):
        code = "\n".join(found[0].split("\n")[1:-1])
        if code:
            yield code


def _indented(markdown: str) -> Iterator[str]:
    before_blank, run = False, list[str]()
    for line in [*markdown.split("\n")[1:], ""]:  # an empty line is one only after another line
        if _INDENT.match(line) and (run or before_blank):
            run.append(line)
            continue
        lines = [text for text in run if text.strip()]
        if len(lines) >= _LEAST_INDENTED and not any(_NO_CODE.match(text.strip()) for text in lines):
            yield "\n".join(_INDENT.sub("", text, count=1) for text in lines)
        before_blank, run = not line.strip(), []


def _formulas(markdown: str) -> Iterator[str]:
    without_code = _INLINE.sub("", _FENCED.sub("", markdown))
    for pattern in _FORMULAS:
        for found in pattern.finditer(without_code):
            if formula := found[1].strip():
                yield formula


def _table_page(markdown: str) -> Page | None:
    """Return a page whose first table is the one to compare; None if there is no table."""
    if "<table" not in markdown.lower():
        rows = [row for row in _markdown_rows(markdown) if row]
        cells = [[f"<{'td' if n else 'th'}>{cell}" for cell in row] for n, row in enumerate(rows)]
        markdown = "<table>" + "".join("<tr>" + "".join(row) for row in cells) if rows else ""
    return parse(markdown) if markdown else None


def _markdown_rows(markdown: str) -> Iterator[list[str]]:
    """Yield the cells of each row of the Markdown tables: runs of lines with "|" of which the second is a rule."""
    run: list[str] = []
    for line in [*markdown.split("\n"), ""]:
        if "|" in line:
            run.append(line)
            continue
        if len(run) >= _LEAST_INDENTED and all(
            _RULE_CELL.fullmatch(cell) for part in run[1].split("|") if (cell := part.strip())
        ):
            for row in run:
                if not _RULE_ROW.fullmatch(row):
                    yield [cell for part in row.split("|") if (cell := part.strip())]
        run = []


def _first_table(page: Page) -> range:
    """Return the nodes of the first table; none if there is no table."""
    for node in range(len(page)):
        if page.tag_name(node) == "table":
            return range(node, int(page.end[node]))
    return range(0)


def _rows(page: Page) -> Iterator[str]:
    table = _first_table(page)
    for row in (node for node in table if page.tag_name(node) == "tr"):
        cells = (node for node in range(row, int(page.end[row])) if page.tag_name(node) in {"td", "th"})
        yield " ".join(_text(page, cell) for cell in cells).strip()


def _text(page: Page, node: int) -> str:
    texts = (page.text_of(at) for at in range(node, int(page.end[node])) if page.is_text[at])
    return "".join(text.strip() for text in texts)


def _tree(page: Page) -> list[TableNode]:
    """Return the elements of the first table, the table first; groups of rows give their rows to the table."""
    nodes: dict[int, TableNode] = {}
    for at in _first_table(page):
        above = nodes.get(int(page.parent[at]))
        tag = page.tag_name(at)
        if page.is_text[at]:
            continue
        if above is not None and tag in _GROUPS:
            nodes[at] = above
            continue
        nodes[at] = TableNode(tag, _text(page, at) if tag in {"td", "th"} else "", [])
        if above is not None:
            above.children.append(nodes[at])
    return list({id(node): node for node in nodes.values()}.values())


def _depth(tree: list[TableNode]) -> int:
    depth, level = 0, tree[:1]
    while level:
        depth, level = depth + 1, [child for node in level for child in node.children]
    return depth


def _renaming(first: TableNode, second: TableNode) -> float:
    return 1.0 if first.tag != second.tag else 1 - _edits(first.text, second.text).similarity
