"""Dates in metadata, as days: what `dehusk.about.dates` reads, the same on every day, so no years of two digits."""

import re
from collections.abc import Iterator

from dehusk.about.dates import FIRST_YEAR, FoundDate, day_in_iso, read_dates
from dehusk.base.lazy import pattern

_IN_ADDRESS = pattern(r"[/_=.-](?P<year>(?:19|20)\d\d)([/_.-]?)(?P<month>[01]?\d)\2(?P<day>[0-3]?\d)(?:[/_.?&-]|$)")
_ENGLISH_MONTH_FIRST = pattern(r"en(?:[-_]us)?$", re.IGNORECASE)
_MAX_CHARS = 200


def declared_date(value: object, language: str | None = None) -> str | None:
    """Return the first date in a declared value as YYYY-MM-DD; None if there is none or it cannot be."""
    if not isinstance(value, str) or len(value) > _MAX_CHARS:
        return None
    return next((found for _, found in dates_in_text(value, language)), None)


def date_in_address(address: str) -> str | None:
    """Return the date in the path of an address, such as /2016/05/03/tea."""
    match = _IN_ADDRESS.search(address[: 10 * _MAX_CHARS].partition("?")[0])
    return day_in_iso(int(match["year"]), int(match["month"]), int(match["day"])) if match else None


def dates_in_text(text: str, language: str | None = None, *, since: int = FIRST_YEAR) -> Iterator[tuple[int, str]]:
    """Yield (offset, day) of the dates in a text; of 3/4/2026, the month is first in American English only."""
    for found in read_dates(text, language or "", since=since):
        if found.has_century and (value := _in_order(found, text, language).value):
            yield found.start, value[:10]


def _in_order(found: FoundDate, text: str, language: str | None) -> FoundDate:
    is_american = "/" in text[found.start : found.end] and _ENGLISH_MONTH_FIRST.match(language or "")
    return found.in_order(day_first=not is_american)
