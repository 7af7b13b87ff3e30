"""Train the united labeller: the trees, the trees of each style, and the weights of site evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dehusk.errors import ConfigError, unknown
from dehusk.extras import require
from dehusk.gold.splits import folds_by_site
from dehusk.methods.styles import STYLES
from dehusk.methods.united import Forest, SiteWeights, United
from dehusk.methods.united.columns import table
from dehusk.methods.united.evidence import site_evidence
from dehusk.site.model import Site
from dehusk.train.boosting import Growth, TrainingRows, concatenate, grow_forest, training_rows
from dehusk.train.card import model_card
from dehusk.train.labelled_pages import LabelledPage, is_usable

Reals = npt.NDArray[np.float64]

SIZES = (2, 5, 10)
"""Sizes of the site models, in pages, to which the weights of site evidence are fitted."""
MIN_SITES = 5
"""Minimum number of sites with several pages to fit the weights of evidence; with fewer, the shipped weights stay."""
_FOLDS = 3
_SHIPPED_WEIGHTS = SiteWeights()
"""The weights of the shipped model, measured on the open sets that have several pages per site."""


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Training pages with their rows, so that rows are computed only once."""

    pages: list[LabelledPage]
    styles: list[str]
    """The style of each page's gold text; "auto" if it has no particular style."""
    rows: list[TrainingRows]

    @classmethod
    def of(cls, pages: Iterable[LabelledPage], styles: Sequence[str] | str = "auto") -> TrainingSet:
        """Compute the rows of pages.

        Args:
            pages: labelled pages.
            styles: the style of each page's gold text, or of all of them.

        Raises:
            ConfigError: a style is unknown.
        """
        pages = list(pages)
        styles = [styles] * len(pages) if isinstance(styles, str) else list(styles)
        for style in set(styles) - set(STYLES):
            raise ConfigError(unknown("style", style, STYLES))
        return cls(pages, styles, [training_rows(page) for page in pages])

    def __len__(self) -> int:
        return len(self.pages)

    def subset(self, indices: Iterable[int]) -> TrainingSet:
        """Return some of the pages."""
        chosen = list(indices)
        return TrainingSet(
            [self.pages[i] for i in chosen], [self.styles[i] for i in chosen], [self.rows[i] for i in chosen]
        )


def train_united(pages: TrainingSet, growth: Growth | None = None, *, sites: bool = True) -> United:
    """Train the united labeller.

    Args:
        pages: labelled pages; those whose gold text is not on the page are skipped.
        growth: how trees grow.
        sites: fit the weights of site evidence to pages that share a site, with trees that were not trained on it.
            This doubles the training time.

    Raises:
        GoldError: no page is usable, or the usable pages contain only content or only noise.
        MissingExtraError: CatBoost or SciPy is not installed.
    """
    growth = growth or Growth()
    forests = _grow_forests(pages, growth)
    weights = (_fit_weights(pages, growth) if sites else None) or _SHIPPED_WEIGHTS
    model = United(forests, weights)
    model.card = {**model_card([page for page in pages.pages if is_usable(page)]), "growth": vars(growth)}
    return model


def _grow_forests(pages: TrainingSet, growth: Growth) -> dict[str, Forest]:
    """Return a forest for auto, and for each style that has pages a forest that extends it."""
    base = grow_forest(concatenate(pages.rows), growth)
    forests = {"auto": base}
    for style in STYLES[1:]:
        rows = [part for part, of_page in zip(pages.rows, pages.styles, strict=True) if of_page == style]
        if rows:
            forests[style] = grow_forest(concatenate(rows), growth.for_style(), base=base)
    return forests


def _fit_weights(pages: TrainingSet, growth: Growth) -> SiteWeights | None:
    """Fit the weights of evidence to scores of forests not trained on the site; None if there are too few sites."""
    sites = _shared_sites(pages)
    if len(sites) < MIN_SITES:
        return None
    folds = folds_by_site([page.site for page in pages.pages], _FOLDS, seed=growth.seed)
    short = replace(growth, trees=max(1, growth.trees // 3))  # its log-odds are good enough to fit two weights to
    columns, content, weight = [], [], []
    for fold in range(_FOLDS):
        held_out = [indices for indices in sites if folds[indices[0]] == fold]
        if not held_out:
            continue
        training = [rows for rows, of_page in zip(pages.rows, folds, strict=True) if of_page != fold]
        forest = grow_forest(concatenate(training), short)
        for rows, evidence_columns in _evidence_rows(pages, held_out, forest):
            columns.append(evidence_columns)
            content.append(rows.content)
            weight.append(rows.weight)
    return _likeliest_weights(np.concatenate(columns), np.concatenate(content), np.concatenate(weight))


def _shared_sites(pages: TrainingSet) -> list[list[int]]:
    """Return the indices of the usable pages of each site that has two or more of them in one set."""
    sites: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, page in enumerate(pages.pages):
        if is_usable(page) and pages.rows[index].content.size == len(page.blocks):
            sites[page.sample.set, page.site].append(index)
    return [indices for _, indices in sorted(sites.items()) if len(indices) > 1]


def _evidence_rows(pages: TrainingSet, sites: list[list[int]], forest: Forest) -> Iterator[tuple[TrainingRows, Reals]]:
    """Yield, for each size of site model, every page's rows with its columns, shape (b, 3).

    The columns are log-odds, template on several other pages, and template on one other page.
    """
    for indices in sites:
        for size in SIZES:
            for group in _groups(indices, size):
                site = Site(mixed=True, structure=False).fit([pages.pages[index].blocks for index in group])
                for index in group:
                    blocks = pages.pages[index].blocks
                    evidence = site_evidence(blocks, site)
                    if evidence is not None:
                        several = evidence.same_text > 1
                        columns = (
                            forest.scores(table(blocks)),
                            evidence.template & several,
                            evidence.template & ~several,
                        )
                        yield pages.rows[index], np.column_stack(columns)


def _groups(indices: list[int], size: int) -> list[list[int]]:
    """Split the pages of a site into groups of about `size`."""
    count = max(1, len(indices) // size)
    return [group.tolist() for group in np.array_split(np.array(indices), count)]


def _likeliest_weights(
    columns: Reals, content: npt.NDArray[np.float32], weight: npt.NDArray[np.float32]
) -> SiteWeights:
    """Return the maximum-likelihood weights, none of them positive; columns as in `_evidence_rows`."""
    optimize = require("scipy.optimize", extra="train", purpose="fitting the weights of site evidence")
    scores, evidence_columns = columns[:, 0], columns[:, 1:]
    weight = weight / weight.sum()

    def loss(weights: Reals) -> tuple[float, Reals]:
        odds = scores + evidence_columns @ weights
        chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        value = float(weight @ (np.logaddexp(0, odds) - content * odds))
        return value, evidence_columns.T @ (weight * (chance - content))

    optimum = optimize.minimize(loss, np.zeros(2), jac=True, method="L-BFGS-B", bounds=[(-20.0, 0.0)] * 2)
    several, single = (round(float(value), 3) for value in optimum.x)
    return SiteWeights(several, single)
