"""The URLs of a crawl and their states, in one SQLite file.

Scrapy's own disk queues (JOBDIR) are complete only after an orderly shutdown: the list of queues is written on close,
and a request in progress is in none of them. Here, one transaction stores the outcome of a page, its links and the
length of the WARC file after its record. However the process is killed, the crawl resumes from the last transaction,
and the part of the WARC file beyond it is cut off.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dehusk.base.errors import InputError
from dehusk.many.crawl.plan import BREADTH, MAX_HOPS, CrawlPlan
from dehusk.many.crawl.scope import CrawlUrl, Scope, parse_link
from dehusk.many.crawl.summary import ERROR, LEFT_OUT, PAGE, REDIRECT, SITEMAP, CrawlSummary

# ---------------------------------------------------------------- queues
# How many URLs wait, by host and place, and which places come first.

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


# ---------------------------------------------------------------- frontier

DATABASE = "frontier.sqlite"
WAITING, TAKEN, READING = "waiting", "taken", "reading"
_UNFINISHED = (WAITING, TAKEN, READING)
_MOST_DEATHS = 2  # of the process while it reads a page, after which the page is given up
TASK = "dehusk_task"
"""Key in a request's meta: its `FetchTask`."""
ARTICLE_WORTH = 20
"""An article is worth as much as a page whose TOC blocks lead to this many new URLs."""
ROBOTS_FILE = "robots"
"""A type of URL: robots.txt, requested for the sitemaps it lists."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS address (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT NOT NULL, kind TEXT NOT NULL,
    depth INTEGER NOT NULL, hops INTEGER NOT NULL, via INTEGER, place INTEGER NOT NULL, state TEXT NOT NULL,
    worth INTEGER NOT NULL DEFAULT 0, http INTEGER, message TEXT NOT NULL DEFAULT '',
    bytes INTEGER NOT NULL DEFAULT 0, record TEXT
);
CREATE INDEX IF NOT EXISTS next ON address (state, host, place, depth, id);
CREATE TABLE IF NOT EXISTS budget (name TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS elsewhere (host TEXT PRIMARY KEY, links INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS written (file INTEGER PRIMARY KEY, end INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS death (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS deadly (url TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class FetchTask(NamedTuple):
    """A URL to request."""

    id: int
    url: str
    host: str
    kind: str
    """`PAGE`, `SITEMAP` or `ROBOTS_FILE`."""
    depth: int
    hops: int
    place: int
    """See `Link`."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a URL."""

    state: str
    """One of the keys of `CrawlSummary.outcomes`."""
    http: int | None = None
    message: str = ""
    bytes: int = 0
    record: str | None = None
    """The ID of the WARC record."""
    is_article: bool = False
    """Whether the page has more text in article blocks than in the links of TOC blocks."""


class Link(NamedTuple):
    """The target of a link, a redirect or a sitemap entry."""

    url: str
    kind: str = PAGE
    place: int = 0
    """The place of a link in a TOC block, a positive number (`dehusk.many.crawl.guide`); 0 for other links."""


class Frontier:
    """The URLs of one job; open in one process at a time.

    Args:
        folder: the job folder.
        scope: which URLs belong to the crawl.

    Raises:
        InputError: the file is in use by another crawl, damaged, or cannot be written.
    """

    def __init__(self, folder: Path, scope: Scope) -> None:
        self.scope = scope
        self.plan: CrawlPlan = scope.plan
        try:
            self._database = _open_database(folder / DATABASE)
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise InputError(f"{folder} is in use by another crawl") from error
            raise InputError(f"{folder} is not a crawl that can be resumed: {error}") from error
        self._pages = self._count("state=?", PAGE)
        self._in_progress: Counter[str] = Counter()
        self._queues = HostQueues(self._rows(WAITING), self._rows(PAGE))
        self._host_queue = deque(self._queues.hosts())  # of hosts with waiting URLs: a list may contain very many

    def add_start(self, links: Iterable[Link]) -> None:
        """Add the URLs from which the crawl starts; those already present keep their state."""
        with self._transaction():
            for link in links:
                self._add(link, depth=0, hops=0, via=None)

    def take(self) -> FetchTask | None:
        """Take the next URL to request: hosts take turns.

        Of a host, links in TOC blocks come first if the plan says so: of the place whose pages were worth most so far.
        Then, and otherwise, the URL nearest to the start comes first.

        Returns:
            None if no URL is waiting, if the requests in progress may use up the budget of pages, or if all hosts have
            as many requests in progress as allowed: further URLs would only wait in Scrapy's queue, and be requested
            again if the process is killed.
        """
        if not self.has_next() or self._pages + self._in_progress.total() >= self.scope.max_pages:
            return None
        for _ in range(len(self._host_queue)):
            host = self._host_queue[0]
            self._host_queue.rotate(-1)
            if self._in_progress[host] < self.plan.concurrency:
                return self._take_from(host)
        return None

    def _take_from(self, host: str) -> FetchTask:
        """Take the next URL of a host, which is the last one in the queue of hosts."""
        query = (
            "SELECT id, url, host, kind, depth, hops, place FROM address WHERE state=? AND host=? AND place=? "
            "ORDER BY depth, id LIMIT 1"
        )
        places = self._queues.best(host, by_worth=self.plan.along != BREADTH)
        rows = [self._database.execute(query, (WAITING, host, place)).fetchone() for place in places]
        task = min((FetchTask(*row) for row in rows), key=lambda first: (first.depth, first.id))
        with self._transaction():
            self._database.execute("UPDATE address SET state=? WHERE id=?", (TAKEN, task.id))
        self._in_progress[host] += 1
        if self._queues.remove(host, task.place):
            self._host_queue.pop()
        return task

    def has_next(self) -> bool:
        """Return whether a URL is waiting and the budget has room for its page."""
        return bool(self._queues) and self._pages < self.scope.max_pages

    def is_exhausted(self) -> bool:
        """Return whether no URL is waiting or in progress."""
        return not self._queues and not self._in_progress

    def begin_reading(self, task: FetchTask) -> None:
        """Store that the page of a task is about to be parsed: if that ends the process twice, the page is given up."""
        with self._transaction():
            self._database.execute("UPDATE address SET state=? WHERE id=?", (READING, task.id))

    def add_deadly(self, url: str) -> None:
        """Store that the guide must not read a page again, because that ended its process."""
        with self._transaction():
            self._database.execute("INSERT OR IGNORE INTO deadly VALUES (?)", (url,))

    def deadly(self) -> list[str]:
        """Return the pages that `add_deadly` stored."""
        return [url for (url,) in self._database.execute("SELECT url FROM deadly")]

    def finish(
        self,
        task: FetchTask,
        outcome: Outcome,
        links: Iterable[Link] = (),
        *,
        written: tuple[int, int] | None = None,
    ) -> None:
        """Store the outcome of a URL and its links in one transaction.

        Args:
            task: the task of requesting the URL.
            outcome: its outcome.
            links: the URLs that it leads to.
            written: the number of the WARC file and its length after the page's records.
        """
        is_redirect = outcome.state == REDIRECT
        with self._transaction():
            self._database.execute(
                "UPDATE address SET state=?, http=?, message=?, bytes=?, record=? WHERE id=?",
                (outcome.state, outcome.http, outcome.message, outcome.bytes, outcome.record, task.id),
            )
            found = 0
            for link in links:
                is_hop = is_redirect or link.kind == SITEMAP
                hops = task.hops + 1 if is_hop else 0
                place = task.place if is_redirect else link.place
                is_new = self._add(link._replace(place=place), depth=task.depth + (not is_hop), hops=hops, via=task.id)
                found += is_new and place > 0
            worth = found + ARTICLE_WORTH * outcome.is_article
            if worth:
                self._database.execute("UPDATE address SET worth=? WHERE id=?", (worth, task.id))
            if written is not None:
                self._database.execute("INSERT OR REPLACE INTO written VALUES (?, ?)", written)
        self._in_progress -= Counter((task.host,))  # subtraction removes hosts that reach zero
        if outcome.state == PAGE:
            self._pages += 1
            self._queues.learn(task.host, task.place, worth)

    def written(self) -> tuple[int, int]:
        """Return the number of the last WARC file and its length at the last transaction; (-1, 0) if there is none."""
        row = self._database.execute("SELECT file, end FROM written ORDER BY file DESC LIMIT 1").fetchone()
        return (-1, 0) if row is None else (int(row[0]), int(row[1]))

    def summary(self, url: str, end: str, seconds: float) -> CrawlSummary:
        """Return the counts over all runs."""
        is_done = "state NOT IN (?, ?, ?, ?)"
        others = (*_UNFINISHED, LEFT_OUT)
        statuses = self._counts(
            f"http, COUNT(*) FROM address WHERE http IS NOT NULL AND {is_done} GROUP BY http", *others
        )
        size = self._database.execute("SELECT COALESCE(SUM(bytes), 0) FROM address WHERE state=?", (PAGE,)).fetchone()
        return CrawlSummary(
            url=url,
            end=end,
            outcomes=self._counts(f"state, COUNT(*) FROM address WHERE {is_done} GROUP BY state", *others),
            statuses=statuses,
            damaged=self._count("state=? AND message<>''", PAGE),
            left_out=self._counts("message, COUNT(*) FROM address WHERE state=? GROUP BY message", LEFT_OUT),
            elsewhere=self._counts("host, links FROM elsewhere"),
            waiting=self._count("state IN (?, ?, ?)", *_UNFINISHED),
            bytes=int(size[0]),
            seconds=round(seconds, 3),
            message=self._start_message() if url else "",
        )

    def _start_message(self) -> str:
        """Return the outcome of the start URL; "" if it is a page or still unknown."""
        row = self._database.execute("SELECT state, message FROM address ORDER BY id LIMIT 1").fetchone()
        return "" if row is None or row[0] in (PAGE, *_UNFINISHED) else ": ".join(filter(None, row))

    def progress(self) -> dict[str, int]:
        """Return the number of pages, of waiting URLs, and the maximum number of pages (`of`).

        For a list the maximum decreases with each URL that gives no page.
        """
        waiting, most = self._queues.total(), self.scope.max_pages
        if self.scope.is_list:
            most = min(most, self._pages + self._in_progress.total() + waiting)
        return {"pages": self._pages, "waiting": waiting, "of": most}

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield one record per URL, in the order of discovery."""
        query = (
            "SELECT a.url, a.kind, a.depth, b.url, a.place, a.state, a.http, a.message, a.bytes, a.record "
            "FROM address a LEFT JOIN address b ON a.via=b.id ORDER BY a.id"
        )
        names = ("url", "kind", "depth", "via", "toc", "state", "http", "message", "bytes", "record")
        for row in self._database.execute(query):
            values = dict(zip(names, row, strict=True))
            yield values | {"toc": bool(values["toc"])}

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _add(self, link: Link, *, depth: int, hops: int, via: int | None) -> bool:
        """Add a URL; return whether it waits now and did not before, or not as one of a TOC block."""
        url = parse_link(link.url)
        if url is None:
            return False
        if not self.scope.includes(url.host):
            query = "INSERT INTO elsewhere VALUES (?, 1) ON CONFLICT (host) DO UPDATE SET links=links+1"
            self._database.execute(query, (url.host,))
            return False
        query = "SELECT id, state, message, place FROM address WHERE key=?"
        row = self._database.execute(query, (url.key,)).fetchone()
        is_nearer = row is not None and row[1:3] == (LEFT_OUT, "depth") and depth <= self.plan.depth
        if row is not None and not is_nearer:
            return self._promote(url.host, row[0], link.place) if row[1] == WAITING and not row[3] else False
        refusal = self._refusal(url, link.kind, depth, hops)
        state = LEFT_OUT if refusal else WAITING
        if is_nearer:
            query = "UPDATE address SET state=?, message=?, depth=?, hops=?, via=?, place=? WHERE id=?"
            self._database.execute(query, (state, refusal, depth, hops, via, link.place, row[0]))
        else:
            self._database.execute(
                "INSERT INTO address (key, url, host, kind, depth, hops, via, place, state, message) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (url.key, url.url, url.host, link.kind, depth, hops, via, link.place, state, refusal),
            )
        if not refusal and self._queues.add(url.host, link.place):
            self._host_queue.append(url.host)
        return not refusal

    def _promote(self, host: str, identity: int, place: int) -> bool:
        """Move a waiting URL that a TOC block links to now to its place; return whether it is in a TOC block."""
        if place:
            self._database.execute("UPDATE address SET place=? WHERE id=?", (place, identity))
            self._queues.add(host, place)
            self._queues.remove(host, 0)
        return place > 0

    def _refusal(self, url: CrawlUrl, kind: str, depth: int, hops: int) -> str:
        """Return in one word why a URL is left out; if it is not, count it towards its budgets and return ""."""
        if kind != PAGE or self.scope.is_list:
            return "hops" if hops > MAX_HOPS else ""
        if refusal := self.scope.refusal(url, depth) or ("hops" if hops > MAX_HOPS else ""):
            return refusal
        budgets = {
            f"per-path {url.path}": self.plan.per_path if "?" in url.url else 0,
            f"per-pattern {url.pattern}": self.plan.per_pattern,
        }
        for name, budget in budgets.items():
            used = self._database.execute("SELECT used FROM budget WHERE name=?", (name,)).fetchone()
            if budget and used and used[0] >= budget:
                return name.split(" ")[0]
        query = "INSERT INTO budget VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET used=used+1"
        self._database.executemany(query, [(name,) for name, budget in budgets.items() if budget])
        return ""

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def _rows(self, state: str) -> Iterator[QueueRow]:
        """Yield host, place, number of URLs and the sum of their worth, of the URLs in a state."""
        query = "SELECT host, place, COUNT(*), SUM(worth) FROM address WHERE state=? GROUP BY host, place"
        yield from self._database.execute(query, (state,))

    def _count(self, where: str, *values: object) -> int:
        query = f"SELECT COUNT(*) FROM address WHERE {where}"  # noqa: S608 (constant conditions)
        return int(self._database.execute(query, values).fetchone()[0])

    def _counts(self, query: str, *values: object) -> dict[str, int]:
        return {str(name): int(count) for name, count in self._database.execute(f"SELECT {query}", values)}


def _open_database(path: Path) -> sqlite3.Connection:
    """Open the database for this process alone; it is closed again if it cannot be used."""
    database = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        database.execute("PRAGMA locking_mode=EXCLUSIVE")
        database.execute("PRAGMA journal_mode=WAL")
        database.executescript(_SCHEMA)
        _repeat_unfinished(database)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _repeat_unfinished(database: sqlite3.Connection) -> None:
    """Let requests that were in progress when the last run ended wait again, but for pages that end the process."""
    database.execute("BEGIN IMMEDIATE")
    database.execute(
        "INSERT INTO death SELECT id, 1 FROM address WHERE state=? ON CONFLICT (id) DO UPDATE SET count=count+1",
        (READING,),
    )
    database.execute(
        "UPDATE address SET state=?, message=? WHERE state=? AND id IN (SELECT id FROM death WHERE count>=?)",
        (ERROR, "reading it ended the process", READING, _MOST_DEATHS),
    )
    database.execute("UPDATE address SET state=? WHERE state IN (?, ?)", (WAITING, TAKEN, READING))
    database.execute("COMMIT")
