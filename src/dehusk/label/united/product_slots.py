"""Slots of a page that sells: price, availability, article number and brand of its product, and its specification.

- Of a product whose price is declared (schema.org, Open Graph), the likeliest block that shows it, if none is kept;
  where a shop declares none, the likeliest that shows one and is named as a price, or says that it is one. A price
  right beside it is the one of today, or the former one.
- Around the first kept block, the likeliest short line that says whether there is some in stock, if no kept one does.
- There, a short line with an article number that the page declares, or, if it declares none, that the line names as
  one; and the declared brand where it stands alone.
- A table or a list of terms of three rows or more that the net gives a fair probability: the whole specification.

All but the price need a declared price. A field that all records of a list have is none of these; what is declared and
not shown stays out.
"""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.blocks.units.skeleton import skeleton_of
from dehusk.blocks.units.structures import find_structures
from dehusk.label.prices import (
    declared_prices,
    may_sell,
    places_of,
    price_lines,
    product_data,
    shows_price,
)
from dehusk.label.united.naming import OF_PRICE, OF_STOCK, is_field, is_named
from dehusk.read.page import Page
from dehusk.read.signs import is_of_shop

LEAST = 0.05
"""Probability of a price that is not declared, at least."""
BESIDE = 1
"""Blocks between a price and others that are named: without tax, the former one, or the one of today."""
ALONE = 4
"""Words of a line that says little but the price, which is better than "Immediate payment of EUR 25.00 is required"."""
FAIR, ROWS = 0.25, 3
"""Mean probability and rows of a specification, at least. Set by hand: of those that were dropped in WCXB's shops, the
tables of products had .30 to .44, those of delivery and of contacts less than .01."""
SHORT = 8
"""Words of a line with an availability, or with a number and its label, at most."""
BEFORE, AFTER = 10, 150
"""Blocks before and after the first kept one in which such lines are. Set by hand: numbers stand beside the title
before it, and in product-a's shops an availability stood up to 116 blocks after it."""
_NAME_OF_NUMBER, _LINE_OF_NUMBER = 3, 25
"""Words of the label of an article number, and of the line that has a declared value, at most. Set by hand: WooCommerce
has the number, the categories and the tags of a product in one line."""
_MOST_NAMED, _MOST_VALUES = 50, 20  # lines whose classes are read, and declared values that are looked for
_NUMBER = pattern(r'"(?:sku|mpn|gtin\d{0,2}|productID)"\s{0,20}:\s{0,20}"?([\w./-]{4,40})')
_BRAND = pattern(
    r'"brand"\s{0,20}:\s{0,20}\[?\s{0,20}(?:\{[^{}]{0,300}?"name"\s{0,20}:\s{0,20})?"([^"\\]{2,60})"',
)
_BESIDE_NUMBER = pattern(  # "SKU: ", and what WooCommerce has in the same line
    r".{0,20}?(?:\W(?:categor|catégor|kategor|tags?\b|schlagw|étiquet|etiquet|катег).{0,200})?",
    re.DOTALL | re.IGNORECASE,
)
_BESIDE_BRAND = pattern(
    r"\W{0,9}(?:by|von|par|por|de|brand|marke|marque|marca|merk|marka|producent|hersteller|manufacturer|vendor|fabricante"
    r"|značka|výrobce|märke|mærke|tuotemerkki|бренд|марка|производитель)?\W{0,9}",
    re.IGNORECASE,
)
_STOCK_PHRASES = (
    r"(?:only |low )?(?:\d+ )?(?:items? )?(?:left )?(?:in stock|out of stock|sold out)|low (?:in )?stock|only \d+ left",
    r"(?:on )?back-?order|pre-?order\b|(?:currently|temporarily) (?:un|not )available|not available",
    r"no longer available|available (?:now|to order)|discontinued",
    r"(?:nicht |sofort |bald )?(?:auf lager|lieferbar|vorrätig|verfügbar\b)|ausverkauft",
    r"en stock|(?:en )?rupture|épuisé|(?:in|non |no )?disponi(?:ble|bile|vel)\b|agotado|esaurito",
    r"em estoque|esgotado|(?:in)?disponível|(?:niet )?op voorraad|uitverkocht",
    r"(?:nie)?dostępn[yae]\b|w magazynie|(?:není )?skladem|vyprodáno|na sklade",
    r"(?:slut )?i lager|på lager|udsolgt|utsolgt|varastossa|raktáron|elfogyott|stokta|tükendi",
    r"(?:нет |есть )?в наличии|под заказ|(?:[єе] )?в наявності|在庫(?:あり|なし|切れ)|品切れ|有货|缺货|现货|품절|재고",
)
_SAID = pattern(  # what the line of a price begins with
    r"\W{0,3}(?:(?:our|your|sale|list|unit|regular|special|total) )?"
    r"(?:price|preis|prix|precio|preço|prezzo|prijs|pris|cena|cijena|ціна|цена|hinta|ár|fiyat|preț|τιμή|価格|价格|價格|가격)"
    r"\s?[:：]",
    re.IGNORECASE,
)
_NUMBERED = pattern(  # a line that says an article number by its name
    r"(?:sku|ean|gtin|mpn|upc|isbn|asin|(?:item|product|model|article|part|style|catalogue?) ?(?:no|number|code|id|#)"
    r"|art(?:ikel)?\.?[- ]?(?:nr|nummer)|bestell-?nr|produkta kods|kod produktu|código(?: del? producto)?|referencia"
    r"|réf(?:érence)?|codice(?: prodotto)?|varenummer|tuotenumero|číslo produktu|kód produktu|артикул|код товара"
    r"|商品编号|品番|型番)"
    r"\W{0,3}(?=\S*\d)[\w./-]{4,30}",
    re.IGNORECASE,
)
_STOCK_LABELS = r"availab(?:le|ility)|verfügbarkeit|disponib\w+|dostępność|dostupnost|наличие|stock|status"
STOCK = pattern(rf"(?:(?:{_STOCK_LABELS})\W{{1,3}})?(?:{'|'.join(_STOCK_PHRASES)})", re.IGNORECASE)
"""The start of a line that says whether there is some in stock."""


def slots_of_product(labels: Labels) -> Iterator[tuple[int, str]]:
    """Yield the blocks that fill a slot of a product, and its name."""
    blocks, kept = labels.blocks, labels.kept
    page = blocks.page
    if not may_sell(page):
        return
    declared = declared_prices(page)
    yield from ((block, "price of the product") for block in _price(labels, declared))
    if not declared:
        return
    yield from ((block, "availability of the product") for block in _availability(labels))
    numbers, brands = _said(page, _NUMBER), _said(page, _BRAND)
    numbered = _shown(labels, numbers, _BESIDE_NUMBER) if numbers else _numbered(labels)
    yield from ((block, "number of the product") for block in numbered)
    yield from ((block, "brand of the product") for block in _shown(labels, brands, _BESIDE_BRAND))
    yield from ((block, "specification of the product") for block in _specifications(labels) if not kept[block])


def _price(labels: Labels, declared: frozenset[str]) -> Iterator[int]:
    blocks, kept, probability = labels.blocks, labels.kept, labels.probability
    priced = [block for block in price_lines(blocks) if probability[block]]  # 0: never content
    if kept[priced].all() and (priced or not declared):
        return
    if declared:
        showing = [block for block in priced if shows_price(blocks, block, declared)]
        showing = showing or _named_amounts(labels, declared)
    elif is_of_shop(blocks.page):
        showing = _named_prices(labels, priced)
    else:
        return
    own = [block for block in showing if kept[block]]
    if showing and not own:
        best = max(showing, key=lambda block: (blocks.words[block] <= ALONE, probability[block], -block))
        near = [best] if declared else [block for block in showing if abs(block - best) <= BESIDE]
        own = [*{blocks.text_of(block): block for block in (*near, best)}.values()]
        yield from own
    if own:
        yield from _other_prices(labels, own, {*priced})


def _other_prices(labels: Labels, own: list[int], priced: set[int]) -> Iterator[int]:
    """Yield the prices right beside kept ones that are declared: the former one of an offer, or the one of today."""
    beside = (block + step for block in own[:_MOST_NAMED] for step in (-BESIDE, BESIDE))
    for block in dict.fromkeys(block for block in beside if block in priced and not labels.kept[block]):
        is_alone = labels.blocks.words[block] <= ALONE and labels.probability[block] >= LEAST
        if is_alone and _is_price(labels.blocks, block, OF_PRICE):
            yield block


def _named_amounts(labels: Labels, declared: frozenset[str]) -> list[int]:
    """Return the short lines named as a price with the declared amount, whose currency may be a word or missing."""
    blocks = labels.blocks
    short = ((blocks.digits > 0) & (blocks.words <= SHORT) & (labels.probability > 0)).nonzero()[0].tolist()
    return [block for block in short if shows_price(blocks, block, declared) and _is_price(blocks, block, OF_PRICE)]


def _named_prices(labels: Labels, priced: list[int]) -> list[int]:
    """Return the blocks that are named as a price, or say that they are one, and the kept ones of no list."""
    blocks, probability = labels.blocks, labels.probability
    likely = sorted((block for block in priced if probability[block] >= LEAST), key=lambda one: -probability[one])
    named = [block for block in likely[:_MOST_NAMED] if _is_price(blocks, block, 0 if labels.kept[block] else OF_PRICE)]
    said = (block for block in priced if _SAID.match(blocks.text, blocks.start[block], blocks.end[block]))
    return named or [block for block in said if _is_price(blocks, block)]


def _is_price(blocks: Blocks, block: int, named: int = 0) -> bool:
    """Return whether a price is none of an empty cart, of delivery or of records, and is named if that is asked."""
    page, ends = blocks.page, {int(blocks.first[block]), int(blocks.last[block])}
    text = blocks.text_of(block)
    if text.startswith("+") or not set("123456789") & set(text):
        return False
    if named and not any(is_named(page, leaf, named) for leaf in ends):
        return False
    return not any(is_field(page, int(page.parent[leaf])) for leaf in ends)


def _near(labels: Labels) -> range:
    first = int(labels.kept.argmax())
    return range(max(first - BEFORE, 0), min(first + AFTER, len(labels.blocks)))


def _short_near(labels: Labels) -> list[int]:
    """Return the short lines near the first kept block."""
    near = _near(labels)
    words = labels.blocks.words[near.start : near.stop]
    return (near.start + ((words > 0) & (words <= SHORT)).nonzero()[0]).tolist()


def _availability(labels: Labels) -> Iterator[int]:
    blocks, kept, probability = labels.blocks, labels.kept, labels.probability
    saying = [block for block in _short_near(labels) if STOCK.match(blocks.text_of(block))]
    if not saying or kept[saying].any():
        return
    own = [block for block in saying if not is_field(blocks.page, int(blocks.page.parent[blocks.first[block]]))]
    if own:
        yield max(
            own,
            key=lambda block: (is_named(blocks.page, int(blocks.first[block]), OF_STOCK), probability[block], -block),
        )


def _said(page: Page, wanted: re.Pattern[str]) -> set[str]:
    return {match[1].strip() for script in product_data(page) for match in wanted.finditer(script)}


def _shown(labels: Labels, values: set[str], beside: re.Pattern[str]) -> Iterator[int]:
    """Yield the first line near the product that shows one of some values, if no kept block does.

    `beside` matches what such a line has before and after the value.
    """
    blocks, kept, near = labels.blocks, labels.kept, _near(labels)
    for value in sorted(values)[:_MOST_VALUES]:
        places = [*places_of(blocks.text, value)]
        at = np.unique(blocks.start.searchsorted(places, "right") - 1).tolist()
        found = [block for block in at if _is_whole(blocks, block, value)]
        if not kept[found].any():
            short = (block for block in found if block in near and 0 < blocks.words[block] <= _LINE_OF_NUMBER)
            yield from [block for block in short if beside.fullmatch(blocks.text_of(block).replace(value, "", 1))][:1]


def _numbered(labels: Labels) -> Iterable[int]:
    """Return the first line near the product that says an article number, or the two that do, if no kept block does."""
    blocks, near = labels.blocks, _near(labels)
    short = _short_near(labels)
    found = [block for block in short if _NUMBERED.fullmatch(blocks.text_of(block))]
    if found:
        return [] if labels.kept[found].any() else found[:1]
    pairs = ((block, block + 1) for block in short if blocks.words[block] <= _NAME_OF_NUMBER and block + 1 in near)
    named = (pair for pair in pairs if _NUMBERED.fullmatch(" ".join(map(blocks.text_of, pair))))
    return [block for block in next(named, ()) if not labels.kept[block]]


def _is_whole(blocks: Blocks, block: int, value: str) -> bool:
    """Return whether a block has a value that is no part of a longer word where it first is, or a text of its own."""
    text, page = blocks.text_of(block), blocks.page
    at = text.find(value)
    before, after = text[max(at - 1, 0) : max(at, 0)], text[at + len(value) :][:1]
    if at >= 0 and not before.isalnum() and not after.isalnum():
        return True
    first = int(blocks.first[block])
    texts = first + page.is_text[first : blocks.last[block] + 1].nonzero()[0]
    return blocks.words[block] <= _LINE_OF_NUMBER and any(
        page.text_of(node).strip() == value for node in texts.tolist()
    )


def _specifications(labels: Labels) -> Iterator[int]:
    """Yield the blocks of tables and lists of terms that are fairly probable."""
    tree, parts, words = skeleton_of(labels.blocks), find_structures(labels.blocks), labels.blocks.words
    rows = np.append(0, parts.rows.cumsum())
    for element in (parts.tables | parts.definitions).nonzero()[0].tolist():
        inside = slice(int(tree.first[element]), int(tree.end[element]))
        count = (
            rows[tree.close[element]] - rows[element] if parts.tables[element] else (inside.stop - inside.start) // 2
        )
        likely, size = labels.probability[inside], words[inside]
        if count >= ROWS and (likely * size).sum() >= FAIR * max(int(size.sum()), 1):
            yield from range(inside.start, inside.stop)
