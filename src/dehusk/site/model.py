"""`Site`: what the pages of one site share, learned page by page, merged, saved and asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from dehusk.errors import ConfigError, InputError, ModelError
from dehusk.site.counting import SiteCounter, SiteCounts
from dehusk.site.grouping import BY, By, site_of
from dehusk.site.shared import SharedCounts, find_shared
from dehusk.site.sources import PageSource, page_of, read_page, read_pages
from dehusk.site.terms import page_terms
from dehusk.store import load_model, save_model

CARD = "site"
"""What the card of a site model names as its method."""

ENOUGH = 5
"""Pages from which on a site's evidence was measured to be as good as that of many."""


class Site:
    """The pages of one site as counts that add up.

    Args:
        by: what a site is: a "host", a registered "domain", or a "section" (a host and the first part of the path).
        mixed: take pages of several sites as one; otherwise they are refused.
        structure: count the elements of the structure tree too, which method "cst" and `site show` need; without them
            learning takes half of the time.

    Attributes:
        cut: FindOptimal's cut point (n, t) of some of the pages, for whoever wants to tell it; None where it was not
            searched for.
    """

    def __init__(self, *, by: By = "host", mixed: bool = False, structure: bool = True) -> None:
        self.by = by
        self.mixed = mixed
        self.structure = structure
        if by not in BY:
            raise ConfigError(f"a site is by {', '.join(BY)}, not {by!r}")
        self._counter: SiteCounter | None = SiteCounter(structure=structure)
        self._hosts: dict[str, int] = {}
        self._tables: SharedCounts | None = None
        self.cut: tuple[int, int] | None = None

    def fit(self, pages: Iterable[PageSource]) -> Self:
        """Learn from pages; what was learned before is forgotten.

        Raises:
            InputError: no pages, a file that cannot be read, pages of two sites.
            TypeError: one text or path instead of several pages.
        """
        sources = read_pages(pages)
        self.__init__(by=self.by, mixed=self.mixed, structure=self.structure)  # type: ignore[misc]
        for page in sources:
            self.add(page)
        if not self.pages:
            raise InputError("no pages to learn a site from")
        return self

    def add(self, page: PageSource, *, url: str | None = None) -> Self:
        """Learn from one more page: bytes or text as `parse` takes them, a file's path, a page or its blocks.

        Raises:
            InputError: the file cannot be read, the page is of another site than those before, or the site was
                loaded without its counts.
        """
        counter = self._complete("add to")
        parsed = read_page(page, url)
        host = site_of(page_of(parsed), self.by)
        self._allow([host] if host else [])
        counter.add(page_terms(parsed), host)
        self._hosts |= {host: 1} if host else {}
        self._tables = self.cut = None
        return self

    def merge(self, other: Site) -> Self:
        """Add what another site model has learned; the order of merging changes nothing.

        Raises:
            InputError: it is of another site, one of the two was loaded without its counts, or one alone has its
                structure.
        """
        counter, others = self._complete("merge into"), other._complete("merge")
        self._allow(other._hosts)
        if self.structure != other.structure:
            raise InputError("cannot merge a site that was learned with its structure and one without")
        if self.by != other.by:
            raise InputError(f"cannot merge a site by {self.by} and one by {other.by}")
        total = SiteCounts.total([counter.counts(), others.counts()])
        self._counter = SiteCounter(total, structure=self.structure)
        self._hosts |= other._hosts
        self._tables = self.cut = None
        return self

    def counts(self) -> SiteCounts:
        """Return what was learned as counts, which add up and are arrays.

        Raises:
            InputError: the site was loaded without them.
        """
        return self._complete("count").counts()

    @classmethod
    def of_counts(cls, counts: SiteCounts, *, by: By = "host") -> Self:
        """Return the site that counts are of."""
        site = cls(by=by, structure=counts.structure is not None)
        site._counter = SiteCounter(counts, structure=site.structure)
        site._hosts = dict(counts.hosts)
        return site

    @property
    def pages(self) -> int:
        """How many pages were learned from."""
        return self.tables.seen if self._counter is None else self._counter.seen

    @property
    def hosts(self) -> list[str]:
        """The names of the sites that pages said to be of; empty where none said."""
        return sorted(self._hosts)

    @property
    def tables(self) -> SharedCounts:
        """What the pages share.

        Raises:
            NotFittedError: no page was learned from.
        """
        if self._tables is None:
            self._tables = find_shared(self._complete("finish").counts())
        return self._tables

    @property
    def warning(self) -> str:
        """One line where the pages are too few to be trusted, else ""."""
        distinct = self.tables.distinct
        if distinct >= ENOUGH:
            return ""
        copies = "" if distinct == self.pages else f", {distinct} of them different"
        few = "nothing can be shared" if distinct == 1 else f"{ENOUGH} tell more"
        return f"the site has {self.pages} {'page' if self.pages == 1 else 'pages'}{copies}: {few}"

    def save(self, folder: str | Path, *, complete: bool = False) -> None:
        """Write a model folder; the same pages give the same bytes.

        Args:
            folder: made where it is missing.
            complete: keep all counts, so that pages can be added and models merged later; several times as large.

        Raises:
            NotFittedError: no page was learned from.
            ModelError: the folder cannot be written.
            InputError: all counts are asked for and the site was loaded without them.
        """
        tables = self.tables
        card = {
            "method": CARD,
            "by": self.by,
            "mixed": self.mixed,
            "structure": self.structure,
            "complete": complete,
            "pages": tables.seen,
            "distinct": tables.distinct,
            "cut": self.cut,
        }
        counts = self._complete("save completely").counts() if complete else tables.as_counts()
        save_model(Path(folder), card, counts.arrays())

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: it is missing, damaged, no site's, or of another version.
        """
        card, arrays = load_model(Path(folder), CARD)
        try:
            site = cls(by=card["by"], mixed=bool(card["mixed"]), structure=bool(card["structure"]))
            counts = SiteCounts.from_arrays(arrays)
            if (counts.structure is not None) != site.structure:
                raise ValueError("its elements are not what the card says")
            if card["complete"]:
                counts.check()
                site._counter = SiteCounter(counts, structure=site.structure)
            else:
                site._counter = None
                site._tables = SharedCounts.of_stored(counts, int(card["pages"]), int(card["distinct"]))
            site.cut = _cut(card["cut"])
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise ModelError(f"site model {folder} is damaged: {' '.join(str(error).split())}") from error
        site._hosts = dict(counts.hosts)
        return site

    def _complete(self, purpose: str) -> SiteCounter:
        if self._counter is None:
            raise InputError(f"cannot {purpose} a site that was saved without its counts: save it with complete=True")
        return self._counter

    def _allow(self, hosts: Iterable[str]) -> None:
        new = sorted(set(hosts) - set(self._hosts))
        names = [*self.hosts[:1], *new]
        if new and len(names) > 1 and not self.mixed:
            raise InputError(f"pages of two sites, {names[0]} and {names[1]}: learn each alone, or mix them on purpose")


def _cut(stored: Any) -> tuple[int, int] | None:
    if stored is None:
        return None
    n, t = stored
    return int(n), int(t)
