"""What is learned of each site before its pages are read for their blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dehusk.base.errors import InputError
from dehusk.counts.grouping import By, site_of
from dehusk.read.page import Page
from dehusk.sites.wisdom import Wisdom, WisdomCounts

_PENDING = 64  # pages of a site that are counted before their counts are added up


class LearnedSites:
    """WISDOM, fitted to each of the sites that some pages belong to.

    Args:
        options: options of `Wisdom`.
        by: what defines a site.
        mixed: whether to treat all pages as one site.
    """

    def __init__(self, options: Mapping[str, Any], *, by: By = "host", mixed: bool = False) -> None:
        self.options = dict(options)
        self.by: By = by
        self.mixed = mixed
        self.sites: dict[str, Wisdom] = {}

    def learn(self, pages: Iterable[Page]) -> None:
        """Learn from pages, each of which is read once; replaces what was learned.

        Raises:
            InputError: there are no pages.
        """
        pending: dict[str, list[WisdomCounts]] = {}
        counter = Wisdom(**self.options)
        for page in pages:
            counts = pending.setdefault(self._name(page), [])
            counts.append(counter.count([page]))
            if len(counts) > _PENDING:
                counts[:] = [WisdomCounts.total(counts)]
        if not pending:
            raise InputError("no pages to learn a site from")
        self.sites = {
            name: Wisdom(**self.options).fit_counts(WisdomCounts.total(counts))
            for name, counts in sorted(pending.items())
        }

    def of(self, page: Page) -> Wisdom | None:
        """Return the method of a page's site: of the only site that was learned, if the page belongs to no other.

        None if several sites were learned, but not this one.
        """
        only = next(iter(self.sites.values())) if len(self.sites) == 1 else None
        return self.sites.get(self._name(page), only)

    def warnings(self) -> list[str]:
        """Return one line for each site whose words say nothing about its pages."""
        return [f"{name or 'site'}: {problem}" for name, wisdom in self.sites.items() if (problem := weakness(wisdom))]

    def _name(self, page: Page) -> str:
        return "" if self.mixed else site_of(page, self.by)


def weakness(wisdom: Wisdom) -> str:
    """Return why the words of a site say nothing about its pages; "" if they do."""
    if wisdom.pages_ == 1:
        return "one page: all its words weigh the same, so only the structure decides"
    if len(wisdom.entropy_) and bool(np.all(wisdom.entropy_.EN == 1)):
        return f"{wisdom.pages_} pages with the same words: none of them weighs anything, so only the structure decides"
    return ""
