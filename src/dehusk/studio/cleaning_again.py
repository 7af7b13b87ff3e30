"""Clean pages again whose rows are older than the project's model and rules, in the background."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from dehusk.base.errors import ChildError, DehuskError, InputError
from dehusk.base.processes.child import PAGE_MEMORY
from dehusk.base.processes.pool import ChildPool
from dehusk.studio.bodies import PageBody, read_body
from dehusk.studio.making import Making, making_of, outdated_pages
from dehusk.studio.page_facts import SECONDS, PageFacts, facts_without, find_facts
from dehusk.studio.project import Project
from dehusk.studio.searching import WORD_ROWS, searchable
from dehusk.studio.unsure_units import store_unsure

_BATCH = 16  # pages in one transaction
_MOST_MESSAGES = 20
_SETTING = "cleaned-again"  # how many times pages were cleaned again
_UPDATE = """
UPDATE page SET host = ?, status = iif(status = 'truncated' AND ? = 'ok', status, ?),
                message = iif(status = 'truncated' AND ? = 'ok', message, ?), title = ?, type = ?, confidence = ?,
                kept = ?, words = ?, blocks = ?, language = ?, preview = ?, made_by = ?
WHERE id = ?
"""  # some bytes of a truncated page never came, whatever cleans it


@dataclass(frozen=True)
class AgainProgress:
    """How far cleaning again is."""

    state: str = "running"
    """"running", "done", "cancelled" or "failed"."""
    done: int = 0
    of: int = 0
    unread: int = 0
    """Pages that could not be read; their rows stay as they are."""
    messages: tuple[str, ...] = ()
    """Why, one line each; not of all if there are many."""


class _OldPage(NamedTuple):
    page: int
    body: PageBody


class CleaningAgain:
    """The cleaning of pages whose rows are out of date: one run at a time; what a cancelled one did stays.

    Args:
        project: the project.
        workers: processes that clean pages.
    """

    def __init__(self, project: Project, *, workers: int = 1) -> None:
        self.progress: AgainProgress | None = None
        self._project = project
        self._workers = workers
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start in a thread.

        Raises:
            InputError: a run is under way.
        """
        with self._lock:
            if self.progress is not None and self.progress.state == "running":
                raise InputError("the pages are being cleaned again already: wait for it, or cancel it")
            self._stopping.clear()
            self.progress = AgainProgress()
            self._thread = threading.Thread(target=self._run, name="cleaning again", daemon=True)
            self._thread.start()

    def cancel(self) -> None:
        """End after the pages that are being cleaned."""
        self._stopping.set()
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(30)

    def _run(self) -> None:
        try:
            self._clean(making_of(self._project))
            self._say(state="cancelled" if self._stopping.is_set() else "done")
        except Exception as error:  # (whatever happened, the browser must learn that it has ended)
            self._say(state="failed", messages=(" ".join(str(error).split()),))

    def _clean(self, making: Making) -> None:
        pages = outdated_pages(self._project, making)
        times = int(self._project.setting(_SETTING, 0)) + 1
        self._project.set_setting(_SETTING, times)
        self._say(of=len(pages))
        with ChildPool(
            _finder, making, workers=self._workers, seconds=SECONDS, memory=PAGE_MEMORY, preload=find_facts.__module__
        ) as children:
            cleaned = map(_with_facts, children.map(self._bodies(pages)))
            while batch := list(islice(cleaned, _BATCH)):
                self._store(batch, times)
                self._say(done=self._progress_now.done + len(batch))

    @property
    def _progress_now(self) -> AgainProgress:
        return self.progress or AgainProgress()

    def _bodies(self, pages: list[int]) -> Iterator[_OldPage]:
        for page in pages:
            if self._stopping.is_set():
                return
            try:
                body = read_body(self._project, page)
            except (DehuskError, KeyError) as error:
                now = self._progress_now
                messages = (*now.messages, f"page {page}: {error}")[:_MOST_MESSAGES]
                self._say(unread=now.unread + 1, done=now.done + 1, messages=messages)
                continue
            yield _OldPage(page, body)

    def _store(self, batch: list[tuple[int, PageFacts]], times: int) -> None:
        with self._project.writing() as connection:
            for page, facts in batch:
                before = connection.execute("SELECT words, preview, url FROM page WHERE id = ?", (page,)).fetchone()
                connection.execute(_UPDATE, _values(page, facts))
                store_unsure(connection, page, facts.unsure)
                if before is not None and tuple(before)[:2] != (facts.words, facts.preview):
                    _add_words(connection, page + times * WORD_ROWS, facts, before["url"])

    def _say(self, **values: Any) -> None:
        self.progress = replace(self._progress_now, **values)


def _values(page: int, facts: PageFacts) -> tuple[object, ...]:
    status = (facts.status, facts.status, facts.status, facts.message)
    return (facts.host, *status, *facts[4:-2], page)


def _add_words(connection: sqlite3.Connection, row: int, facts: PageFacts, url: str) -> None:
    """Let the search find the page by its words of now: the latest row of a page counts. The index can forget none."""
    values = (row, searchable(facts.title), url, searchable(facts.text))
    connection.execute("INSERT INTO word (rowid, title, url, text) VALUES (?, ?, ?, ?)", values)


def _finder(making: Making) -> Callable[[_OldPage], PageFacts]:
    """Return the function of a child process: it cleans and describes a page."""
    return lambda old: find_facts(old.body.data, old.body.url, old.body.headers, making)


def _with_facts(done: tuple[_OldPage, PageFacts | ChildError]) -> tuple[int, PageFacts]:
    old, facts = done
    if isinstance(facts, ChildError):
        facts = facts_without(old.body.data, old.body.url, old.body.headers, facts)
    return old.page, facts
