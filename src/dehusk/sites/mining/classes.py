"""Linear classes of pages: learned by an SVM as in section 4.2, applied without scikit-learn, saved without pickle."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import InputError, listed
from dehusk.base.extras import require
from dehusk.base.store import load_model, reading, save_model
from dehusk.sites.mining.unit_vectors import chosen_rows, row_numbers
from dehusk.sites.structure_tree.importance import Reals
from dehusk.sites.structure_tree.vectors import SparseRows, to_scipy

CARD = "classes"
"""The method in the card of a model folder."""
_STEPS = 20_000  # most passes of the solver over the pages


@dataclass(frozen=True)
class SvmPlan:
    """How to learn classes.

    Attributes:
        c: what a page on the wrong side of the margin costs.
        seed: seed of the order in which the solver visits the pages.
    """

    c: float = 1.0
    seed: int = 0


@dataclass(frozen=True, eq=False)
class LinearClasses:
    """A linear function of unit vectors for each of k classes: one class against the rest.

    Attributes:
        classes: (k,) names in alphabetical order.
        coefficients: (k, columns).
        intercepts: (k,)
        converged: whether the solver found the optimum.
    """

    classes: tuple[str, ...]
    coefficients: Reals
    intercepts: Reals
    converged: bool = True

    def decide(self, rows: SparseRows) -> Reals:
        """Return the decision values of pages, shape (p, k): above 0 is the side of the class.

        Args:
            rows: unit vectors, with the columns of the coefficients.
        """
        page = row_numbers(rows)
        values = [
            np.bincount(page, weights=rows.data * of_class[rows.indices], minlength=rows.shape[0])
            for of_class in self.coefficients
        ]
        return np.array(values).T + self.intercepts

    def names_of(self, decisions: Reals) -> list[str]:
        """Return the class with the highest decision value of each page, the first of equal ones."""
        return [self.classes[number] for number in decisions.argmax(axis=1).tolist()]

    def words_of(self, words: Sequence[str], most: int = 10) -> dict[str, list[str]]:
        """Return for each class the words that speak for it most."""
        chosen = {}
        for name, of_class in zip(self.classes, self.coefficients.round(12), strict=True):
            best = np.argsort(-of_class, kind="stable")[:most]
            chosen[name] = [words[column] for column in best.tolist() if of_class[column] > 0]
        return chosen


def learn_classes(rows: SparseRows, labels: Sequence[str | None], plan: SvmPlan) -> LinearClasses:
    """Learn from the pages with a label; of a single class, learn that it is always right.

    Args:
        rows: unit vectors of p pages.
        labels: (p,) label of each page, None if it has none.
        plan: how.

    Raises:
        InputError: no page has a label.
        MissingExtraError: scikit-learn is not installed.
    """
    library = require("sklearn.svm", extra="sklearn", purpose="classification")
    known = np.array([label is not None for label in labels], dtype=np.bool_)
    truth = [label for label in labels if label is not None]
    names = tuple(sorted(set(truth)))
    if not names:
        raise InputError("no page has a label")
    if len(names) == 1:
        return LinearClasses(names, np.zeros((1, rows.shape[1])), np.zeros(1))
    model = library.LinearSVC(C=plan.c, loss="hinge", random_state=plan.seed, max_iter=_STEPS)
    threads = require("threadpoolctl", extra="sklearn", purpose="classification")
    with threads.threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged; the caller sees it
        model.fit(to_scipy(chosen_rows(rows, known)), truth)
    coefficients, intercepts = model.coef_, model.intercept_
    if len(names) == 2:
        coefficients = np.concatenate([-coefficients, coefficients])
        intercepts = np.concatenate([-intercepts, intercepts])
    return LinearClasses(names, coefficients, intercepts, converged=int(np.max(model.n_iter_)) < _STEPS)


def check_classes(labels: Sequence[str | None]) -> list[str]:
    """Return lines for people on what the labels cannot give.

    Raises:
        InputError: there are fewer than two classes.
    """
    sizes = Counter(sorted(label for label in labels if label is not None))
    if len(sizes) < 2:
        found = f"all labelled pages are {next(iter(sizes))!r}" if sizes else "no page has a label"
        raise InputError(f"learning needs pages of two or more classes, but {found}")
    single = [label for label, size in sizes.items() if size == 1]
    if not single:
        return []
    return [f"a class of a single page cannot be learned and tested at once: {listed(single)}"]


@dataclass(frozen=True, eq=False)
class ClassModel:
    """What a model folder holds.

    Attributes:
        linear: the classes.
        words: (columns,) words of the columns.
        idf: (columns,) what the values of each column are multiplied with; None for nothing.
        options: JSON values that say how vectors were made.
    """

    linear: LinearClasses
    words: tuple[str, ...]
    idf: Reals | None
    options: Mapping[str, Any]

    def save(self, folder: str | Path) -> None:
        """Write the folder; equal models give equal bytes. Words whose coefficients are all 0 stay: they have length.

        Raises:
            ModelError: it cannot be written.
        """
        card = {"method": CARD, "classes": list(self.linear.classes), "options": dict(self.options)}
        arrays: dict[str, npt.NDArray[Any]] = {
            "coefficients": self.linear.coefficients,
            "intercepts": self.linear.intercepts,
            "words": np.frombuffer(json.dumps(self.words, ensure_ascii=False).encode(), dtype=np.uint8),
        }
        save_model(folder, card, arrays if self.idf is None else {**arrays, "idf": self.idf})

    @classmethod
    def load(cls, folder: str | Path) -> ClassModel:
        """Read a folder.

        Raises:
            ModelError: it is missing, damaged, or belongs to something else.
        """
        card, arrays = load_model(folder, CARD)
        with reading(folder):
            words = tuple(map(str, json.loads(bytes(arrays["words"]))))
            linear = LinearClasses(tuple(map(str, card["classes"])), arrays["coefficients"], arrays["intercepts"])
            model = cls(linear, words, arrays.get("idf"), dict(card["options"]))
            model._check()
        return model

    def _check(self) -> None:
        classes, columns = len(self.linear.classes), len(self.words)
        expected = {"coefficients": (classes, columns), "intercepts": (classes,), "idf": (columns,)}
        found = {"coefficients": self.linear.coefficients, "intercepts": self.linear.intercepts, "idf": self.idf}
        for name, values in found.items():
            if values is None:
                continue
            if values.shape != expected[name] or values.dtype != np.float64 or not np.isfinite(values).all():
                raise ValueError(f"{name} are not {expected[name]} finite numbers")
        if not classes or len(set(self.words)) < columns:
            raise ValueError("no classes, or a word twice")
