"""What the pages of a host in a project share, learned when it is first asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict

from dehusk.base.errors import DehuskError
from dehusk.counts.model import Site
from dehusk.read import parse
from dehusk.studio.bodies import read_body
from dehusk.studio.project import Project

MOST_PAGES = 40
"""Pages of a host that are learned from, spread over all of them; five are nearly as good as many."""
_MOST_SITES = 8


class HostSites:
    """Sites of the hosts of a project; safe to use from several threads."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = threading.Lock()
        self._started: set[tuple[str, int]] = set()
        self._sites: OrderedDict[tuple[str, int], Site | None] = OrderedDict()

    def key(self, page: int) -> tuple[str, int]:
        """Return the host of a page, and how many pages of it there are; both identify what is learned.

        Raises:
            KeyError: there is no such page.
        """
        row = self._project.reading.execute(
            "SELECT host, (SELECT count(*) FROM page AS other WHERE other.host = page.host) FROM page WHERE id = ?",
            (page,),
        ).fetchone()
        if row is None:
            raise KeyError(page)
        return row[0], row[1]

    def of_page(self, page: int) -> Site | None:
        """Return the site of a page; None if its host is not known or has no other page.

        Raises:
            KeyError: there is no such page.
        """
        key = self.key(page)
        if not key[0] or key[1] < 2:
            return None
        with self._lock:  # also while learning: two requests for one host must not learn it twice
            if key not in self._sites:
                self._sites[key] = self._learned(*key)
            self._sites.move_to_end(key)
            while len(self._sites) > _MOST_SITES:
                self._sites.popitem(last=False)
            return self._sites[key]

    def if_learned(self, page: int) -> tuple[Site | None, bool]:
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
            threading.Thread(target=self.of_page, args=(page,), name="learning a site", daemon=True).start()
        return None, False

    def _learned(self, host: str, count: int) -> Site | None:
        step = max(1, count // MOST_PAGES)
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
