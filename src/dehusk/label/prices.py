"""The prices of a page: those that it declares for its product, and the short lines that show one.

Declared are prices in JSON-LD, in microdata and in meta elements. Prices are compared by their digits, so that 1,299.00
and 1.299 € are equal; docs/facts.md says what they are for.
"""

import re
from collections.abc import Iterator

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.characters import CURRENCY_SIGNS
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.read.page import Page
from dehusk.read.signs import is_of_shop, source_signs
from dehusk.visible.shop_prices import unshown_prices

SHORT = 14
"""Words of a line that shows a price, at most."""
_AMOUNT_OF = r"(\d[\d.,]{0,15})(?![\d.,])"  # as pages declare it
_PRICE = pattern(rf'"(?:price|lowPrice)"\s*:\s*"?{_AMOUNT_OF}')
_METAS = ("product:price:amount", "og:price:amount")
_CONTENT = pattern(rf"content=[\"']?{_AMOUNT_OF}", re.IGNORECASE)
_DECLARED = pattern(rf"\s*{_AMOUNT_OF}")
_SIGNS = (*CURRENCY_SIGNS, *"円元원")
_CODES = (
    *("EUR", "USD", "GBP", "CHF", "PLN", "CZK", "SEK", "NOK", "DKK", "AED", "SAR", "RON", "HUF", "BGN", "UAH", "RUB"),
    *("INR", "JPY", "CNY", "RMB", "KRW", "AUD", "NZD", "MXN", "BRL", "ZAR", "THB", "IDR", "VND", "MYR", "SGD", "HKD"),
    *("TWD", "zł", "Kč", " kr", " lei", " Ft", " TL", " DH", "Rs.", "руб", "грн", " лв", "тг", "ر.س", "د.إ"),
)
CURRENCIES = (*_SIGNS, *_CODES)
"""Signs and codes that say of a number beside them, anywhere in a text, that it is a price."""
_STARTS = dict.fromkeys(code[0] for code in _CODES)
_ENDS = {start: [re.escape(code[1:]) for code in _CODES if code[0] == start] for start in _STARTS}
_CURRENCY = "|".join((f"[{''.join(_SIGNS)}]", *(f"{start}(?:{'|'.join(ends)})" for start, ends in _ENDS.items())))
_BEGINNING = "".join((r"\d", *_SIGNS, *_ENDS))  # without it, all alternatives are tried at each place
_MONEY = pattern(rf"(?=[{_BEGINNING}])(?:(?:{_CURRENCY})[ .]?\s?\d|\d[.,]?-?\s?(?:{_CURRENCY}))")
_AMOUNT = pattern(r"\d[\d.,'’ \u00a0\u202f]*\d|\d")
_MOST = 1_000  # of a page with many variants
_TAG = 1_000  # characters of a tag before and after its name


@cached_per_object
def may_sell(page: Page) -> bool:
    """Return whether a page declares a product or a price, or has the words of a shop; of others no price is needed."""
    return is_of_shop(page) or bool(product_data(page) or _metas(page))


def declared_prices(page: Page) -> frozenset[str]:
    """Return the digits of the prices that a page declares for a product, as a line may show them."""
    source = page.elements.text
    found = [price for script in product_data(page) for price in _PRICE.findall(script)]
    found += [match[1] for content in _metas(page) if (match := _DECLARED.match(content))]
    for at in source_signs(page).prices:
        start, end = source.rfind("<", max(at - _TAG, 0), at), source.find(">", at, at + _TAG)
        found += _CONTENT.findall(source[max(start, 0) : max(end, at)])
    return frozenset(shown for price in found[:_MOST] for shown in _as_shown(price))


@cached_per_object
def price_lines(blocks: Blocks) -> tuple[int, ...]:
    """Return the blocks of at most `SHORT` words that show an amount with its currency, none of them hidden.

    On pages without the words of a shop and without the sign of any currency, there are none: "EUR" and the like are
    not looked for there.
    """
    if not any(map(blocks.text.__contains__, _SIGNS)) and not may_sell(blocks.page):
        return ()
    lines = ((blocks.digits > 0) & (blocks.words <= SHORT)).nonzero()[0]
    hidden = np.array(unshown_prices(blocks.page), dtype=np.intp)
    lines = lines[blocks.page.within_at(hidden, blocks.first[lines]) == 0]
    texts, found, place, row = blocks.texts, dict[int, None](), 0, 0
    together = "\0".join([texts[line] for line in lines.tolist()])
    for match in _MONEY.finditer(together):
        row, place = row + together.count("\0", place, match.start()), match.start()
        found[int(lines[row])] = None
    return tuple(found)


def shows_price(blocks: Blocks, block: int, declared: frozenset[str]) -> bool:
    """Return whether a block shows one of the declared prices."""
    return not declared.isdisjoint(amounts_of(blocks, block))


def amounts_of(blocks: Blocks, block: int) -> frozenset[str]:
    """Return the digits of the amounts that a block shows."""
    return frozenset(map(_digits, _AMOUNT.findall(blocks.text, blocks.start[block], blocks.end[block])))


def product_data(page: Page) -> list[str]:
    """Return the linked data of a page that is about products."""
    return [script for script in source_signs(page).linked_data if "Product" in script]


def _metas(page: Page) -> list[str]:
    return [*page.meta.values(*_METAS)]


def places_of(source: str, sign: str) -> Iterator[int]:
    """Yield where a sign is, `_MOST` times at most."""
    at = -1
    for _ in range(_MOST):
        if (at := source.find(sign, at + 1)) < 0:
            return
        yield at


def _as_shown(price: str) -> Iterator[str]:
    """Yield the digits of a declared price with two decimals and, if it has none, without."""
    whole, _, part = price.rstrip(".,").replace(",", ".").rpartition(".")
    if len(part) > 2 or not whole:  # a point between thousands, or none
        whole, part = whole + part, ""
    number = whole.replace(".", "")
    if int(number + part):
        yield _digits(f"{number}{part:0<2}")
        if not part.strip("0"):
            yield _digits(number)


def _digits(amount: str) -> str:
    return "".join(filter(str.isdigit, amount)).lstrip("0") or "0"
