"""FindOptimal as a method that cleans the pages of a site."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Literal, Self

import numpy as np

from dehusk.base.errors import ConfigError, InputError, NotFittedError, is_number
from dehusk.base.store import load_model, reading, save_model
from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER, PARAGRAPH, Labels
from dehusk.counts.sources import PageSource, page_of, read_pages
from dehusk.label.parameters import BlockMethod, check_blocks, check_options, page_count
from dehusk.read.page import Page
from dehusk.sites.alternation.find_optimal import FindOptimal, Search
from dehusk.sites.alternation.ranges import span_mask
from dehusk.sites.alternation.ranking import Ties
from dehusk.sites.alternation.strings import page_string

MODEL = "alternation"
"""What a model folder of `Alternation` says it belongs to."""
_CUT = "compared without attributes: the parser copies so many long tags that the page would be too long"


@dataclass(repr=False, eq=False, kw_only=True)
class Alternation(BlockMethod):
    """Keeps the blocks that are mostly outside of the useless n-grams of their site.

    A page to learn from can be HTML, the path of a file, a `Page` or `Blocks`.

    Args:
        search: how useless n-grams are found: "df", by a threshold on the number of pages, or "printed", by the paper's
            search; these and the following options are those of `FindOptimal`.
        n: for "df": number of characters in a gram; None for 32.
        t: for "df": least number of pages, "records" for a quarter of them; for "printed": least number of
            occurrences; None for 2.
        ties: for "printed": the order of n-grams that occur equally often; None for "hashed".
        look_ahead: for "printed": how far to look beyond the point where the paper's search stops; None for 0.
        longest: for "printed": the largest n to try; None for 256.
        bounds: characters that an n-gram may have at its ends only; "" for none.
        attributes: names of the attributes in the pages' documents; None for all (`page_string`).
        least: a block is kept if more than this share of its characters is not useless, from 0 to below 1.

    Attributes:
        cut_: the fitted finder.
        attributes_: the attributes in the documents that it is fitted to; None for all.
    """

    search: Search = "df"
    n: int | None = None
    t: int | Literal["records"] | None = None
    ties: Ties | None = None
    look_ahead: int | None = None
    longest: int | None = None
    bounds: str = ""
    attributes: Sequence[str] | None = ("class",)
    least: float = 0.5

    cut_: FindOptimal = field(init=False)
    attributes_: tuple[str, ...] | None = field(init=False)

    def fit(self, pages: Iterable[PageSource]) -> Self:
        """Learn from the pages of a site, or of several sites as in section 4.3; replaces an earlier fit.

        Pages with equal documents count once. From a single page "df" learns nothing and keeps all of it.

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
        names = _names(self.attributes)
        cut = FindOptimal(**{name: getattr(self, name) for name in _FINDER}).fit(_documents(first, parsed, names))
        self.attributes_ = names
        self.cut_ = cut  # set last: for other threads, the method is fitted once this attribute exists
        return self

    @property
    def warning(self) -> str:
        """What can be expected to go wrong with these pages, in one line; "" if nothing (`FindOptimal.warning`)."""
        self._require_fitted()
        return self.cut_.warning

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
        string = page_string(blocks.page, attributes=self.attributes_)
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
        frequency = f"on {cut.t_} or more pages" if cut.search == "df" else f"{cut.t_} or more times"
        return [f"{1 - share:.0%} of it in {cut.n_}-grams that occur {frequency} of the site" for share in shares]

    def save(self, folder: str | Path) -> None:
        """Write a model folder.

        Raises:
            NotFittedError: before `fit` or `load`.
            ModelError: the folder cannot be written.
        """
        self._require_fitted()
        card, arrays = self.cut_.state()
        own = {"attributes": None if self.attributes is None else list(self.attributes), "least": self.least}
        save_model(folder, {"method": MODEL, **own, **card}, arrays)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: the folder is missing, damaged or of another method.
        """
        card, arrays = load_model(folder, MODEL)
        cut = FindOptimal.from_state(card, arrays, folder)
        with reading(folder):
            options = {name: getattr(cut, name) for name in _FINDER}
            names = card["attributes"]
            loaded = cls(**options, attributes=None if names is None else tuple(names), least=card["least"])
            loaded._check()
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
            "attributes": (are_names, "a list of names, or None"),
            "least": (is_number(self.least, 0, 1) and self.least < 1, "a number from 0 to below 1"),
        }
        check_options(self, rules)


_FINDER = ("search", "n", "t", "ties", "look_ahead", "longest", "bounds")
"""The options of `FindOptimal`."""


def _names(attributes: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if attributes is None else tuple(attributes)


def _documents(first: Page | Blocks, others: Iterator[Page | Blocks], names: tuple[str, ...] | None) -> Iterator[str]:
    for page in chain([first], others):
        yield page_string(page_of(page), attributes=names).text
