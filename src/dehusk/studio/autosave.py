"""Keeps the files of labels up to date, a moment after they changed."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import suppress

from dehusk.base.errors import DehuskError
from dehusk.studio.exporting import save_labels
from dehusk.studio.project import Project, is_closed

_PAUSE = 0.5  # seconds to wait for more changes
_LONG_PAUSE = 5.0  # seconds until the database may let labels be read and marked again


class Autosave:
    """Writes the files of labels that changed, in a thread that runs only while there is something to write."""

    def __init__(self, project: Project) -> None:
        self.failures: dict[tuple[int, str], str] = {}
        """(page, annotator) -> why its files could not be written."""
        self._project = project
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Write what changed, soon."""
        with self._lock:
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name="saving labels", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Write what changed, and end; what the database does not let be written now, the next start writes."""
        self._stopping.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()
        with suppress(sqlite3.Error):
            save_changed(self._project, self.failures)

    def _run(self) -> None:
        pause: float | None = _PAUSE
        while pause is not None:
            self._stopping.wait(pause)
            pause = self._save()

    def _save(self) -> float | None:
        """Write what changed; return after how many seconds there is more to do, None if there is nothing."""
        problem: sqlite3.Error | None = None
        try:
            save_changed(self._project, self.failures)
        except sqlite3.Error as error:  # closed meanwhile, locked, or the disk is full
            problem = error
        with self._lock:  # whoever wakes it afterwards finds no thread
            if not self._stopping.is_set() and self._has_more(problem):
                return _LONG_PAUSE if problem else _PAUSE
            self._thread = None
        return None

    def _has_more(self, problem: sqlite3.Error | None) -> bool:
        if problem is not None:
            return not is_closed(problem)
        try:
            return bool(_changed(self._project))
        except sqlite3.Error as error:
            return not is_closed(error)


def save_changed(project: Project, failures: dict[tuple[int, str], str]) -> int:
    """Write the files of all labels that changed since they were written; return the number of pages.

    Args:
        project: the project.
        failures: receives why files could not be written; what could be written is removed from it.
    """
    rows = _changed(project)
    for row in rows:
        key = (int(row["page"]), str(row["annotator"]))
        try:
            save_labels(project, *key)
            failures.pop(key, None)
        except (DehuskError, OSError) as error:
            failures[key] = " ".join(str(error).split())
        with project.writing() as connection:  # also after a failure: the next change tries again
            connection.execute(
                "UPDATE labelling SET saved = ? WHERE page = ? AND annotator = ?", (row["changed"], *key)
            )
    return len(rows)


def _changed(project: Project) -> list[sqlite3.Row]:
    query = "SELECT page, annotator, changed FROM labelling WHERE changed > saved ORDER BY changed"
    return project.reading.execute(query).fetchall()
