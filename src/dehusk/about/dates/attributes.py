"""Dates in attributes that programs write, such as `datetime`."""

import re
from datetime import UTC, datetime

from dehusk.about.dates.texts import FIRST_YEAR, LAST_YEAR, day_in_iso, read_dates

_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?:\.\d+)?"
    r"\s*(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?\s*(?:$|, License)",  # what Stack Exchange has behind it
    re.ASCII,
)
_STAMP = re.compile(r"\d{9,10}(?:\d{3})?$", re.ASCII)
_COMPACT = re.compile(r"(?:19|20)\d\d[01]\d[0-3]\d[0-2]\d[0-5]\d$", re.ASCII)
"""A date and a time of twelve digits, which is not a count of milliseconds: these were as few in the last century."""


def read_attribute(value: str | None, language: str = "", *, since: int = FIRST_YEAR) -> str | None:
    """Return the date in an attribute such as `datetime`, in ISO 8601 with its offset if it has one, or None.

    Args:
        value: the value of the attribute.
        language: the language of the page as a BCP 47 tag.
        since: the first year of a date that can be.
    """
    if not value:
        return None
    value = value.strip()[:80]
    found = _of_program(value) or next((found.value for found in read_dates(value, language, since=since)), None)
    return found if found and int(found[:4]) >= since else None


def _of_program(value: str) -> str | None:
    """Return the date in a value that is ISO 8601 or counts seconds or milliseconds since 1970."""
    if match := _ISO.match(value):
        year, month, day, hour, minute, second, zone = match.groups()
        written = day_in_iso(int(year), int(month), int(day))
        time = f"T{hour}:{minute}" + (f":{second}" if second else "") if hour else ""
        zone = "+00:00" if zone == "Z" else zone or ""
        return written and written + time + (f"{zone[:3]}:{zone[-2:]}" if zone else "")
    if _STAMP.match(value) and not _COMPACT.match(value):
        moment = datetime.fromtimestamp(int(value[:-3] if len(value) > 11 else value), UTC)
        return moment.isoformat() if moment.year <= LAST_YEAR else None
    return None
