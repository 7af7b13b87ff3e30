"""Numbers and prices as people write them, with the marks of any country: 1,234.50, 1.234,50, 1'234.–, ۱٬۲۳۴.

One mark before three digits says nothing by itself: "1.299" is more than a thousand in German and little more than one
in English. So a column is read as a whole. What some of its amounts show holds for all: decimals of one or two digits,
a mark that recurs, both marks in one amount. Where none shows it, three digits behind a mark are a group in prices, of
which hardly any have three decimals, and follow the language in other numbers.
"""

import re
from collections import Counter
from collections.abc import Sequence

from dehusk.label.prices import CURRENCIES

Price = tuple[str, str]
"""Amount and currency, as written, digits and marks in ASCII."""

_MAX_CHARS = 60  # of a number or a price
_MAX_DIGITS = 15  # that a float holds
_GROUPS = r"\d{1,3}(?:[.,'’\s]\d{3})+|\d{1,2}(?:,\d\d)+,\d{3}"  # the latter is Indian
_AMOUNT = rf"(?:{_GROUPS})(?:[.,]\d{{1,2}})?|\d+(?:[.,]\d+)?"
_NO_CENTS = r"(?:[.,][-–—−]{1,2})?"
_NUMBER = re.compile(rf"[+−-]?\s?(?:{_AMOUNT})")
_SYMBOL = "|".join(map(re.escape, CURRENCIES)) + (
    r"|(?:US|C|A|R|HK|NZ|S)\$|￥|₪|₫|฿|₱|Ft|лв|kr\.?|руб\.|JPY|CNY|INR|AUD|CAD|HUF|RUB|TRY|BRL|MXN|ZAR|Rs\.?|Rp\.?|S?Fr\.|"
    r"تومان|ریال|﷼|ر\.س\.?|د\.إ\.?"  # currencies beside a number that is a whole text; in others, they may be words
)
_PRICE = re.compile(
    rf"(?P<before>{_SYMBOL})\s?(?P<first>{_AMOUNT}){_NO_CENTS}|(?P<second>{_AMOUNT}){_NO_CENTS}\s?(?P<after>{_SYMBOL})"
)
_ASCII_MARKS = str.maketrans("٫،٬−，．", ".,'-,.")
"""Arabic and wide marks. The Arabic decimal mark is also written between groups, so it says no more than a point."""

_POINT = frozenset((
    "am", "ar", "bn", "cy", "en", "fa", "fil", "ga", "gu", "ha", "he", "hi", "ig", "iw", "ja", "kn", "ko", "ml",
    "mr", "ms", "mt", "my", "ne", "pa", "ps", "si", "so", "sw", "ta", "te", "th", "tl", "ur", "xh", "yo", "zh",
))  # fmt: skip
"""Languages that write a point before decimals; others write a comma (Unicode CLDR)."""
_OTHERWISE = frozenset((
    "de-ch", "de-li", "it-ch", "es-419", "es-cu", "es-do", "es-gt", "es-hn", "es-mx", "es-ni", "es-pa", "es-pe",
    "es-pr", "es-sv", "es-us", "en-at", "en-be", "en-de", "en-dk", "en-fi", "en-nl", "en-se", "en-si", "en-za",
))  # fmt: skip
"""Regions that write the other mark than their language."""


def number_in(text: str) -> str | None:
    """Return the number that a text consists of, in ASCII but with the marks of the text; None if it is none."""
    text = _in_ascii(text)
    if len(text) > _MAX_CHARS or not _NUMBER.fullmatch(text) or sum(map(str.isdigit, text)) > _MAX_DIGITS:
        return None
    return text


def price_in(text: str) -> Price | None:
    """Return the amount and the currency that a text consists of, None if it is no price."""
    match = _PRICE.fullmatch(_in_ascii(text)) if len(text) <= _MAX_CHARS else None
    amount = (match["first"] or match["second"]) if match else ""
    if match is None or sum(map(str.isdigit, amount)) > _MAX_DIGITS:
        return None
    return amount, match["before"] or match["after"]


def value_of(amount: str, decimal_mark: str) -> int | float:
    """Return the value of an amount.

    Args:
        amount: as `number_in` and `price_in` return it.
        decimal_mark: what one mark before three digits is: "." or "," if that mark is before decimals, "" if none is.
    """
    mark = _shown_mark(amount) or decimal_mark
    digits = "".join("." if sign == mark else sign for sign in amount if sign.isdigit() or sign in ("-", mark))
    return float(digits) if "." in digits else int(digits)


def mark_of_prices(amounts: Sequence[str], language: str) -> str:
    """Return the mark before decimals of a column of prices; "" if three digits behind any mark are a group."""
    shown, usual = _shown_by(amounts), _usual_mark(language)
    return "" if usual and shown != usual else shown


def mark_of_numbers(amounts: Sequence[str], language: str) -> str:
    """Return the mark before decimals of a column of numbers; "" if three digits behind any mark are a group."""
    if mark := _shown_by(amounts) or _usual_mark(language):
        return mark
    whole = [amount.lstrip("+-") for amount in amounts if amount.lstrip("+-").isdigit()]
    return "" if whole and max(map(len, whole)) < 4 else "."  # decimals would not always have three digits or none


def _shown_by(amounts: Sequence[str]) -> str:
    """Return the mark before decimals that most amounts show, "" if none or as many show another."""
    shown = Counter(mark for amount in amounts if (mark := _shown_mark(amount)))
    return max(shown, key=shown.__getitem__) if len(set(shown.values())) == len(shown) > 0 else ""


def _shown_mark(amount: str) -> str:
    """Return the mark that must be the one before decimals in an amount, whether it has any; "" if that is open."""
    last = amount[max(amount.rfind("."), amount.rfind(","))]
    if last not in (".", ","):
        return ""
    other = "," if last == "." else "."
    if amount.count(last) > 1:
        return other
    whole, _, decimals = amount.lstrip("+- ").partition(last)
    is_group = len(decimals) == 3 and len(whole) <= 3 and whole[0] != "0" and other not in whole
    return "" if is_group else last


def _usual_mark(language: str) -> str:
    """Return the mark before decimals in a language, "" if the language is not known."""
    parts = language.lower().replace("_", "-").split("-")
    if not 2 <= len(parts[0]) <= 3:
        return ""
    is_point = parts[0] in _POINT
    return "." if is_point != (f"{parts[0]}-{parts[-1]}" in _OTHERWISE) else ","


def _in_ascii(text: str) -> str:
    """Return a text with digits of other scripts, and the marks between them, in ASCII."""
    if text.isascii():
        return text
    return "".join(str(int(sign)) if sign.isdecimal() else sign for sign in text.translate(_ASCII_MARKS))
