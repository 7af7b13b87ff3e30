"""Where a command's results go: a stream, a file, a folder; messages for people."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path, PurePosixPath
from typing import TextIO

import click

from dehusk.cli import progress
from dehusk.cli.options import is_quiet
from dehusk.errors import InputError
from dehusk.read.files import SUFFIXES


@contextmanager
def open_output(path: str | None) -> Iterator[TextIO]:
    """Open a file for writing, or standard output; always UTF-8 with plain line ends.

    A file is written under a temporary name and renamed when all is there, so a failed run leaves the old one.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
        sys.stdout.flush()
        return
    target = Path(path)
    if target.exists() and not target.is_file():  # a device or a pipe cannot be renamed to
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)


class OutputFolder:
    """One file a page, named after the page; two pages of one name get a number instead of overwriting each other."""

    def __init__(self, folder: Path, extension: str, inputs: Iterable[Path]) -> None:
        self.folder = folder
        self.extension = extension
        self._inputs = {path.resolve() for path in inputs}
        self._taken: set[str] = set()

    def put(self, relative: str, content: str) -> None:
        """Write a page's content.

        Raises:
            InputError: the file cannot be written, or is one of the pages.
        """
        path = self.folder / self._name(relative)
        if path.resolve() in self._inputs:
            raise InputError(f"{path} is one of the pages: choose another --output-dir")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from error

    def _name(self, relative: str) -> str:
        plain = PurePosixPath("stdin" if relative in ("-", "") else relative)
        stem = plain.stem if plain.suffix.lower() in SUFFIXES else plain.name
        name = plain.with_name(f"{stem}{self.extension}").as_posix()
        number = 2
        while name.casefold() in self._taken:
            name = plain.with_name(f"{stem}-{number}{self.extension}").as_posix()
            number += 1
        self._taken.add(name.casefold())
        return name


def report(message: str) -> None:
    """Print a message for people on standard error, in place of the progress line; with `-q` print nothing."""
    if is_quiet():
        return
    progress.clear()
    click.echo(f"dehusk: {message}", err=True)
