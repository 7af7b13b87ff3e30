"""Verdicts as tables."""

from collections.abc import Sequence

from dehusk.evaluate.judge import Figures, Verdict, figures
from dehusk.evaluate.scores import Row, Score, rows
from dehusk.evaluate.tables import markdown_table


def by_set(verdicts: Sequence[Verdict]) -> str:
    """Return a table with a row for each set, and each page type where sets name types."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.set, []).append(verdict)
        if verdict.type:
            groups.setdefault(f"{verdict.set}: {verdict.type}", []).append(verdict)
    head = ["set", "pages", "P", "R", "F1", "5 labels", "content-noise", "markup-only", "text-only", "total"]
    rows = [_row(name, figures(groups[name])) for name in sorted(groups)]
    return "Means over documents; F1 of word bags, the others in percent.\n\n" + markdown_table([head, *rows])


def _row(name: str, result: Figures) -> list[str]:
    words = (result.precision, result.recall, result.words)
    measures = (result.five_labels, result.content_noise, result.markup_only, result.text_only, result.total)
    cells = ["-" if one is None else f"{one.mean:.2f}" for one in measures]
    return [name, str(result.pages), *(f"{one.mean:.3f}" for one in words), *cells]


def by_tool(scores: Sequence[Score]) -> str:
    """Return a table with a row for each set, page type and tool."""
    head = ["set", "tool", "pages", "failures", "P", "R", "F1", "95 %", "4-gram F1", "first", "last", "ms a page"]
    lines = [_cells(row) for row in rows(scores, lambda one: one.set)]
    lines += [_cells(row) for row in rows([one for one in scores if one.type], lambda one: f"{one.set}: {one.type}")]
    return "Means over pages; F1 of word bags; intervals by site; first, last: gold blocks found.\n\n" + markdown_table(
        [head, *lines]
    )


def _cells(row: Row) -> list[str]:
    figures_ = [f"{value:.3f}" for value in (row.precision, row.recall, row.f1)]
    more = [f"{value:.3f}" for value in (row.shingle_f1, row.first, row.last)]
    ms = "-" if row.ms is None else f"{row.ms:.1f}"
    known = [row.group, row.tool, str(row.pages), str(row.failures)]
    return [*known, *figures_, f"{row.low:.3f}–{row.high:.3f}", *more, ms]
