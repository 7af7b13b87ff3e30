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

from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError

# ---------------------------------------------------------------- schema
# The tables of a project's database.

DATABASE = "project.db"
"""The file that makes a folder a project."""
RULES = "rules.toml"
"""The file with its rules."""
VERSION = 1
"""Stored as `user_version`; a project of another version is refused."""

TABLES = """
CREATE TABLE input (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    stamp TEXT NOT NULL,               -- JSON; as it was when its pages were added
    complete INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE page (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given again: the words of a removed page stay in the index
    input INTEGER NOT NULL REFERENCES input,
    number INTEGER NOT NULL,           -- of the record in its input; negative if its input changed
    place INTEGER NOT NULL,            -- `Record.offset`
    name TEXT NOT NULL,                -- `Record.id`
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    sha TEXT NOT NULL,                 -- SHA-256 of the body, in hex
    headers TEXT NOT NULL,             -- JSON
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    title TEXT NOT NULL COLLATE NOCASE,
    type TEXT NOT NULL,                -- one of `dehusk.studio.page_facts.TYPES`
    confidence REAL NOT NULL,
    kept REAL NOT NULL,                -- share of the words that are in kept blocks
    words INTEGER NOT NULL,            -- of kept blocks
    blocks INTEGER NOT NULL,
    language TEXT NOT NULL,
    preview TEXT NOT NULL,
    made_by TEXT NOT NULL,             -- `dehusk.studio.making.Making.key`: the model and the rules
    labelled INTEGER NOT NULL DEFAULT 0, -- blocks with a label, of the annotator who labelled most
    flag TEXT NOT NULL DEFAULT '',     -- of the annotator who flagged it last
    comment TEXT NOT NULL DEFAULT '',
    UNIQUE (input, number)
);
CREATE INDEX page_host ON page (host, id);
CREATE INDEX page_site ON page (host, labelled, confidence); -- the list of sites reads nothing else
CREATE INDEX page_made ON page (host, made_by);
CREATE INDEX page_title ON page (title, id);
CREATE INDEX page_url ON page (url, id);
CREATE INDEX page_sha ON page (sha);
CREATE INDEX page_remark ON page (id, labelled, flag) WHERE labelled > 0 OR flag <> '';
CREATE TABLE revision (number INTEGER NOT NULL); -- changes when pages do, apart from labels, flags and comments
INSERT INTO revision VALUES (0);
CREATE TRIGGER page_changed AFTER UPDATE OF title, url, host, status, type, confidence, kept, words, blocks, language
ON page BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER page_removed AFTER DELETE ON page BEGIN UPDATE revision SET number = number + 1; END;
CREATE TABLE loss (                    -- what of an input could not be read
    input INTEGER NOT NULL REFERENCES input,
    place INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (input, place, message)
) WITHOUT ROWID;
CREATE TABLE body (                    -- of pages whose input can only be read from its start, and of labelled pages
    page INTEGER PRIMARY KEY REFERENCES page,
    data BLOB NOT NULL                 -- compressed by zlib
);
CREATE TABLE sheet (                   -- style sheets in files of pages
    input INTEGER NOT NULL REFERENCES input,
    url TEXT NOT NULL,
    place INTEGER NOT NULL,            -- `Record.offset`
    PRIMARY KEY (input, url)
) WITHOUT ROWID;
-- rowid: the page, plus a multiple of `dehusk.studio.searching.WORD_ROWS` for what later models kept of it
CREATE VIRTUAL TABLE word USING fts5 (
    title, url, text, content = '', detail = 'none', prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE labelling (
    page INTEGER NOT NULL REFERENCES page,
    annotator TEXT NOT NULL,
    codes BLOB NOT NULL,               -- one int8 per block: an index into LABELS, -1 for none
    labelled INTEGER NOT NULL,         -- blocks with a label
    seconds REAL NOT NULL DEFAULT 0,   -- that the page was worked on
    changed REAL NOT NULL,             -- Unix time
    saved REAL NOT NULL DEFAULT 0,     -- `changed` of the labels that the files have
    PRIMARY KEY (page, annotator)
);
CREATE TABLE flagging (
    page INTEGER NOT NULL REFERENCES page,
    annotator TEXT NOT NULL,
    flag TEXT NOT NULL,                -- '' after it was removed
    changed REAL NOT NULL,             -- Unix time
    PRIMARY KEY (page, annotator)
) WITHOUT ROWID;
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES page,
    annotator TEXT NOT NULL,
    batch INTEGER NOT NULL,            -- changes of one action, also of several pages, are undone together
    blocks BLOB NOT NULL,              -- int32
    before BLOB NOT NULL,              -- int8, a label for each of `blocks`
    after BLOB NOT NULL,
    flag_before TEXT,                  -- of an action that flags the page; NULL of those that label blocks
    flag_after TEXT,
    undone INTEGER NOT NULL DEFAULT 0,
    at REAL NOT NULL
);
CREATE INDEX change_page ON change (page, annotator, undone, batch);
CREATE INDEX change_batch ON change (batch);
CREATE TABLE rule_edit (               -- what the studio did to the rules file
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,                  -- Unix time
    what TEXT NOT NULL,
    before TEXT NOT NULL,              -- the file's text
    after TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE judgement (               -- of what a method keeps of a page, compared with the page's gold
    page INTEGER NOT NULL REFERENCES page ON DELETE CASCADE,
    setup TEXT NOT NULL,               -- JSON; see `dehusk.studio.setups`
    stamp TEXT NOT NULL,               -- of the gold and of what the outcome depends on; another one is out of date
    common INTEGER NOT NULL,           -- words of both, regardless of order
    kept INTEGER NOT NULL,             -- words of the outcome
    gold INTEGER NOT NULL,             -- words of the gold
    ms REAL,                           -- of CPU time; NULL if it is not known
    failure TEXT NOT NULL DEFAULT '',  -- why the page could not be cleaned, in one line
    text BLOB,                         -- what another tool kept, compressed by zlib; NULL: dehusk can tell
    PRIMARY KEY (page, setup)
) WITHOUT ROWID;
CREATE INDEX judgement_setup ON judgement (setup, page);
CREATE TABLE result_file (             -- figures of `dehusk bench` and others, shown as tables
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    at REAL NOT NULL,                  -- Unix time
    content TEXT NOT NULL              -- JSON
);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL); -- JSON
"""
_LATER = (
    """CREATE TABLE IF NOT EXISTS unsure (  -- see `dehusk.studio.unsure_units`
        page INTEGER NOT NULL REFERENCES page ON DELETE CASCADE,
        first INTEGER NOT NULL,
        stop INTEGER NOT NULL,             -- blocks from `first` to before `stop`
        kind TEXT NOT NULL,
        probability REAL NOT NULL,
        kept INTEGER NOT NULL,
        template INTEGER NOT NULL,
        text INTEGER NOT NULL,
        PRIMARY KEY (page, first)
    ) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS unsure_margin ON unsure (abs(probability - 0.5))",
    # ids of changes that browsers sent: one that is sent again, because its answer was lost, is not made again
    "CREATE TABLE IF NOT EXISTS received (id TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID",
    # word F1 of what a tool of others keeps of a page, and of what is kept by `made_by`
    "CREATE TABLE IF NOT EXISTS agreement (page INTEGER PRIMARY KEY, tool TEXT, made_by TEXT, share REAL)",
    "INSERT OR IGNORE INTO setting VALUES ('identity', '\"' || lower(hex(randomblob(8))) || '\"')",
)
"""What projects of this version may lack, because an earlier dehusk made them."""


# ---------------------------------------------------------------- project

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
        self.rules = folder / RULES
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

    def page_row(self, page: int, query: str, *others: object) -> sqlite3.Row:
        """Return the row that a query finds for a page, whose number is its first value.

        Raises:
            KeyError: there is none.
        """
        row: sqlite3.Row | None = self.reading.execute(query, (page, *others)).fetchone()
        if row is None:
            raise KeyError(page)
        return row

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

    @property
    def identity(self) -> str:
        """What tells this project from others, also from a later one in the same folder."""
        return str(self.setting("identity"))

    def save_copy(self, path: Path) -> None:
        """Save the database as another one; nothing else needs to wait meanwhile.

        Raises:
            InputError: there is a file of this name, or it cannot be written.
        """
        if path.exists():
            raise InputError(f"{path} exists: name another file")
        try:
            with replacing(path) as temporary:
                self.reading.execute("VACUUM INTO ?", (str(temporary),))
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
        except sqlite3.Error as error:
            raise InputError(f"{path}: {explained(error)}") from error

    def inside(self, path: Path) -> Path:
        """Return a path of the project that may be written to.

        Raises:
            InputError: a link leads out of the project.
        """
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise InputError(f"{path} is a link out of the project: replace it by a folder")
        return path

    def outside(self, path: Path) -> Path:
        """Return a path to write something to that is none of the project's pages, nor among them.

        Raises:
            InputError: it is one of the files or folders that the pages came from, or in such a folder.
        """
        real = path.resolve()
        for [given] in self.reading.execute("SELECT path FROM input"):
            pages = Path(given).resolve()
            is_among = real.is_relative_to(pages) and not real.is_relative_to(self.folder.resolve())
            if real == pages or is_among:
                raise InputError(f"{path} is one of the project's files of pages, or among them: choose another file")
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
        path = self.folder / DATABASE
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
            if any(self.annotations.glob("*/*")) and connection.execute("SELECT 1 FROM page").fetchone() is None:
                raise InputError(
                    f"project {self.folder}: project.db is empty, but there are labels in {self.annotations}: put a "
                    "copy of project.db back (and project.db-wal, if there is one), or move that folder away"
                )
            for statement in _LATER:
                connection.execute(statement)
            if not connection.execute("SELECT 1 FROM pragma_table_info('change') WHERE name = 'sources'").fetchone():
                # int8, an index into SOURCES for each of `blocks`; NULL of what an earlier dehusk stored
                connection.execute("ALTER TABLE change ADD COLUMN sources BLOB")


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; `executescript` would commit between them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


# ---------------------------------------------------------------- faults

_WORDS = {
    "locked": "another program uses it: end that one, or wait for it, then try again",
    "busy": "another program uses it: end that one, or wait for it, then try again",
    "disk is full": "the disk is full: make room, then try again; what was confirmed before is kept",
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
