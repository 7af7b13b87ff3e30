"""FindOptimal as a method that cleans the pages of one site."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from dehusk.blocks import Blocks, segment
from dehusk.errors import ConfigError, ModelError, NotFittedError
from dehusk.labels import OTHER, PARAGRAPH, Labels
from dehusk.methods.alternation.find_optimal import FindOptimal
from dehusk.methods.alternation.ranges import span_mask
from dehusk.methods.alternation.strings import page_string
from dehusk.page import Page
from dehusk.store import load_model, save_model

_CARD = "alternation"


class Alternation:
    """Keeps the blocks most of whose characters stand in no useless n-gram of their site.

    Args:
        finder: which n-grams are useless; by default `FindOptimal()`. Its options are used, itself it is not fitted.
        attributes: names of the attributes that stand in the pages' strings; None for all (`page_string`).
        least: a block is kept if more than this share of its characters is not useless, 0 to below 1.

    Attributes:
        cut_: the fitted finder.
    """

    cut_: FindOptimal

    def __init__(
        self,
        finder: FindOptimal | None = None,
        *,
        attributes: Sequence[str] | None = ("class",),
        least: float = 0.5,
    ) -> None:
        self.finder = finder
        self.attributes = attributes
        self.least = least

    def segment(self, page: Page) -> Blocks:
        """Cut a page into the common blocks."""
        return segment(page)

    def fit(self, pages: Sequence[Page]) -> Self:
        """Learn from the pages of one site (or of several, as in section 4.3); a former fit is forgotten.

        Pages whose strings are equal count once. One page teaches the default finder nothing: all of it is kept.

        Raises:
            ConfigError: an option that cannot be.
            ValueError: no pages.
        """
        self._check()
        strings: Iterator[str] = (page_string(page, attributes=self.attributes).text for page in pages)
        self.cut_ = FindOptimal(**self.finder.options if self.finder else {}).fit(strings)
        return self

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page, of the set learnt from or another of the site.

        Kept blocks are paragraphs; the probability is the share of the block's characters that are not useless.

        Raises:
            NotFittedError: before `fit` or `load`.
        """
        if not hasattr(self, "cut_"):
            raise NotFittedError("Alternation knows no useless n-grams: use fit or load first")
        string = page_string(blocks.page, attributes=self.attributes)
        useless = span_mask(self.cut_.useless(string.text), len(string.text))
        share = 1 - blocks.sums(useless[string.place[blocks.source]]) / np.maximum(blocks.chars, 1)
        kept = share > self.least
        return Labels(
            blocks=blocks,
            label=np.where(kept, PARAGRAPH, OTHER).astype(np.uint8),
            probability=share,
            kept=kept,
            reasons=self._reasons(share.tolist()) if explain else (),
        )

    def _reasons(self, shares: list[float]) -> list[str]:
        cut = self.cut_
        grams = f"{cut.n_}-grams that {'pages' if cut.rule == 'df' else 'the pages'} of the site have"
        times = f"in {cut.t_} pages or more" if cut.rule == "df" else f"{cut.t_} times or more"
        return [f"{1 - share:.0%} of it stands in {grams} {times}" for share in shares]

    def save(self, folder: Path) -> None:
        """Write a model folder.

        Raises:
            NotFittedError: before `fit` or `load`.
            ModelError: the folder cannot be written.
        """
        if not hasattr(self, "cut_"):
            raise NotFittedError("Alternation has nothing to save: use fit first")
        card, arrays = self.cut_.state()
        own = {"attributes": None if self.attributes is None else list(self.attributes), "least": self.least}
        save_model(folder, {"method": _CARD, **own, **card}, arrays)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: it is missing, damaged or of another method.
        """
        card, arrays = load_model(folder, _CARD)
        cut = FindOptimal.from_state(card, arrays, folder)
        try:
            names = card["attributes"]
            made = cls(
                FindOptimal(**cut.options), attributes=None if names is None else tuple(names), least=card["least"]
            )
            made._check()
        except (KeyError, TypeError, ConfigError) as error:
            raise ModelError(f"model {folder} is damaged: {error!r}") from error
        made.cut_ = cut
        return made

    def _check(self) -> None:
        if isinstance(self.attributes, str) or not all(isinstance(name, str) for name in self.attributes or ()):
            raise ConfigError(f"attributes are names or None, not {self.attributes!r}")
        if isinstance(self.least, bool) or not isinstance(self.least, int | float) or not 0 <= self.least < 1:
            raise ConfigError(f"least is a share from 0 to below 1, not {self.least!r}")
