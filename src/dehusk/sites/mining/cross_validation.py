"""Judge classes on pages that they were not learned from: by sites as in the paper, or by pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import InputError
from dehusk.base.extras import require
from dehusk.measures import mining
from dehusk.sites.mining.classes import SvmPlan, learn_classes
from dehusk.sites.mining.unit_vectors import chosen_rows
from dehusk.sites.structure_tree.importance import Reals
from dehusk.sites.structure_tree.vectors import SparseRows

HoldOut = Literal["site", "page"]
HOLD_OUT: tuple[HoldOut, ...] = ("site", "page")
Folds = npt.NDArray[np.int64]


def folds_of(
    labels: Sequence[str | None], sites: Sequence[str], *, hold_out: HoldOut, folds: int, seed: int = 0
) -> Folds:
    """Return the fold of each page, from 0; -1 for pages without a label.

    Args:
        labels: (p,) label of each page, None if it has none.
        sites: (p,) site of each page.
        hold_out: "site" keeps the pages of a site together; up to `folds` sites are a fold each. "page" gives each fold
            about the same share of each class.
        folds: most folds.
        seed: of the division.

    Raises:
        InputError: there is only one site to hold out.
        MissingExtraError: scikit-learn is not installed.
    """
    known = np.array([row for row, label in enumerate(labels) if label is not None])
    truth, groups = [str(labels[row]) for row in known], [sites[row] for row in known]
    fold = np.full(len(labels), -1, dtype=np.int64)
    names = sorted(set(groups))
    if hold_out == "site" and len(names) < 2:
        raise InputError("the labelled pages are of one site, so none can be held out: use --hold-out page")
    if hold_out == "site" and len(names) <= folds:
        fold[known] = [names.index(group) for group in groups]
        return fold
    if hold_out == "site":
        library = require("sklearn.model_selection", extra="sklearn", purpose="cross-validation")
        splits = library.GroupKFold(folds, shuffle=True, random_state=seed).split(truth, groups=groups)
        tests = [test for _, test in splits]
    else:
        tests = _by_page(truth, min(folds, len(truth)), seed)
    for number, test in enumerate(tests):
        fold[known[test]] = number
    return fold


def in_one_fold(labels: Sequence[str | None], folds: Folds) -> list[str]:
    """Return the labels whose pages are all in one fold, sorted: no fold can find them, as none has learned them."""
    seen: dict[str, set[int]] = {}
    for label, fold in zip(labels, folds.tolist(), strict=True):
        if label is not None:
            seen.setdefault(label, set()).add(fold)
    return sorted(label for label, of_label in seen.items() if len(of_label) == 1)


def _by_page(truth: Sequence[str], folds: int, seed: int) -> list[npt.NDArray[np.intp]]:
    """Return the pages of folds with about the same share of each class: pages of a class, shuffled, in turn."""
    random = np.random.default_rng(seed)
    names, codes = np.unique(np.array(truth, dtype=object), return_inverse=True)
    order = np.concatenate([random.permutation(np.flatnonzero(codes == code)) for code in range(len(names))])
    return [np.sort(order[number::folds]) for number in range(folds)]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What classes say of pages that they were not learned from.

    Attributes:
        classes: (k,) names of all classes.
        predicted: (p,) predicted class of each page; None for pages in no fold.
        decisions: (p, k) decision values; NaN for pages in no fold, and for classes that were not learned in the fold.
        converged: whether the solver found the optimum in all folds.
    """

    classes: tuple[str, ...]
    predicted: tuple[str | None, ...]
    decisions: Reals
    converged: bool


def held_out_classes(rows: SparseRows, labels: Sequence[str | None], folds: Folds, plan: SvmPlan) -> HeldOut:
    """Learn classes once without each fold, and apply them to it.

    Args:
        rows: unit vectors of p pages. Their weights were found without labels.
        labels: (p,) label of each page.
        folds: (p,) fold of each page, see `folds_of`.
        plan: how to learn.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    names = tuple(sorted({label for label in labels if label is not None}))
    decisions = np.full((len(labels), len(names)), np.nan)
    predicted: list[str | None] = [None] * len(labels)
    converged = True
    for fold in range(int(folds.max()) + 1):
        test = folds == fold
        learned = [None if tested else label for label, tested in zip(labels, test.tolist(), strict=True)]
        linear = learn_classes(rows, learned, plan)
        values = linear.decide(chosen_rows(rows, test))
        decisions[np.ix_(test, [names.index(name) for name in linear.classes])] = values
        for row, name in zip(np.flatnonzero(test).tolist(), linear.names_of(values), strict=True):
            predicted[row] = name
        converged &= linear.converged
    return HeldOut(names, tuple(predicted), decisions, converged)


def judged(predicted: Sequence[str | None], labels: Sequence[str | None]) -> mining.Classification:
    """Count the labelled pages by their class and the predicted one."""
    pairs = [(found, label) for found, label in zip(predicted, labels, strict=True) if label and found]
    return mining.classification([found for found, _ in pairs], [label for _, label in pairs])
