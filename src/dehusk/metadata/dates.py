"""Dates in the forms that pages write them; the same on every day, so two-digit years are not read."""

import re
from collections.abc import Iterator
from datetime import date

from dehusk.lazy import pattern

FIRST, LAST = 1900, 2099
"""Years of a date that can be."""

_MONTHS = (
    "jan janv gen ene ιαν γεν янв січ led tammi ocak sty sij ian",
    "feb fev φεβ φλεβ фев лют uno helmi sub lut velj",
    "mar mär mrz maa μαρ мар бер bre mart mac ozu",
    "apr avr abr απρ апр квіт dub huhti nis kwi tra",
    "may mai maj mei mag μαι μαϊ μάι май мая трав kve touko mayıs svi",
    "jun juin giu czer ιουν июн черв cerv kesä haz lipnja",
    "jul juil lug lipc ιουλ июл лип cervenc heinä tem srpnja",
    "aug aout août ago sie αυγ авг серп srp elo agu ağu kol",
    "sep set wrz σεπ сен вер zari syys eyl ruj",
    "oct okt ott out paz paź οκτ окт жовт rij loka eki",
    "nov lis νοε ноя лист marras kas stu",
    "dec dez dic des déc gru δεκ дек груд pro joulu ara",
)
"""How the names of the twelve months begin, in some thirty languages, in lower case."""

_STEMS = {stem: month for month, stems in enumerate(_MONTHS, 1) for stem in stems.split()}
_NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_DAY = r"(?<!\d)(?P<day>[0-3]?\d)"
_FORMS = tuple(
    pattern(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:\s?[-/.年년]\s?)(?P<month>[01]?\d)(?:\s?[-/.月월]\s?)(?P<day>[0-3]?\d)(?!\d)",
        r"(?<![\d./-])(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?:T?[0-2]\d[0-5]\d(?:[0-5]\d)?Z?)?(?!\d)",
        rf"{_DAY}(?P<mark>[./-])\s?(?P<month>[0-3]?\d)(?P=mark)\s?{_YEAR}",
        rf"{_DAY}(?:st|nd|rd|th|er|º|ª|\.)?[\s/.-]{{0,3}}(?:de\s+|of\s+)?{_NAME},?[\s/.-]{{0,3}}(?:de\s+|del\s+)?{_YEAR}",
        rf"{_NAME}[\s-]{{0,2}}(?P<day>[0-3]?\d)(?:st|nd|rd|th|\.)?,?\s{{0,2}}\s{_YEAR}",
        rf"{_NAME}\s{{1,2}}(?P<day>[0-3]?\d)\s+[0-2]?\d:\d\d(?::\d\d)?\s+(?:[A-Z+:\d]{{2,6}}\s+)?{_YEAR}",
    )
)
_IN_ADDRESS = pattern(r"[/_=.-](?P<year>(?:19|20)\d\d)([/_.-]?)(?P<month>[01]?\d)\2(?P<day>[0-3]?\d)(?:[/_.?&-]|$)")
_ENGLISH_MONTH_FIRST = pattern(r"en(?:[-_]us)?$", re.IGNORECASE)
_MAX_CHARS = 200


def declared_date(value: object, language: str | None = None) -> str | None:
    """Return the first date in a declared value as YYYY-MM-DD; None if there is none or it cannot be."""
    if not isinstance(value, str) or len(value) > _MAX_CHARS:
        return None
    found = [match for form in _FORMS if (match := form.search(value))]
    return next(filter(None, (_iso(match, language) for match in found)), None)


def date_in_address(address: str) -> str | None:
    """Return the date in the path of an address, such as /2016/05/03/tea."""
    match = _IN_ADDRESS.search(address[: 10 * _MAX_CHARS].partition("?")[0])
    return _iso(match, None) if match else None


def dates_in_text(text: str, language: str | None = None) -> Iterator[tuple[int, str]]:
    """Yield (offset, date) of the dates in a text, form by form."""
    for form in _FORMS:
        for match in form.finditer(text):
            if found := _iso(match, language):
                yield match.start(), found


def _iso(match: re.Match[str], language: str | None) -> str | None:
    """Return the date of a match; of 3/4/2026, the month is first in American English only."""
    parts = match.groupdict()
    day = int(parts["day"])
    month = int(parts["month"]) if parts.get("month") else month_of(parts["name"])
    if (parts.get("mark") == "/" and day <= 12 and _ENGLISH_MONTH_FIRST.match(language or "")) or (
        parts.get("mark") and month > 12
    ):
        day, month = month, day
    year = int(parts["year"])
    if not FIRST <= year <= LAST:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def month_of(name: str) -> int:
    """Return the number of a month by its name or abbreviation in some language, 0 if it is none."""
    name = name.casefold()
    lengths = range(min(7, len(name)), 2, -1)
    return next((_STEMS[name[:n]] for n in lengths if name[:n] in _STEMS), 0)
