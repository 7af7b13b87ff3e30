"""The addresses of a crawl, waiting, under way and done, in one SQLite file.

Scrapy's own queues on disk (JOBDIR) are complete only after an orderly end: which of them exist is written at the
close, and a request that is under way stands in none. Here what a page gave, its links and the end of its WARC record
are one transaction; whatever kills the process, the crawl goes on where it was, and what stands behind the last
transaction in the WARC file is cut off.
"""

import sqlite3
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dehusk.crawl.plan import CrawlPlan
from dehusk.crawl.scope import HOPS, Address, Scope, address
from dehusk.crawl.summary import LEFT, PAGE, REDIRECT, SITEMAP, CrawlSummary
from dehusk.errors import InputError

FILE = "frontier.sqlite"
WAITING, TAKEN = "waiting", "taken"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS address (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT NOT NULL, kind TEXT NOT NULL,
    depth INTEGER NOT NULL, hops INTEGER NOT NULL, via INTEGER, state TEXT NOT NULL,
    http INTEGER, message TEXT NOT NULL DEFAULT '', bytes INTEGER NOT NULL DEFAULT 0, record TEXT
);
CREATE INDEX IF NOT EXISTS next ON address (state, host, depth, id);
CREATE TABLE IF NOT EXISTS budget (name TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS elsewhere (host TEXT PRIMARY KEY, links INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS written (file INTEGER PRIMARY KEY, end INTEGER NOT NULL);
"""


class FetchTask(NamedTuple):
    """An address that is to be asked for."""

    id: int
    url: str
    host: str
    kind: str
    """page, sitemap or robots (robots.txt, for the sitemaps that it names)."""
    depth: int
    hops: int


@dataclass(frozen=True)
class Outcome:
    """What became of an address."""

    state: str
    """One of `CrawlSummary.outcomes`."""
    http: int | None = None
    message: str = ""
    bytes: int = 0
    record: str | None = None
    """The WARC record's id."""


class Link(NamedTuple):
    """Where a page, a redirect or a sitemap leads."""

    url: str
    kind: str = PAGE


class Frontier:
    """The addresses of one job; one process at a time.

    Args:
        folder: the job's folder.
        scope: which addresses belong to the crawl.

    Raises:
        InputError: the file is in use by another crawl, damaged, or cannot be written.
    """

    def __init__(self, folder: Path, scope: Scope) -> None:
        self.scope = scope
        self.plan: CrawlPlan = scope.plan
        try:
            self._base = _opened(folder / FILE)
        except sqlite3.Error as error:
            reason = "in use by another crawl" if "locked" in str(error) else f"no crawl that can go on: {error}"
            raise InputError(f"{folder} is {reason}") from error
        self._pages = self._count("state=?", PAGE)
        self._under_way: Counter[str] = Counter()
        counted = self._counts("host, COUNT(*) FROM address WHERE state=? GROUP BY host", WAITING)
        self._waiting: Counter[str] = Counter(counted)
        self._turn = deque(counted)  # hosts with waiting addresses: a list may name very many

    def begin(self, links: Iterable[Link]) -> None:
        """Add where the crawl begins; known addresses stay what they are."""
        with self._change():
            for link in links:
                self._add(link, depth=0, hops=0, via=None)

    def take(self) -> FetchTask | None:
        """Return the next address, the nearest to the entrance; each host has its turn.

        None where nothing waits, where what is under way may fill the budget of pages, or where the hosts have as
        much under way as they may: more would only wait elsewhere, and be asked for anew after a kill.
        """
        if not self.more() or self._pages + self._under_way.total() >= self.scope.pages:
            return None
        for _ in range(len(self._turn)):
            host = self._turn[0]
            self._turn.rotate(-1)
            if self._under_way[host] < self.plan.concurrency:
                return self._taken(host)
        return None

    def _taken(self, host: str) -> FetchTask:
        """Return the next address of the host whose turn it was."""
        query = "SELECT id, url, host, kind, depth, hops FROM address WHERE state=? AND host=? ORDER BY depth, id"
        row = self._base.execute(f"{query} LIMIT 1", (WAITING, host)).fetchone()
        with self._change():
            self._base.execute("UPDATE address SET state=? WHERE id=?", (TAKEN, row[0]))
        self._under_way[host] += 1
        self._waiting[host] -= 1
        if not self._waiting[host]:
            del self._waiting[host]
            self._turn.pop()
        return FetchTask(*row)

    def more(self) -> bool:
        """Return whether there is an address to ask for and room for its page."""
        return bool(self._waiting) and self._pages < self.scope.pages

    def done(
        self,
        task: FetchTask,
        outcome: Outcome,
        links: Iterable[Link] = (),
        *,
        written: tuple[int, int] | None = None,
    ) -> None:
        """Keep what became of an address and where it leads, all or nothing.

        Args:
            task: the address.
            outcome: what became of it.
            links: addresses that it leads to.
            written: the WARC file's number and its length with the page's records.
        """
        redirect = outcome.state == REDIRECT
        with self._change():
            self._base.execute(
                "UPDATE address SET state=?, http=?, message=?, bytes=?, record=? WHERE id=?",
                (outcome.state, outcome.http, outcome.message, outcome.bytes, outcome.record, task.id),
            )
            for link in links:
                same = redirect or link.kind == SITEMAP
                self._add(link, depth=task.depth + (not same), hops=task.hops + 1 if same else 0, via=task.id)
            if written is not None:
                self._base.execute("INSERT OR REPLACE INTO written VALUES (?, ?)", written)
        self._under_way -= Counter((task.host,))  # which forgets hosts that have none
        self._pages += outcome.state == PAGE

    def written(self) -> tuple[int, int]:
        """Return the number of the last WARC file and its length at the last transaction; (-1, 0) for none."""
        row = self._base.execute("SELECT file, end FROM written ORDER BY file DESC LIMIT 1").fetchone()
        return (-1, 0) if row is None else (int(row[0]), int(row[1]))

    def summary(self, url: str, end: str, seconds: float) -> CrawlSummary:
        """Return the counts of all runs."""
        over = "state NOT IN (?, ?, ?)"
        gone = (WAITING, TAKEN, LEFT)
        statuses = self._counts(f"http, COUNT(*) FROM address WHERE http IS NOT NULL AND {over} GROUP BY http", *gone)
        outcome = self._base.execute("SELECT state, message FROM address ORDER BY id LIMIT 1").fetchone()
        told = url and outcome is not None and outcome[0] not in (PAGE, WAITING, TAKEN)
        size = self._base.execute("SELECT COALESCE(SUM(bytes), 0) FROM address WHERE state=?", (PAGE,)).fetchone()[0]
        return CrawlSummary(
            url=url,
            end=end,
            outcomes=self._counts(f"state, COUNT(*) FROM address WHERE {over} GROUP BY state", *gone),
            statuses=statuses,
            damaged=self._count("state=? AND message<>''", PAGE),
            left_out=self._counts("message, COUNT(*) FROM address WHERE state=? GROUP BY message", LEFT),
            elsewhere=self._counts("host, links FROM elsewhere"),
            waiting=self._count("state IN (?, ?)", WAITING, TAKEN),
            bytes=int(size),
            seconds=round(seconds, 3),
            message=": ".join(filter(None, outcome)) if told else "",
        )

    def progress(self) -> dict[str, int]:
        """Return how far the crawl is: pages, addresses that wait, and the most pages that there may be.

        Of a list these are fewer with each address that gives none.
        """
        waiting, most = self._waiting.total(), self.scope.pages
        if self.scope.listed:
            most = min(most, self._pages + self._under_way.total() + waiting)
        return {"pages": self._pages, "waiting": waiting, "of": most}

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield what is known of each address, in the order in which they were found."""
        query = (
            "SELECT a.url, a.kind, a.depth, b.url, a.state, a.http, a.message, a.bytes, a.record "
            "FROM address a LEFT JOIN address b ON a.via=b.id ORDER BY a.id"
        )
        names = ("url", "kind", "depth", "via", "state", "http", "message", "bytes", "record")
        for row in self._base.execute(query):
            yield dict(zip(names, row, strict=True))

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def _add(self, link: Link, *, depth: int, hops: int, via: int | None) -> None:
        found = address(link.url)
        if found is None:
            return
        if not self.scope.holds(found.host):
            query = "INSERT INTO elsewhere VALUES (?, 1) ON CONFLICT (host) DO UPDATE SET links=links+1"
            self._base.execute(query, (found.host,))
            return
        known = self._base.execute("SELECT id, state, message FROM address WHERE key=?", (found.key,)).fetchone()
        again = known is not None and known[1:] == (LEFT, "depth") and depth <= self.plan.depth
        if known is not None and not again:
            return
        refusal = self._refusal(found, link.kind, depth, hops)
        state = LEFT if refusal else WAITING
        if again:
            query = "UPDATE address SET state=?, message=?, depth=?, hops=?, via=? WHERE id=?"
            self._base.execute(query, (state, refusal, depth, hops, via, known[0]))
        else:
            self._base.execute(
                "INSERT INTO address (key, url, host, kind, depth, hops, via, state, message) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (found.key, found.url, found.host, link.kind, depth, hops, via, state, refusal),
            )
        if not refusal:
            if found.host not in self._waiting:
                self._turn.append(found.host)
            self._waiting[found.host] += 1

    def _refusal(self, found: Address, kind: str, depth: int, hops: int) -> str:
        """Return why an address is left out; one that is not has used its budgets up by one."""
        if kind != PAGE or self.scope.listed:
            return "hops" if hops > HOPS else ""
        if refusal := self.scope.refusal(found, depth) or ("hops" if hops > HOPS else ""):
            return refusal
        budgets = {
            f"per-path {found.path}": self.plan.per_path if "?" in found.url else 0,
            f"per-pattern {found.pattern}": self.plan.per_pattern,
        }
        for name, most in budgets.items():
            used = self._base.execute("SELECT used FROM budget WHERE name=?", (name,)).fetchone()
            if most and used and used[0] >= most:
                return name.split(" ")[0]
        query = "INSERT INTO budget VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET used=used+1"
        self._base.executemany(query, [(name,) for name, most in budgets.items() if most])
        return ""

    @contextmanager
    def _change(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def _count(self, where: str, *values: object) -> int:
        return int(self._base.execute(f"SELECT COUNT(*) FROM address WHERE {where}", values).fetchone()[0])  # noqa: S608

    def _counts(self, query: str, *values: object) -> dict[str, int]:
        return {str(name): int(count) for name, count in self._base.execute(f"SELECT {query}", values)}


def _opened(path: Path) -> sqlite3.Connection:
    """Return the base, for this process alone, or leave it closed."""
    base = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        base.execute("PRAGMA locking_mode=EXCLUSIVE")
        base.execute("PRAGMA journal_mode=WAL")
        base.executescript(_SCHEMA)
        # what was under way when the last run ended is asked for anew
        base.execute("UPDATE address SET state=? WHERE state=?", (WAITING, TAKEN))
    except sqlite3.Error:
        base.close()
        raise
    return base
