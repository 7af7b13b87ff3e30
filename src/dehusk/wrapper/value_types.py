"""Types of values: numbers, prices, dates, addresses and images, read from the texts that pages show."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from dehusk.posts.dates import FoundDate, read_attribute, read_dates, settle_orders

ValueType = Literal["text", "number", "date", "price", "address", "image"]
Scalar = str | int | float
Found = TypeVar("Found")

TYPED = 0.9
"""Share of a column's values that must be of a type."""
_MAX_TYPED = 60  # characters of a number, a price or a date
_CODE_DIGITS = 8  # values of so many digits and the same length are codes, not numbers

_AMOUNT = r"\d{1,3}(?:[.,'’\s]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?"
_NUMBER = re.compile(rf"[+−-]?\s?(?:{_AMOUNT})")
_SYMBOL = (
    r"(?:US|C|A|R|HK|NZ|S)?\$|€|£|¥|￥|₹|₽|₺|₩|₪|₫|฿|zł|Kč|Ft|лв|kr\.?|руб\.?|元|円|"
    r"USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|PLN|CZK|SEK|NOK|DKK|HUF|RUB|TRY|BRL|MXN|ZAR|Rs\.?"
)
_PRICE = re.compile(
    rf"(?:(?P<before>{_SYMBOL})\s?(?P<first>{_AMOUNT})(?:[.,]-)?|(?P<second>{_AMOUNT})(?:[.,]-)?\s?(?P<after>{_SYMBOL}))"
)
_ADDRESS = re.compile(r"https?://[^\s<>\"]+|www\.[^\s<>\"]+\.[^\s<>\"]+")


@dataclass(frozen=True)
class ColumnType:
    """The type of a column, and how to read its values."""

    name: ValueType = "text"
    currency: str = ""
    """Symbol or code of prices."""
    day_first: bool | None = None
    """Order of day and month in dates of three numbers, where it is known."""

    def read(self, text: str) -> Scalar:
        """Return a value as a number or an ISO 8601 date; the text itself if it is not of the type."""
        found: Scalar | None = None
        if self.name == "number":
            found = read_number(text)
        elif self.name == "price":
            amount = read_price(text)
            found = amount[0] if amount and amount[1] == self.currency else None
        elif self.name == "date":
            found = _read_date(text, self.day_first)
        return text if found is None else found


def column_type(values: Sequence[str], language: str = "") -> ColumnType:
    """Return the type of a column.

    Args:
        values: some values, at least one, as the pages show them.
        language: the language of the pages as a BCP 47 tag, which decides the order of day and month.
    """
    enough = TYPED * len(values)
    if prices := _read_most(values, read_price, enough):
        return ColumnType("price", Counter(unit for _, unit in prices).most_common(1)[0][0])
    if _read_most(values, read_number, enough) and not _are_codes(values):
        return ColumnType("number")
    if dates := _read_most(values, _whole_date, enough):
        return _date_type(dates, language, enough)
    if _read_most(values, _ADDRESS.fullmatch, enough):
        return ColumnType("address")
    return ColumnType()


def _read_most(values: Sequence[str], read: Callable[[str], Found | None], enough: float) -> list[Found]:
    """Return what is read from values, [] if fewer than enough can be read; stop as soon as that is certain."""
    found: list[Found] = []
    failures = 0
    for text in values:
        if (one := read(text)) is not None:
            found.append(one)
            continue
        failures += 1
        if len(values) - failures < enough:
            return []
    return found


def _are_codes(values: Sequence[str]) -> bool:
    """Return whether numbers are codes: some start with 0, or all have the same, large number of digits."""
    if any(len(text) > 1 and text[0] == "0" and text.isdigit() for text in values):
        return True
    return len({len(text) for text in values}) == 1 and len(values[0]) >= _CODE_DIGITS and values[0].isdigit()


def read_number(text: str) -> int | float | None:
    """Return the number that a text consists of, None if it is none."""
    if len(text) > _MAX_TYPED or not _NUMBER.fullmatch(text):
        return None
    digits = _plain(text.replace("−", "-").replace(" ", ""))
    if sum(map(str.isdigit, digits)) > 15:
        return None
    return float(digits) if "." in digits else int(digits)


def read_price(text: str) -> tuple[float, str] | None:
    """Return the amount and the currency, as written, that a text consists of; None if it is no price."""
    match = _PRICE.fullmatch(text) if len(text) <= _MAX_TYPED else None
    if not match:
        return None
    return float(_plain(match["first"] or match["second"])), match["before"] or match["after"]


def _plain(amount: str) -> str:
    """Return an amount with a dot before its decimals and nothing between its thousands."""
    amount = re.sub(r"['’\s]", "", amount)
    mark = max(amount.rfind("."), amount.rfind(","))
    if mark < 0:
        return amount
    decimals = amount[mark + 1 :]
    several = amount.count(amount[mark]) > 1
    mixed = "." in amount and "," in amount
    grouped = len(decimals) == 3 and not mixed and amount[:mark] not in ("0", "")
    if several or (grouped and amount[mark] == ","):
        return amount.replace(".", "").replace(",", "")
    return f"{amount[:mark].replace('.', '').replace(',', '')}.{decimals}"


def _whole_date(text: str) -> FoundDate | None:
    """Return the date that most of a text is, None if it is none."""
    if not 6 <= len(text) <= _MAX_TYPED or not any(map(str.isdigit, text)):
        return None
    found = read_dates(text)
    if len(found) == 1 and found[0].end - found[0].start >= 0.6 * len(text):
        return None if found[0].is_month else found[0]
    iso = read_attribute(text) if text[:4].isdigit() and not text.isdigit() else None
    return FoundDate(0, len(text), iso) if iso else None


def _date_type(dates: list[FoundDate], language: str, enough: float) -> ColumnType:
    order: bool | None = None
    for first in (True, False):
        settled = settle_orders(dates, language, None)
        same = all(one.value == raw.in_order(day_first=first).value for one, raw in zip(settled, dates, strict=True))
        if same and any(raw.numbers for raw in dates):
            order = first
    readable = sum(
        one.in_order(day_first=bool(order)).value is not None for one in dates if order is not None or not one.numbers
    )
    return ColumnType("date", day_first=order) if readable >= enough else ColumnType()


def _read_date(text: str, day_first: bool | None) -> str | None:
    found = _whole_date(text)
    if found is None:
        return None
    return found.value if day_first is None else found.in_order(day_first=day_first).value
