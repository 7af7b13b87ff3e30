"""How many URLs wait, by host and place, and which places come first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

QueueRow = tuple[str, int, int, int]
"""Host, place, number of URLs, and the sum of their worth."""


class HostQueues:
    """The numbers of waiting URLs, and what the pages of each place were worth.

    A place is a positive number for links in TOC blocks, and 0 for all other URLs; see `dehusk.many.crawl.guide`.

    Args:
        waiting: the URLs that wait.
        pages: the pages that were stored.
    """

    def __init__(self, waiting: Iterable[QueueRow], pages: Iterable[QueueRow]) -> None:
        self._waiting: dict[str, Counter[int]] = {}
        for host, place, count, _ in waiting:
            self._waiting.setdefault(host, Counter())[place] = count
        rows = list(pages)
        self._pages = Counter({(host, place): count for host, place, count, _ in rows})
        self._worth = Counter({(host, place): worth for host, place, _, worth in rows})

    def __bool__(self) -> bool:
        """Return whether a URL waits."""
        return bool(self._waiting)

    def hosts(self) -> list[str]:
        """Return the hosts with waiting URLs."""
        return list(self._waiting)

    def total(self) -> int:
        """Return the number of waiting URLs."""
        return sum(places.total() for places in self._waiting.values())

    def add(self, host: str, place: int) -> bool:
        """Count a waiting URL; return whether it is the host's first."""
        is_first = host not in self._waiting
        self._waiting.setdefault(host, Counter())[place] += 1
        return is_first

    def remove(self, host: str, place: int) -> bool:
        """Count a URL that no longer waits; return whether it was the host's last."""
        places = self._waiting[host]
        places[place] -= 1
        if not places[place]:
            del places[place]
        if not places:
            del self._waiting[host]
        return not places

    def learn(self, host: str, place: int, worth: int) -> None:
        """Count a page that was found at a place."""
        self._pages[host, place] += 1
        self._worth[host, place] += worth

    def best(self, host: str, *, by_worth: bool) -> list[int]:
        """Return the places of a host, one of which has the next URL: all, or those of TOC blocks that are worth most.

        A place is worth the mean of its pages and of one more page, which is worth the mean of all places.
        """
        places = sorted(self._waiting[host])
        if not by_worth or places == [0]:
            return places
        mean = (self._worth.total() + 1) / (self._pages.total() + 1)
        value = {at: (self._worth[host, at] + mean) / (self._pages[host, at] + 1) for at in places if at}
        most = max(value.values())
        return [place for place in value if value[place] == most]
