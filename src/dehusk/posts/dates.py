"""Dates and times as people and programs write them, in any language whose months Unicode CLDR names.

A date is read only if its text gives day, month and year; others ("yesterday", "March 30") are found but have no value.
Nothing depends on the day of the call or on the locale. No library does this fast enough: see docs/posts.md.
"""

import itertools
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache
from importlib import resources

_WORD = r"[^\s\d.,/()\[\]|·•–—:;\"<>«»\-]{2,16}"
_YEAR = r"(?:['’]\d{2}|\d{4}|\d{2})(?!\d)"
_DATE = re.compile(
    rf"""(?<![\d:.,/-])(?:
    (?P<n1>\d{{1,4}})\s?(?P<separator>[-./年년])\s?(?P<n2>\d{{1,2}})\s?(?:(?P<second>[-./月월])\s?(?P<n3>\d{{1,4}}))(?![\d/]|[.,]\d)(?:\s?[日일])?
    |(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|ª)?(?:[\s.\-/,]{{0,3}}(?:(?:de|of|d['’])\s)?)
     (?P<month>{_WORD})[\s.,\-/]{{0,3}}(?:(?:de|del|of)\s)?(?P<year>{_YEAR})?
    |(?P<year_first>\d{{4}})[.,]?\s(?:m\.\s)?(?P<month_second>{_WORD})\s(?P<day_last>\d{{1,2}})(?!\d)
    )
    |(?<![^\s\d(\[|·•–—:;\"<>«»,\-])(?P<month_first>{_WORD})[.\s\-/]{{1,2}}(?P<day_second>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])
     (?:[\s,\-/]{{1,3}}(?P<year_last>['’]\d{{2}}|\d{{4}})(?!\d))?
    |(?<![^\s\d(\[|·•–—:;\"<>«»,\-])(?P<month_only>{_WORD})\s(?P<year_only>\d{{4}})(?!\d)""",
    re.VERBOSE,
)
_CLOCK = r"(?P<hour>\d{1,2})\s?[:.h時时点]\s?(?P<minute>\d{2})(?!\d)(?:[:.](?P<second>\d{2})(?!\d))?"
_HALF = r"(?:\s?(?P<half>[ap])\.?\s?m\b\.?)?"
_AFTER = re.compile(rf"[\s,;.\-–—|·•@(T]*(?:[^\W\d_]{{1,6}}[\s.,:]+){{0,2}}{_CLOCK}{_HALF}", re.IGNORECASE)
_BEFORE = re.compile(
    rf"(?<![\d.:]){_CLOCK}{_HALF}[\s,.\-–—|·•)]*(?:[^\W\d_]{{1,4}}[\s.,]+)?(?:[^\W\d_]{{2,12}}[\s.,]+)?$", re.IGNORECASE
)
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?\s*$")
_STAMP = re.compile(r"\d{9,10}(?:\d{3})?$")
_REACH = 24  # characters before and after a date in which its time of day is
_FIRST_YEAR, _LAST_YEAR = 1980, 2099
_WORDS = frozenset(("pro", "gen", "set", "out", "led", "lip", "sty", "mag", "lug"))
"""Short names of months that are words of English; on pages in English or of unknown language they are no months."""
_PIVOT = 70  # two digits from here on are years of the last century


@dataclass(frozen=True)
class FoundDate:
    """A date in a text."""

    start: int
    end: int
    """Where it starts and ends, its time of day included."""
    value: str | None
    """ISO 8601, to the day or the minute or second; None if day, month or year are missing or cannot be told apart."""
    numbers: tuple[int, int, int] | None = None
    """The first, second and third number of a date whose order of day and month is not known."""
    day_first: bool | None = None
    """Whether the day of a date of three numbers comes before the month, where its numbers tell."""
    time: str = ""
    """Time of day in ISO 8601, "" if there is none."""
    is_month: bool = False
    """Whether it is a month without a day."""

    def in_order(self, *, day_first: bool) -> "FoundDate":
        """Return the date with a value for an order of day and month."""
        if self.numbers is None:
            return self
        one, two, year = self.numbers
        day, month = (one, two) if day_first else (two, one)
        return replace(self, value=_iso(year, month, day, self.time), numbers=None)


@cache
def _months() -> tuple[Mapping[str, int], Mapping[str, Mapping[str, int]]]:
    table = tomllib.loads(resources.files(__package__).joinpath("months.toml").read_text("utf-8"))
    names = {name: int(month) for month, listed in table["names"].items() for name in listed.split()}
    return names, table["ambiguous"]


def _month(name: str, language: str) -> int:
    """Return the number of a month by its name; 0 if it is none, -1 if its language is not known."""
    names, ambiguous = _months()
    name = name.lower()
    if name in _WORDS and language in ("", "en"):
        return 0
    if name in ambiguous:
        return ambiguous[name].get(language, -1)
    return names.get(name, 0)


def read_dates(text: str, language: str = "") -> list[FoundDate]:
    """Return the dates in a short text, in order.

    Args:
        text: the text.
        language: the language of the page as a BCP 47 tag; it decides about names that mean different months.
    """
    return list(_found(text, language.lower().partition("-")[0]))


def _found(text: str, language: str) -> Iterator[FoundDate]:
    position = 0
    while match := _DATE.search(text, position):
        found = _read(match, language)
        if found is None:
            position = max(match.start() + 1, _next_word(text, match.start()))
            continue
        yield _with_time(found, text)
        position = match.end()


def _next_word(text: str, start: int) -> int:
    while start < len(text) and (text[start].isalnum()):
        start += 1
    return start


def _read(match: re.Match[str], language: str) -> FoundDate | None:
    start, end = match.span()
    groups = match.groupdict()
    if groups["n1"]:
        return _of_numbers(match)
    if groups["month_only"]:
        month, year = _month(groups["month_only"], language), int(groups["year_only"])
        return FoundDate(start, end, None, is_month=True) if month and _FIRST_YEAR <= year <= _LAST_YEAR else None
    name = groups["month"] or groups["month_second"] or groups["month_first"]
    day = int(groups["day"] or groups["day_last"] or groups["day_second"])
    year_text = groups["year"] or groups["year_first"] or groups["year_last"]
    month = _month(name, language)
    if not month or not 1 <= day <= 31:
        return None
    if year_text is None or month < 0:
        return FoundDate(start, end, None)
    if groups["year"] and len(year_text) == 2 and match.string[end : end + 1] == ":":  # "8 May 12:30"
        return FoundDate(start, match.start("year"), None)
    value = _iso(_full_year(year_text), month, day, "")
    return FoundDate(start, end, value) if value else None


def _of_numbers(match: re.Match[str]) -> FoundDate | None:
    one, two, three = (int(match[name]) for name in ("n1", "n2", "n3"))
    start, end = match.span()
    if len(match["n1"]) == 4:
        value = _iso(one, two, three, "")
        return FoundDate(start, end, value) if value else None
    year = _full_year(match["n3"])
    if not _FIRST_YEAR <= year <= _LAST_YEAR or not _is_written_date(match):
        return None
    found = FoundDate(start, end, None, (one, two, year))
    if match["separator"] == ".":
        found = found.in_order(day_first=True)
        return found if found.value else None
    readable = [order for first in (True, False) if (order := found.in_order(day_first=first)).value]
    if len({order.value for order in readable}) > 1:
        return found
    told = one > 12 if max(one, two) > 12 else None
    return replace(readable[0], day_first=told) if readable else None


def _is_written_date(match: re.Match[str]) -> bool:
    """Return whether three numbers, the year last, are written as dates are; "4.2.14" is the number of a section."""
    one, two, three = (len(match[name]) for name in ("n1", "n2", "n3"))
    if three not in (2, 4) or one > 2 or match["separator"] != match["second"]:
        return False
    return three == 4 or match["separator"] != "." or one + two == 4


def _full_year(text: str) -> int:
    digits = text.lstrip("'’")
    year = int(digits)
    return year if len(digits) == 4 else year + (1900 if year >= _PIVOT else 2000)


def _iso(year: int, month: int, day: int, time: str) -> str | None:
    try:
        written = date(year, month, day).isoformat()
    except ValueError:
        return None
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    return f"{written}T{time}" if time else written


def _with_time(found: FoundDate, text: str) -> FoundDate:
    """Return a date with the time of day that follows it or stands before it."""
    after = _AFTER.match(text, found.end, min(len(text), found.end + _REACH))
    before = None if after else _BEFORE.search(text, max(0, found.start - _REACH), found.start)
    match = after or before
    time = _time(match) if match else ""
    if not match or not time:
        return found
    value = f"{found.value}T{time}" if found.value else None
    return replace(
        found, start=min(found.start, match.start()), end=max(found.end, match.end()), value=value, time=time
    )


def _time(match: re.Match[str]) -> str:
    hour, minute, second = int(match["hour"]), int(match["minute"]), match["second"]
    half = (match["half"] or "").lower()
    if (half and not 1 <= hour <= 12) or hour > 23 or minute > 59 or int(second or 0) > 59:
        return ""
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02d}:{minute:02d}" + (f":{second}" if second else "")


def read_attribute(value: str | None, language: str = "") -> str | None:
    """Return the date in an attribute such as `datetime`, in ISO 8601 with its offset if it has one, or None."""
    value = (value or "").strip()[:80]
    if match := _ISO.match(value):
        year, month, day, hour, minute, second, zone = match.groups()
        time = f"{hour}:{minute}" + (f":{second}" if second else "") if hour else ""
        written = _iso(int(year), int(month), int(day), time)
        return written + zone.replace("Z", "+00:00") if written and zone else written
    if _STAMP.match(value):
        seconds = int(value[:10]) if len(value) > 11 else int(value)
        moment = datetime.fromtimestamp(seconds, UTC)
        return moment.isoformat() if _FIRST_YEAR <= moment.year <= _LAST_YEAR else None
    found = read_dates(value, language)
    return found[0].value if found else None


def settle_orders(dates: Iterable[FoundDate], language: str, day_first: bool | None) -> list[FoundDate]:
    """Return dates of one kind in document order, with the order of day and month that all of them share.

    A date with a number above 12 tells it; otherwise, if the dates ascend or descend in one order only, that; otherwise
    what other dates of the page tell (`day_first`); otherwise the page's language: day first, except in English of
    unknown region, in which both orders are common.
    """
    found = list(dates)
    open_ = [one for one in found if one.numbers]
    if not open_:
        return found
    order = _order(found, open_, language, day_first)
    return found if order is None else [one.in_order(day_first=order) for one in found]


def _order(found: list[FoundDate], unsettled: list[FoundDate], language: str, other: bool | None) -> bool | None:
    told = {one.day_first for one in found} - {None}
    if len(told) == 1:
        return told.pop()
    ascending = []
    for first in (True, False):
        values = [one.in_order(day_first=first).value or "" for one in unsettled]
        pairs = list(itertools.pairwise(values))
        ascending.append(all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs))
    if ascending[0] != ascending[1]:
        return ascending[0]
    if other is not None:
        return other
    language = language.lower()
    if language.startswith("en-us"):
        return False
    return True if language and language != "en" else None
