"""Print the scores of predictions, for `dehusk bench` and `dehusk eval --predictions`."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dehusk.cli.output import open_output, report

if TYPE_CHECKING:
    from dehusk.lab.evaluate.predictions import Prediction
    from dehusk.lab.evaluate.scores import FigureRow
    from dehusk.lab.gold.datasets import Sample

_PIPE_WIDTH = 100
"""Characters per line if the output is not a terminal."""


def print_scores(
    predictions: Sequence[Prediction],
    samples: Sequence[Sample],
    sets: Sequence[Path],
    *,
    report_file: str | None,
    form: str,
) -> list[FigureRow]:
    """Score predictions, print the figures, and return the rows of the sets with gold texts.

    Args:
        predictions: the predictions of any tools; those that match no page are reported.
        samples: the pages.
        sets: the folders or archives of the pages' sets.
        report_file: file for a report with all figures: Markdown if its name ends in .md, else HTML. None for none.
        form: "text" or "json".
    """
    from dehusk.lab.evaluate.fact_scores import score_facts
    from dehusk.lab.evaluate.html_report import render_report
    from dehusk.lab.evaluate.leaks import trained_sets
    from dehusk.lab.evaluate.predictions import match_predictions
    from dehusk.lab.evaluate.scores import score_all, tabulate, unmeasured_notes
    from dehusk.lab.evaluate.text_report import markdown_report, tables_record, tool_table
    from dehusk.write.json import dumps

    with_gold = [sample for sample in samples if sample.has_gold]
    matched = match_predictions(predictions, samples)
    scores = score_all(matched.pairs)
    tables, hashes = tabulate(scores, score_facts(matched.pairs)), set_hashes(sets)
    tools = list(dict.fromkeys(prediction.tool for _, prediction in matched.pairs))
    notes = _notes(tools, with_gold, matched.problems)
    notes += unmeasured_notes(scores)
    if form == "text":
        width = shutil.get_terminal_size((_PIPE_WIDTH, 24)).columns
        click.echo(tool_table(tables, width=width))
    else:
        click.echo(dumps(tables_record(tables, notes=notes, hashes=hashes)), nl=False)
    for note in notes:
        report(note)
    if report_file:
        with open_output(report_file) as stream:
            if report_file.endswith(".md"):
                stream.write(markdown_report(tables, notes=notes, hashes=hashes))
            else:
                trained = trained_sets(tools, with_gold)
                title = "Cleaning web pages"
                stream.write(render_report(tables, title=title, notes=notes, hashes=hashes, trained=trained))
    elif form == "text":
        report("to write all figures (intervals, order, page types, sites), add --report FILE")
    return tables.sets


def _notes(tools: Sequence[str], samples: Sequence[Sample], problems: list[str]) -> list[str]:
    """Return the warnings about tools, predictions and pages."""
    from dehusk.lab.evaluate.fact_scores import facts_not_on_page_notes
    from dehusk.lab.evaluate.leaks import gold_not_on_page_notes, leak_notes
    from dehusk.lab.evaluate.site_groups import lone_page_notes
    from dehusk.lab.evaluate.tools import find_by_title

    notes = leak_notes(tools, samples) + problems + gold_not_on_page_notes(samples) + facts_not_on_page_notes(samples)
    if any(tool.by_site for title in tools if (tool := find_by_title(title))):
        notes += lone_page_notes(samples)
    return notes


def set_hashes(sets: Sequence[Path]) -> dict[str, str]:
    """Return set -> hash of its contents."""
    from dehusk.lab.gold.datasets import set_fingerprint

    return {path.resolve().name.removesuffix(".tar.xz"): set_fingerprint(path) for path in sets}
