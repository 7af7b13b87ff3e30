"""The model folders of `dehusk classify`, and classes for pages by them."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.base.errors import ModelError, counted
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.mined_files import write_files
from dehusk.cli.output import open_output, report
from dehusk.cli.vectorizing import read_vectors
from dehusk.sites.mining.class_report import ClassResult, confusion_lines, decision_names, score_facts
from dehusk.sites.mining.classes import ClassModel
from dehusk.sites.mining.cross_validation import judged
from dehusk.sites.mining.report_tables import csv_text, markdown_table
from dehusk.sites.mining.unit_vectors import idf_of, unit_rows, word_rows
from dehusk.sites.structure_tree.cst import CompressedStructureTree
from dehusk.sites.structure_tree.vector_files import NamedVectors

TREES = "trees"
"""The folder in a model with the trees of the sites that it was learned from."""
_KEPT = {"by": str, "mixed": bool, "stem": str | None, "plain": bool}
"""Options that new pages must be read with as well, and their types."""
_NO_CLASS = "(none)"
"""How reports call the class of pages without words."""


def class_model(result: ClassResult, options: Mapping[str, Any]) -> ClassModel:
    """Return what to save of the classes of all labelled pages."""
    vectors, by_tree = result.table.vectors, not options["plain"]
    linear = result.sides["after" if by_tree else "before"].linear
    idf = idf_of(word_rows(vectors, by_tree=by_tree)) if result.idf else None
    return ClassModel(linear, vectors.words, idf, {name: options[name] for name in _KEPT})


def apply_model(pages: Sequence[str], options: Mapping[str, Any]) -> ExitCode:
    """Give pages classes by a saved model, and judge them if labels are known.

    Raises:
        ModelError: the model is missing or damaged.
        InputError: no page can be read.
    """
    folder = Path(options["model"])
    model = _model(folder)
    known = None if model.options["plain"] or options["site"] else CompressedStructureTree.load(folder / TREES)
    done = read_vectors(pages, {**options, **{name: model.options[name] for name in _KEPT}}, known=known)
    classes = _assign(done.table, model)
    text = csv_text(_head(model), classes, raw_cells=options["raw_cells"])
    guesses = [str(row[3]) or _NO_CLASS for row in classes]
    failed = ExitCode.SOME_FAILED if done.failed else None
    if set(guesses) == {_NO_CLASS}:
        report("nothing is classified: no page has words that weigh anything in the model")
        return failed or ExitCode.NOTHING
    if options["output"]:
        write_files(options["output"], {"assignments.csv": text, **_report_files(done.table, guesses)})
    else:
        with open_output(None) as stream:
            stream.write(text)
    _report(done.table, guesses)
    return failed or ExitCode.OK


def _model(folder: Path) -> ClassModel:
    model = ClassModel.load(folder)
    wrong = [name for name, kind in _KEPT.items() if not isinstance(model.options.get(name, 0), kind)]
    if wrong:
        raise ModelError(f"model {folder} is damaged: option {wrong[0]} is missing or wrong")
    return model


def _head(model: ClassModel) -> list[str]:
    return ["page", "site", "label", "class", "known words", *decision_names(model.linear.classes)]


def _assign(table: NamedVectors, model: ClassModel) -> list[list[object]]:
    """Return the rows of the assignments; a page of which the model knows no word has the class ""."""
    vectors, dropped = table.vectors.restricted(model.words)
    if dropped.words:
        report(f"{counted(dropped.words, 'word')} not in the model, {dropped.share:.1%} of all weights")
    rows = unit_rows(word_rows(vectors, by_tree=not model.options["plain"]), model.idf)
    decisions = model.linear.decide(rows)
    sizes = np.diff(rows.indptr).tolist()
    names = [name if size else "" for name, size in zip(model.linear.names_of(decisions), sizes, strict=True)]
    facts = zip(table.pages, table.sites, table.labels, names, sizes, strict=True)
    return [[*fact, *values] for fact, values in zip(facts, decisions.tolist(), strict=True)]


def _report_files(table: NamedVectors, guesses: Sequence[str]) -> dict[str, str]:
    """Return a report on the classes, and on the labelled pages if there are any."""
    sizes = dict(sorted(Counter(guesses).items()))
    facts: dict[str, Any] = {"pages": len(guesses), "classes": sizes}
    lines = ["# Classes of pages", "", *markdown_table(["class", "pages"], sizes.items())]
    if any(label is not None for label in table.labels):
        scores = score_facts(judged(guesses, table.labels))
        facts |= {"labelled": len(guesses) - table.labels.count(None), **scores}
        lines += [f"{counted(facts['labelled'], 'page')} with a label:", ""]
        lines += markdown_table(["accuracy", "macro F"], [(scores["accuracy"], scores["macro F"])])
        lines += confusion_lines(scores["confusion"])
    return {
        "report.json": json.dumps(facts, ensure_ascii=False, indent=1) + "\n",
        "report.md": "\n".join(lines).rstrip("\n") + "\n",
    }


def _report(table: NamedVectors, guesses: Sequence[str]) -> None:
    told = ", ".join(f"{name} {number}" for name, number in Counter(guesses).most_common(8))
    known = len(guesses) - table.labels.count(None)
    right = f"; accuracy {judged(guesses, table.labels).accuracy:.3f} on {counted(known, 'page')} with a label"
    report(f"{counted(len(guesses), 'page')}: {told}{right if known else ''}")
