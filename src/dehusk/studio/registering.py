"""The rows of inputs and pages in the database while pages are added.

If an input changed since its pages were added, those that it still has keep their row, and with it their labels. Of the
others, those that somebody labelled, flagged or commented on stay; the rest is removed.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dehusk.many.files.inputs import Input
from dehusk.many.files.record import Loss
from dehusk.studio.page_facts import PageFacts
from dehusk.studio.project import Project
from dehusk.studio.searching import searchable

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
                values = (task.number, task.place, task.name, task.row)
                connection.execute("UPDATE page SET number = ?, place = ?, name = ? WHERE id = ?", values)
                continue
            head = (number, task.number, task.place, task.name, task.url, facts.host, facts.sha)
            page = connection.execute(_INSERT_PAGE, (*head, json.dumps(dict(task.headers)), *facts[2:-1])).lastrowid
            connection.execute(
                "INSERT INTO word (rowid, title, url, text) VALUES (?, ?, ?, ?)",
                (page, searchable(facts.title), task.url, searchable(facts.text)),
            )
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
