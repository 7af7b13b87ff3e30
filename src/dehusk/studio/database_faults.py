"""What went wrong with a project's database, in one line that says what to do."""

from __future__ import annotations

import sqlite3

_WORDS = {
    "locked": "another program uses it: end that one, or wait for it, then try again",
    "busy": "another program uses it: end that one, or wait for it, then try again",
    "full": "the disk is full: make room, then try again; what was confirmed before is kept",
    "readonly": "it may not be written: check the permissions of the project's folder",
    "unable to open": "it cannot be opened: check the permissions of the project's folder",
    "disk i/o": "the disk cannot be read or written: check it, and whether it is full",
    "malformed": "it is damaged: put a copy back; files of labels are in the folder annotations",
    "not a database": "it is no project, or damaged: put a copy back, or name another folder by --project",
    "no such": "it is damaged, or not of this version: put a copy back, or name another folder by --project",
}
"""Part of a message of SQLite -> what it means."""


def explained(error: Exception) -> str:
    """Return what an error of the database means; SQLite's own words come last."""
    said = " ".join(str(error).split())
    found = next((words for part, words in _WORDS.items() if part in said.lower()), "it failed")
    return f"the project's database: {found} ({said})"


def is_closed(error: sqlite3.Error) -> bool:
    """Return whether an error only says that the project was closed meanwhile."""
    return isinstance(error, sqlite3.ProgrammingError)
