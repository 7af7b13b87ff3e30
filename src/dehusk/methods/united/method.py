"""`United`: labels, probabilities and reasons from trees and the evidence of a site."""

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
from dehusk.methods.kinds import block_kinds
from dehusk.methods.styles import STYLES, Style
from dehusk.methods.united.columns import NAMES, NEVER_CONTENT, columns_hash, settings, table
from dehusk.methods.united.evidence import SiteEvidence, SiteWeights, site_evidence
from dehusk.methods.united.forest import Forest
from dehusk.methods.united.reasons import Reasons
from dehusk.page import Bools, Page
from dehusk.site.grouping import site_of
from dehusk.site.model import Site
from dehusk.store import load_model, save_model
from dehusk.tags import PREFORMATTED, numbers

Reals = npt.NDArray[np.float64]

_IS_ARTICLE = NAMES.index("page.article-type")


class United:
    """Labels a page by features of the whole page and, if available, by what its site's other pages share.

    Args:
        forests: style -> trees over the columns `dehusk.methods.united.NAMES`. The trees of style "auto" are always
            used; the scores of another style's trees are added to theirs.
        weights: weights of the site's evidence.
        site: what the site's pages share; None to label by the page only.
        style: one of `dehusk.methods.styles.STYLES`.
        favour: 0 for precision, 1 for recall, .5 for both: the kept blocks maximise the expected F with
            beta = 4^(2 favour - 1).

    Raises:
        ConfigError: an unknown style, a style without trees, or `favour` outside of 0 to 1.
        NotFittedError: the site has no pages.
    """

    def __init__(
        self,
        forests: Mapping[str, Forest],
        weights: SiteWeights | None = None,
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
            site.tables  # noqa: B018 (raises NotFittedError now, not on the first page)
        self.forests = dict(forests)
        self.weights = weights or SiteWeights()
        self.site = site
        self.style = style
        self.favour = favour
        self.card: dict[str, Any] = {}

    def __repr__(self) -> str:
        site = f", site {', '.join(self.site.hosts[:3]) or 'unnamed'}" if self.site is not None else ""
        return f"<United: style {self.style}, favour {self.favour:g}{site}>"

    def using(self, *, site: Site | None = None, style: Style = "auto", favour: float = 0.5) -> United:
        """Return the same model for another site, style or favour; raises what the constructor raises."""
        method = United(self.forests, self.weights, site=site, style=style, favour=favour)
        method.card = self.card
        return method

    @property
    def _active_forests(self) -> list[Forest]:
        return [self.forests[style] for style in dict.fromkeys(("auto", self.style))]

    def segment(self, page: Page) -> Blocks:
        """Split a page into the common blocks."""
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page; see `dehusk.methods.base.PageMethod`."""
        if not len(blocks):
            return Labels(blocks, np.zeros(0, np.uint8), np.zeros(0), np.zeros(0, np.bool_))
        columns = table(blocks)
        forests = self._active_forests
        page_scores = _level_listings(blocks, np.sum([forest.scores(columns) for forest in forests], axis=0))
        evidence = None if self.site is None else site_evidence(blocks, self.site)
        scores = page_scores if evidence is None else self.weights.apply(page_scores, evidence)
        excluded = _never_content(blocks)
        probability = np.where(excluded, 0.0, 1 / (1 + np.exp(-np.clip(scores, -30, 30))))
        kept = expected_f1(probability, blocks.words, beta=4 ** (2 * self.favour - 1)) & ~excluded
        if columns[_IS_ARTICLE, 0] and self.style != "body":  # the trees of "body" keep only the tight text anyway
            kept = self._likely(kept, probability)
        kinds = block_kinds(blocks, kept, settings())
        labels = Labels(blocks, kinds, probability, kept, notes=self._notes(blocks.page, evidence))
        if not explain:
            return labels
        contributions = np.sum([forest.contributions(columns) for forest in forests], axis=0)
        reasons = Reasons(labels, contributions, columns, page_scores, scores)
        return replace(labels, reasons=reasons.sentences(evidence), evidence=reasons.records(evidence))

    def _likely(self, kept: Bools, probability: Reals) -> Bools:
        """Return the kept blocks that are content rather than not; all kept blocks if none is.

        For pages that declare themselves articles: an article is one tight text, to which the prefix with the highest
        expected F1 would add comments and teasers.
        """
        likely = kept & (probability >= min(0.5, 1 - self.favour))
        return likely if likely.any() else kept

    def _notes(self, page: Page, evidence: SiteEvidence | None) -> tuple[str, ...]:
        """Return what a user should know about the site model."""
        if self.site is None:
            return ()
        if evidence is None:
            return ("the site model was learned from a single page and has no effect",)
        site = site_of(page, self.site.by)
        if site and self.site.hosts and site not in self.site.hosts:
            return (f"the page belongs to {site}, but the site model to {', '.join(self.site.hosts[:3])}",)
        return ()

    def save(self, folder: Path) -> None:
        """Write the model folder; raises `ModelError` if it cannot be written."""
        styles = [style for style in STYLES if style in self.forests]
        card = {**self.card, "method": "united", "features": columns_hash(), "styles": styles}
        arrays = {f"{style}.{name}": array for style in styles for name, array in self.forests[style].arrays().items()}
        save_model(folder, card, {**arrays, **self.weights.arrays()})

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: the folder is damaged, of another method or format, or was trained with other features.
        """
        card, arrays = load_model(folder, "united")
        if card.get("features") != columns_hash():
            raise ModelError(f"model {folder} does not fit the features of this version: train it again")
        try:
            styles = {style: _arrays_of_style(arrays, style) for style in card["styles"]}
            forests = {style: Forest.from_arrays(own, len(NAMES)) for style, own in styles.items()}
            method = cls(forests, SiteWeights.from_arrays(arrays))
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise ModelError(f"model {folder} is damaged: {error}") from error
        method.card = card
        return method


def _arrays_of_style(arrays: Mapping[str, npt.NDArray[Any]], style: str) -> dict[str, npt.NDArray[Any]]:
    prefix = f"{style}."
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _level_listings(blocks: Blocks, scores: Reals) -> Reals:
    """Return the log-odds, shape (b,), where the lines of each preformatted element get their weighted mean.

    A code listing is content or noise as a unit; judged line by line, the length of each line would decide.
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


def _never_content(blocks: Blocks) -> Bools:
    """Return whether each block is in an element that never has content, shape (b,)."""
    page = blocks.page
    excluded: Bools = page.within(page.nodes_of(numbers(NEVER_CONTENT)))[blocks.node] > 0
    return excluded
