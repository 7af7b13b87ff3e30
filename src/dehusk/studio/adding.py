"""Add the pages of files and folders to a project, in the background.

The pages of a file are added in the order of the file, some at a time, so that an interrupted run continues after the
last of them.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from dehusk.base.errors import ChildError, DehuskError, Status
from dehusk.base.processes.child import PAGE_MEMORY
from dehusk.base.processes.pool import ChildPool
from dehusk.many.files.inputs import Input
from dehusk.many.files.options import Columns, ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.read import Limits
from dehusk.studio.making import Making, making_of
from dehusk.studio.page_facts import SECONDS, PageFacts, facts_without, find_facts
from dehusk.studio.project import Project
from dehusk.studio.searching import searchable
from dehusk.studio.sources import has_places, read_source
from dehusk.studio.unsure_units import store_unsure

# ---------------------------------------------------------------- registering
# The rows of inputs and pages in the database while pages are added.
#
# If an input changed since its pages were added, those that it still has keep their row, and with it their labels. Of
# the others, those that somebody labelled, flagged or commented on stay; the rest is removed.

GONE = "its file has changed, and no longer has this page"
"""The message of a page that somebody worked on."""

_INSERT_PAGE = """
INSERT INTO page (input, number, place, name, url, host, sha, headers, status, message, title, type, confidence, kept,
                  words, blocks, language, preview, made_by)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_UNTOUCHED = """
input = ? AND number < 0 AND labelled = 0 AND flag = '' AND comment = ''
AND NOT EXISTS (SELECT * FROM labelling WHERE page = page.id) AND NOT EXISTS (SELECT * FROM change WHERE page = page.id)
"""
_REMOVE_UNTOUCHED = (
    f"DELETE FROM body WHERE page IN (SELECT id FROM page WHERE {_UNTOUCHED})",  # noqa: S608 (constants)
    f"DELETE FROM page WHERE {_UNTOUCHED}",  # noqa: S608
)


class AddingTask(NamedTuple):
    """A page to clean, as sent to a worker process."""

    number: int
    place: int
    name: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    """b"" of a page that has a row."""
    row: int | None = None
    """The row of a page that the project knows from an earlier state of the input."""
    incomplete: str = ""
    """Why the bytes are not all, or not those that were sent; "" if they are."""


@dataclass
class Registered:
    """An input in the database."""

    id: int
    first: int | None
    """Number of its first record to add; None if all are added."""
    earlier: dict[tuple[str, str], list[int]]
    """Hash and URL of pages of an earlier state of the input -> their rows."""

    def row_of(self, body: bytes, url: str) -> int | None:
        """Return the row of a page of an earlier state, each row once; None if it is new."""
        if not self.earlier:
            return None
        rows = self.earlier.get((hashlib.sha256(body).hexdigest(), url))
        return rows.pop(0) if rows else None


def register(project: Project, file: Input) -> Registered:
    """Return an input as the database has it; what it had before it changed gets negative numbers.

    Raises:
        InputError: the input does not exist.
    """
    stamp, path = json.dumps(file.stamp()), str(file.path.absolute())
    with project.writing() as connection:
        row = connection.execute("SELECT * FROM input WHERE path = ?", (path,)).fetchone()
        if row is None:
            values = (path, file.name, file.format, stamp)
            connection.execute("INSERT INTO input (path, name, format, stamp) VALUES (?, ?, ?, ?)", values)
        elif row["stamp"] != stamp:
            connection.execute("UPDATE page SET number = -id - 1 WHERE input = ?", (row["id"],))
            for table in ("loss", "sheet"):
                connection.execute(f"DELETE FROM {table} WHERE input = ?", (row["id"],))  # noqa: S608 (two names)
            connection.execute("UPDATE input SET stamp = ?, complete = 0 WHERE id = ?", (stamp, row["id"]))
        row = connection.execute("SELECT * FROM input WHERE path = ?", (path,)).fetchone()
        last = connection.execute("SELECT max(number) FROM page WHERE input = ?", (row["id"],)).fetchone()[0]
        old = connection.execute(
            "SELECT id, sha, url FROM page WHERE input = ? AND number < 0", (row["id"],)
        ).fetchall()
    earlier: dict[tuple[str, str], list[int]] = defaultdict(list)
    for page in old:
        earlier[page["sha"], page["url"]].append(page["id"])
    first = 0 if last is None else max(0, last + 1)
    return Registered(row["id"], None if row["complete"] else first, earlier)


def store_pages(
    project: Project, number: int, batch: Sequence[tuple[AddingTask, PageFacts | None]], *, keeps_body: bool
) -> None:
    """Store pages of an input; facts are None for those that have a row.

    Args:
        project: the project.
        number: id of the input.
        batch: the pages.
        keeps_body: whether the project needs their bytes.
    """
    with project.writing() as connection:
        for task, facts in batch:
            if facts is None:
                moved = (task.number, task.place, task.name, task.row)
                connection.execute("UPDATE page SET number = ?, place = ?, name = ? WHERE id = ?", moved)
                continue
            head = (number, task.number, task.place, task.name, task.url, facts.host, facts.sha)
            values = (*head, json.dumps(dict(task.headers)), *facts[2:-2])
            page = int(connection.execute(_INSERT_PAGE, values).lastrowid or 0)
            connection.execute(
                "INSERT INTO word (rowid, title, url, text) VALUES (?, ?, ?, ?)",
                (page, searchable(facts.title), task.url, searchable(facts.text)),
            )
            store_unsure(connection, page, facts.unsure)
            if keeps_body:
                connection.execute("INSERT INTO body VALUES (?, ?)", (page, zlib.compress(task.body)))


def store_others(project: Project, number: int, sheets: Iterable[tuple[str, int]], losses: Iterable[Loss]) -> None:
    """Store what was passed over: style sheets, to which pages of the input may link, and what was unreadable."""
    with project.writing() as connection:
        rows = [(number, url, place) for url, place in sheets]
        connection.executemany("INSERT OR IGNORE INTO sheet VALUES (?, ?, ?)", rows)
        lost = [(number, loss.offset, loss.message) for loss in losses]
        connection.executemany("INSERT OR IGNORE INTO loss VALUES (?, ?, ?)", lost)


def complete(project: Project, number: int) -> None:
    """Mark an input as added as a whole; remove pages that it no longer has, unless somebody worked on them."""
    with project.writing() as connection:
        for statement in (*_REMOVE_UNTOUCHED, "UPDATE input SET complete = 1 WHERE id = ?"):
            connection.execute(statement, (number,))
        connection.execute("UPDATE page SET message = ? WHERE input = ? AND number < 0", (GONE, number))


# ---------------------------------------------------------------- adding

_BATCH = 64  # pages in one transaction
_UTF_8 = "text/html; charset=utf-8"  # of pages that were stored as text, whatever they say themselves


@dataclass(frozen=True)
class Progress:
    """The progress of an import."""

    pages: int = 0
    """Pages added in this run."""
    inputs: int = 0
    """Inputs that are complete."""
    of_inputs: int = 0
    """All inputs of this run."""
    current: str = ""
    """Name of the input being read."""
    messages: tuple[str, ...] = ()
    """Inputs that could not be read, one line each; read errors within other inputs are in the table `loss`."""
    done: bool = False


@dataclass
class _PassedOver:
    """Parts that are not pages: style sheets (URL, place), and what could not be read."""

    sheets: list[tuple[str, int]] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)


class Adding:
    """A thread that adds the pages of inputs to a project.

    Args:
        project: the project.
        inputs: what to add; those that are complete and unchanged are skipped.
        workers: processes that clean pages.
        columns: columns of tables.
    """

    def __init__(
        self, project: Project, inputs: Sequence[Input], *, workers: int, columns: Columns | None = None
    ) -> None:
        self.progress = Progress(of_inputs=len(inputs))
        self._project = project
        self._inputs = inputs
        self._workers = workers
        self._options = ReadOptions(Limits().bytes, columns or Columns())
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="adding pages", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End after the pages being cleaned."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def run(self) -> Progress:
        """Add all pages in this thread."""
        self._run()
        return self.progress

    def _run(self) -> None:
        making = making_of(self._project)
        if making.problem:
            self._tell(making.problem)
        with ChildPool(
            _finder, making, workers=self._workers, seconds=SECONDS, memory=PAGE_MEMORY, preload=find_facts.__module__
        ) as children:
            for file in self._inputs:
                if self._stopping.is_set():
                    return
                self.progress = replace(self.progress, current=file.name)
                try:
                    self._add_input(file, children)
                except (DehuskError, OSError, sqlite3.Error) as error:
                    self._tell(f"{file.name}: {' '.join(str(error).split())}")
                self.progress = replace(self.progress, inputs=self.progress.inputs + 1)
        self.progress = replace(self.progress, current="", done=True)

    def _tell(self, message: str) -> None:
        if message not in self.progress.messages:
            self.progress = replace(self.progress, messages=(*self.progress.messages, message))

    def _add_input(self, file: Input, children: ChildPool[AddingTask, PageFacts | None]) -> None:
        registered = register(self._project, file)
        if registered.first is None:
            return
        passed = _PassedOver()
        tasks = self._tasks(file, registered, registered.first, passed)
        keeps_body = not has_places(file)
        pages = map(_with_facts, children.map(tasks))
        try:
            while batch := list(islice(pages, _BATCH)):
                store_pages(self._project, registered.id, batch, keeps_body=keeps_body)
                self.progress = replace(self.progress, pages=self.progress.pages + len(batch))
        finally:
            store_others(self._project, registered.id, passed.sheets, passed.losses)
        if not self._stopping.is_set():
            complete(self._project, registered.id)

    def _tasks(self, file: Input, registered: Registered, first: int, passed: _PassedOver) -> Iterator[AddingTask]:
        for item in read_source(file, self._options):
            if self._stopping.is_set():
                return
            if not isinstance(item, Record):
                passed.losses.append(item)
            elif item.skipped == "text/css":
                passed.sheets.append((item.url, item.offset))
            elif item.number >= first and not item.skipped:
                body = item.body(self._options.limit).data
                row = registered.row_of(body, item.url)
                yield _task(item, body if row is None else b"", row)


def _task(record: Record, body: bytes, row: int | None) -> AddingTask:
    headers = {**record.headers, "content-type": _UTF_8} if record.decoded else record.headers
    why = record.damaged or record.truncated
    return AddingTask(record.number, record.offset, record.id, record.url, headers, body, row, why)


def _finder(making: Making) -> Callable[[AddingTask], PageFacts | None]:
    """Return the function of a child process: it cleans and describes a page, unless the project has its row."""
    return lambda task: None if task.row is not None else find_facts(task.body, task.url, task.headers, making)


def _with_facts(done: tuple[AddingTask, PageFacts | ChildError | None]) -> tuple[AddingTask, PageFacts | None]:
    task, facts = done
    if isinstance(facts, ChildError):
        facts = facts_without(task.body, task.url, task.headers, facts)
    if facts is not None and task.incomplete and facts.status in (Status.OK, Status.PARTIAL):
        facts = facts._replace(status=str(Status.TRUNCATED), message=task.incomplete)
    return task, facts
