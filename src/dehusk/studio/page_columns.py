"""The table of pages as columns in memory, in the order of their ids: filters, orders and counts take milliseconds.

The database is the truth. Columns are read once and follow it: new pages are appended, labels and flags are read anew
whenever something was written, and if other columns of a page change, everything is read again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import Latest
from dehusk.studio.project import Project
from dehusk.studio.searching import WORD_ROWS, to_match

Values = npt.NDArray[Any]

TEXTS = ("status", "type", "language", "host")
"""Columns of few or repeated texts, as codes."""
NUMBERS = ("confidence", "kept", "words", "blocks")
_LONG = ("title", "url")  # sorted by the database, which has an index for each
_READ = ("id", *TEXTS, *NUMBERS)
_MOST_SEARCHES = 8
_UNREAD = (-1, -1)


@dataclass(frozen=True)
class PageValues:
    """The pages of a project at one moment; each array has shape (pages,)."""

    values: dict[str, Values]
    """`id`, `NUMBERS`, `labelled` and `agreement` as they are; `TEXTS` and `flag` as codes."""
    names: dict[str, list[str]]
    """Column of texts -> the text of each code."""
    orders: dict[str, npt.NDArray[np.int64]] = field(default_factory=dict)
    """Column -> places of the pages in ascending order; filled when needed."""

    def __len__(self) -> int:
        return len(self.values["id"])


class PageColumns:
    """Keeps the columns of a project; safe to use from several threads."""

    def __init__(self, project: Project) -> None:
        self._connection = project.connect()  # never writes, so `data_version` tells of all that is written
        self._lock = threading.RLock()
        self._seen = _UNREAD
        self._columns = _no_columns()
        self._searches: Latest[str, Values] = Latest(_MOST_SEARCHES)
        self._latest_words: dict[int, int] | None = None
        """Page -> its latest row of words, of pages that have several; None before it is read."""

    @property
    def is_read(self) -> bool:
        """Whether the columns have been read once, so that they answer at once."""
        return self._seen != _UNREAD

    def now(self) -> PageValues:
        """Return the columns as they are in the database."""
        with self._lock:
            [version] = self._connection.execute("PRAGMA data_version").fetchone()
            if version != self._seen[0]:
                self._read_again(version)
            return self._columns

    def found(self, columns: PageValues, search: str) -> npt.NDArray[np.bool_]:
        """Return which pages have all words of a search."""
        with self._lock:
            ids = self._searches.get(search, lambda: self._pages_with(search))
        is_found = np.zeros(len(columns), np.bool_)
        is_found[_places(columns.values["id"], ids)] = True
        return is_found

    def _pages_with(self, search: str) -> Values:
        """Return the pages whose words of now have all words of a search; the index has those of earlier models too."""
        if self._latest_words is None:
            again = self._connection.execute("SELECT id FROM word_docsize WHERE id >= ? ORDER BY id", (WORD_ROWS,))
            self._latest_words = {row % WORD_ROWS: row for (row,) in again}  # the last one of a page stays
        latest = self._latest_words
        rows = self._connection.execute("SELECT rowid FROM word WHERE word MATCH ?", (to_match(search),))
        pages = ((row % WORD_ROWS, row) for (row,) in rows)
        return np.fromiter((page for page, row in pages if latest.get(page, row) == row), np.int64)

    def order(self, columns: PageValues, name: str) -> npt.NDArray[np.int64]:
        """Return the places of the pages sorted by a column, equal ones by id."""
        with self._lock:
            order = columns.orders.get(name)
            if order is None:
                order = self._order(columns, name)
                columns.orders[name] = order
            return order

    def _read_again(self, version: int) -> None:
        self._connection.execute("BEGIN")  # all of it as of one moment
        try:
            [revision] = self._connection.execute("SELECT number FROM revision").fetchone()
            old = self._columns if revision == self._seen[1] else _no_columns()
            self._columns = self._with_remarks(self._with_new(old))
        finally:
            self._connection.execute("COMMIT")
        self._seen = (version, revision)
        self._searches.clear()
        self._latest_words = None

    def _order(self, columns: PageValues, name: str) -> npt.NDArray[np.int64]:
        if name in _LONG:
            rows = self._connection.execute(f"SELECT id FROM page ORDER BY {name}, id")  # noqa: S608 (one of two names)
            ids = np.fromiter((row[0] for row in rows), np.int64)
            return _places(columns.values["id"], ids)
        key = columns.values[name]
        if name in columns.names:
            names = columns.names[name]
            rank = np.empty(len(names) or 1, np.int32)
            rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
            key = rank[key]
        return np.argsort(key, kind="stable")

    def _with_new(self, columns: PageValues) -> PageValues:
        last = int(columns.values["id"][-1]) if len(columns) else -1
        rows = self._connection.execute(
            f"SELECT {', '.join(_READ)} FROM page WHERE id > ? ORDER BY id",  # noqa: S608 (names of this module)
            (last,),
        ).fetchall()
        if not rows:
            return columns
        read = dict(zip(_READ, zip(*rows, strict=True), strict=True))
        names = {name: list(columns.names[name]) for name in TEXTS}
        values = dict(columns.values)
        for name in TEXTS:
            code_of = {text: code for code, text in enumerate(names[name])}
            codes = [code_of.setdefault(text, len(code_of)) for text in read[name]]
            names[name] = list(code_of)
            values[name] = np.concatenate((values[name], np.array(codes, np.int32)))
        for name in ("id", *NUMBERS):
            values[name] = np.concatenate((values[name], np.array(read[name], values[name].dtype)))
        return PageValues(values, columns.names | names)

    def _with_remarks(self, columns: PageValues) -> PageValues:
        rows = self._connection.execute(
            "SELECT id, labelled, flag FROM page WHERE labelled > 0 OR flag <> '' ORDER BY id"
        ).fetchall()
        labelled, flags = (np.zeros(len(columns), np.int32) for _ in range(2))
        places = np.searchsorted(columns.values["id"], np.array([row[0] for row in rows], np.int64)).tolist()
        code_of = {"": 0}
        for place, (_, number, flag) in zip(places, rows, strict=True):
            labelled[place] = number
            flags[place] = code_of.setdefault(flag, len(code_of))
        values = columns.values | {"labelled": labelled, "flag": flags, "agreement": self._agreements(columns)}
        orders = {
            name: order for name, order in columns.orders.items() if name not in ("labelled", "flag", "agreement")
        }
        return replace(columns, values=values, names=columns.names | {"flag": list(code_of)}, orders=orders)

    def _agreements(self, columns: PageValues) -> Values:
        """Return how far a tool agrees with what is kept of each page; NaN if nobody has asked it."""
        rows = self._connection.execute("SELECT page, share FROM agreement JOIN page ON page.id = page ORDER BY page")
        found = np.array(rows.fetchall(), np.float64).reshape(-1, 2)
        shares = np.full(len(columns), np.nan, np.float32)
        shares[_places(columns.values["id"], found[:, 0].astype(np.int64))] = found[:, 1]
        return shares


def _places(ids: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return where ids are among ascending ones, without those that are not."""
    places = np.searchsorted(ids, wanted)
    is_there = places < len(ids)
    is_there[is_there] = ids[places[is_there]] == wanted[is_there]
    return places[is_there]


def _no_columns() -> PageValues:
    kinds = {"id": np.int64, "confidence": np.float32, "kept": np.float32}
    values: dict[str, Values] = {
        name: np.zeros(0, kinds.get(name, np.int32)) for name in (*_READ, "labelled", "flag", "agreement")
    }
    return PageValues(values, {name: [] for name in (*TEXTS, "flag")})


_columns: WeakKeyDictionary[Project, PageColumns] = WeakKeyDictionary()
_lock = threading.Lock()


def columns_of(project: Project) -> PageColumns:
    """Return the columns of a project, which live as long as it."""
    with _lock:
        found = _columns.get(project)
        if found is None:
            found = _columns[project] = PageColumns(project)
        return found
