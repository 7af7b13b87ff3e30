"""The pages that arguments name: saved pages, files of many pages, and the job folder of a crawl."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from dehusk.base.errors import InputError
from dehusk.base.processes.risk import DeadlyPageError, at_risk
from dehusk.many.files.formats import suffixes
from dehusk.many.files.inputs import CRAWL_JOB, Input, find_inputs, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.read import Limits, parse
from dehusk.read.files import STDIN, SUFFIXES, PageLocation, find_pages
from dehusk.read.folder_links import FolderLinks
from dehusk.read.page import Page


class GivenPage(NamedTuple):
    """A page, or what is wrong with it."""

    name: str
    """Path of the page; for a page in a file of pages, its address or id."""
    page: Page | None
    """None for a part of a file that cannot be read."""
    problem: str = ""
    """Why the page, or part of it, cannot be used; one line."""


class PageSet:
    """Pages that can be read several times, each time in the same order, one at a time.

    Args:
        arguments: saved pages, folders of them, globs, "-" for standard input; WARC, Parquet, JSON Lines, zip and tar
            files of pages, and the job folder of a crawl.
        lists: files with one saved page per line, as in `find_pages`.
        limits: bounds on each page.
        links: whether links out of folders are followed, and a place for those that are not; by default none is.

    Raises:
        InputError: an argument names nothing that can be read.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        lists: Sequence[str] = (),
        *,
        limits: Limits | None = None,
        links: FolderLinks | None = None,
    ) -> None:
        links = links or FolderLinks()
        self.limits = limits or Limits()
        self.title = ", ".join([*arguments, *lists][:3]) + (" …" if len(arguments) + len(lists) > 3 else "")
        """What the pages are, for people."""
        self._sources: list[PageLocation | Input] = []
        self._stdin = b""
        for argument in arguments:
            for name in _matches(argument, links):
                self._sources += _sources(name, links)
        if lists:
            self._sources += find_pages([], lists, links=links).sources
        if sum(isinstance(source, PageLocation) and source.name == STDIN for source in self._sources) > 1:
            raise InputError("standard input can be read only once")

    @property
    def saved(self) -> tuple[PageLocation, ...]:
        """The saved pages."""
        return tuple(source for source in self._sources if isinstance(source, PageLocation))

    @property
    def count(self) -> int | None:
        """Number of pages; None if it is not known before files of pages are read."""
        return len(self._sources) if len(self.saved) == len(self._sources) else None

    def __iter__(self) -> Iterator[GivenPage]:
        for source in self._sources:
            if isinstance(source, PageLocation):
                yield from _at_risk(source.name, partial(self._saved_page, source))
            else:
                yield from self._pages_in(source)

    def _saved_page(self, source: PageLocation) -> GivenPage:
        try:
            data = source.read(self.limits.bytes) if source.name != STDIN or not self._stdin else self._stdin
        except OSError as error:
            return GivenPage(source.name, None, f"error: cannot be read: {error.strerror or error}")
        if source.name == STDIN:
            self._stdin = data
        return _given(source.name, parse(data, source.url, limits=self.limits))

    def _pages_in(self, file: Input) -> Iterator[GivenPage]:
        for item in read_records(file, ReadOptions(self.limits.bytes)):
            if isinstance(item, Loss):
                yield GivenPage(f"{file.path}:{item.offset}", None, f"lost: {item.message}")
            elif not item.skipped:
                name = item.url or f"{file.path}:{item.id}"
                yield from _at_risk(name, partial(self._recorded_page, name, item))

    def _recorded_page(self, name: str, record: Record) -> GivenPage:
        if record.damaged:
            return GivenPage(name, None, f"error: damaged in the input file ({record.damaged})")
        data = record.body(self.limits.bytes).data if not record.decoded else record.raw
        text = data.decode("utf-8", "replace") if record.decoded else data
        given = _given(name, parse(text, record.url or None, record.headers, limits=self.limits))
        if record.truncated and not given.problem:
            given = given._replace(problem=f"truncated: in the input file ({record.truncated})")
        return given


def _at_risk(name: str, read: Callable[[], GivenPage]) -> Iterator[GivenPage]:
    """Yield a page, or say that it ended the process before."""
    try:
        with at_risk(name):
            yield read()
    except DeadlyPageError as error:
        yield GivenPage(name, None, f"error: {error}")


def _given(name: str, page: Page) -> GivenPage:
    return GivenPage(name, page, "" if page.status.is_fine else f"{page.status}: {page.message}")


def _sources(name: str, links: FolderLinks) -> Sequence[PageLocation | Input]:
    if _contains_records(Path(name)):
        return find_inputs([name], links)
    return find_pages([name], links=links).sources


def _matches(argument: str, links: FolderLinks) -> list[str]:
    """Return the paths that an argument names."""
    path = Path(argument)
    if argument == STDIN or path.exists() or not glob.has_magic(argument):
        return [argument]
    names = [name for name in links.matches(argument) if Path(name).is_file()]
    if not names:
        raise InputError(f"no file matches {argument}")
    return names


def _contains_records(path: Path) -> bool:
    """Return whether a path is a file of many pages, or a folder with such files and no saved pages."""
    if not path.is_dir():
        return path.name.lower().endswith(suffixes())
    if (path / CRAWL_JOB).is_file():
        return True
    return not any(file.suffix.lower() in SUFFIXES and file.is_file() for file in path.rglob("*"))
