"""Clean pages again whose rows are older than the project's model and rules, in the background."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from dehusk.base.errors import ChildError, DehuskError
from dehusk.base.processes.child import PAGE_MEMORY
from dehusk.base.processes.pool import ChildPool
from dehusk.studio.background import BackgroundWork, RunProgress
from dehusk.studio.bodies import PageBody, read_body
from dehusk.studio.making import Making, making_of, outdated_pages
from dehusk.studio.page_facts import SECONDS, PageFacts, facts_without, find_facts
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
class AgainProgress(RunProgress):
    """How far cleaning again is."""

    unread: int = 0
    """Pages that could not be read; their rows stay as they are."""
    messages: tuple[str, ...] = ()
    """Why, one line each; not of all if there are many."""


class _OldPage(NamedTuple):
    page: int
    body: PageBody


class CleaningAgain(BackgroundWork[AgainProgress]):
    """The cleaning of pages whose rows are out of date; what a cancelled run did stays."""

    busy = "the pages are being cleaned again already"

    def start(self) -> None:
        """Start in a thread.

        Raises:
            InputError: a run is under way.
        """
        self._begin(AgainProgress(), lambda: self._clean(making_of(self._project)))

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
                self._say(done=self._now.done + len(batch))
        self._check()

    def _bodies(self, pages: list[int]) -> Iterator[_OldPage]:
        for page in pages:
            if self._stopping.is_set():
                return
            try:
                body = read_body(self._project, page)
            except (DehuskError, KeyError) as error:
                now = self._now
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
