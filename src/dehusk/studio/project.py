"""A project: a folder with all that a studio knows, in one SQLite database.

Every change is committed at once, so that a killed studio loses nothing that it confirmed.

    project.db       pages, labels, settings
    annotations/     the labels as annotation files and CLEANEVAL texts, one each per page
    rules.toml       the rules
    models/          trained models
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dehusk.base.errors import InputError
from dehusk.studio.database_faults import explained
from dehusk.studio.schema import TABLES, VERSION

_BUSY = 5.0  # seconds to wait for another process that writes


class Project:
    """The folder and the database of a project; safe to use from several threads.

    Args:
        folder: created if missing.

    Raises:
        InputError: the folder cannot be written, or is a project of another version.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.annotations = folder / "annotations"
        self.rules = folder / "rules.toml"
        self.models = folder / "models"
        self._threads = threading.local()
        self._writing = threading.Lock()
        self._open: list[sqlite3.Connection] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._prepare()
        except OSError as error:
            raise InputError(f"project {folder}: {error.strerror or error}") from error
        except sqlite3.DatabaseError as error:
            raise InputError(f"project {folder}: {explained(error)}") from error

    @property
    def reading(self) -> sqlite3.Connection:
        """This thread's connection; rows are `sqlite3.Row`."""
        connection: sqlite3.Connection | None = getattr(self._threads, "connection", None)
        if connection is None:
            connection = self.connect()
            self._threads.connection = connection
        return connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Commit what is done inside as a whole, or nothing of it if that fails; one thread at a time."""
        with self._writing:
            connection = self.reading
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:  # a full disk has ended it already
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def setting(self, key: str, default: Any = None) -> Any:
        """Return a setting that `set_setting` stored."""
        row = self.reading.execute("SELECT value FROM setting WHERE key = ?", (key,)).fetchone()
        return default if row is None else json.loads(row["value"])

    def set_setting(self, key: str, value: Any) -> None:
        """Store a setting, any value of JSON."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, json.dumps(value)))

    def inside(self, path: Path) -> Path:
        """Return a path of the project that may be written to.

        Raises:
            InputError: a link leads out of the project.
        """
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise InputError(f"{path} is a link out of the project: replace it by a folder")
        return path

    def close(self) -> None:
        """Close the database in all threads."""
        with self._writing:
            for connection in self._open:
                connection.close()
            self._open.clear()
            self._threads = threading.local()

    def connect(self) -> sqlite3.Connection:
        """Return another connection, which `close` closes."""
        path = self.folder / "project.db"
        connection = sqlite3.connect(path, timeout=_BUSY, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")  # a project may be somebody else's
        self._open.append(connection)
        return connection

    def _prepare(self) -> None:
        with self.writing() as connection:
            [version] = connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                newer = "it was made by a newer dehusk: upgrade dehusk" if version > VERSION else "it is no project"
                raise InputError(
                    f"project {self.folder} has version {version}, this dehusk reads version {VERSION}: {newer}, or "
                    "name another folder by --project"
                )
            if version == 0:
                for statement in _statements(TABLES):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; `executescript` would commit between them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
