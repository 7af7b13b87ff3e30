"""`dehusk.toml`: what options of commands are where the command line does not say.

The nearest file in the working folder or above it counts. It comes with a folder, perhaps from others, so it cannot
choose where is written, open the internal network, or silence the line that names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from dehusk.base.errors import ConfigError, unknown
from dehusk.base.given import read_given
from dehusk.cli.options import DEFAULTS
from dehusk.cli.output import report

FILE = "dehusk.toml"
_TYPED = frozenset({"conf", "install", "master", "private", "quiet", "remote", "schema", "version"})
"""Options that are only taken from the command line, with all that name a file to write."""
_NAMES_FILE = ("FILE", "FOLDER", "SITE")
"""Ends of what options take that may be a path."""


def find_file(start: Path) -> Path | None:
    """Return the nearest `dehusk.toml` in a folder or above it, up to the repository's root or the user's folder."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return folder / FILE
        if (folder / ".git").exists() or folder == Path.home():
            return None
    return None


def read_defaults(file: Path, command: click.Command, name: str, known: Sequence[str]) -> dict[str, Any]:
    """Return the values of options by parameter of a command, as `click.Context.default_map` has them.

    Args:
        file: the file.
        command: the command that is run; only its table is checked.
        name: name of the command.
        known: names of all commands.

    Raises:
        ConfigError: the file cannot be read, or names something that does not exist.
    """
    import tomllib

    try:
        tables = tomllib.loads(read_given(file, "utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from error
    for table in tables:
        if table not in known:
            raise ConfigError(f"{file}: {unknown('command', table, known)}")
    return _values(file, command, name, tables[name]) if name in tables else {}


def _values(file: Path, command: click.Command, name: str, table: object) -> dict[str, Any]:
    if not isinstance(table, Mapping):
        raise ConfigError(f"{file}: {name} is a command: write its options under [{name}]")
    if isinstance(command, click.Group):
        for each in table:
            if each not in command.commands:
                raise ConfigError(f"{file}: [{name}]: {unknown('command', each, command.commands)}")
        return {each: _values(file, command.commands[each], f"{name}.{each}", table[each]) for each in table}
    options = {_name(each): each for each in command.params if isinstance(each, click.Option) and _may_be_set(each)}
    found = {}
    for key, value in table.items():
        if key not in options:
            raise ConfigError(f"{file}: [{name}]: {unknown('option', key, options)}")
        found[str(options[key].name)] = _value(file, options[key], f"[{name}] {key}", value)
    return found


def _name(option: click.Option) -> str:
    """Return the key of an option: its long name, which is the first of them."""
    return max(option.opts, key=lambda each: each.startswith("--")).lstrip("-")


def _may_be_set(option: click.Option) -> bool:
    writes = isinstance(option.type, click.Path) and not option.type.exists
    return not (writes or option.required or option.name in _TYPED)


def _value(file: Path, option: click.Option, place: str, value: object) -> Any:
    """Return the value of an option in the file, a path relative to the file's folder."""
    if option.is_flag != isinstance(value, bool):
        wanted = "must be true or false" if option.is_flag else "takes a value, not true or false"
        raise ConfigError(f"{file}: {place} {wanted}")
    values = value if isinstance(value, list) else [value]
    if len(values) != 1 and not option.multiple:
        raise ConfigError(f"{file}: {place} has one value")
    if not all(isinstance(each, str | int | float) for each in values):
        raise ConfigError(f"{file}: {place} is no text or number")
    placed = [_placed(file, option, each if isinstance(each, bool) else str(each)) for each in values]
    return placed if option.multiple else placed[0]


def _placed(file: Path, option: click.Option, value: str | bool) -> object:
    names_file = isinstance(option.type, click.Path | click.File) or f"{option.metavar}".endswith(_NAMES_FILE)
    if isinstance(value, str) and names_file and (file.parent / value).exists():
        return str(file.parent / value)
    return value


def set_defaults(context: click.Context, command: click.Command, name: str, words: Sequence[str]) -> None:
    """Give the command that is about to run the values of the file that applies, and name the file.

    Args:
        context: of the program; its `meta` has the choice of the command line (`DEFAULTS`).
        command: the command.
        name: its name.
        words: its arguments.

    Raises:
        ConfigError: as `read_defaults`.
    """
    chosen = context.meta.get(DEFAULTS)
    file = find_file(Path.cwd()) if chosen is None else Path(chosen) if chosen else None
    if file is None:
        return
    group = context.command
    known = group.list_commands(context) if isinstance(group, click.Group) else []
    values = read_defaults(file, command, name, known)
    if values:
        context.default_map = {name: values}
        if not {"-q", "--quiet"} & set(words):
            report(f"options from {file}")
