"""Dates in metadata, as days: what `dehusk.about.dates` reads, the same on every day, so no years of two digits."""

from collections.abc import Iterator

from dehusk.about.dates import FIRST_YEAR, FoundDate, day_in_iso, read_dates, settle_orders
from dehusk.base.caching import cached_property
from dehusk.base.lazy import pattern

_IN_ADDRESS = pattern(
    r"[/_=.-](?P<year>(?:19|20)\d\d)(?:(?P<sign>[/_.-])(?P<month>[01]?\d)(?P=sign)(?P<day>[0-3]?\d)|(?P<digits>[01]\d[0-3]\d))(?:[/_.?&-]|$)"
)
_THREE_NUMBERS = pattern(r"(?<![\d/-])(?<!\d\.)(\d{1,2})([/-])(\d{1,2})\2(?:19|20)\d\d(?![\d/-])")
_MAX_CHARS = 200


class PageDates:
    """The dates of a page, with the order of day and month that the page shows.

    In 3/4/2026, either may come first. It is the one that comes first in other dates of the page, such as 13/4/2026;
    else the one that gives the date in the page's address, or is no later than the declared day of the last change;
    else that of the language and its region. In English without a region, the month comes first if slashes follow.
    """

    def __init__(
        self, text: str, language: str | None = None, *, address: str | None = None, modified: str | None = None
    ) -> None:
        """Read the dates of a page.

        Args:
            text: the text of the page.
            language: the language of the page as a BCP 47 tag or a locale.
            address: the day in the page's address, YYYY-MM-DD.
            modified: the day of the last change, YYYY-MM-DD.
        """
        self.text, self.language = text, (language or "").replace("_", "-")
        self.address, self.modified = address, modified

    def declared(self, value: object) -> str | None:
        """Return the first date in a declared value as YYYY-MM-DD; None if there is none or it cannot be."""
        if not isinstance(value, str) or len(value) > _MAX_CHARS:
            return None
        return next((found for _, found in self.within(value)), None) or None

    def within(self, text: str, *, since: int = FIRST_YEAR) -> Iterator[tuple[int, str]]:
        """Yield (offset, day) of the dates in a text; "" is a day of which nothing tells the order."""
        for found in read_dates(text, self.language, since=since):
            if found.has_century and (found.value or found.numbers):
                yield found.start, (self._in_order(found, text).value or "")[:10]

    @cached_property
    def _day_first(self) -> bool | None:
        """Whether the day comes first in the dates of the page that tell it; None if none does, or some contradict."""
        pairs = ((int(match[1]) > 12, int(match[3]) > 12) for match in _THREE_NUMBERS.finditer(self.text))
        told = {first for first, second in pairs if first != second}
        return told.pop() if len(told) == 1 else None

    def _in_order(self, found: FoundDate, text: str) -> FoundDate:
        if not found.numbers:
            return found
        told = self._day_first
        for is_possible in (self._is_in_address, self._is_before_change):
            orders = [first for first in (True, False) if is_possible(found.in_order(day_first=first).value or "")]
            told = orders[0] if told is None and len(orders) == 1 else told
        settled = settle_orders([found], self.language, told)[0]
        has_slash = "/" in text[found.start : found.end]
        return settled.in_order(day_first=False) if has_slash and self.language.lower() == "en" else settled

    def _is_in_address(self, value: str) -> bool:
        return value[:10] == self.address

    def _is_before_change(self, value: str) -> bool:
        return bool(self.modified and value[:10] <= self.modified)


def date_in_address(address: str) -> str | None:
    """Return the date in the path of an address, such as /2016/05/03/tea."""
    match = _IN_ADDRESS.search(address[: 10 * _MAX_CHARS].partition("?")[0])
    if match is None:
        return None
    digits = match["digits"]
    month, day = (digits[:2], digits[2:]) if digits else (match["month"], match["day"])
    return day_in_iso(int(match["year"]), int(month), int(day))


def date_places(text: str) -> list[int]:
    """Return the offsets of the dates in a text."""
    return [start for start, _ in PageDates("").within(text)]
