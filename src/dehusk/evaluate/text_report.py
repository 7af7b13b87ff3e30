"""Verdicts and scores as tables of text and as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from dehusk.evaluate.scores import Row, Tables, lowest
from dehusk.evaluate.table_columns import ORDER, QUALITY, Column
from dehusk.evaluate.text_tables import markdown_table
from dehusk.evaluate.verdicts import Figures, Verdict, figures

LOWEST = 5
"""Sites that are shown."""


def of_verdicts(verdicts: Sequence[Verdict]) -> str:
    """Return a table with a row for each set, and each page type where sets name types."""
    groups = _groups(verdicts)
    head = ["set", "pages", "P", "R", "F1", "5 labels", "content-noise", "markup-only", "text-only", "total"]
    rows = [_row(name, figures(groups[name])) for name in groups]
    return "Means over documents; F1 of word bags, the others in percent.\n\n" + markdown_table([head, *rows])


def _groups(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.set, []).append(verdict)
        if verdict.type:
            groups.setdefault(f"{verdict.set}: {verdict.type}", []).append(verdict)
    return dict(sorted(groups.items()))


def _row(name: str, result: Figures) -> list[str]:
    words = (result.precision, result.recall, result.words)
    measures = (result.five_labels, result.content_noise, result.markup_only, result.text_only, result.total)
    cells = ["-" if one is None else f"{one.mean:.2f}" for one in measures]
    return [name, str(result.pages), *(f"{one.mean:.3f}" for one in words), *cells]


def by_tool(tables: Tables) -> str:
    """Return the tables of each set, page type and tool, and of the sites with the lowest figures."""
    parts = [
        "Means over pages; F1 of word bags, 95 % by drawing sites; what else each column is: docs/measures.md.\n",
        _by_columns("set", tables.sets, QUALITY),
        "What words in a bag do not show; a - where the predictions do not tell.\n",
        _by_columns("set", tables.sets, ORDER),
    ]
    if types := tables.types:
        parts += ["By page type.\n", _by_columns("set: type", types, QUALITY), _by_columns("set: type", types, ORDER)]
    if sites := lowest(tables.sites, LOWEST):
        title = f"The {LOWEST} sites with the lowest mean F1 over tools, of those with more than one page.\n"
        parts += [title, _by_columns("set: site", sites, [one for one in QUALITY if one.head != "95 %"])]
    return "\n".join(parts)


def _by_columns(group: str, found: Sequence[Row], columns: Sequence[Column]) -> str:
    head = [group, "tool", *(column.head for column in columns)]
    return markdown_table([head, *([row.group, row.tool, *(c.cell(row) for c in columns)] for row in found)])


def verdict_record(verdicts: Sequence[Verdict]) -> dict[str, object]:
    """Return the table of `by_set` as plain values: figures as means over documents, None where there is none."""
    found = {}
    for name, own in _groups(verdicts).items():
        values = {key: None if one is None else one.mean for key, one in vars(figures(own)).items() if key != "pages"}
        found[name] = {"pages": len(own), **values}
    return {"groups": found}


def record(tables: Tables, *, notes: Sequence[str], hashes: Mapping[str, str]) -> dict[str, object]:
    """Return all figures as plain values, ready for JSON; of sites all, not only the lowest.

    Args:
        tables: of one or more tools.
        notes: what did not fit or failed, a line each.
        hashes: set -> hash of its contents.
    """
    return {
        "sets": dict(hashes),
        "notes": list(notes),
        "by_set": [asdict(row) for row in tables.sets],
        "by_type": [asdict(row) for row in tables.types],
        "by_site": [asdict(row) for row in tables.sites],
    }
