"""WISDOM as a method: learn the terms of a site's pages, find article and TOC blocks, keep the article blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

import numpy as np

from dehusk.base.errors import ConfigError, InputError, NotFittedError, require_type
from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER, PARAGRAPH, Labels
from dehusk.counts.entropy import Reals, TermEntropy
from dehusk.counts.sources import PageSource, read_page, read_pages
from dehusk.counts.terms import page_terms
from dehusk.label.parameters import BlockMethod, check_blocks, page_count
from dehusk.label.runs import LONG, in_main_runs, with_run
from dehusk.read.page import Bools
from dehusk.sites.wisdom.blocksets import BlockSet, articles, tables_of_contents
from dehusk.sites.wisdom.link_estimates import MatchRates
from dehusk.sites.wisdom.link_targets import LinkTargets
from dehusk.sites.wisdom.node_features import NodeFeatures
from dehusk.sites.wisdom.presets import Preset, Search, Settings, Toc, resolve_settings
from dehusk.sites.wisdom.term_selection import terms_of
from dehusk.sites.wisdom.wisdom_counts import WisdomCounts, count_terms, load_counts, save_counts


@dataclass(frozen=True, eq=False)
class InformativeBlocks:
    """The informative blocks of a page."""

    article: BlockSet
    """Blocks of running text."""
    toc: BlockSet
    """Blocks of links to other pages ("table of contents")."""
    zero_api: float
    """Share of the page's links with a meaningful text whose API is 0: the higher, the less API says (section 4.4)."""
    loaded: float
    """Share of the page's links to other pages of its host whose target was learned, 0 to 1."""
    features: NodeFeatures
    """The features of the page's nodes, with API and CII."""


@dataclass(repr=False, eq=False, kw_only=True)
class Wisdom(BlockMethod):
    """Finds article and TOC blocks by the words and the structure of a site.

    An instance serves one site. A page can be HTML, the path of a file, a `Page` or `Blocks`; for TOC blocks by API it
    must know its URL (`dehusk.parse(html, url=…)`). Options that are None keep the value of the preset.

    Args:
        preset: "recommended", "paper" for the paper's values, or `Settings`, which document all options.
        k: number of blocks that the search returns, a positive integer; "all" or infinity for all.
        st: SII that a block must exceed, 0 to 1.
        st_article: the same for article blocks; if only `st` is given, it is also that of article blocks.
        tc_article: an article block has CII ≥ 1 - tc_article, 0 to 1.
        tc_toc: with feature API, a TOC block has at least this mean API per link.
        tc_alen: with feature ALEN, a TOC block has at least this CII, 0 to 1.
        relative: lowers the bound on CII to this share of the page's CII, if that is less.
        cstm: k of k-CSTM, 0 for no CSTM.
        siblings: least number of siblings with f_A > 0 of the ancestors that `climb` and k-CSTM use.
        dstm: whether DSTM merges blocks with their siblings.
        climb: whether DSTM uses the first ancestor that has siblings.
        condense: whether condensing removes parts of blocks.
        spare_links: whether condensing spares the parts of TOC blocks by API with a link that fulfils the constraint.
        own_text: whether text directly in a node counts as one more child.
        search: "mib", "m1" or "m2".
        toc: feature for TOC blocks: "api", "alen", "auto" or "estimated".
        link_share: with "estimated", the least share of the dominant place's mean API that a place needs.
        zero_api: with "auto" or "estimated", pages where more than this share of the links has an API of 0 use ALEN.
        link_density: cleaning drops blocks with at least this share of linked words.
        run: cleaning drops runs of blocks with less than this share of the words of the largest run; 0 for none.
        stemmer: language of the Snowball stemmer; "" for none.
        stop_words: "english" or "".
        numbers: whether words without letters are terms.
        cjk: whether ICU segments Chinese and Japanese text into words.

    Attributes:
        words_: which words are terms, as `Settings.words`.
        pages_: number of pages learned.
        counts_: the counts that were learned from.
        entropy_: the entropies of the site's terms.
        links_: the pages as link targets.
        rates_: how much of what links say is found on the pages they lead to.
    """

    preset: Preset | Settings = "recommended"
    k: float | Literal["all"] | None = None
    st: float | None = None
    st_article: float | None = None
    tc_article: float | None = None
    tc_toc: float | None = None
    tc_alen: float | None = None
    relative: float | None = None
    cstm: int | None = None
    siblings: int | None = None
    dstm: bool | None = None
    climb: bool | None = None
    condense: bool | None = None
    spare_links: bool | None = None
    own_text: bool | None = None
    search: Search | None = None
    toc: Toc | None = None
    link_share: float | None = None
    zero_api: float | None = None
    link_density: float | None = None
    run: float | None = None
    stemmer: str | None = None
    stop_words: str | None = None
    numbers: bool | None = None
    cjk: bool | None = None

    @property
    def settings(self) -> Settings:
        """The preset with the options applied; raises `ConfigError` if a value is invalid."""
        given = self.get_params()
        preset = given.pop("preset")
        given["k"] = float("inf") if given["k"] == "all" else given["k"]
        return resolve_settings(preset, {name: value for name, value in given.items() if value is not None})

    def fit(self, pages: Iterable[PageSource], y: object = None) -> Self:  # noqa: ARG002 (scikit-learn's signature)
        """Learn from the pages of a site; replaces an earlier fit.

        If all terms weigh the same, blocks follow from the structure alone: the terms of a single page all weigh 1,
        those of equal pages 0. With the preset "paper", equal pages have no blocks, because 0 < 1 - TC_article.

        Args:
            pages: one or more pages; each is read once and not kept, and its parsed tree is released.
            y: ignored.

        Raises:
            InputError: there are no pages, or a file cannot be read.
            ConfigError: an option has an invalid value.
            MissingExtraError: a library that an option needs is not installed.
            TypeError: `pages` is a single page, or an item is not a page.
        """
        return self.fit_counts(self.count(pages))

    def count(self, pages: Iterable[PageSource]) -> WisdomCounts:
        """Return the counts of pages of a site; counts of several parts of a site add up.

        Raises:
            InputError: there are no pages, or a file cannot be read.
            ConfigError: an option has an invalid value.
            MissingExtraError: a library that an option needs is not installed.
            TypeError: `pages` is a single page, or an item is not a page.
        """
        counts = count_terms(read_pages(pages), self.settings)
        _require_pages(counts)
        return counts

    def fit_counts(self, counts: WisdomCounts) -> Self:
        """Learn from counts; replaces an earlier fit.

        Raises:
            InputError: the counts are of no pages.
            ConfigError: the counts are of other terms than this method's.
            TypeError: the argument is not `WisdomCounts`.
        """
        require_type(counts, WisdomCounts, "Wisdom.fit_counts() takes WisdomCounts")
        words = self.settings.words
        if counts.words != words:
            raise ConfigError(f"the method uses terms with {words}, but the counts have terms with {counts.words}")
        _require_pages(counts)
        entropy, links = TermEntropy.of(counts.terms), LinkTargets.of(counts.linked)
        self.words_, self.pages_, self.counts_, self.links_ = words, counts.pages, counts, links
        self.rates_ = MatchRates.of(counts.anchored, links, entropy, counts.pages)
        self.entropy_ = entropy  # set last: for other threads, the method is fitted once this attribute exists
        return self

    def save(self, folder: str | Path) -> None:
        """Write a model folder: the settings, and the counts of terms and link targets; equal models give equal bytes.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: an option has an invalid value, or selects other terms than at `fit`.
            ModelError: the folder cannot be written.
        """
        self._check_fitted()
        save_counts(folder, self.settings, self.counts_)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model folder; the method has the settings that were saved.

        Raises:
            ModelError: the folder is missing, damaged, of another version or of another method.
        """
        settings, counts = load_counts(folder)
        return cls(preset=settings).fit_counts(counts)

    def features(self, page: PageSource) -> NodeFeatures:
        """Return the features of the nodes of a page; words that no learned page contains weigh 1.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: the options select other terms than at `fit`.
            InputError: the file cannot be read.
            TypeError: it is not a page.
        """
        settings = self._check_fitted()
        return NodeFeatures(terms_of(page_terms(read_page(page)), settings), self.entropy_, self.links_, self.rates_)

    def blocks(self, page: PageSource) -> InformativeBlocks:
        """Return the article and TOC blocks of a page; a page without text has none.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: the options select other terms than at `fit`.
            InputError: the file cannot be read.
            TypeError: it is not a page.
        """
        features, settings = self.features(page), self.settings
        return InformativeBlocks(
            article=articles(features, settings),
            toc=tables_of_contents(features, settings),
            zero_api=features.zero_api,
            loaded=features.loaded,
            features=features,
        )

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Keep the common blocks of a page with at least half of their characters in its article blocks.

        Of these, blocks of links and short runs of blocks are dropped, see `Settings.link_density` and `Settings.run`.
        Kept blocks are labelled as paragraphs. The probability is the mean of two numbers from 0 to 1: the share of the
        block's characters that are in article blocks, and the CII of the block; for dropped links and runs at most .5.

        Raises:
            NotFittedError: before `fit`.
            TypeError: the argument is not `Blocks`.
        """
        check_blocks(blocks, self)
        features = self.features(blocks)
        article = articles(features, self.settings)
        inside = article.share >= 0.5
        text = inside & ~_is_linked(blocks, self.settings.link_density)
        share, long = self.settings.run, blocks.words >= LONG
        kept = in_main_runs(blocks, text, long, share) if share and (text & long).any() else text
        cii = _block_cii(features)
        probability = np.clip((article.share + np.nan_to_num(cii)) / 2, 0.0, 1.0)
        return Labels(
            blocks=blocks,
            label=np.where(kept, PARAGRAPH, OTHER).astype(np.uint8),
            probability=np.where(inside & ~kept, np.minimum(probability, 0.5), probability),
            kept=kept,
            reasons=with_run(_reasons(article, cii, inside & ~text), kept, text) if explain else (),
        )

    def _check_fitted(self) -> Settings:
        """Return the settings; raise an error if the method is not fitted, or fitted on other terms."""
        if not self.__sklearn_is_fitted__():
            raise NotFittedError("this Wisdom is not fitted: call fit(pages) or fit_counts(counts) first")
        settings = self.settings
        if settings.words != self.words_:
            raise ConfigError(f"the method was fitted on terms with {self.words_}; fit it again for {settings.words}")
        return settings

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "entropy_")

    def _state(self) -> str:
        return f"fitted to {page_count(self.pages_)}" if self.__sklearn_is_fitted__() else "not fitted"


def _require_pages(counts: WisdomCounts) -> None:
    if not counts.pages:
        raise InputError("no pages to learn from")


def _is_linked(blocks: Blocks, limit: float | None) -> Bools:
    """Return which common blocks, shape (b,), have at least this share of linked words; with None, none has."""
    if limit is None:
        return np.zeros(len(blocks), dtype=np.bool_)
    return blocks.link_words >= limit * np.maximum(blocks.words, 1)


def _block_cii(features: NodeFeatures) -> Reals:
    """Return the mean W of the terms of each common block, shape (b,); NaN for blocks without terms."""
    block, b = features.terms.block, len(features.terms.blocks)
    count = np.bincount(block, minlength=b)
    sums = np.bincount(block, features.weight, b)
    return np.where(count > 0, sums / np.maximum(count, 1), np.nan)


def _reasons(article: BlockSet, cii: Reals, linked: Bools) -> list[str]:
    """Return for each common block whether it is in an article block, its CII, and whether it is dropped as links."""
    first = article.blocks.first
    is_inside = article.page.within(article.nodes).take(first)
    is_removed = article.page.within(article.removed).take(first)
    number = np.cumsum(np.bincount(article.nodes, minlength=len(article.page))).take(first)  # of the article block
    paths = ["", *article.xpaths]
    reasons = []
    columns = (is_inside, is_removed, number, cii, linked)
    for inside, removed, path, value, links in zip(*(column.tolist() for column in columns), strict=True):
        where = f"in article block {paths[path]}" if inside else "not in an article block"
        condensed = ", removed by condensing" if inside and removed else ""
        value_text = "no terms" if value != value else f"CII {value:.2f}"  # noqa: PLR0124
        reasons.append(f"{where}{condensed}; {value_text}" + "; mostly links" * links)
    return reasons
