"""WISDOM as a method: learn the terms of a site's pages, find article and TOC blocks, clean pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from dehusk.blocks import Blocks, segment
from dehusk.errors import ConfigError, InputError, NotFittedError
from dehusk.labels import OTHER, PARAGRAPH, Labels
from dehusk.methods.options import WithOptions
from dehusk.methods.wisdom.blocksets import BlockSet, articles, tables_of_contents
from dehusk.methods.wisdom.link_targets import LinkTargets
from dehusk.methods.wisdom.node_features import NodeFeatures
from dehusk.methods.wisdom.presets import Settings, Toc, resolve_settings
from dehusk.methods.wisdom.term_selection import terms_of
from dehusk.methods.wisdom.wisdom_counts import WisdomCounts, count_terms
from dehusk.page import Page
from dehusk.site.entropy import Reals, TermEntropy
from dehusk.site.terms import page_terms


@dataclass(frozen=True, eq=False)
class InformativeBlocks:
    """What is informative of one page: its article blocks and its TOC blocks."""

    article: BlockSet
    """Blocks of running text."""
    toc: BlockSet
    """Blocks of links to other pages ("table of contents")."""
    zero_api: float
    """Share of the page's links with a text whose API is 0, 0 to 1; says how far API can be trusted (section 4.4)."""
    loaded: float
    """Share of the page's links within its host that lead to pages that were learned from, 0 to 1."""


class Wisdom(WithOptions):
    """Article and TOC blocks of pages by the words and the structure of a site.

    One instance serves one site. Pages are `Page` or `Blocks`. Options that are None are the preset's.

    Args:
        preset: "recommended", "paper" for the paper's defaults, or `Settings` of one's own, which have more options.
        k: how many blocks the search looks for, from 1 on; infinity for all.
        st: SII that a block must be above, 0 to 1.
        tc_article: an article block has CII ≥ 1 - tc_article, 0 to 1.
        cstm: k of k-CSTM, 0 for none.
        toc: feature for TOC blocks: "api", "alen" or "auto".

    Attributes:
        words_: which words are terms, as `Settings.words`.
        pages_: pages learned from, after `fit` or `fit_counts`.
        entropy_: the `TermEntropy` of their terms.
        links_: the pages as targets of `LinkTargets`.
    """

    def __init__(
        self,
        *,
        preset: str | Settings = "recommended",
        k: float | None = None,
        st: float | None = None,
        tc_article: float | None = None,
        cstm: int | None = None,
        toc: Toc | None = None,
    ) -> None:
        self.preset = preset
        self.k = k
        self.st = st
        self.tc_article = tc_article
        self.cstm = cstm
        self.toc = toc

    @property
    def settings(self) -> Settings:
        """All options that are in force; raises `ConfigError` where one cannot be."""
        given = self.get_params()
        return resolve_settings(
            given.pop("preset"), {name: value for name, value in given.items() if value is not None}
        )

    def segment(self, page: Page) -> Blocks:
        """Cut a page into the common blocks."""
        return segment(page)

    def fit(self, pages: Iterable[Page | Blocks], y: object = None) -> Self:  # noqa: ARG002 (scikit-learn's signature)
        """Learn from the pages of one site; a former fit is forgotten.

        Args:
            pages: one or more, read once and not held; their parser's trees are released. Where all terms weigh
                the same, blocks follow from the structure only: of one page alone all weigh 1, of equal pages 0
                (with the preset "paper", such pages have no blocks, because 0 < 1 - TC_article).
            y: not looked at.

        Raises:
            InputError: no pages.
            ConfigError: an option that cannot be.
            DehuskError: a library that an option needs is not installed.
        """
        return self.fit_counts(self.count(pages))

    def count(self, pages: Iterable[Page | Blocks]) -> WisdomCounts:
        """Return the counts of pages of a site; counts of several parts of a site add up.

        Raises:
            InputError: no pages.
            ConfigError: an option that cannot be.
            DehuskError: a library that an option needs is not installed.
        """
        counts = count_terms(pages, self.settings)
        if not counts.pages:
            raise InputError("no pages to learn WISDOM from")
        return counts

    def fit_counts(self, counts: WisdomCounts) -> Self:
        """Learn from counts; a former fit is forgotten.

        Raises:
            InputError: counts of no pages.
            ConfigError: counts of other terms than this method's.
        """
        words = self.settings.words
        if counts.words != words:
            raise ConfigError(f"counts of terms with {counts.words} do not fit a method with {words}")
        if not counts.pages:
            raise InputError("no pages to learn WISDOM from")
        self.words_ = words
        self.pages_ = counts.pages
        self.entropy_ = TermEntropy.of(counts.terms)
        self.links_ = LinkTargets.of(counts.linked)
        return self

    def features(self, page: Page | Blocks) -> NodeFeatures:
        """Return the features of the nodes of a page; words that no learned page has weigh 1.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: the options were changed to other terms since then.
        """
        if not self.__sklearn_is_fitted__():
            raise NotFittedError("WISDOM was not learned: use fit or fit_counts first")
        options = self.settings
        if options.words != self.words_:
            raise ConfigError(f"a method with {options.words} was learned with {self.words_}; fit it again")
        return NodeFeatures(terms_of(page_terms(page), options), self.entropy_, self.links_)

    def blocks(self, page: Page | Blocks) -> InformativeBlocks:
        """Return the article and the TOC blocks of a page; a page without text has none.

        Raises:
            NotFittedError: before `fit`.
        """
        features, options = self.features(page), self.settings
        return InformativeBlocks(
            article=articles(features, options),
            toc=tables_of_contents(features, options),
            zero_api=features.zero_api,
            loaded=features.loaded,
        )

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Keep the blocks of a page that stand in its article blocks, by half of their characters or more.

        All of them are called paragraphs. The probability is the mean of two shares: of the block's characters that
        stand in article blocks, and of the information of its terms (CII).

        Raises:
            NotFittedError: before `fit`.
        """
        features = self.features(blocks)
        found = articles(features, self.settings)
        kept = found.share >= 0.5
        cii = _block_cii(features)
        return Labels(
            blocks=blocks,
            label=np.where(kept, PARAGRAPH, OTHER).astype(np.uint8),
            probability=np.clip((found.share + np.nan_to_num(cii)) / 2, 0.0, 1.0),
            kept=kept,
            reasons=_reasons(found, cii) if explain else (),
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "entropy_")


def _block_cii(features: NodeFeatures) -> Reals:
    """Return the mean W of the terms of each common block, shape (b,); NaN for blocks without terms."""
    block, b = features.terms.block, len(features.terms.blocks)
    count = np.bincount(block, minlength=b)
    sums = np.bincount(block, features.weight, b)
    return np.where(count > 0, sums / np.maximum(count, 1), np.nan)


def _reasons(found: BlockSet, cii: Reals) -> list[str]:
    """Return for each common block where it stands and what its words say."""
    first = found.blocks.first
    in_blocks, in_removed = found.page.within(found.nodes).take(first), found.page.within(found.removed).take(first)
    place = np.cumsum(np.bincount(found.nodes, minlength=len(found.page))).take(first)
    paths = ["", *found.xpaths]
    reasons = []
    rows = zip(in_blocks.tolist(), in_removed.tolist(), place.tolist(), cii.tolist(), strict=True)
    for inside, out, number, value in rows:
        where = f"in article block {paths[number]}" if inside else "outside of the article blocks"
        condensed = ", taken out by condensing" if inside and out else ""
        reasons.append(f"{where}{condensed}; " + ("no terms" if value != value else f"CII {value:.2f}"))  # noqa: PLR0124
    return reasons
