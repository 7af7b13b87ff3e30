"""Pages that people look at: their bytes stay in memory, and what was computed of them for the latest settings."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from weakref import WeakValueDictionary

import dehusk
from dehusk.base.caching import Latest
from dehusk.base.errors import ConfigError, DehuskError, InputError
from dehusk.cleaning import clean_parsed
from dehusk.counts.model import SiteModel
from dehusk.document import Document
from dehusk.label import Style, load_method
from dehusk.label.base import PageMethod
from dehusk.label.registry import declaration
from dehusk.label.rules import Rules
from dehusk.label.sites import Site
from dehusk.label.united.declaration import ShippedOdds, label_odds
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.studio.bodies import PageBody, read_body
from dehusk.studio.labelling import labels_of
from dehusk.studio.project import RULES, Project
from dehusk.studio.site_store import ALTERNATION, RECORD, learned_folder, learns_from_whole_sites

# ---------------------------------------------------------------- host sites
# What the pages of a host in a project share, learned when it is first asked for.

MOST_PAGES = 40
"""Pages of a host that are learned from, spread over all of them; five are nearly as good as many."""
_MOST_SITES = 8
_MOST_LABELS = 400


class HostSites:
    """Sites of the hosts of a project; safe to use from several threads."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = threading.Lock()
        self._started: set[tuple[str, int]] = set()
        self._sites: Latest[tuple[str, int], SiteModel | None] = Latest(_MOST_SITES)
        self._labels: Latest[tuple[int, str, float, int], ShippedOdds | None] = Latest(_MOST_LABELS)

    def key(self, page: int) -> tuple[str, int]:
        """Return the host of a page, and how many pages of it there are; both identify what is learned.

        Raises:
            KeyError: there is no such page.
        """
        query = "SELECT host, (SELECT count(*) FROM page AS other WHERE other.host = page.host) FROM page WHERE id = ?"
        host, count = self._project.page_row(page, query)
        return host, count

    def of_page(self, page: int) -> SiteModel | None:
        """Return the site of a page; None if its host is not known or has no other page.

        Raises:
            KeyError: there is no such page.
        """
        key = self.key(page)
        if not key[0] or key[1] < 2:
            return None
        with self._lock:  # also while learning: two requests for one host must not learn it twice
            site = self._sites.get(key, lambda: self._learned(*key))
            return None if site is None else self._taught(site, page)

    def labelled_beside(self, page: int) -> list[tuple[int, str, float]]:
        """Return the page, the annotator and the time of the last change of the labels of other pages of a page's host.

        A page is never taught by its own labels, so that it can be judged by them.
        """
        return [
            (page, annotator, changed)
            for page, annotator, changed in self._project.reading.execute(
                "SELECT labelling.page, annotator, changed FROM labelling JOIN page ON page.id = labelling.page"
                " WHERE host = (SELECT host FROM page WHERE id = ?) AND page.id != ? AND labelling.labelled > 0"
                " ORDER BY labelling.page, annotator LIMIT ?",
                (page, page, MOST_PAGES),
            )
        ]

    def _taught(self, site: SiteModel, page: int) -> SiteModel:
        """Return the site of a page, taught by the labels of its other pages."""
        rows = self.labelled_beside(page)
        labels = [self._labels.get((*row, site.pages), partial(self._label_odds, site, *row[:2])) for row in rows]
        known = [odds for odds in labels if odds is not None]
        return site.with_counts(ShippedOdds.total(known)) if known else site

    def _label_odds(self, site: SiteModel, page: int, annotator: str) -> ShippedOdds | None:
        """Return what labels teach; None if the page cannot be read, or its blocks are not those that were labelled."""
        try:
            blocks = read_body(self._project, page).blocks()
            codes = labels_of(self._project, page, annotator, len(blocks))
            return label_odds(site, blocks, codes) if len(codes) == len(blocks) else None
        except DehuskError:
            return None

    def if_learned(self, page: int) -> tuple[SiteModel | None, bool]:
        """Return the site of a page, and whether that is the last word; if not, it is being learned now.

        Raises:
            KeyError: there is no such page.
        """
        key = self.key(page)
        if not key[0] or key[1] < 2:
            return None, True
        if key in self._sites:
            return self.of_page(page), True
        if key not in self._started:
            self._started.add(key)
            threading.Thread(target=self._learn, args=(page, key), name="learning a site", daemon=True).start()
        return None, False

    def _learn(self, page: int, key: tuple[str, int]) -> None:
        """Learn a site; one that is forgotten later is learned again when it is asked for."""
        try:
            self.of_page(page)
        finally:
            self._started.discard(key)

    def _learned(self, host: str, count: int) -> SiteModel | None:
        step = -(-count // MOST_PAGES)
        rows = self._project.reading.execute(
            "SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM page WHERE host = ?)"
            " WHERE n % ? = 0 LIMIT ?",
            (host, step, MOST_PAGES),
        ).fetchall()
        site = Site(mixed=True)
        for [page] in rows:
            try:
                body = read_body(self._project, page)
            except DehuskError:
                continue  # its file is gone; the others still tell
            site.add(parse(body.data, body.url or None, body.headers))
        return site if site.pages > 1 else None


# ---------------------------------------------------------------- opened

_MOST_BODIES = 32
_MOST_DOCUMENTS = 24

HOST = "host"
"""The site that is learned from the project's pages of the same host."""

_Key = tuple[int, "ViewSettings", str, bool, object]


@dataclass(frozen=True)
class ViewSettings:
    """How a page is cleaned; equal settings give equal documents."""

    method: str = "united"
    model: str | None = None
    """Model folder, or the name of a shipped model; None: that of the method."""
    style: str | None = None
    favour: float | None = None
    site: str | None = None
    """Folder of a site model; `HOST`: what the pages of the page's host in the project share, if there are several."""
    rules: bool = True
    """Whether the project's rules apply."""
    options: tuple[tuple[str, Any], ...] = ()


class OpenedPages:
    """Cleans pages of a project on demand; safe to use from several threads.

    Args:
        project: the project.
        default: returns the settings of pages for which nobody chooses others.
    """

    def __init__(self, project: Project, default: Callable[[], ViewSettings] = ViewSettings) -> None:
        self._project = project
        self._default = default
        self._lock = threading.Lock()
        self._bodies: Latest[int, PageBody] = Latest(_MOST_BODIES)
        self.sites = HostSites(project)
        self._documents: Latest[_Key, Document] = Latest(_MOST_DOCUMENTS)
        self._parsed: WeakValueDictionary[int, Page] = WeakValueDictionary()  # the pages of the documents

    def body(self, page: int) -> PageBody:
        """Return the bytes of a page.

        Raises:
            KeyError: there is no such page.
            InputError: its file cannot be read, or has changed.
        """
        return self._bodies.get(page, lambda: read_body(self._project, page))

    def document(self, page: int, settings: ViewSettings | None = None, *, explain: bool = False) -> Document:
        """Return a page cleaned.

        Args:
            page: number of the page.
            settings: how to clean it.
            explain: whether the document must have reasons, which take several times as long.

        Raises:
            KeyError: there is no such page.
            InputError: its file cannot be read, or has changed.
            ConfigError: a setting has an invalid value.
            ModelError: a model is missing or does not fit.
        """
        chosen = settings or self._default()
        rules = self.rules() if chosen.rules else ""
        key = (page, chosen, rules, explain, self._state_of_site(page, chosen))
        return self._documents.get(key, lambda: self._clean(page, chosen, rules, explain=explain))

    def _state_of_site(self, page: int, settings: ViewSettings) -> object:
        """Return what changes when what is known of the site of a page does."""
        if settings.site != HOST:
            return 0
        host, pages = self.sites.key(page)
        if learns_from_whole_sites(settings.method):
            return (learned_folder(self._project, host) / RECORD).stat().st_mtime_ns
        return pages, tuple(self.sites.labelled_beside(page))

    def cleaned(self, page: int, settings: ViewSettings) -> Document:
        """Return a page cleaned anew, for those who look at many pages and keep little of each.

        Raises: as `document`.
        """
        return self._clean(page, settings, self.rules() if settings.rules else "", explain=False)

    def prepared(self, page: int, settings: ViewSettings) -> Callable[[], Document]:
        """Return what cleans a page: its bytes, the method, the site and the rules are there, so that it can be timed.

        Raises: as `document`.
        """
        body = self.body(page)
        rules = self.rules() if settings.rules else ""
        site = self._site_of(page, settings)
        return partial(
            dehusk.clean,
            body.data,
            url=body.url or None,
            headers=body.headers,
            method=method_with(settings, site),
            rules=_parsed(rules),
        )

    def _clean(self, page: int, settings: ViewSettings, rules: str, *, explain: bool) -> Document:
        site = self._site_of(page, settings)
        method = method_with(settings, site)
        return clean_parsed(self.parsed(page), method, rules=_parsed(rules), explain=explain)

    def _site_of(self, page: int, settings: ViewSettings) -> SiteModel | str | None:
        if settings.site != HOST:
            return settings.site
        if learns_from_whole_sites(settings.method):
            return str(learned_folder(self._project, self.sites.key(page)[0]) / ALTERNATION)
        return self.sites.of_page(page)

    def parsed(self, page: int) -> Page:
        """Return a page parsed; all of its documents share it, and with it what is cached of it.

        Raises: as `body`.
        """
        with self._lock:
            found = self._parsed.get(page)
        if found is None:
            body = self.body(page)
            found = parse(body.data, body.url or None, body.headers)
        with self._lock:
            return self._parsed.setdefault(page, found)

    def rules(self) -> str:
        """Return the text of the project's rules; "" if it has none."""
        try:
            return self._project.rules.read_text("utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{self._project.rules} cannot be read: {error}") from error


def _parsed(rules: str) -> Rules | None:
    return Rules.parse(rules, RULES) if rules else None


def method_with(settings: ViewSettings, site: SiteModel | str | None) -> PageMethod:
    """Return the method that settings describe.

    Raises:
        ConfigError: a setting has an invalid value, or the method needs a site.
        ModelError: its model is missing or does not fit.
    """
    if site is None and declaration(settings.method).site == "required":
        raise ConfigError(f"method {settings.method} needs other pages of the same host in the project")
    return load_method(
        settings.method,
        model=settings.model,
        style=cast("Style | None", settings.style),
        favour=settings.favour,
        site=site,
        options=dict(settings.options) or None,
    )
