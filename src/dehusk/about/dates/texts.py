"""Dates in texts; one that lacks its day, month or year, such as "March 30", is found but has no value."""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from dehusk.about.dates.months import UNKNOWN, month_of

FIRST_YEAR, LAST_YEAR = 1900, 2099
"""Years of a date that can be."""
_WORD = r"[^\s\d.,/()\[\]|·•–—:;\"<>«»\-]{2,16}"
_YEAR = r"(?:['’]\d{2}|\d{4}|\d{2})(?!\d)"
_WITHIN = r"\d{1,2}:\d{2}(?::\d{2})?\s+(?:[A-Z+:\d]{2,6}\s+)?"  # "Apr 28 19:20:36 CEST 2023"
_ORDINAL = r"(?:(?i:st|nd|rd|th)|er|\.?º|ª|°)"
_THAI = r"[\u0e00-\u0e7f]{1,3}\.[\u0e00-\u0e7f]\."  # the short name of a month
_START = r"(?<![^\s\d(\[|·•–—:;\"<>«»,\-])"
_DATE = re.compile(
    rf"""(?<!\d)(?:
    (?P<counted_day>\d{{1,2}})\s(?i:tháng)\s(?P<counted_month>\d{{1,2}})(?:,\s?|\s)(?:(?i:năm)\s)?(?P<counted_year>\d{{4}})(?!\d)
    |(?P<gada_year>\d{{4}})\.\s?gada\s(?P<gada_day>\d{{1,2}})\.\s?(?P<gada_month>{_WORD})
    |(?<![\w./\#-])(?<!No\.\s)(?<!No\.:\s)(?P<compact>(?:19|20)\d\d[01]\d[0-3]\d)
     (?:T?[0-2]\d[0-5]\d(?:[0-5]\d)?Z?)?(?![\w/]|[.,-]\d)
    |(?:(?<!\d[:,])(?<![./-])|(?<=--)|(?<=\.-)|(?<=:\d\d/))(?P<n1>\d{{1,4}})\s?(?P<separator>[-./年년])\s?(?P<n2>\d{{1,2}})
     \s?(?:(?P<second>[-./月월])\s?(?P<n3>\d{{1,4}}))(?![\d/]|[.,]\d)(?:\s?[日일])?
    |(?<!\d[:.,/])(?:(?<!-)|(?<=\d-))(?<!No\.)(?<!No\.\s)(?P<day>\d{{1,2}}){_ORDINAL}?
     (?:[\s.\-/]{{0,3}}(?:(?:de|of|d['’])\s)?)(?P<month>{_THAI}|{_WORD}+)(?![\s.]{{1,2}}\d{{1,2}}{_ORDINAL}?,?\s+\d{{4}})
     [\s.,\-/]{{0,3}}(?:(?:de|del|of)\s)?(?P<year>{_YEAR})?
    |(?<!\d[:.,/-])(?<![A-Za-z_])(?P<year_first>\d{{4}})[.,]?\s(?:m\.\s)?(?P<month_second>{_WORD})\s(?P<day_last>\d{{1,2}})(?!\d|,?\s\d{{4}})
    )
    |{_START}(?P<month_first>{_WORD})[.\s\-/]{{1,2}}(?P<day_second>\d{{1,2}}){_ORDINAL}?(?![\d:])
     (?:[\s,\-/]{{1,3}}(?P<clock>{_WITHIN})?(?P<year_last>['’]\d{{2}}|\d{{4}})(?!\d))?
    |{_START}(?P<month_only>{_WORD})\s(?P<year_only>\d{{4}})(?!\d)""",
    re.VERBOSE,
)
_DIGITS = re.compile(r"\d+")
_MONTH_BEFORE = re.compile(rf"{_START}{_WORD}[.\s\-/]{{1,2}}\Z")
_BEFORE_DIGIT = 18  # characters of a date before its first digit, at most: the name of a month and two signs
_NO_DAY = re.compile(r"(?:[A-Za-z_]|\d-)\Z")
"""What is before a number that is no day unless month and year follow it: "by ann7 May 22", "1-5 May"."""
_IN_THAI, _BUDDHIST = re.compile("[\u0e00-\u0e7f]"), 543
"""Thai letters, beside which the year may be counted from the death of the Buddha, so many years before ours."""
_HALF_BEFORE = "오[전후]|[上下]午|午[前後]"
_CLOCK = (
    rf"(?:(?P<half_before>{_HALF_BEFORE})\s?)?"
    r"(?P<hour>\d{1,2})\s?[:.h時时点]\s?(?P<minute>\d{2})(?!\d)(?:[:.](?P<second>\d{2})(?!\d))?"
)
_HALF = r"(?:\s?(?:(?P<half>[ap])\.?\s?m|(?P<greek>[πμ])\.?\s?μ|(?P<arabic>[صم]))\b\.?)?"
_LATER = frozenset(("p", "μ", "م", "오후", "下午", "午後"))
"""How half of a day is named in which hours are after noon."""
_AFTER = re.compile(
    rf"[\s,;.\-–—|·•@(T]*(?:(?!{_HALF_BEFORE})[^\W\d_]{{1,6}}[\s.,:]+){{0,2}}{_CLOCK}{_HALF}", re.IGNORECASE
)
_BEFORE = re.compile(
    rf"(?<![\d.:]){_CLOCK}{_HALF}[\s,.\-–—|·•)]*(?:[^\W\d_]{{1,4}}[\s.,]+)?(?:[^\W\d_]{{2,12}}[\s.,]+)?$", re.IGNORECASE
)
_REACH = 24  # characters before and after a date in which its time of day is
_PIVOT = 70  # two digits from here on are years of the last century


class FoundDate(NamedTuple):
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
    has_century: bool = True
    """Whether its year, if it has one, has all four digits."""

    def in_order(self, *, day_first: bool) -> "FoundDate":
        """Return the date with a value for an order of day and month."""
        if self.numbers is None:
            return self
        one, two, year = self.numbers
        day, month = (one, two) if day_first else (two, one)
        value = day_in_iso(year, month, day)
        return self._replace(value=_with(self.time, value) if value else None, numbers=None)

    @property
    def year(self) -> int | None:
        """The year, None if the text gives none."""
        return int(self.value[:4]) if self.value else self.numbers[2] if self.numbers else None


def read_dates(text: str, language: str = "", *, since: int = FIRST_YEAR) -> list[FoundDate]:
    """Return the dates in a short text, in order.

    Args:
        text: the text.
        language: the language of the page as a BCP 47 tag; it decides about names that mean different months.
        since: the first year of a date that can be.
    """
    return list(_found(text, language, since))


def _found(text: str, language: str, since: int) -> Iterator[FoundDate]:
    position = 0
    while match := _next_match(text, position):
        found = _read(match, language, since)
        if found is None or (found.year or since) < since:
            position = max(match.start() + 1, _next_word(text, match.start()))
            continue
        yield found if found.time else _with_time(found, text)
        position = match.end()


def _next_match(text: str, position: int) -> re.Match[str] | None:
    """Return what `_DATE.search` returns from a position on; it looks only where a match can start."""
    for digits in _DIGITS.finditer(text, position):
        start = digits.start()
        month = _MONTH_BEFORE.search(text, max(position, start - _BEFORE_DIGIT), start)
        if match := (month and _DATE.match(text, month.start())) or _DATE.match(text, start):
            return match
    return None


def _next_word(text: str, start: int) -> int:
    while start < len(text) and (text[start].isalnum()):
        start += 1
    return start


def _read(match: re.Match[str], language: str, since: int) -> FoundDate | None:
    if match["n1"]:
        return _of_numbers(match)
    if written := match["compact"]:
        value = day_in_iso(int(written[:4]), int(written[4:6]), int(written[6:]))
        return FoundDate(*match.span(), value) if value else None
    if match["counted_day"]:
        value = day_in_iso(*(int(match[f"counted_{part}"]) for part in ("year", "month", "day")))
        return FoundDate(*match.span(), value) if value else None
    if match["month_only"]:
        is_month = month_of(match["month_only"], language) and since <= int(match["year_only"]) <= LAST_YEAR
        return FoundDate(*match.span(), None, is_month=True) if is_month else None
    return _of_name(match, language)


def _of_name(match: re.Match[str], language: str) -> FoundDate | None:
    """Return the date of a match with the name of a month."""
    start, end = match.span()
    day = int(match["day"] or match["day_last"] or match["day_second"] or match["gada_day"])
    year = match["year"] or match["year_first"] or match["year_last"] or match["gada_year"]
    is_whole = year is not None and _has_century(year)
    name = match["month"] or match["month_second"] or match["month_first"] or match["gada_month"]
    month = month_of(name, language, is_dated=is_whole and match["month_first"] is None)
    is_no_day = match["day"] and not is_whole and _NO_DAY.search(match.string, max(0, start - 2), start)
    if not month or not 1 <= day <= 31 or is_no_day:
        return None
    if year is None or month == UNKNOWN:
        return FoundDate(start, end, None)
    if match["year"] and len(year) == 2 and match.string[end : end + 1] == ":":  # "8 May 12:30"
        return FoundDate(start, match.start("year"), None)
    value = day_in_iso(_full_year(year) - (_BUDDHIST if _IN_THAI.match(name) else 0), month, day)
    value = value or day_in_iso(_full_year(year), month, day)
    within = _AFTER.match(match["clock"]) if match["clock"] else None
    time = _time(within) if within else ""
    found = FoundDate(start, end, None, time=time, has_century=is_whole)
    return found._replace(value=_with(time, value)) if value else None


def _of_numbers(match: re.Match[str]) -> FoundDate | None:
    one, two, three = (int(match[name]) for name in ("n1", "n2", "n3"))
    start, end = match.span()
    if len(match["n1"]) == 4:
        value = day_in_iso(one, two, three)
        return FoundDate(start, end, value) if value else None
    year = _full_year(match["n3"])
    if not FIRST_YEAR <= year <= LAST_YEAR or not _is_written_date(match):
        return None
    found = FoundDate(start, end, None, (one, two, year), has_century=_has_century(match["n3"]))
    if match["separator"] == "." and found.in_order(day_first=True).value:
        return found.in_order(day_first=True)
    if match["separator"] == "." and not found.has_century:
        return None
    readable = [order for first in (True, False) if (order := found.in_order(day_first=first)).value]
    if len({order.value for order in readable}) > 1:
        return found
    told = one > 12 if max(one, two) > 12 else None
    return readable[0]._replace(day_first=told) if readable else None


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


def _has_century(year: str) -> bool:
    return len(year.lstrip("'’")) == 4


def day_in_iso(year: int, month: int, day: int) -> str | None:
    """Return a day as YYYY-MM-DD, None if it is not in the calendar or not of these centuries."""
    try:
        return date(year, month, day).isoformat() if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None


def _with(time: str, day: str) -> str:
    return f"{day}T{time}" if time else day


def _with_time(found: FoundDate, text: str) -> FoundDate:
    """Return a date with the time of day that follows it or stands before it."""
    after = _AFTER.match(text, found.end, min(len(text), found.end + _REACH))
    before = None if after else _BEFORE.search(text, max(0, found.start - _REACH), found.start)
    match = after or before
    time = _time(match) if match else ""
    if not match or not time:
        return found
    value = _with(time, found.value) if found.value else None
    return found._replace(
        start=min(found.start, match.start()), end=max(found.end, match.end()), value=value, time=time
    )


def _time(match: re.Match[str]) -> str:
    hour, minute, second = int(match["hour"]), int(match["minute"]), match["second"]
    half = (match["half"] or match["greek"] or match["arabic"] or "").lower()
    if match["half_before"] and 1 <= hour <= 12:
        half = match["half_before"]
    if (half and not 1 <= hour <= 12) or hour > 23 or minute > 59 or int(second or 0) > 59:
        return ""
    if half:
        hour = hour % 12 + (12 if half in _LATER else 0)
    return f"{hour:02d}:{minute:02d}" + (f":{second}" if second else "")
