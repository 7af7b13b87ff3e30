"""The order of day and month in dates of three numbers, by what several dates show together."""

import itertools
from collections.abc import Iterable

from dehusk.about.dates.texts import FoundDate


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
