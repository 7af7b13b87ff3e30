"""Add the pages of files and folders to a project, in the background.

The pages of a file are added in the order of the file, some at a time, so that an interrupted run continues after the
last of them.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

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
from dehusk.studio.registering import AddingTask, Registered, complete, register, store_others, store_pages
from dehusk.studio.sources import has_places, read_source

_BATCH = 64  # pages in one transaction
_UTF_8 = "text/html; charset=utf-8"  # of pages that were stored as text, whatever they say themselves


@dataclass(frozen=True)
class Progress:
    """How far adding is."""

    pages: int = 0
    """Pages added in this run."""
    inputs: int = 0
    """Inputs that are complete."""
    of_inputs: int = 0
    current: str = ""
    """Name of the input being read."""
    messages: tuple[str, ...] = ()
    """Inputs that could not be read, one line each; what of others could not is in the table `loss`."""
    done: bool = False


@dataclass
class _PassedOver:
    """What is no page: style sheets (URL, place), and parts that could not be read."""

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
    if facts is not None and task.incomplete and facts.status == Status.OK:
        facts = facts._replace(status=str(Status.TRUNCATED), message=task.incomplete)
    return task, facts
