"""`SiteModel`: what the pages of one site share. Learned page by page, merged, saved and loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy.typing as npt

from dehusk.base.errors import ConfigError, InputError, ModelError, require_type, unknown
from dehusk.base.store import load_model, reading, save_model
from dehusk.counts.counting import SiteCounter, SiteCounts
from dehusk.counts.grouping import BY, By, check_one_site, site_of
from dehusk.counts.own_counts import C, DeclaredCounts, OwnCounts
from dehusk.counts.shared import SharedCounts, find_shared
from dehusk.counts.sources import PageSource, page_of, read_page, read_pages
from dehusk.counts.structure_counts import StructureCounts
from dehusk.counts.templates import RULES_FILE
from dehusk.counts.terms import page_terms

CARD = "site"
"""What the card of a site model names as its method."""

FORMAT = 3
"""Version of what is counted; a model of another version is refused."""

ENOUGH = 5
"""With this many pages, the evidence of a site is, by measurement, as good as with many."""
_SHOWN_HOSTS = 3  # in a repr


class SiteModel:
    """What the pages of one site share, as counts that add up.

    Several threads may use a site at once, as long as none of them adds pages or merges.

    Args:
        by: what defines a site: a "host", a registered "domain", or a "section" (a host and the first part of the
        path).
        mixed: whether to accept pages of several sites, and treat them as one.
        structure: whether to count the elements of the structure tree, which method "cst" and `site show` need; without
            them, learning takes half the time.
        counts: what methods declare that they need beyond that (`dehusk.label.Declaration.counts`); by default what
            the default method declares.

    Attributes:
        cut: FindOptimal's cut point (n, t), computed from some of the pages for `dehusk site show`; None if it was not
            searched for.

    Raises:
        ConfigError: unknown `by`.
    """

    def __init__(
        self,
        *,
        by: By = "host",
        mixed: bool = False,
        structure: bool = True,
        counts: Sequence[type[DeclaredCounts]] | None = None,
    ) -> None:
        counts = self.default_counts() if counts is None else counts
        if by not in BY:
            raise ConfigError(unknown("site grouping", by, BY))
        self.by: By = by
        self.mixed = mixed
        self.structure = structure or StructureCounts in counts
        self.cut: tuple[int, int] | None = None
        self._counter: SiteCounter | None = SiteCounter(structure=self.structure)
        self._own = OwnCounts(counts)
        self._hosts: dict[str, int] = {}
        self._tables: SharedCounts | None = None

    @classmethod
    def default_counts(cls) -> tuple[type[DeclaredCounts], ...]:
        """Return what is counted if the caller names nothing: here nothing, as no method is known at this layer."""
        return ()

    def fit(self, pages: Iterable[PageSource]) -> Self:
        """Learn from pages, replacing what was learned before; after an error the site is unchanged.

        Raises:
            InputError: no pages, a file that cannot be read, or pages of two sites.
            TypeError: a single page instead of several, or an item that is not a page.
        """
        fresh = self.blank(mixed=self.mixed)
        for page in read_pages(pages):
            fresh.add(page)
        if not fresh.pages:
            raise InputError("no pages to learn a site from")
        self.__dict__.update(vars(fresh))
        return self

    def blank(self, *, mixed: bool) -> Self:
        """Return a site that counts the same and has learned nothing."""
        return type(self)(by=self.by, mixed=mixed, structure=self.structure, counts=self._own.types)

    def add(self, page: PageSource, *, url: str | None = None) -> Self:
        """Learn from one more page.

        Args:
            page: HTML as bytes or text, a file's path, a parsed page, or the blocks of one.
            url: address of the page, for bytes, text and files.

        Raises:
            InputError: the file cannot be read, the page belongs to a different site than earlier pages, or the site
                was loaded without its counts.
            TypeError: `page` is not a page.
        """
        counter = self._counter_to("add to")
        parsed = read_page(page, url)
        host = site_of(page_of(parsed), self.by)
        self._check_hosts([host] if host else [])
        counter.add(page_terms(parsed), host)
        self._own.add(page_of(parsed))
        self._hosts |= {host: 1} if host else {}
        self._tables = self.cut = None
        return self

    def merge(self, other: SiteModel) -> Self:
        """Add what another site model has learned; the order of merging makes no difference.

        Raises:
            ConfigError: the other one lacks counts that a method declares and this one has.
            InputError: the other model is of another site, one of the two was loaded without its counts, or only one
                has its structure.
            TypeError: the other one is no site model.
        """
        require_type(other, SiteModel, "a site takes what another site has learned")
        counter, other_counter = self._counter_to("merge into"), other._counter_to("merge")
        self._check_hosts(other._hosts)
        if self.structure != other.structure:
            raise InputError("cannot merge a site learned with its structure and one learned without")
        if self.by != other.by:
            raise InputError(f"cannot merge a site by {self.by} and one by {other.by}")
        own = OwnCounts.total(self._own.types, [self._own, other._own])
        total = SiteCounts.total([counter.counts(), other_counter.counts()])
        self._own = own
        self._counter = SiteCounter(total, structure=self.structure)
        self._hosts |= other._hosts
        self._tables = self.cut = None
        return self

    def counts(self) -> SiteCounts:
        """Return what was learned as counts, which add up and convert to arrays.

        Raises:
            InputError: the site was loaded without its counts.
        """
        return self._counter_to("count").counts()

    def own_counts(self, kind: type[C]) -> C:
        """Return the counts of a type that a method declares.

        Raises:
            ConfigError: the site was learned without them.
            ModelError: what is stored of them is damaged.
        """
        return self._own.get(kind)

    def put_counts(self, counts: DeclaredCounts) -> Self:
        """Add counts of a type that a method declares, beyond those of the pages.

        Raises:
            ConfigError: the site does not count them.
            InputError: the site was loaded without its counts.
        """
        self._counter_to("teach")
        self._own.put(counts)
        return self

    def with_counts(self, counts: DeclaredCounts) -> Self:
        """Return a site with more counts of a type that a method declares; it shares the rest, and cannot learn more.

        Raises:
            ConfigError: the site does not count them.
            NotFittedError: no page was learned from.
        """
        site = self.of_shared(self.tables, by=self.by, own=self._own.plus(counts))
        site.mixed, site.cut = self.mixed, self.cut
        return site

    def find_counts(self, kind: type[C]) -> C | None:
        """Return the counts of a type that a method declares; None if the site was learned without them.

        Raises:
            ModelError: what is stored of them is damaged.
        """
        return self._own.find(kind)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all counts as named arrays.

        Raises:
            InputError: the site was loaded without its counts.
        """
        return self.counts().arrays() | self._own.arrays()

    @classmethod
    def of_shared(cls, tables: SharedCounts, *, by: By = "host", own: OwnCounts | None = None) -> Self:
        """Build a site from what its pages share, and from counts that methods declare; it cannot learn more."""
        site = cls(by=by, structure=tables.structure is not None)
        site._counter, site._tables, site._hosts = None, tables, dict(tables.hosts)
        site._own = own or OwnCounts()
        return site

    @property
    def pages(self) -> int:
        """Number of pages learned from."""
        return self.tables.seen if self._counter is None else self._counter.seen

    @property
    def pending(self) -> int:
        """Words of the pages that were added since the counts were read."""
        return 0 if self._counter is None else self._counter.pending

    @property
    def hosts(self) -> list[str]:
        """Names of the sites that the pages belong to; empty if no page names its site."""
        return sorted(self._hosts)

    @property
    def tables(self) -> SharedCounts:
        """What the pages share; computed on first access.

        Raises:
            NotFittedError: no page was learned from.
        """
        tables = self._tables
        if tables is None:  # concurrent threads compute equal tables, so it does not matter whose are kept
            tables = self._tables = find_shared(self._counter_to("use").counts())
        return tables

    @property
    def warning(self) -> str:
        """One line if there are too few pages to rely on, else ""."""
        return too_few(self.pages, self.tables.distinct)

    def __repr__(self) -> str:
        """Return one line: hosts, pages, and how the site was learned."""
        hosts = self.hosts
        names = ", ".join(hosts[:_SHOWN_HOSTS]) or "unnamed"
        if len(hosts) > _SHOWN_HOSTS:
            names += f" and {len(hosts) - _SHOWN_HOSTS} more"
        traits = [f"by {self.by}", "mixed" * self.mixed, "with" + "out" * (not self.structure) + " structure"]
        traits += ["without counts: cannot learn more"] * (self._counter is None)
        return f"<Site {names}: {_pages(self.pages)}, {', '.join(filter(None, traits))}>"

    def save(self, folder: str | Path, *, complete: bool = False) -> None:
        """Write a model folder; the same pages give the same bytes.

        Args:
            folder: created if missing.
            complete: whether to save all counts, so that pages can be added and models merged later; the folder is then
                several times as large.

        Raises:
            NotFittedError: no page was learned from.
            ModelError: the folder cannot be written.
            InputError: `complete`, but the site was loaded without its counts.
        """
        tables = self.tables
        card = {
            "method": CARD,
            "counts": FORMAT,
            "by": self.by,
            "mixed": self.mixed,
            "structure": self.structure,
            "complete": complete,
            "pages": tables.seen,
            "distinct": tables.distinct,
            "cut": self.cut,
        }
        counts = self._counter_to("save all counts of").counts() if complete else tables.as_counts()
        save_model(Path(folder), card, counts.arrays() | self._own.arrays())
        Path(folder, RULES_FILE).unlink(missing_ok=True)  # those of a model before are not of this one

    @classmethod
    def load(cls, folder: str | Path, *, counts: Sequence[type[DeclaredCounts]] | None = None) -> Self:
        """Read a model folder.

        Args:
            folder: the folder.
            counts: as the site was learned with, if more pages are to be added; by default those of the constructor.
                What is not stored is not counted.

        Raises:
            ModelError: the folder is missing, damaged, of another version, or not a site model.
        """
        card, arrays = load_model(Path(folder), CARD)
        if card.get("counts") != FORMAT:
            raise ModelError(f"site model {folder} is of another version of dehusk: learn the site again")
        with reading(Path(folder)):
            site = cls(by=card["by"], mixed=bool(card["mixed"]), structure=bool(card["structure"]))
            stored = SiteCounts.from_arrays(arrays)
            if (stored.structure is not None) != site.structure:
                raise ValueError("the card and the arrays disagree on the structure")
            if card["complete"]:
                stored.check()
                site._counter = SiteCounter(stored, structure=site.structure)
            else:
                site._counter = None
                site._tables = SharedCounts.of_stored(stored, int(card["pages"]), int(card["distinct"]))
            site.cut = _stored_cut(card["cut"])
        site._hosts = dict(stored.hosts)
        site._own = OwnCounts(cls.default_counts() if counts is None else counts, arrays)
        return site

    def _counter_to(self, purpose: str) -> SiteCounter:
        """Return the counter; if there is none, raise an error that names the purpose."""
        if self._counter is None:
            raise InputError(
                f"cannot {purpose} a site that was saved without its counts: save it with complete=True (--complete)"
            )
        return self._counter

    def _check_hosts(self, hosts: Iterable[str]) -> None:
        if not self.mixed:
            check_one_site(self._hosts, hosts)


def too_few(pages: int, distinct: int) -> str:
    """Return one line if a site has too few pages to rely on, else "".

    Args:
        pages: how many pages it was learned from.
        distinct: how many of them differ.
    """
    if distinct >= ENOUGH:
        return ""
    copies = "" if distinct == pages else f", only {distinct} of them distinct"
    advice = "a single page shares nothing" if distinct == 1 else f"use at least {ENOUGH}"
    return f"the site has {_pages(pages)}{copies}: {advice}"


def _pages(count: int) -> str:
    return f"{count} {'page' if count == 1 else 'pages'}"


def _stored_cut(stored: Any) -> tuple[int, int] | None:
    if stored is None:
        return None
    n, t = stored
    return int(n), int(t)
