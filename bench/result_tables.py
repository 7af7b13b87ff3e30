"""Fill the tables of the documentation from the reports of the benches.

A table of a Markdown page that stands between two comments is replaced by a table of a report:

    <!-- from facts.md, "Facts kept"; where set: recipes-a | courts-a; columns: set | pages -->
    | … |
    <!-- end -->

The table is the first of the report, or the first below a heading. `with quality.md` adds the columns of another report's
first table to the rows that have the same first cell there. `where` keeps the rows that have one of some cells in a column,
in the order of these cells; `columns` names the columns in their order; " | " separates the names. A report of a net that
is not shipped any more is refused.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from shipped import check_judged

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results"

_PLACE = re.compile(r"(?P<start><!-- from (?P<source>[^\n]+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)
_SOURCE = re.compile(r'(?P<report>[\w.-]+)(?:, "(?P<heading>[^"]+)")?')
_REPORT = re.compile(r"([\w-]+)\.md")
_LINK = re.compile(r"\]\((?=[\w.-]+\))")  # to a file beside the report

RUNS = "all"
"""The report of the runs of all benches, which judges nothing."""

Table = list[list[str]]
"""Rows of cells; the first row has the headings of the columns."""


def pages() -> Iterator[Path]:
    """Yield the pages of the documentation."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").glob("*.md"))


def filled(page: Path) -> str:
    """Return the text of a page with its tables filled from the reports.

    Raises:
        ValueError: a report has no such heading, table, row or column, or judges a net that is not shipped.
    """
    results = os.path.relpath(RESULTS, page.parent)

    def fill(place: re.Match[str]) -> str:
        for report in _REPORT.findall(place["source"]):
            if report != RUNS:
                check_judged(report, RESULTS)
        lines = _LINK.sub(f"]({results}/", _lines(chosen_table(place["source"])))
        return f"{place['start']}{lines}{place['end']}"

    return _PLACE.sub(fill, page.read_text("utf-8"))


def _lines(table: Table) -> str:
    rule = ["---"] * len(table[0])
    return "".join(f"| {' | '.join(row)} |\n" for row in [table[0], rule, *table[1:]])


def chosen_table(source: str) -> Table:
    """Return the table that the text between "from" and the end of the comment describes."""
    place, *choices = source.split("; ")
    match = _SOURCE.fullmatch(place)
    if match is None:
        raise ValueError(f'{place}: write report.md, "heading"')
    table = read_table(RESULTS / match["report"], match["heading"])
    for choice in choices:
        kind, _, names = choice.partition(": ")
        if kind == "columns":
            table = _turned(_in_order(_turned(table), names, 0))
        elif kind.startswith("where "):
            column = table[0].index(kind.removeprefix("where "))
            table = [table[0], *_in_order(table[1:], names, column)]
        elif kind.startswith("with "):
            table = joined(table, read_table(RESULTS / kind.removeprefix("with "), None))
        else:
            raise ValueError(f"{choice}: write where COLUMN: …, with report.md, or columns: …")
    return table


def _turned(table: Table) -> Table:
    return [list(column) for column in zip(*table, strict=True)]


def joined(table: Table, other: Table) -> Table:
    """Return a table with the columns that only another has, in the rows with the same first cells; else empty cells."""
    new = [column for column, name in enumerate(other[0]) if name not in table[0]]
    cells = {row[0]: [row[column] for column in new] for row in other}
    head = [other[0][column] for column in new]
    return [[*table[0], *head], *([*row, *cells.get(row[0], [""] * len(new))] for row in table[1:])]


def _in_order(rows: Table, names: str, column: int) -> Table:
    """Return the rows that have one of the names, which " | " separates, in a column, in the order of the names."""
    there = [row[column] for row in rows]
    if missing := [name for name in names.split(" | ") if name not in there]:
        raise ValueError(f"there is no {', '.join(missing)}, but {', '.join(dict.fromkeys(there))}")
    return [row for name in names.split(" | ") for row in rows if row[column] == name]


def read_table(report: Path, heading: str | None) -> Table:
    """Return the first table of a report, or the first below a heading.

    Raises:
        ValueError: there is no such heading, or no table below it.
    """
    lines = report.read_text("utf-8").splitlines()
    if heading is not None:
        headings = [line.lstrip("# ") if line.startswith("#") else None for line in lines]
        if heading not in headings:
            raise ValueError(f"{report.name} has no heading {heading!r}")
        lines = lines[headings.index(heading) + 1 :]
    rows: Table = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows or (heading is not None and line.startswith("#")):
            break
    if not rows:
        raise ValueError(f"{report.name} has no table{f' below {heading!r}' if heading else ''}")
    return [rows[0], *rows[2:]]


def fill_all() -> list[Path]:
    """Fill the tables of all pages; return the pages that changed."""
    changed = []
    for page in pages():
        if (text := filled(page)) != page.read_text("utf-8"):
            page.write_text(text, "utf-8")
            changed.append(page)
    return changed
