"""Words in the source and in the classes of a page that say what it may hold, each found by one search."""

from typing import NamedTuple

from dehusk.base.caching import cached_per_object
from dehusk.compiled.text import signs_in as _signs_in
from dehusk.read.names import NameWords
from dehusk.read.page import Page

CONCEALING = ("-999", "-1000", "clip", "font-size:0")
"""What a rule that conceals text contains; looking for fixed strings costs next to nothing."""


class SourceSigns(NamedTuple):
    """What the source of a page names."""

    sheets: tuple[str, ...]
    """The contents of the style elements that contain one of `CONCEALING`."""
    formulas: bool
    """Whether it names the type of MathJax's scripts."""
    linked_data: tuple[str, ...]
    """The contents of the scripts of JSON-LD, of the first 50."""
    sells: bool
    """Whether it is of a shop, by its words: "addToCart" in some spellings, or "schema.org/Product"."""
    cooks: bool
    """Whether it has "schema.org/Recipe"."""
    prices: tuple[int, ...]
    """Where elements are said to be a price, by "itemprop=", of the first 1,000."""
    heads: bool
    """Whether it has "role=heading", with or without quotation marks."""
    columns: bool
    """Whether it has "role=columnheader", with or without quotation marks."""


@cached_per_object
def source_signs(page: Page) -> SourceSigns:
    """Return what the source of a page names."""
    return SourceSigns(*_signs_in(page.elements.text))


_ARTICLES, _PRODUCTS = ("article", "blog", "news"), ("product", "og:product", "product.item")
_FORMULAS, _REFERENCES = NameWords("math tex"), NameWords("note fn ptref")
_LISTINGS, _EDITS = NameWords("highlight"), NameWords("editsection")


class ClassSigns(NamedTuple):
    """Which words the classes of a page have, in any case."""

    formulas: bool
    """ "math", or "tex" that is not the start of "text"."""
    references: bool
    """ "note", "fn" or "ptref"."""
    listings: bool
    """ "highlight"."""
    edits: bool
    """ "editsection"."""


@cached_per_object
def class_signs(page: Page) -> ClassSigns:
    """Return which words the classes of a page have."""
    names = page.classes
    of_formulas = (names.values[code].lower() for code in names.having(_FORMULAS))
    return ClassSigns(
        formulas=any("math" in name or name.count("tex") > name.count("text") for name in of_formulas),
        references=bool(names.having(_REFERENCES)),
        listings=bool(names.having(_LISTINGS)),
        edits=bool(names.having(_EDITS)),
    )


def is_article(page: Page) -> bool:
    """Return whether a page calls itself an article, as shops do not."""
    return _own_type(page) in _ARTICLES


def is_product(page: Page) -> bool:
    """Return whether a page calls itself a product."""
    return _own_type(page) in _PRODUCTS


def is_of_shop(page: Page) -> bool:
    """Return whether a page has the words of a shop, or calls itself a product."""
    return source_signs(page).sells or is_product(page)


@cached_per_object
def _own_type(page: Page) -> str:
    return next(page.meta.values("og:type"), "").strip().lower()
