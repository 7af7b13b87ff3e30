"""Types of values: numbers, prices, dates, addresses and images, read from the texts that pages show."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar

from dehusk.about.dates import FoundDate, read_attribute, read_dates, settle_orders
from dehusk.sites.records.amounts import mark_of_numbers, mark_of_prices, number_in, price_in, value_of

ValueType = Literal["text", "number", "date", "price", "address", "image"]
Scalar = str | int | float
Found = TypeVar("Found")

TYPED = 0.9
"""Share of a column's values that must be of a type."""
DATA_MARK = "."
"""What is before decimals in linked data."""
_MAX_TYPED = 60  # characters of a date
_CODE_DIGITS = 8  # values of so many digits and the same length are codes, not numbers

_ADDRESS = re.compile(r"https?://[^\s<>\"]+|www\.[^\s<>\"]+\.[^\s<>\"]+")


@dataclass(frozen=True)
class ColumnType:
    """The type of a column, and how to read its values."""

    name: ValueType = "text"
    currency: str = ""
    """Symbol or code of prices."""
    day_first: bool | None = None
    """Order of day and month in dates of three numbers, where it is known."""
    language: str = ""
    """Language of dates; it decides about names that mean different months."""
    decimal_mark: str = ""
    """The mark before decimals where one mark stands before three digits; "" if it is between groups."""

    def read(self, text: str, *, is_data: bool = False) -> Scalar:
        """Return a value as a number or an ISO 8601 date; the text itself if it is not of the type.

        Args:
            text: the value as the page shows it.
            is_data: whether it is from linked data, in which a point is before decimals.
        """
        found: Scalar | None = None
        mark = DATA_MARK if is_data else self.decimal_mark
        if self.name == "number":
            number = number_in(text)
            found = value_of(number, mark) if number else None
        elif self.name == "price":
            price = price_in(text)
            found = value_of(price[0], mark) if price and price[1] == self.currency else None
        elif self.name == "date":
            found = _read_date(text, self)
        return text if found is None else found


def column_type(values: Sequence[str], language: str = "", *, is_data: bool = False) -> ColumnType:
    """Return the type of a column.

    Args:
        values: some values, at least one, as the pages show them.
        language: the language of the pages as a BCP 47 tag, which decides the order of day and month, and which mark is
            before decimals, where the values leave it open.
        is_data: whether the values are from linked data, in which a point is before decimals.
    """
    enough = TYPED * len(values)
    if prices := _read_most(values, price_in, enough):
        currency = Counter(unit for _, unit in prices).most_common(1)[0][0]
        mark = DATA_MARK if is_data else mark_of_prices([amount for amount, _ in prices], language)
        return ColumnType("price", currency, decimal_mark=mark)
    if (numbers := _read_most(values, number_in, enough)) and not _are_codes(values):
        return ColumnType("number", decimal_mark=DATA_MARK if is_data else mark_of_numbers(numbers, language))
    if dates := _read_most(values, partial(_whole_date, language=language), enough):
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


def _whole_date(text: str, language: str) -> FoundDate | None:
    """Return the date that most of a text is, with the offset of its time, None if it is none."""
    if not 6 <= len(text) <= _MAX_TYPED or not any(map(str.isdigit, text)):
        return None
    found = read_dates(text, language)
    iso = read_attribute(text) if text[:4].isdigit() and not text.isdigit() else None
    one = found[0] if len(found) == 1 and found[0].end - found[0].start >= 0.6 * len(text) else None
    if one and (one.is_month or not (iso and one.value and iso.startswith(one.value))):
        return None if one.is_month else one
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
    return ColumnType("date", day_first=order, language=language) if readable >= enough else ColumnType()


def _read_date(text: str, type_: ColumnType) -> str | None:
    found = _whole_date(text, type_.language)
    if found is None:
        return None
    return found.value if type_.day_first is None else found.in_order(day_first=type_.day_first).value
