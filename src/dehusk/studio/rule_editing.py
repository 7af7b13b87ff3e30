"""The rules file of a project: edited by the studio and by hand, and what the studio changed can be undone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dehusk.base.atomic import write_text
from dehusk.base.errors import ConfigError, InputError
from dehusk.counts.grouping import site_name
from dehusk.label.rules import ACTIONS, ANY_HOST, Rule, Rules
from dehusk.studio.project import Project
from dehusk.studio.rules_text import add_rule, remove_rule, replace_rule

MOST_SELECTOR = 2_000
"""Characters of a selector."""


class Steps(NamedTuple):
    """What can be undone and redone, in words; None for nothing."""

    undo: str | None
    redo: str | None


def rules_text(project: Project) -> str:
    """Return the text of a project's rules file; "" if there is none.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with project.rules.open(encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{project.rules} cannot be read: {error}") from error


def checked_rule(action: str, selector: str, host: str) -> Rule:
    """Return a rule whose parts people gave.

    Raises:
        ConfigError: a part is invalid.
    """
    if action not in ACTIONS:
        raise ConfigError(f"a rule must keep or drop, not {action!r}")
    selector = " ".join(selector.split())
    if not selector or len(selector) > MOST_SELECTOR:
        raise ConfigError(f"a selector has 1 to {MOST_SELECTOR} characters")
    name = ANY_HOST if host == ANY_HOST else site_name(host)
    if not is_host(host):
        raise ConfigError(f'{host!r} is not a host name; "{ANY_HOST}" is for every host')
    return Rule(action, selector, name)


def is_host(host: str) -> bool:
    """Return whether rules can be for a host; a page may name anything as its host."""
    return host == ANY_HOST or (bool(site_name(host)) and not any(mark in host for mark in "/?#:\\ \t\r\n\"'"))


def add_rules(project: Project, rules: Sequence[Rule]) -> None:
    """Write further rules to the project's rules file.

    Raises:
        ConfigError: a rule or the file is invalid.
        InputError: the file cannot be read or written.
    """

    def edit(text: str) -> str:
        for rule in rules:
            text = add_rule(text, rule)
        return text

    _edit(project, f"add {'; '.join(map(str, rules))}", edit)


def delete_rule(project: Project, rule: Rule) -> None:
    """Remove a rule from the project's rules file.

    Raises: as `add_rules`.
    """
    _edit(project, f"delete {rule}", lambda text: remove_rule(text, rule))


def change_rule(project: Project, old: Rule, new: Rule) -> None:
    """Write one rule instead of another.

    Raises: as `add_rules`.
    """
    _edit(project, f"change {old} to {new}", lambda text: replace_rule(text, old, new))


def steps(project: Project) -> Steps:
    """Return what can be undone and redone."""
    undo = project.reading.execute("SELECT what FROM rule_edit WHERE undone = 0 ORDER BY id DESC LIMIT 1").fetchone()
    redo = project.reading.execute("SELECT what FROM rule_edit WHERE undone = 1 ORDER BY id LIMIT 1").fetchone()
    return Steps(undo and undo["what"], redo and redo["what"])


def undo_rules(project: Project) -> str:
    """Undo the latest edit; return it in words.

    Raises:
        ConfigError: there is none, or the file was changed by hand since.
    """
    return _step(project, "undone = 0 ORDER BY id DESC", ("after", "before"), undone=1)


def redo_rules(project: Project) -> str:
    """Redo what was undone last; return it in words.

    Raises: as `undo_rules`.
    """
    return _step(project, "undone = 1 ORDER BY id", ("before", "after"), undone=0)


def _edit(project: Project, what: str, edit: Callable[[str], str]) -> None:
    with project.writing() as connection:  # also keeps others from editing the file
        before = rules_text(project)
        after = edit(before)
        if after == before:
            return
        Rules.parse(after)
        connection.execute("DELETE FROM rule_edit WHERE undone = 1")
        values = (time.time(), what, before, after)
        connection.execute("INSERT INTO rule_edit (at, what, before, after) VALUES (?, ?, ?, ?)", values)
        _write(project, after)


def _step(project: Project, which: str, sides: tuple[str, str], *, undone: int) -> str:
    with project.writing() as connection:
        row = connection.execute(f"SELECT * FROM rule_edit WHERE {which} LIMIT 1").fetchone()  # noqa: S608 (constants)
        if row is None:
            raise ConfigError(f"there is nothing to {'undo' if undone else 'redo'}")
        if rules_text(project) != row[sides[0]]:
            raise ConfigError(f"{project.rules.name} was changed by hand since: {row['what']}")
        connection.execute("UPDATE rule_edit SET undone = ? WHERE id = ?", (undone, row["id"]))
        _write(project, row[sides[1]])
    return str(row["what"])


def _write(project: Project, text: str) -> None:
    try:
        write_text(project.rules, text)
    except OSError as error:
        raise InputError(f"{project.rules} cannot be written: {error.strerror or error}") from error
