"""What a linear SVM makes of pages before and after weighting, and of a rival: predictions, a report, a picture."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.base.errors import counted
from dehusk.measures.mining import Classification
from dehusk.read.page import Bools
from dehusk.sites.mining.classes import LinearClasses, SvmPlan, learn_classes
from dehusk.sites.mining.cross_validation import Folds, HeldOut, HoldOut, held_out_classes, judged
from dehusk.sites.mining.map_picture import Panel, map_svg
from dehusk.sites.mining.page_map import map_of
from dehusk.sites.mining.report_tables import csv_text, markdown_table
from dehusk.sites.mining.unit_vectors import SIDES, side_vectors, vectors_name
from dehusk.sites.structure_tree.importance import Reals
from dehusk.sites.structure_tree.vector_files import NamedVectors

_DIGITS = 6


@dataclass(frozen=True, eq=False)
class Judgement:
    """Classes on one side of weighting.

    Attributes:
        linear: learned from all labelled pages.
        held_out: what classes say that were learned without the fold of the page.
        guesses: (p,) class of each page: held out if it has a label, else by `linear`.
        decisions: (p, k) decision values of these.
    """

    linear: LinearClasses
    held_out: HeldOut
    guesses: tuple[str, ...]
    decisions: Reals


@dataclass(frozen=True, eq=False)
class ClassResult:
    """The classes of pages before and after weighting, and by the rival.

    Attributes:
        table: the pages.
        plan: how classes were learned.
        hold_out: what a fold holds out.
        folds: (p,) fold of each page, -1 without label.
        idf: whether words were weighted by idf as well.
        sides: `SIDES` -> classes.
    """

    table: NamedVectors
    plan: SvmPlan
    hold_out: HoldOut
    folds: Folds
    idf: bool
    sides: Mapping[str, Judgement]

    def files(self, *, raw_cells: bool = False) -> dict[str, str]:
        """Return file name -> content.

        Args:
            raw_cells: whether texts in CSV that a spreadsheet takes for formulas get no quote before them.
        """
        facts = self.facts
        return {
            "assignments.csv": self._assignments(raw_cells=raw_cells),
            "report.json": json.dumps(facts, ensure_ascii=False, indent=1) + "\n",
            "report.md": _markdown(facts),
            "map.svg": self._picture(facts),
        }

    @property
    def converged(self) -> bool:
        """Whether the solver found the optimum everywhere."""
        return all(side.linear.converged and side.held_out.converged for side in self.sides.values())

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The report as JSON values."""
        labels = self.table.labels
        right = {name: self._right(side) for name, side in self.sides.items()}
        on_sides = sum(hits.astype(int) for hits in right.values())
        return {
            "pages": len(labels),
            "sites": len(set(self.table.sites)),
            "words": len(self.table.vectors.words),
            "labels": dict(Counter(sorted(label for label in labels if label is not None))),
            "without label": labels.count(None),
            "held out": self.hold_out,
            "folds": int(self.folds.max()) + 1,
            "C": self.plan.c,
            "seed": self.plan.seed,
            **{
                name: {"vectors": vectors_name(name, idf=self.idf), **self._side(side)}
                for name, side in self.sides.items()
            },
            **{f"right only {name}": int((hits & (on_sides == 1)).sum()) for name, hits in right.items()},
            "by fold": [self._fold(number, right) for number in range(int(self.folds.max()) + 1)],
        }

    def _right(self, side: Judgement) -> Bools:
        pairs = zip(side.held_out.predicted, self.table.labels, strict=True)
        return np.array([found is not None and found == label for found, label in pairs], dtype=np.bool_)

    def _side(self, side: Judgement) -> dict[str, Any]:
        words = side.linear.words_of(self.table.vectors.words)
        facts = score_facts(judged(side.held_out.predicted, self.table.labels))
        guessed = Counter(name for name, fold in zip(side.guesses, self.folds.tolist(), strict=True) if fold < 0)
        return {**facts, "words": words, "without label": dict(sorted(guessed.items()))}

    def _fold(self, number: int, right: Mapping[str, Bools]) -> dict[str, Any]:
        inside = self.folds == number
        sites = sorted({self.table.sites[row] or "(unknown)" for row in np.flatnonzero(inside).tolist()})
        facts: dict[str, Any] = {"sites": sites} if self.hold_out == "site" else {}
        facts["pages"] = int(inside.sum())
        return facts | {side: round(float(hits[inside].mean()), _DIGITS) for side, hits in right.items()}

    def _assignments(self, *, raw_cells: bool) -> str:
        head = ["page", "site", "label", "class", "class before", "class by site idf"]
        after, before, rival = (self.sides[side] for side in ("after", "before", "rival"))
        guesses = (after.guesses, before.guesses, rival.guesses)
        known = zip(self.table.pages, self.table.sites, self.table.labels, *guesses, strict=True)
        rows = ((*row, *values) for row, values in zip(known, _finite(after.decisions), strict=True))
        return csv_text([*head, *decision_names(after.held_out.classes)], rows, raw_cells=raw_cells)

    def _picture(self, facts: Mapping[str, Any]) -> str:
        panels = []
        groups = [label or "" for label in self.table.labels]
        for name, side in self.sides.items():
            rows = side_vectors(self.table, name, idf=self.idf)
            wrong = (~self._right(side) & (self.folds >= 0)).tolist()
            scores = f"accuracy {facts[name]['accuracy']:.3f}, macro F {facts[name]['macro F']:.3f}"
            title = f"{SIDES[name]}: {facts[name]['vectors']}"
            told = [_told(label, guess) for label, guess in zip(self.table.labels, side.guesses, strict=True)]
            panels.append(Panel(title, scores, map_of(rows), groups, told, wrong))
        title = f"{counted(facts['pages'], 'page')}, coloured by label"
        return map_svg(panels, self.table.pages, title=title, rings="taken for another class")


def classify_vectors(
    table: NamedVectors, folds: Folds, plan: SvmPlan, *, hold_out: HoldOut, idf: bool = False
) -> ClassResult:
    """Learn classes from the labelled pages on each side, judge them, and apply them to the others.

    Args:
        table: pages with their words and labels.
        folds: (p,) fold of each page.
        plan: how to learn.
        hold_out: what the folds hold out, for the report.
        idf: whether to multiply what words count by ln(pages / pages with the word), before and after weighting.

    Raises:
        InputError: no page has a label.
        MissingExtraError: scikit-learn is not installed.
    """
    sides = {side: _judge(table, folds, plan, side, idf=idf) for side in SIDES}
    return ClassResult(table, plan, hold_out, folds, idf, sides)


def _judge(table: NamedVectors, folds: Folds, plan: SvmPlan, side: str, *, idf: bool) -> Judgement:
    rows = side_vectors(table, side, idf=idf)
    linear = learn_classes(rows, table.labels, plan)
    held_out = held_out_classes(rows, table.labels, folds, plan)
    of_all = linear.decide(rows)
    decisions = np.where((folds >= 0)[:, None], held_out.decisions, of_all)
    guesses = zip(held_out.predicted, linear.names_of(of_all), strict=True)
    return Judgement(linear, held_out, tuple(tested or guessed for tested, guessed in guesses), decisions)


def score_facts(counts: Classification) -> dict[str, Any]:
    """Return accuracy, macro F, the scores of each class and the confusion matrix as JSON values."""
    return {
        "accuracy": round(counts.accuracy, _DIGITS),
        "macro F": round(counts.macro_f, _DIGITS),
        "classes": {
            name: {
                "precision": round(o.precision, _DIGITS),
                "recall": round(o.recall, _DIGITS),
                "F": round(o.f1, _DIGITS),
            }
            for name, o in counts.by_class.items()
        },
        "confusion": confusion(counts),
    }


def confusion(counts: Classification) -> dict[str, dict[str, int]]:
    """Return label -> predicted class -> number of pages."""
    names = sorted({name for gold, predicted, _ in counts.cells for name in (gold, predicted)})
    table = {gold: dict.fromkeys(names, 0) for gold in names}
    for gold, predicted, number in counts.cells:
        table[gold][predicted] = number
    return table


def decision_names(classes: Sequence[str]) -> list[str]:
    """Return the names of the columns of decision values."""
    return [f"decision {name}" for name in classes]


def _finite(decisions: Reals) -> list[list[float | None]]:
    return [[value if value == value else None for value in row] for row in decisions.tolist()]  # noqa: PLR0124 (NaN)


def _told(label: str | None, guess: str) -> str:
    if label is None:
        return f"no label, class {guess}"
    return label if label == guess else f"{label}, taken for {guess}"


def confusion_lines(table: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return a confusion matrix in Markdown."""
    rows = ([gold, *found.values(), sum(found.values())] for gold, found in table.items())
    return markdown_table(["label ↓, class →", *table, "pages"], rows)


def _markdown(facts: Mapping[str, Any]) -> str:
    size = f"{counted(facts['pages'], 'page')} of {counted(facts['sites'], 'site')}, {counted(facts['words'], 'word')}"
    folds = f"{counted(facts['folds'], 'fold')} by {facts['held out']}"
    how = f"linear SVM with C = {facts['C']:g}, {folds}, seed {facts['seed']}"
    scores = [(name, *(facts[side][name] for side in SIDES)) for name in ("accuracy", "macro F")]
    scores.append(("pages right only here", *(facts[f"right only {side}"] for side in SIDES)))
    lines = ["# Classes of pages", "", f"{size}; {how}.", ""]
    lines += markdown_table(["", *(f"{side}: {facts[side]['vectors']}" for side in SIDES)], scores)
    lines += ["## Classes", "", *_class_table(facts), "## Folds", "", *_fold_table(facts)]
    for side in ("after", "before", "rival"):
        lines += [f"## Confusion {SIDES[side]}", "", *confusion_lines(facts[side]["confusion"])]
    if facts["without label"]:
        guessed = facts["after"]["without label"].items()
        lines += [f"## {counted(facts['without label'], 'page')} without a label", ""]
        lines += markdown_table(["class", "pages"], guessed)
    return "\n".join(lines).rstrip("\n") + "\n"


def _class_table(facts: Mapping[str, Any]) -> list[str]:
    rows = []
    for name, size in facts["labels"].items():
        scores = [facts[side]["classes"].get(name, {}).get("F") for side in SIDES]
        rows.append([name, size, *scores, " ".join(facts["after"]["words"].get(name, []))])
    head = ["class", "pages", *(f"F {side}" for side in SIDES), "words for it, after weighting"]
    return markdown_table(head, rows)


def _fold_table(facts: Mapping[str, Any]) -> list[str]:
    rows = [
        [", ".join(fold.get("sites", [f"fold {number}"])), fold["pages"], *(fold[side] for side in SIDES)]
        for number, fold in enumerate(facts["by fold"], start=1)
    ]
    return markdown_table(["held out", "pages", *(f"accuracy {side}" for side in SIDES)], rows)
