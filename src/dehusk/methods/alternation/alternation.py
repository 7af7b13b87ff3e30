"""FindOptimal as a method that cleans the pages of a site."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from dehusk.blocks import Blocks, segment
from dehusk.errors import ConfigError, InputError, ModelError, NotFittedError
from dehusk.labels import OTHER, PARAGRAPH, Labels
from dehusk.methods.alternation.find_optimal import FindOptimal
from dehusk.methods.alternation.ranges import span_mask
from dehusk.methods.alternation.strings import page_string
from dehusk.methods.checks import check_blocks, check_options, is_number
from dehusk.methods.parameters import WithParameters, page_count
from dehusk.page import Page
from dehusk.site.sources import PageSource, page_of, read_pages
from dehusk.store import load_model, save_model

_CARD = "alternation"
_CUT = "compared without attributes: the parser copies so many long tags that the page would be too long"


class Alternation(WithParameters):
    """Keeps the blocks that are mostly outside of the useless n-grams of their site.

    A page to learn from can be HTML, the path of a file, a `Page` or `Blocks`.

    Args:
        finder: finds the useless n-grams; None for `FindOptimal()`. Only its options are used; it is not fitted.
        attributes: names of the attributes in the pages' documents; None for all (`page_string`).
        least: a block is kept if more than this share of its characters is not useless, from 0 to below 1.

    Attributes:
        cut_: the fitted finder.
        attributes_: the attributes in the documents that it is fitted to.
    """

    cut_: FindOptimal
    attributes_: tuple[str, ...] | None

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
        """Split a page into the common blocks."""
        return segment(page)

    def fit(self, pages: Iterable[PageSource]) -> Self:
        """Learn from the pages of a site, or of several sites as in section 4.3; replaces an earlier fit.

        Pages with equal documents count once. From a single page the default finder learns nothing and keeps all of it.

        Raises:
            ConfigError: an option has an invalid value.
            InputError: there are no pages, a file cannot be read, or the search has too many characters.
            TypeError: `pages` is a single page, or an item is not a page.
        """
        self._check()
        parsed = read_pages(pages)
        first = next(parsed, None)
        if first is None:
            raise InputError("no pages to learn from")
        cut = FindOptimal(**self.finder.get_params() if self.finder else {}).fit(self._documents(first, parsed))
        self.attributes_ = _names(self.attributes)
        self.cut_ = cut  # set last: for other threads, the method is fitted once this attribute exists
        return self

    def _documents(self, first: Page | Blocks, others: Iterator[Page | Blocks]) -> Iterator[str]:
        yield page_string(page_of(first), attributes=self.attributes).text
        for page in others:
            yield page_string(page_of(page), attributes=self.attributes).text

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page of the site, learned or new.

        Kept blocks are labelled as paragraphs. The probability is the share of the block's characters that are not
        useless.

        Raises:
            NotFittedError: before `fit` or `load`.
            ConfigError: `attributes` has changed since `fit`.
            TypeError: the argument is not `Blocks`.
        """
        self._require_fitted()
        check_blocks(blocks, self)
        if _names(self.attributes) != self.attributes_:
            raise ConfigError(f"the method was fitted with attributes={self.attributes_!r}: fit it again")
        string = page_string(blocks.page, attributes=self.attributes)
        useless = span_mask(self.cut_.useless(string.text), len(string.text))
        share = 1 - blocks.sums(useless[string.positions[blocks.source]]) / np.maximum(blocks.chars, 1)
        kept = share > self.least
        return Labels(
            blocks=blocks,
            label=np.where(kept, PARAGRAPH, OTHER).astype(np.uint8),
            probability=share,
            kept=kept,
            reasons=self._reasons(share.tolist()) if explain else (),
            notes=(_CUT,) if string.is_cut else (),
        )

    def _reasons(self, shares: list[float]) -> list[str]:
        cut = self.cut_
        frequency = f"on {cut.t_} or more pages" if cut.rule == "df" else f"{cut.t_} or more times"
        return [f"{1 - share:.0%} of it in {cut.n_}-grams that occur {frequency} of the site" for share in shares]

    def save(self, folder: Path) -> None:
        """Write a model folder.

        Raises:
            NotFittedError: before `fit` or `load`.
            ModelError: the folder cannot be written.
        """
        self._require_fitted()
        card, arrays = self.cut_.state()
        own = {"attributes": None if self.attributes is None else list(self.attributes), "least": self.least}
        save_model(folder, {"method": _CARD, **own, **card}, arrays)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: the folder is missing, damaged or of another method.
        """
        card, arrays = load_model(folder, _CARD)
        cut = FindOptimal.from_state(card, arrays, folder)
        try:
            names = card["attributes"]
            loaded = cls(
                FindOptimal(**cut.get_params()), attributes=None if names is None else tuple(names), least=card["least"]
            )
            loaded._check()
        except (KeyError, TypeError, ConfigError) as error:
            raise ModelError(f"model {folder} is damaged: {error!r}") from error
        loaded.attributes_ = _names(loaded.attributes)
        loaded.cut_ = cut
        return loaded

    def _state(self) -> str:
        if not hasattr(self, "cut_"):
            return "not fitted"
        return f"{len(self.cut_.grams_)} useless {self.cut_.n_}-grams of {page_count(self.cut_.documents_)}"

    def _require_fitted(self) -> None:
        if not hasattr(self, "cut_"):
            raise NotFittedError("this Alternation is not fitted: call fit or load first")

    def _check(self) -> None:
        names = () if self.attributes is None else self.attributes
        is_list = isinstance(names, Sequence) and not isinstance(names, str)
        are_names = is_list and all(isinstance(name, str) for name in names)
        rules = {
            "finder": (self.finder is None or isinstance(self.finder, FindOptimal), "a FindOptimal or None"),
            "attributes": (are_names, "a list of names, or None"),
            "least": (is_number(self.least, 0, 1) and self.least < 1, "a number from 0 to below 1"),
        }
        check_options(self, rules)


def _names(attributes: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if attributes is None else tuple(attributes)
