"""The table of pages: filtered, searched, sorted and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ConfigError, unknown
from dehusk.studio.page_columns import columns_of
from dehusk.studio.project import Project
from dehusk.studio.searching import to_match

SORTABLE = (
    "id", "title", "url", "host", "status", "type", "confidence", "kept", "words", "blocks", "language", "labelled",
    "flag",
)  # fmt: skip
"""Columns to sort by."""
CHOICES = ("status", "type", "language", "host", "flag")
"""Columns to filter by value."""
RANGES = ("confidence", "kept", "agreement")
"""Columns with values from 0 to 1, to filter by range and to draw histograms of."""
FLAGS = ("no content", "broken", "wrong language", "not an article", "other")
BUCKETS = 40
"""Bars of a histogram."""
_MOST_CHOICES = 50
_ROUNDING = 1e-4  # of single-precision numbers at the border of two buckets
_SHOWN = (
    "id, title, url, name, host, status, message, type, confidence, kept, words, blocks, language, preview, labelled, "
    "flag, comment, (SELECT share FROM agreement WHERE agreement.page = page.id) AS agreement"
)

Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PageFilter:
    """Which pages to show.

    Raises:
        ConfigError: an unknown column.
    """

    search: str = ""
    """Words that the title, the URL or the text has, in any order; the last one may be incomplete."""
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Column of `CHOICES` -> values, one of which a page must have."""
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Column of `RANGES` -> its least and largest value."""
    labelled: bool | None = None
    """Whether pages have labels; None: with or without."""

    def __post_init__(self) -> None:
        for names, known in ((self.values, CHOICES), (self.ranges, RANGES)):
            if wrong := [name for name in names if name not in known]:
                raise ConfigError(unknown("filter", wrong[0], known))


class PageList:
    """The pages that a filter lets through, as of now.

    Args:
        project: the project.
        chosen: which pages.
    """

    def __init__(self, project: Project, chosen: PageFilter) -> None:
        self._project = project
        self._chosen = chosen
        self._source = columns_of(project)
        self._columns = self._source.now()
        self._masks = self._find_masks()
        self._mask = self._passes()

    def __len__(self) -> int:
        return int(np.count_nonzero(self._mask))

    @property
    def all_pages(self) -> int:
        """Number of pages of the project."""
        return len(self._columns)

    def ids(self, *, sort: str = "id", descending: bool = False) -> Ids:
        """Return the ids of the pages, sorted by one of `SORTABLE`, equal values by id.

        Raises:
            ConfigError: unknown column.
        """
        order = self._order(sort, descending=descending)
        return self._ids(order[self._mask[order]])

    def around(self, page: int, *, sort: str = "id", descending: bool = False) -> tuple[Ids, bool, Ids]:
        """Return the ids before a page in this order, whether the filter lets it through, and the ids after it.

        Raises:
            ConfigError: unknown column.
            KeyError: there is no such page.
        """
        order = self._order(sort, descending=descending)
        places = np.flatnonzero(self._ids(order) == page)
        if not len(places):
            raise KeyError(page)
        place = int(places[0])
        before, after = order[:place], order[place + 1 :]
        listed = bool(self._mask[order[place]])
        return self._ids(before[self._mask[before]]), listed, self._ids(after[self._mask[after]])

    def _order(self, sort: str, *, descending: bool) -> Ids:
        if sort not in SORTABLE:
            raise ConfigError(unknown("column", sort, SORTABLE))
        order = self._source.order(self._columns, sort)
        return order[::-1] if descending else order

    def _ids(self, places: Ids) -> Ids:
        found: Ids = self._columns.values["id"][places]
        return found

    def count_values(self, name: str) -> list[tuple[str, int]]:
        """Return the most frequent values of one of `CHOICES`, each with its number of pages, by the other filters."""
        names = self._columns.names[name]
        counts = np.bincount(self._columns.values[name][self._passes(without=name)], minlength=len(names)).tolist()
        found = [(text, number) for text, number in zip(names, counts, strict=True) if number]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:_MOST_CHOICES]

    def count_labelled(self) -> dict[str, int]:
        """Return how many pages have labels ("yes") and how many have none ("no"), by the other filters."""
        labelled = self._columns.values["labelled"][self._passes(without="labelled")] > 0
        with_labels = int(np.count_nonzero(labelled))
        return {"yes": with_labels, "no": len(labelled) - with_labels}

    def histogram(self, name: str) -> list[int]:
        """Return how many pages are in each of `BUCKETS` equal parts, 0 to 1, of one of `RANGES`, by other filters."""
        values = self._columns.values[name][self._passes(without=name)]
        values = values[~np.isnan(values)]
        buckets = np.clip((values * BUCKETS + _ROUNDING).astype(np.int64), 0, BUCKETS - 1)
        counts: list[int] = np.bincount(buckets, minlength=BUCKETS).tolist()
        return counts

    def least_confident(self, after: int | None = None) -> int | None:
        """Return the page with least confidence of those that have text, but neither labels nor a flag.

        Args:
            after: the page to follow in this order; None for the first one. The first follows the last.
        """
        columns = self._columns
        order = self._source.order(columns, "confidence")
        values = columns.values
        is_left = self._mask & (values["labelled"] == 0) & (values["flag"] == 0) & (values["blocks"] > 0)
        return _next(values["id"][order], is_left[order], -1 if after is None else after)

    def same_site(self, page: int) -> int | None:
        """Return the next page of the same site in the order of ids; the first follows the last; None if alone."""
        ids, hosts = self._columns.values["id"], self._columns.values["host"]
        place = int(np.searchsorted(ids, page))
        if place >= len(ids) or ids[place] != page:
            return None
        return _next(ids, self._mask & (hosts == hosts[place]), page)

    def _passes(self, *, without: str = "") -> Mask:
        """Return which pages pass all filters but one."""
        mask = np.ones(len(self._columns), np.bool_)
        for name, own in self._masks.items():
            if name != without:
                mask &= own
        return mask

    def _find_masks(self) -> dict[str, Mask]:
        """Return which pages pass each filter."""
        columns, chosen = self._columns, self._chosen
        masks: dict[str, Mask] = {}
        for name, texts in chosen.values.items():
            if texts:
                passes = np.array([text in texts for text in columns.names[name]], np.bool_)
                masks[name] = passes[columns.values[name]]
        for name, (least, most) in chosen.ranges.items():
            values = columns.values[name]
            masks[name] = (values >= np.float32(least)) & (values <= np.float32(most))
        if chosen.labelled is not None:
            masks["labelled"] = (columns.values["labelled"] > 0) == chosen.labelled
        if to_match(chosen.search):
            masks["search"] = self._source.found(columns, chosen.search)
        return masks


def first_rows(project: Project, start: int, count: int) -> tuple[list[dict[str, Any]], int]:
    """Return some rows of all pages in the order of their ids, and how many pages there are, without the columns.

    The first view after a start need not wait until the columns have been read.
    """
    query = f"SELECT {_SHOWN} FROM page ORDER BY id LIMIT ? OFFSET ?"  # noqa: S608 (a constant)
    rows = [dict(row) for row in project.reading.execute(query, (count, start))]
    return rows, int(project.reading.execute("SELECT count(*) FROM page").fetchone()[0])


def rows_of(project: Project, ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return the rows of pages in the given order."""
    query = f"SELECT {_SHOWN} FROM page WHERE id IN ({', '.join('?' * len(ids))})"  # noqa: S608 (only placeholders)
    rows = {row["id"]: dict(row) for row in project.reading.execute(query, list(ids))}
    return [rows[page] for page in ids if page in rows]


def find_page(project: Project, page: int) -> dict[str, Any]:
    """Return the row of a page.

    Raises:
        KeyError: there is none.
    """
    return dict(project.page_row(page, f"SELECT {_SHOWN}, input, number, sha FROM page WHERE id = ?"))  # noqa: S608


def list_losses(project: Project, count: int = 100) -> tuple[list[str], int]:
    """Return what of the inputs could not be read, one line each, and how many lines there are in all."""
    rows = project.reading.execute(
        "SELECT name, place, message FROM loss JOIN input ON input.id = input ORDER BY input, place LIMIT ?", (count,)
    )
    losses = [f"{row['name']} at {row['place']}: {row['message']}" for row in rows]
    return losses, int(project.reading.execute("SELECT count(*) FROM loss").fetchone()[0])


def _next(ids: Ids, is_one: Mask, after: int) -> int | None:
    """Return the first of some ids that follows another one; from the start if none does; None if it is alone."""
    places = np.flatnonzero(is_one & (ids != after))
    if not len(places):
        return None
    later = places[places > np.argmax(ids == after)] if after in ids else places
    return int(ids[later[0] if len(later) else places[0]])


class Neighbours(NamedTuple):
    """Where a page is in a list."""

    previous: int | None
    next: int | None
    position: int
    """Number of pages up to it, including itself if the list has it."""
    total: int
    """Number of pages of the list."""


def find_neighbours(
    project: Project, page: int, chosen: PageFilter, *, sort: str = "id", descending: bool = False
) -> Neighbours:
    """Return the neighbours of a page; also of one that the filter no longer lets through.

    Raises:
        ConfigError: unknown column.
        KeyError: there is no such page.
    """
    before, is_listed, after = PageList(project, chosen).around(page, sort=sort, descending=descending)
    return Neighbours(
        previous=int(before[-1]) if len(before) else None,
        next=int(after[0]) if len(after) else None,
        position=len(before) + is_listed,
        total=len(before) + is_listed + len(after),
    )
