"""Files beside a page: style sheets that it links to, gold texts, annotations. Nothing outside of its input is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from dehusk.many.files.formats import FOLDER
from dehusk.many.files.saved_pages import page_files
from dehusk.read.page_urls import PAGES_FOLDER
from dehusk.studio.project import Project
from dehusk.studio.sources import PAGE

_MOST = 5_000_000  # bytes of a file


@dataclass(frozen=True)
class PageFile:
    """The file that contains a page and nothing else."""

    path: Path
    root: Path
    """Folder that the user named, or that the page is in."""

    def read(self, path: Path) -> bytes | None:
        """Return the start of a file; None if it does not exist, cannot be read, or is outside of the folder."""
        try:
            real = path.resolve()
            if not real.is_relative_to(self.root.resolve()) or not real.is_file():
                return None
            with real.open("rb") as stream:
                return stream.read(_MOST)
        except (OSError, ValueError):  # ValueError: a null byte in the name
            return None


def page_file(project: Project, page: int) -> PageFile | None:
    """Return the file of a page; None if its input contains many pages.

    Raises:
        KeyError: there is no such page.
    """
    query = "SELECT page.name, place, path, format FROM page JOIN input ON input.id = input WHERE page.id = ?"
    row = project.page_row(page, query)
    path = Path(row["path"])
    if row["format"] == PAGE:
        return PageFile(path, _root(path.parent))
    if row["format"] != FOLDER.name:
        return None
    found = next(likely_files(path, row["name"], row["place"]), None)
    return None if found is None else PageFile(found, _root(path))


def likely_files(folder: Path, name: str, place: int) -> Iterator[Path]:
    """Yield the files of a folder that may contain a page, the likeliest first; most are found without listing it.

    Args:
        folder: the folder, with pages below it.
        name: name or id of the page.
        place: its place among the pages of the folder when they were added.
    """
    for relative in _names(name):
        with suppress(OSError):  # a name from a list of pages may be too long for a file
            if (folder / relative).is_file():
                yield folder / relative
    try:
        files = _listing(folder, folder.stat().st_mtime_ns)
    except OSError:  # the folder is gone
        return
    if place < len(files):
        yield files[place]


@lru_cache(maxsize=8)  # a folder of 100,000 pages takes seconds to list
def _listing(folder: Path, _changed: int) -> list[Path]:
    return [path for path in page_files(folder) if isinstance(path, Path)]


def _root(folder: Path) -> Path:
    """Return what belongs to the pages of a folder: of the folder "html" of a set of pages, the set."""
    return folder.parent if folder.name == PAGES_FOLDER else folder


def _names(name: str) -> Iterator[Path]:
    """Yield where a page of this name or id may be in its folder."""
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or "\0" in name:
        return
    yield Path(name)
    for folder in (PAGES_FOLDER, "."):
        yield Path(folder, f"{name}.html")


def siblings(page: PageFile, endings: Sequence[str], folder: str) -> Iterator[Path]:
    """Yield where a file that belongs to a page may be: beside it, and in a folder beside it or beside its folder.

    Args:
        page: the file of the page.
        endings: what follows the page's stem, such as ".txt".
        folder: the other folder, such as "gold".
    """
    here = page.path.parent
    for place in (here, here / folder, here.parent / folder):
        for ending in endings:
            yield place / f"{page.path.stem}{ending}"
            yield place / f"{page.path.name}{ending}"
