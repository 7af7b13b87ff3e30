"""`United`: labels, probabilities and reasons from trees, site evidence and rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.errors import ConfigError, ModelError, unknown
from dehusk.labels import Labels
from dehusk.methods.keep import expected_f1
from dehusk.methods.structure import structure
from dehusk.methods.styles import STYLES, Style
from dehusk.methods.united.columns import NAMES, TAKES_NO_PART, settings, table
from dehusk.methods.united.evidence import Evidence, Weights, evidence
from dehusk.methods.united.forest import Forest
from dehusk.methods.united.reasons import Reasons
from dehusk.page import Bools, Page
from dehusk.site.grouping import site_of
from dehusk.site.model import Site
from dehusk.store import feature_hash, load_model, save_model
from dehusk.tags import PREFORMATTED, numbers

Reals = npt.NDArray[np.float64]

_IS_ARTICLE = NAMES.index("page.article-type")


class United:
    """Reads a page as a whole and, where it is given one, its site.

    Args:
        forests: trees over the columns `dehusk.methods.united.NAMES`: those of style auto, and for other styles trees
            whose scores are added to theirs.
        weights: of a site's evidence.
        site: what the site's pages share; None for pages alone.
        style: one of `dehusk.methods.styles.STYLES`.
        favour: 0 for precision, 1 for recall, .5 for both alike: what is kept maximises the expected F with
            beta = 4^(2 favour - 1).

    Raises:
        ConfigError: no such style or no trees for it, or `favour` is not between 0 and 1.
        NotFittedError: the site has no pages.
    """

    def __init__(
        self,
        forests: Mapping[str, Forest],
        weights: Weights | None = None,
        *,
        site: Site | None = None,
        style: Style = "auto",
        favour: float = 0.5,
    ) -> None:
        if not 0 <= favour <= 1:
            raise ConfigError(f"favour must be between 0 (precision) and 1 (recall), not {favour:g}")
        if style not in STYLES:
            raise ConfigError(unknown("style", style, STYLES))
        if style not in forests:
            raise ConfigError(f"the model was not trained for style {style}, only for: {', '.join(forests)}")
        if site is not None:
            site.tables  # noqa: B018 (without pages it says so now, not on the first page)
        self.forests = dict(forests)
        self.weights = weights or Weights()
        self.site = site
        self.style = style
        self.favour = favour
        self.card: dict[str, Any] = {}

    def using(self, *, site: Site | None = None, style: Style = "auto", favour: float = 0.5) -> United:
        """Return the same model for another site, style or favour; raises as the constructor."""
        made = United(self.forests, self.weights, site=site, style=style, favour=favour)
        made.card = self.card
        return made

    @property
    def _grown(self) -> list[Forest]:
        return [self.forests[style] for style in dict.fromkeys(("auto", self.style))]

    def segment(self, page: Page) -> Blocks:
        """Cut a page into the common blocks."""
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page; see `dehusk.methods.base.PageMethod`."""
        if not len(blocks):
            return Labels(blocks, np.zeros(0, np.uint8), np.zeros(0), np.zeros(0, np.bool_))
        columns = table(blocks)
        own = _of_listings(blocks, np.sum([forest.scores(columns) for forest in self._grown], axis=0))
        of_site = None if self.site is None else evidence(blocks, self.site)
        scores = own if of_site is None else self.weights.apply(own, of_site)
        apart = _apart(blocks)
        probability = np.where(apart, 0.0, 1 / (1 + np.exp(-np.clip(scores, -30, 30))))
        kept = expected_f1(probability, blocks.words, beta=4 ** (2 * self.favour - 1)) & ~apart
        if columns[_IS_ARTICLE, 0] and self.style != "body":  # whose trees leave nothing but the tight text
            kept = self._surer(kept, probability)
        kinds = structure(blocks, kept, settings())
        labels = Labels(blocks, kinds, probability, kept, notes=self._notes(blocks.page, of_site))
        if not explain:
            return labels
        contributions = np.sum([forest.contributions(columns) for forest in self._grown], axis=0)
        reasons = Reasons(labels, contributions, columns, own, scores)
        return replace(labels, reasons=reasons.words(of_site), evidence=reasons.records(of_site))

    def _surer(self, kept: Bools, probability: Reals) -> Bools:
        """Return what of a page that calls itself an article is likelier content than not, or all where nothing is.

        An article is one tight text: the prefix with the highest expected F1 adds comments and teasers to it.
        """
        sure = kept & (probability >= min(0.5, 1 - self.favour))
        return sure if sure.any() else kept

    def _notes(self, page: Page, of_site: Evidence | None) -> tuple[str, ...]:
        """Return what a user should know of the site model."""
        if self.site is None:
            return ()
        if of_site is None:
            return ("the site model has one page only and says nothing",)
        own = site_of(page, self.site.by)
        if own and self.site.hosts and own not in self.site.hosts:
            return (f"the page is of {own}, the site model of {', '.join(self.site.hosts[:3])}",)
        return ()

    def save(self, folder: Path) -> None:
        """Write the model folder; raises `ModelError` where it cannot be written."""
        styles = [style for style in STYLES if style in self.forests]
        card = {**self.card, "method": "united", "features": feature_hash(NAMES), "styles": styles}
        arrays = {f"{style}.{name}": one for style in styles for name, one in self.forests[style].arrays().items()}
        save_model(folder, card, {**arrays, **self.weights.arrays()})

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: it is damaged, of another method or format, or made with other features.
        """
        card, arrays = load_model(folder, "united")
        if card.get("features") != feature_hash(NAMES):
            raise ModelError(f"model {folder} was made with other features than this version computes")
        try:
            forests = {style: Forest.from_arrays(_of_style(arrays, style), len(NAMES)) for style in card["styles"]}
            made = cls(forests, Weights.from_arrays(arrays))
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise ModelError(f"model {folder} is damaged: {error}") from error
        made.card = card
        return made


def _of_style(arrays: Mapping[str, npt.NDArray[Any]], style: str) -> dict[str, npt.NDArray[Any]]:
    return {name.removeprefix(f"{style}."): one for name, one in arrays.items() if name.startswith(f"{style}.")}


def _of_listings(blocks: Blocks, scores: Reals) -> Reals:
    """Return the log-odds, shape (b,), with the mean by words for the lines of each preformatted element.

    A listing is content or it is not; each line alone would be decided by its length.
    """
    if not blocks.in_pre.any():
        return scores
    page = blocks.page
    listing = page.nearest(page.is_one_of(numbers(PREFORMATTED)))[blocks.first]
    group = np.where(listing < 0, np.arange(len(blocks)), len(blocks) + listing)
    _, group = np.unique(group, return_inverse=True)
    weight = blocks.words + 1.0
    mean: Reals = (np.bincount(group, weights=scores * weight) / np.bincount(group, weights=weight)).take(group)
    return np.where(listing < 0, scores, mean)


def _apart(blocks: Blocks) -> Bools:
    """Return which blocks, shape (b,), stand where nothing is content."""
    page = blocks.page
    apart: Bools = page.within(page.nodes_of(numbers(TAKES_NO_PART)))[blocks.node] > 0
    return apart
