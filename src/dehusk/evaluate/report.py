"""Verdicts as tables."""

from collections.abc import Sequence

from dehusk.evaluate.judge import Figures, Verdict, figures
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
