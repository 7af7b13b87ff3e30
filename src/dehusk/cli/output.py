"""Write the output of commands to a stream, a file or a folder, and print messages for people."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOBase, TextIOWrapper
from pathlib import Path, PurePosixPath
from typing import TextIO, cast

import click

from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError, explaining, printable
from dehusk.base.lazy import pattern
from dehusk.base.processes.risk import is_news
from dehusk.cli import progress
from dehusk.cli.options import is_quiet
from dehusk.read.files import STDIN, SUFFIXES, PageLocation

_OBEYED = pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters but for tabs and line breaks; a terminal may obey them."""


class _Terminal(TextIOBase):
    """Standard output on a terminal: what pages and names of files say cannot control it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text with its control characters replaced."""
        return self._stream.write(_OBEYED.sub("\ufffd", text))


@contextmanager
def open_output(path: str | None, *, coloured: bool = False) -> Iterator[TextIO]:
    """Open a file or standard output for writing, always as UTF-8 with lines that end in "\\n".

    What UTF-8 cannot encode, as in names of files, becomes a question mark. If writing fails, a file keeps its old
    content. Files and pipes get all characters, a terminal no controls.

    Args:
        path: the file; None for standard output.
        coloured: whether what is written has colours of our own, and no other control characters.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
        is_safe = coloured or not sys.stdout.isatty()
        yield sys.stdout if is_safe else cast("TextIO", _Terminal(sys.stdout))
        sys.stdout.flush()
        return
    target = Path(path)
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        with target.open("w", encoding="utf-8", errors="replace", newline="\n") as stream:
            yield stream
        return
    if not target.parent.is_dir():
        raise InputError(f"{path} cannot be written: folder {target.parent} does not exist")
    with (
        explaining(f"{path} cannot be written"),
        replacing(target) as temporary,
        temporary.open("w", encoding="utf-8", errors="replace", newline="\n") as stream,
    ):
        yield stream


def spare_pages(pages: Iterable[PageLocation], **outputs: str | None) -> None:
    """Refuse, before any page is read, to replace a page by an output.

    Args:
        pages: the pages that the command reads.
        outputs: option -> its file, None if it was not given.

    Raises:
        UsageError: a file is one of the pages.
    """
    if not any(outputs.values()):
        return
    read = {Path(page.name).resolve() for page in pages if page.name != STDIN and not page.is_remote}
    for option, path in outputs.items():
        if path and Path(path).resolve() in read:
            raise click.UsageError(f"--{option} {path} is one of the pages: choose another file")


class OutputFolder:
    """A folder with one file per page, named after the page; a number tells pages of the same name apart.

    Args:
        folder: the folder.
        extension: suffix of the files.
        inputs: the pages' files, which are never overwritten.
        full_name: whether the names of the pages keep their own suffix: page.html.anno.json.
    """

    def __init__(self, folder: Path, extension: str, inputs: Iterable[Path], *, full_name: bool = False) -> None:
        self.folder = folder
        self.extension = extension
        self._inputs = {path.resolve() for path in inputs}
        self._full_name = full_name
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}  # first name of pages of one name -> the number of the next of them

    def put(self, relative: str, content: str) -> None:
        """Write the content of a page.

        Args:
            relative: the page's path relative to the folder that was searched.
            content: what to write.

        Raises:
            InputError: the file cannot be written, or is one of the pages.
        """
        path = self.folder / self._name(relative)
        if path.resolve() in self._inputs:
            raise InputError(f"{path} is one of the pages: choose another folder")
        with explaining(f"{path} cannot be written"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", errors="replace", newline="\n")

    def _name(self, relative: str) -> str:
        path = PurePosixPath("stdin" if relative in ("-", "") else relative)
        has_suffix = path.suffix.lower() in SUFFIXES and not self._full_name
        stem = path.stem if has_suffix else path.name
        name = path.with_name(f"{stem}{self.extension}").as_posix()
        first = name.casefold()
        number = self._numbers.get(first, 2)
        while name.casefold() in self._taken:
            name = path.with_name(f"{stem}-{number}{self.extension}").as_posix()
            number += 1
        self._numbers[first] = number
        self._taken.add(name.casefold())
        return name


def report(message: str) -> None:
    """Print a message for people on standard error, in place of the progress line; with `-q`, print nothing."""
    if not is_quiet():
        tell(f"dehusk: {message}")


def tell(line: str) -> None:
    """Print a line on standard error, in place of the progress line; nothing in it controls the terminal."""
    if not is_news():
        return
    progress.clear()
    click.echo(printable(line), err=True)
