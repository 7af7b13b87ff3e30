"""Dates and times as people and programs write them, in any language whose months Unicode CLDR names.

`read_dates` is the one reader of dates in texts. Metadata, posts and records ask it, and differ in what they accept.
Nothing depends on the day of the call or on the locale. No library does this fast enough: see docs/posts.md.
"""

from dehusk.about.dates.attributes import read_attribute
from dehusk.about.dates.months import month_of
from dehusk.about.dates.orders import settle_orders
from dehusk.about.dates.texts import FIRST_YEAR, LAST_YEAR, FoundDate, day_in_iso, read_dates

__all__ = [
    "FIRST_YEAR",
    "LAST_YEAR",
    "FoundDate",
    "day_in_iso",
    "month_of",
    "read_attribute",
    "read_dates",
    "settle_orders",
]
