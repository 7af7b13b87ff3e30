"""Pages from files: paths, folders, globs, standard input, lists of paths."""

import glob
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dehusk.errors import InputError

SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx"})
"""What counts as a page in a folder; a file that is named itself is read whatever its name."""

STDIN = "-"


@dataclass(frozen=True)
class PageSource:
    """A page that can be read."""

    name: str
    """What the user knows it by: the path as found, "-" for standard input."""
    relative: str
    """The path below the folder it was found in, for output folders; the file's name for single files."""

    def read(self, limit: int) -> bytes:
        """Return the bytes, one more than `limit` at most, so that a longer page can be told.

        Raises:
            OSError: the file cannot be read.
        """
        if self.name == STDIN:
            return sys.stdin.buffer.read(limit + 1)
        with Path(self.name).open("rb") as stream:
            return stream.read(limit + 1)


@dataclass(frozen=True)
class PageSources:
    """What the arguments of a call stand for."""

    sources: tuple[PageSource, ...]
    many: bool
    """Whether the arguments can stand for more than one page: several, a folder, a glob or a list."""


def find_pages(arguments: Sequence[str], lists: Sequence[str] = ()) -> PageSources:
    """Find the pages that arguments name, in their order; a folder's pages sorted by path.

    Args:
        arguments: files, folders (searched through), globs, "-".
        lists: files with one argument a line, "-" for standard input; blank lines are passed over.

    Raises:
        InputError: a folder without pages, a glob without matches, an unreadable list, standard input asked for
            twice. A single file that is missing is found here and fails when it is read, so that others go on.
    """
    named = [*arguments, *(line for name in lists for line in _lines(name))]
    asked = (named + list(lists)).count(STDIN)
    if asked > 1:
        raise InputError("standard input can be read once only")
    if asked and sys.stdin is None:
        raise InputError("standard input is closed")
    sources: list[PageSource] = []
    many = len(named) > 1 or bool(lists)
    for argument in named:
        found, several = _expand(argument)
        sources += found
        many |= several
    return PageSources(tuple(sources), many)


def _fixed_part(pattern: str) -> Path:
    """Return the folder that a glob's matches all lie in."""
    parts = Path(pattern).parts[:-1]
    fixed = next((place for place, part in enumerate(parts) if glob.has_magic(part)), len(parts))
    return Path(*parts[:fixed])


def _lines(name: str) -> Iterator[str]:
    if name == STDIN and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        data = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"list {name} cannot be read: {error}") from error
    return (line.removesuffix("\r") for line in text.split("\n") if line.strip())


def _expand(argument: str) -> tuple[list[PageSource], bool]:
    path = Path(argument)
    if argument == STDIN or path.is_file():
        return [PageSource(argument, path.name)], False
    if path.is_dir():
        pages = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        if not pages:
            raise InputError(f"folder {argument} holds no pages ({', '.join(sorted(SUFFIXES))})")
        return [PageSource(str(file), file.relative_to(path).as_posix()) for file in pages], True
    if glob.has_magic(argument):
        matches = sorted(name for name in glob.glob(argument, recursive=True) if Path(name).is_file())
        if not matches:
            raise InputError(f"nothing matches {argument}")
        base = _fixed_part(argument)
        return [PageSource(name, Path(name).relative_to(base).as_posix()) for name in matches], True
    return [PageSource(argument, path.name)], False
