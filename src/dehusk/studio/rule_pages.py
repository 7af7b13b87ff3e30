"""The pages that rules apply to: what is kept of each without rules, and which pages belong to a host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from sqlite3 import Row
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import Latest
from dehusk.base.hashing import Keys, text_keys
from dehusk.blocks import Blocks, segment
from dehusk.blocks.annotation import UNLABELLED, Codes
from dehusk.blocks.labels import OTHER, Labels
from dehusk.counts.grouping import site_of
from dehusk.counts.slots import block_slots
from dehusk.label.registry import declaration
from dehusk.label.rules import ANY_HOST
from dehusk.read.page import Bools
from dehusk.studio.labelling import joint_labels
from dehusk.studio.opened import HOST, OpenedPages, ViewSettings
from dehusk.studio.outcome import block_outcome
from dehusk.studio.project import Project

_MOST_KNOWN = 200
_MOST_HOSTS = 200


@dataclass(frozen=True, eq=False)
class KnownPage:
    """The common blocks of a page, and what the project's method and people say of them without rules."""

    by_method: Labels
    """What the method says of the common blocks."""
    style: str
    """How much of the page that keeps."""
    labels: Codes
    """(b,) the labels that people gave last; `UNLABELLED` where there is none."""
    host: str
    """The host whose rules apply; "" if it is unknown."""
    slot: Keys
    """(b,) places in the design of the site."""
    text: Keys

    @property
    def blocks(self) -> Blocks:
        """The common blocks."""
        return self.by_method.blocks

    @property
    def kept(self) -> Bools:
        """Which blocks the method keeps, shape (b,)."""
        return self.by_method.kept

    def should_be(self, *, kept: bool) -> tuple[Bools, Bools]:
        """Return which blocks people say should be kept (or dropped), and which of the others the method decides so."""
        labelled: Bools = self.labels != UNLABELLED
        by_people = labelled & ((self.labels < OTHER) == kept)
        return by_people, ~labelled & (self.kept == kept)


class RulePages:
    """Cleans pages without rules, once for many rules; safe to use from several threads."""

    def __init__(self, project: Project, opened: OpenedPages, settings: Callable[[], ViewSettings]) -> None:
        self.project = project
        self._opened = opened
        self._settings = settings
        self._known: Latest[tuple[int, ViewSettings], KnownPage] = Latest(_MOST_KNOWN)

    @property
    def style(self) -> str:
        """How much of a page the project's method keeps."""
        return self._settings().style or "auto"

    def page(self, number: int, *, of_site: bool = False) -> KnownPage:
        """Return a page.

        Args:
            number: its number.
            of_site: whether the method knows the host's other pages, and what their labels teach.

        Raises:
            KeyError: there is no such page.
            InputError: its file cannot be read, or has changed.
        """
        settings = self._settings()
        if of_site and declaration(settings.method).site != "no":
            settings = replace(settings, site=HOST)
        key = (number, settings)
        found = self._known.get(key, lambda: self._read(number, settings))
        return self._known.put(key, _with_labels(found, self.project, number))

    def pages_of(self, host: str) -> list[int]:
        """Return the pages that rules for a host apply to: its own and those of hosts below it.

        If the project has none by their addresses, those without an address, which may name the host themselves.
        """
        if host == ANY_HOST:
            return self._numbers("1", ())
        pattern = host.replace("\\", "").replace("%", "").replace("_", r"\_")
        own = self._numbers(r"host = ? OR host LIKE ? ESCAPE '\'", (host, f"%.{pattern}"))
        return own or self._numbers("host = ''", ())

    def hosts(self) -> list[str]:
        """Return the hosts with most pages, so that people can choose one."""
        query = "SELECT host FROM page WHERE host != '' GROUP BY host ORDER BY count(*) DESC, host LIMIT ?"
        return [row["host"] for row in self.project.reading.execute(query, (_MOST_HOSTS,))]

    def without_address(self) -> int:
        """Return how many pages have no known address, so that only rules for every host apply to them."""
        return int(self.project.reading.execute("SELECT count(*) FROM page WHERE host = ''").fetchone()[0])

    def others_of_site(self, page: int) -> list[int]:
        """Return the other pages of a page's host; of its input, if its address is not known.

        Raises:
            KeyError: there is no such page.
        """
        row = self.row(page)
        if row["host"]:
            return self._numbers("host = ? AND id != ?", (row["host"], page))
        return self._numbers("host = '' AND input = ? AND id != ?", (row["input"], page))

    def _numbers(self, condition: str, values: tuple[object, ...]) -> list[int]:
        query = f"SELECT id FROM page WHERE {condition} ORDER BY id"  # noqa: S608 (conditions are constants)
        return [row["id"] for row in self.project.reading.execute(query, values)]

    def row(self, number: int) -> Row:
        """Return the row of a page: number, title, name, address, host and input.

        Raises:
            KeyError: there is no such page.
        """
        query = "SELECT id, title, name, url, host, input FROM page WHERE id = ?"
        row: Row | None = self.project.reading.execute(query, (number,)).fetchone()
        if row is None:
            raise KeyError(number)
        return row

    def _read(self, number: int, settings: ViewSettings) -> KnownPage:
        document = self._opened.cleaned(number, settings)
        blocks, found = segment(document.page), block_outcome(document)
        known = KnownPage(
            by_method=Labels(blocks, found.label, found.probability, found.kept),
            style=settings.style or "auto",
            labels=np.full(len(blocks), UNLABELLED, dtype=np.int8),
            host=site_of(document.page),
            slot=block_slots(blocks),
            text=text_keys([" ".join(text.split()) for text in blocks.texts]),
        )
        document.page.release()
        return known


def _with_labels(known: KnownPage, project: Project, number: int) -> KnownPage:
    """Return a page with its current labels."""
    found = joint_labels(project, number)
    codes = np.full(len(known.blocks), UNLABELLED, dtype=np.int8) if found is None else found[1]
    if len(codes) != len(known.blocks) or np.array_equal(codes, known.labels):
        return known
    return replace(known, labels=codes)


def heading(row: Row) -> dict[str, Any]:
    """Return what lists say of a page."""
    return {"page": row["id"], "title": row["title"] or row["name"] or row["url"], "url": row["url"]}


def positions(mask: npt.NDArray[np.bool_]) -> list[int]:
    """Return where a mask is true, as plain numbers."""
    return [int(block) for block in np.flatnonzero(mask)]
