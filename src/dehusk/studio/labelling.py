"""Labels that people give: changes that are undone and redone, kept in the database from the moment they are made.

A change has the labels of some blocks of one page before and after it, or the page's flag; the changes of one action,
also on several pages, share a batch. Undoing marks the latest batch that touches a page as undone; redoing takes the
earliest undone one. Pages that were changed again after the batch keep their labels. A new change removes what was
undone before it.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Connection, Row
from statistics import median
from typing import Any

import numpy as np

from dehusk.base.errors import ConfigError, unknown
from dehusk.blocks.annotation import SOURCES, UNKNOWN_SOURCE, UNLABELLED, Codes
from dehusk.blocks.labels import LABELS
from dehusk.studio.page_rows import FLAGS, PageFilter, PageList
from dehusk.studio.project import Project

_MOST_NAME = 80  # characters
SETTLED = SOURCES.index("settled")
_AT_ONCE = (SOURCES.index("all"), SOURCES.index("site"))
_IDLE = 60.0  # seconds after which somebody no longer works on a page


@dataclass(frozen=True)
class Change:
    """New labels of some blocks of a page."""

    page: int
    size: int
    """Number of the page's common blocks."""
    blocks: Sequence[int]
    """Each at most once."""
    label: int | Sequence[int]
    """Index into `LABELS` for all of the blocks, or one for each of them; `UNLABELLED` removes a label."""
    source: int | Sequence[int] = UNKNOWN_SOURCE
    """How the labels were given: index into `SOURCES` for all of the blocks, or one for each of them."""

    def codes(self) -> Codes:
        """Return the new label of each of the blocks."""
        return _for_each(self.label, self.blocks)


def _for_each(value: int | Sequence[int], blocks: Sequence[int]) -> Codes:
    return np.broadcast_to(np.asarray(value, dtype=np.int8), len(blocks)).copy()


def labels_of(project: Project, page: int, annotator: str, size: int) -> Codes:
    """Return the label of each of a page's blocks, shape (size,), -1 for none."""
    return _codes(project.reading, page, annotator, size)


def sources_of(project: Project, page: int, annotator: str, size: int) -> Codes:
    """Return how the label of each of a page's blocks was given, shape (size,): index into `SOURCES`, -1 if unknown."""
    found = np.full(size, UNKNOWN_SOURCE, dtype=np.int8)
    for row in _steps(project, page, annotator):
        blocks = np.frombuffer(row["blocks"], dtype=np.int32)
        found[blocks] = UNKNOWN_SOURCE if row["sources"] is None else np.frombuffer(row["sources"], dtype=np.int8)
    return found


def independent_labels(project: Project, page: int, annotator: str, codes: Codes) -> Codes:
    """Return the labels of an annotator as they were before they saw those of another one, to settle a disagreement."""
    found = codes.copy()
    for row in reversed(_steps(project, page, annotator)):
        if row["sources"] is not None:
            is_settled = np.frombuffer(row["sources"], dtype=np.int8) == SETTLED
            blocks = np.frombuffer(row["blocks"], dtype=np.int32)[is_settled]
            found[blocks] = np.frombuffer(row["before"], dtype=np.int8)[is_settled]
    return found


def joint_labels(project: Project, page: int, *, one_by_one: bool = False) -> tuple[list[str], Codes] | None:
    """Return who labelled a page, and their labels as one, shape (b,); None if nobody did.

    Of each block it is the label that was settled, else that of who was the last to change labels of the page.

    Args:
        project: the project.
        page: number of the page.
        one_by_one: whether to leave out labels that were given to a whole page, or a whole site, at once.
    """
    query = "SELECT annotator, codes FROM labelling WHERE page = ? AND labelled > 0 ORDER BY changed"
    found = [
        (row["annotator"], np.frombuffer(row["codes"], dtype=np.int8))
        for row in project.reading.execute(query, (page,))
    ]
    same = [(name, codes) for name, codes in found if len(codes) == len(found[-1][1])]
    if not same:
        return None
    joined = np.full(len(same[-1][1]), UNLABELLED, dtype=np.int8)
    sources = [sources_of(project, page, name, len(codes)) for name, codes in same]
    left_out = _AT_ONCE if one_by_one else ()
    for (_, codes), source in zip(same, sources, strict=True):
        joined = np.where((codes == UNLABELLED) | np.isin(source, left_out), joined, codes)
    for (_, codes), source in zip(same, sources, strict=True):
        joined = np.where(source == SETTLED, codes, joined)
    return [name for name, _ in same], joined


def _steps(project: Project, page: int, annotator: str) -> list[Row]:
    return project.reading.execute(
        "SELECT blocks, before, sources FROM change WHERE page = ? AND annotator = ? AND undone = 0 ORDER BY batch",
        (page, annotator),
    ).fetchall()


def checked_annotator(name: object) -> str:
    """Return the name of an annotator, without white space around it.

    Raises:
        ConfigError: it is no name.
    """
    if not isinstance(name, str) or not name.strip() or len(name) > _MOST_NAME or not name.isprintable():
        raise ConfigError(f"an annotator is named by 1 to {_MOST_NAME} printable characters")
    return name.strip()


def annotators_of(project: Project, page: int) -> list[str]:
    """Return the names of all who labelled a page, in alphabetical order."""
    rows = project.reading.execute("SELECT annotator FROM labelling WHERE page = ? ORDER BY annotator", (page,))
    return [row["annotator"] for row in rows]


def apply_changes(
    project: Project, annotator: str, changes: Sequence[Change], bodies: Mapping[int, bytes], *, sent: str = ""
) -> int:
    """Label blocks, as one action; return how many labels differ from before.

    Args:
        project: the project.
        annotator: who labels.
        changes: at most one for each page.
        bodies: the bytes of each page, which the project keeps from its first label on.
        sent: id of the action, which is done once however often it comes; "" for none.

    Raises:
        ConfigError: a block or a label does not exist.
    """
    for change in changes:
        _check(change)
    differing = 0
    with project.writing() as connection:
        if not _is_new(connection, sent):
            return 0
        now = time.time()  # not before: files of labels are up to date if they have the latest change
        batch = _next_batch(connection)
        for change in changes:
            _forget_undone(connection, change.page, annotator)
            codes = _codes(connection, change.page, annotator, change.size)
            blocks, after = np.array(change.blocks, dtype=np.int32), change.codes()
            sources = _for_each(change.source, change.blocks)
            differ = (codes[blocks] != after) | (sources == SETTLED)  # to stay with a label settles it, too
            blocks, after, sources = blocks[differ], after[differ], sources[differ]
            if not len(blocks) and len(changes) == 1:
                continue  # of several pages, each can undo the action, also one that has the label already
            columns = (blocks.tobytes(), codes[blocks].tobytes(), after.tobytes(), sources.tobytes())
            connection.execute(
                "INSERT INTO change (page, annotator, batch, blocks, before, after, sources, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (change.page, annotator, batch, *columns, now),
            )
            codes[blocks] = after
            _store(connection, change.page, annotator, codes, now)
            data = zlib.compress(bodies[change.page])
            connection.execute("INSERT OR IGNORE INTO body VALUES (?, ?)", (change.page, data))
            differing += len(blocks)
    return differing


def apply_flag(project: Project, annotator: str, page: int, flag: str) -> None:
    """Flag a page as an action that can be undone; "" removes the flag. Each annotator has a flag of their own.

    Raises:
        KeyError: there is no such page.
    """
    with project.writing() as connection:
        if connection.execute("SELECT 1 FROM page WHERE id = ?", (page,)).fetchone() is None:
            raise KeyError(page)
        before = flag_of(connection, page, annotator)
        if flag == before:
            return
        _forget_undone(connection, page, annotator)
        connection.execute(
            "INSERT INTO change (page, annotator, batch, blocks, before, after, flag_before, flag_after, at) "
            "VALUES (?, ?, ?, x'', x'', x'', ?, ?, ?)",
            (page, annotator, _next_batch(connection), before, flag, time.time()),
        )
        store_flag(connection, page, annotator, flag)


def flag_of(connection: Connection, page: int, annotator: str) -> str:
    """Return the flag that an annotator gave a page; "" for none."""
    row = connection.execute("SELECT flag FROM flagging WHERE page = ? AND annotator = ?", (page, annotator)).fetchone()
    return "" if row is None else str(row["flag"])


def flags_of(project: Project, page: int) -> dict[str, str]:
    """Return annotator -> flag of a page, of all who flagged it."""
    rows = project.reading.execute(
        "SELECT annotator, flag FROM flagging WHERE page = ? AND flag <> '' ORDER BY annotator", (page,)
    )
    return {row["annotator"]: row["flag"] for row in rows}


def store_flag(connection: Connection, page: int, annotator: str, flag: str) -> None:
    """Store a flag; the table of pages shows the one that was given last."""
    connection.execute("INSERT OR REPLACE INTO flagging VALUES (?, ?, ?, ?)", (page, annotator, flag, time.time()))
    latest = "SELECT flag FROM flagging WHERE page = ? AND flag <> '' ORDER BY changed DESC LIMIT 1"
    connection.execute(f"UPDATE page SET flag = coalesce(({latest}), '') WHERE id = ?", (page, page))  # noqa: S608


def undo(
    project: Project, annotator: str, page: int, *, sent: str = "", blocks: Collection[int] | None = None
) -> list[int]:
    """Undo the latest action of an annotator on a page; return the pages that change, none if there is none.

    Args:
        project: the project.
        annotator: whose action.
        page: number of the page.
        sent: id of this step, which is done once however often it comes; "" for none.
        blocks: undo it only if it labelled no other blocks than these, as one that was made elsewhere meanwhile may.
    """
    return _step(project, annotator, page, sent, undone=False, within=blocks)


def redo(project: Project, annotator: str, page: int, *, sent: str = "") -> list[int]:
    """Redo the action on a page that was undone last; return the pages that change. Arguments: as `undo`."""
    return _step(project, annotator, page, sent, undone=True)


def can_step(project: Project, annotator: str, page: int) -> tuple[bool, bool]:
    """Return whether there is something to undo, and something to redo."""
    rows = project.reading.execute(
        "SELECT DISTINCT undone FROM change WHERE page = ? AND annotator = ?", (page, annotator)
    )
    found = {row["undone"] for row in rows}
    return 0 in found, 1 in found


def count_labels(project: Project, page: int, annotator: str) -> int:
    """Return how many blocks of a page have a label of an annotator."""
    query = "SELECT labelled FROM labelling WHERE page = ? AND annotator = ?"
    row = project.reading.execute(query, (page, annotator)).fetchone()
    return 0 if row is None else int(row["labelled"])


def seconds_on(project: Project, page: int, annotator: str) -> float:
    """Return for how long an annotator worked on a page; pauses count for a minute at most."""
    row = project.reading.execute(
        "SELECT seconds FROM labelling WHERE page = ? AND annotator = ?", (page, annotator)
    ).fetchone()
    return 0.0 if row is None else float(row["seconds"])


def add_seconds(project: Project, page: int, annotator: str, seconds: float, size: int) -> None:
    """Add to the time that an annotator worked on a page."""
    with project.writing() as connection:
        none = np.full(size, UNLABELLED, dtype=np.int8).tobytes()
        connection.execute(
            "INSERT INTO labelling (page, annotator, codes, labelled, changed, seconds) VALUES (?, ?, ?, 0, 0, ?) "
            "ON CONFLICT (page, annotator) DO UPDATE SET seconds = seconds + excluded.seconds",
            (page, annotator, none, min(max(seconds, 0.0), _IDLE)),
        )


def _step(
    project: Project, annotator: str, page: int, sent: str, *, undone: bool, within: Collection[int] | None = None
) -> list[int]:
    order, column = ("min", "after") if undone else ("max", "before")
    next_of = f"(SELECT {order}(batch) FROM change WHERE page = {{}} AND annotator = ? AND undone = ?)"  # noqa: S608
    who = (annotator, int(undone))
    with project.writing() as connection:
        if not _is_new(connection, sent):
            return []
        rows = connection.execute(
            f"SELECT * FROM change AS own WHERE batch = {next_of.format('?')} AND annotator = ? AND undone = ? "  # noqa: S608
            f"AND batch = {next_of.format('own.page')} ORDER BY page",
            (page, *who, *who, *who),
        ).fetchall()
        if within is not None and not all(_is_within(row, page, within) for row in rows):
            return []
        for row in rows:
            connection.execute("UPDATE change SET undone = ? WHERE id = ?", (int(not undone), row["id"]))
            if row["flag_after"] is not None:
                store_flag(connection, row["page"], annotator, row[f"flag_{column}"])
                continue
            blocks = np.frombuffer(row["blocks"], dtype=np.int32)
            codes = _codes(connection, row["page"], annotator, 0)
            codes[blocks] = np.frombuffer(row[column], dtype=np.int8)
            _store(connection, row["page"], annotator, codes, time.time())
    return [row["page"] for row in rows]


def _is_within(change: Row, page: int, blocks: Collection[int]) -> bool:
    """Return whether a change is of a page, and of the labels of no other than some of its blocks."""
    changed = np.frombuffer(change["blocks"], dtype=np.int32).tolist()
    return change["page"] == page and change["flag_after"] is None and set(changed) <= set(blocks)


def _codes(connection: Connection, page: int, annotator: str, size: int) -> Codes:
    row = connection.execute(
        "SELECT codes FROM labelling WHERE page = ? AND annotator = ?", (page, annotator)
    ).fetchone()
    if row is None:
        return np.full(size, UNLABELLED, dtype=np.int8)
    return np.frombuffer(row["codes"], dtype=np.int8).copy()


def _is_new(connection: Connection, sent: str) -> bool:
    """Note that an action arrived; return whether it did not before."""
    found = connection.execute("INSERT OR IGNORE INTO received VALUES (?, ?)", (sent, time.time())) if sent else None
    return found is None or found.rowcount == 1


def _next_batch(connection: Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(batch), 0) + 1 FROM change").fetchone()[0])


def _forget_undone(connection: Connection, page: int, annotator: str) -> None:
    connection.execute("DELETE FROM change WHERE page = ? AND annotator = ? AND undone = 1", (page, annotator))


def _store(connection: Connection, page: int, annotator: str, codes: Codes, now: float) -> None:
    connection.execute(
        "INSERT INTO labelling (page, annotator, codes, labelled, changed) VALUES (?, ?, ?, ?, ?) ON CONFLICT "
        "DO UPDATE SET codes = excluded.codes, labelled = excluded.labelled, changed = excluded.changed",
        (page, annotator, codes.tobytes(), int((codes != UNLABELLED).sum()), now),
    )
    connection.execute(
        "UPDATE page SET labelled = (SELECT max(labelled) FROM labelling WHERE page = page.id) WHERE id = ?", (page,)
    )


def _check(change: Change) -> None:
    given = [change.label] if isinstance(change.label, int) else change.label
    for label in given:
        if not UNLABELLED <= label < len(LABELS):
            raise ConfigError(f"label {label} does not exist: use {UNLABELLED} to {len(LABELS) - 1}")
    for each in (change.label, change.source):
        if not isinstance(each, int) and len(each) != len(change.blocks):
            raise ConfigError(f"{len(change.blocks)} blocks need {len(change.blocks)} labels, not {len(each)}")
    if any(not 0 <= block < change.size for block in change.blocks):
        raise ConfigError(f"page {change.page} has the blocks 0 to {change.size - 1}")
    if len(set(change.blocks)) != len(change.blocks):
        raise ConfigError(f"a block of page {change.page} is named twice")


# ---------------------------------------------------------------- progress


def count_done(project: Project, chosen: PageFilter, annotator: str) -> dict[str, Any]:
    """Return the progress of an annotator as plain values.

    A page is done if each of its blocks has a label, or if it is flagged.

    Returns:
        pages (of the list), done, median (seconds a page that is done; None before the first), left (seconds).
    """
    listed = set(PageList(project, chosen).ids().tolist())
    rows = project.reading.execute(
        "SELECT page.id, seconds FROM page LEFT JOIN labelling ON page = page.id AND annotator = ? "
        "WHERE labelling.labelled = length(codes) OR flag != ''",
        (annotator,),
    )
    done = [row["seconds"] for row in rows if row["id"] in listed]
    times = [seconds for seconds in done if seconds]
    typical = median(times) if times else None
    left = None if typical is None else typical * max(0, len(listed) - len(done))
    return {"pages": len(listed), "done": len(done), "median": typical, "left": left}


# ---------------------------------------------------------------- notes

_MOST = 5_000  # characters of a comment


def set_note(
    project: Project, page: int, annotator: str, *, flag: str | None = None, comment: str | None = None
) -> None:
    """Store the flag or the comment of a page, or both; "" removes it.

    A flag is the annotator's own, and can be undone like labels; the comment is everybody's.

    Raises:
        ConfigError: unknown flag, or a comment that is too long.
        KeyError: there is no such page.
    """
    if flag and flag not in FLAGS:
        raise ConfigError(unknown("flag", flag, FLAGS))
    if comment and len(comment) > _MOST:
        raise ConfigError(f"a comment can have {_MOST} characters, this one has {len(comment)}")
    if flag is not None:
        apply_flag(project, annotator, page, flag)
    if comment is not None:
        with project.writing() as connection:
            found = connection.execute("UPDATE page SET comment = ? WHERE id = ?", (comment, page))
            if not found.rowcount:
                raise KeyError(page)


# ---------------------------------------------------------------- keys
# The keys of actions on labels, which people can change; a project stores those that differ from the usual ones.

ACTIONS = {
    "header": ("h", "header: a title or heading"),
    "list": ("l", "list: the start of a list item"),
    "paragraph": ("p", "paragraph: the start of a paragraph"),
    "continuation": ("c", "continuation: goes on with the block above"),
    "other": ("o", "other: text to remove"),
    "clear": ("x", "remove the label"),
    "confirm": ("Enter", "confirm the suggestion"),
    "confirm-all": ("a", "confirm all suggestions of the page"),
    "next": ("n", "next block without a label"),
    "previous": ("N", "previous block without a label"),
    "undo": ("u", "undo"),
    "redo": ("U", "redo"),
    "alike": ("t", "select all like this on the page"),
    "alike-site": ("T", "label all like this on the site"),
    "wider": ("e", "select the unit around: item, list, record, table, section"),
    "narrower": ("E", "select what was selected before the unit"),
    "brush": ("b", "brush: choose a label, then click or drag over many blocks"),
    "difference": ("v", "next difference from the suggestion"),
    "note": ("f", "flag the page, or write a comment"),
    "rubric": ("r", "the rubric"),
    "correct": ("m", "correct labels: on or off"),
}
"""Action -> its usual key, and what it does. Ctrl+Z and Ctrl+Shift+Z always undo and redo."""

_KEYS_SETTING = "label-keys"
_TAKEN = frozenset("jkJKHRdDgsSwWyYP[],.?0123456789") | {"Escape", "Home", "End", "Tab"}  # of the view of a page


def keys_of_actions(project: Project) -> dict[str, str]:
    """Return the key of each action."""
    own = project.setting(_KEYS_SETTING, {})
    return {action: own.get(action, usual) for action, (usual, _) in ACTIONS.items()}


def set_label_keys(project: Project, keys: Mapping[str, str]) -> dict[str, str]:
    """Store keys of actions; the others keep theirs. Return all keys.

    Raises:
        ConfigError: an unknown action, a key that is taken, or two actions with the same key.
    """
    chosen = keys_of_actions(project) | dict(keys)
    for action, key in keys.items():
        if action not in ACTIONS:
            raise ConfigError(unknown("action", action, ACTIONS))
        if not isinstance(key, str) or not 1 <= len(key) <= 20:
            raise ConfigError(f"{action}: a key is a character or a name such as Enter")
        if key in _TAKEN:
            raise ConfigError(f"{key} is a key of the view itself")
        if same := [other for other, its in chosen.items() if its == key and other != action]:
            raise ConfigError(f"{key} is the key of: {ACTIONS[same[0]][1]}")
    project.set_setting(_KEYS_SETTING, {name: key for name, key in chosen.items() if key != ACTIONS[name][0]})
    return chosen
