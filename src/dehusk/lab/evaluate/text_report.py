"""Verdicts and scores as tables of text for the terminal, and as plain values for JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from dehusk.lab.evaluate.fact_scores import FactRow, FactScore, fact_rows
from dehusk.lab.evaluate.scores import FigureRow, FigureTables, lowest_groups
from dehusk.lab.evaluate.table_columns import FACTS, ORDER, QUALITY, Column, Row
from dehusk.lab.evaluate.text_tables import markdown_table, table_width
from dehusk.lab.evaluate.verdicts import Verdict, VerdictSummary, summarise_verdicts

HARDEST = 5
"""Number of sites in a Markdown report."""
_LESS_IMPORTANT = ("MB", "lost", "95 %", "ms per page", "failures", "pages")
"""Columns to omit from a table that is too wide, in this order."""


def verdict_table(verdicts: Mapping[str, Sequence[Verdict]]) -> str:
    """Return a table with a row for each set, page type and model.

    Args:
        verdicts: model -> its verdicts on the same pages; the table names the models if there are several.
    """
    head = ["set", "pages", "P", "R", "F1", "5 labels", "content-noise", "markup-only", "text-only", "total"]
    summaries = {model: _summaries(of_model) for model, of_model in verdicts.items()}
    groups = list(dict.fromkeys(group for of_model in summaries.values() for group in of_model))
    rows = [
        (model, _row(group, of_model[group]))
        for group in groups
        for model, of_model in summaries.items()
        if group in of_model
    ]
    table = [head, *(row for _, row in rows)]
    if len(verdicts) > 1:
        models = ["model", *(model for model, _ in rows)]
        table = [[row[0], model, *row[1:]] for row, model in zip(table, models, strict=True)]
    return "Means over documents; P, R and F1 of word bags, the others in percent.\n\n" + markdown_table(table)


def _summaries(verdicts: Sequence[Verdict]) -> dict[str, VerdictSummary]:
    """Return the summary of each set and of each page type of sets that have types, by name."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.set, []).append(verdict)
        if verdict.type:
            groups.setdefault(f"{verdict.set}: {verdict.type}", []).append(verdict)
    return {name: summarise_verdicts(groups[name]) for name in sorted(groups)}


def _row(name: str, summary: VerdictSummary) -> list[str]:
    words = (summary.precision, summary.recall, summary.words)
    measures = (summary.five_labels, summary.content_noise, summary.markup_only, summary.text_only, summary.total)
    cells = ["-" if measure is None else f"{measure.mean:.2f}" for measure in measures]
    return [name, str(summary.pages), *(f"{measure.mean:.3f}" for measure in words), *cells]


def verdict_record(verdicts: Sequence[Verdict]) -> dict[str, object]:
    """Return the figures of each set and page type as plain values: means over documents, None for missing ones."""
    groups = {}
    for name, summary in _summaries(verdicts).items():
        means = {key: None if value is None else value.mean for key, value in vars(summary).items() if key != "pages"}
        groups[name] = {"pages": summary.pages, **means}
    return {"groups": groups}


def fact_table(rows: Sequence[FactRow]) -> str:
    """Return a table with a row for each set with facts and each model."""
    columns = [column for column in FACTS if column.head not in ("failures", "ms per page", "MB")]
    head = ["set", "model", *(column.head for column in columns)]
    table = [head, *([row.group, row.tool, *(column.cell(row) for column in columns)] for row in rows)]
    return "Pages with facts: means over pages.\n\n" + markdown_table(table)


def fact_record(scores: Sequence[FactScore]) -> dict[str, object]:
    """Return the figures of each set with facts as plain values; nothing if there are none."""
    rows = fact_rows(scores, lambda score: score.set)
    keys = ("pages", "kept", "low", "high", "whole", "words")
    return {"facts": {row.group: {key: getattr(row, key) for key in keys} for row in rows}} if rows else {}


def tool_table(tables: FigureTables, *, width: int) -> str:
    """Return the most important figures of each tool, within a width in characters.

    For one set this is a table of quality and cost, without the less important columns if they do not fit. For several
    sets it is the F1 of each tool on each set, in as many tables as the width requires. A table follows for each set
    with facts.
    """
    sets = list(dict.fromkeys(row.group for row in tables.sets))
    parts = [_overview(tables.sets, sets, width)] if len(sets) > 1 else []
    parts += [_fitting_table(tables.sets, QUALITY, width)] if len(sets) == 1 else []
    return "\n".join([*parts, *fact_tables(tables.facts, width=width)])


def fact_tables(rows: Sequence[FactRow], *, width: int) -> list[str]:
    """Return a table for each set with facts, within a width in characters."""
    groups: dict[str, list[FactRow]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    return [_fitting_table(of_set, FACTS, width, what=", facts") for of_set in groups.values()]


def _fitting_table(rows: Sequence[Row], of_rows: Sequence[Column[Row]], width: int, *, what: str = "") -> str:
    cells = _cells(rows, of_rows)
    for omitted in range(1, len(_LESS_IMPORTANT) + 1):
        if table_width(cells) <= width:
            break
        cells = _cells(rows, [column for column in of_rows if column.head not in _LESS_IMPORTANT[:omitted]])
    means = f"means over {rows[0].pages} pages of {rows[0].sites} sites"
    return f"{rows[0].group}{what}: {means}.\n\n{markdown_table(cells)}"


def _cells(rows: Sequence[Row], columns: Sequence[Column[Row]]) -> list[list[str]]:
    head = ["tool", *(column.head for column in columns)]
    return [head, *([row.tool, *(column.cell(row) for column in columns)] for row in rows)]


def _overview(rows: Sequence[FigureRow], sets: Sequence[str], width: int) -> str:
    f1 = {(row.tool, row.group): f"{row.f1:.3f}" for row in rows}
    pages = {row.group: row.pages for row in rows}
    tools = list(dict.fromkeys(row.tool for row in rows))
    columns = [[f"{name} ({pages[name]})", *(f1.get((tool, name), "-") for tool in tools)] for name in sets]
    failures = {tool: sum(row.failures for row in rows if row.tool == tool) for tool in tools}
    columns.append(["failures", *(str(failures[tool]) for tool in tools)])
    parts, chunk = [], [["tool", *tools]]
    for column in columns:
        if len(chunk) > 1 and table_width(_transposed([*chunk, column])) > width:
            parts.append(markdown_table(_transposed(chunk)))
            chunk = chunk[:1]
        chunk.append(column)
    parts.append(markdown_table(_transposed(chunk)))
    return "Mean word-bag F1 on each set (pages), and pages on which a tool failed.\n\n" + "\n".join(parts)


def _transposed(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(row) for row in zip(*columns, strict=True)]


def markdown_report(tables: FigureTables, *, notes: Sequence[str], hashes: Mapping[str, str]) -> str:
    """Return all figures of each set, page type and tool, and those of the hardest sites, as Markdown.

    Args:
        tables: the figures of one or more tools.
        notes: warnings, one line each.
        hashes: set -> hash of its contents.
    """
    parts = [
        "Means over pages; docs/measures.md explains the columns.\n",
        "".join(f"- {name}: {value}\n" for name, value in hashes.items()),
        "".join(f"- {note}\n" for note in notes),
        _all_columns("set", tables.sets) if tables.sets else "",
    ]
    if tables.facts:
        parts += ["Facts kept.\n", _columns("set", tables.facts, FACTS)]
    if tables.types:
        parts += ["By page type.\n", _all_columns("set: type", tables.types)]
    if hardest := lowest_groups(tables.sites, HARDEST):
        parts += [f"The {HARDEST} sites with the lowest mean F1 over tools.\n", _columns("set: site", hardest, QUALITY)]
    return "\n".join(filter(None, parts))


def _all_columns(group: str, rows: Sequence[FigureRow]) -> str:
    return f"{_columns(group, rows, QUALITY)}\n{_columns(group, rows, ORDER)}"


def _columns(group: str, rows: Sequence[Row], columns: Sequence[Column[Row]]) -> str:
    head = [group, "tool", *(column.head for column in columns)]
    return markdown_table([head, *([row.group, row.tool, *(c.cell(row) for c in columns)] for row in rows)])


def tables_record(tables: FigureTables, *, notes: Sequence[str], hashes: Mapping[str, str]) -> dict[str, object]:
    """Return all figures as plain values, ready for JSON, with every site.

    Args:
        tables: the figures of one or more tools.
        notes: warnings, one line each.
        hashes: set -> hash of its contents.
    """
    return {
        "sets": dict(hashes),
        "notes": list(notes),
        "by_set": [asdict(row) for row in tables.sets],
        "by_type": [asdict(row) for row in tables.types],
        "by_site": [asdict(row) for row in tables.sites],
        "facts_by_set": [asdict(row) for row in tables.facts],
    }
