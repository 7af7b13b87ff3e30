"""Find the pages that the user names: files, folders, globs, lists, standard input and web addresses."""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dehusk.base.errors import InputError, explaining
from dehusk.base.given import read_given
from dehusk.read.folder_links import FolderLinks, folder_of_glob, may_be_read
from dehusk.read.page_urls import PageUrls

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx"})
"""Suffixes of the pages in a folder; a file that is named directly may have any name."""

_SUFFIXES, _QUERY = tuple(SUFFIXES), re.compile("[?@]")

STDIN = "-"

_OF_MANY = "dehusk corpus reads crawls, archives and files of many pages"
_WEB_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True)
class PageLocation:
    """Where one page is read from."""

    name: str
    """Name in messages: the path, "-" for standard input, or the web address."""
    relative: str
    """Path of the result in an output folder: relative to the folder that was searched, or just the file's name; for
    a web address, the host and the path."""
    url: str | None = None
    """The page's address, if a list or a `pages.jsonl` gives it."""

    @property
    def is_remote(self) -> bool:
        """Whether the page must be fetched."""
        return is_web_address(self.name)

    def read(self, limit: int) -> bytes:
        """Return the page's bytes, unpacked, at most `limit` + 1, so that the caller notices a longer page.

        Raises:
            OSError: the file cannot be read.
        """
        if self.name == STDIN:
            return sys.stdin.buffer.read(limit + 1)
        path = Path(self.name)
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
        return _unpacked(data, limit + 1) if _is_packed(path) else data


@dataclass(frozen=True)
class PageLocations:
    """The pages that command-line arguments name."""

    sources: tuple[PageLocation, ...]
    many: bool
    """Whether the arguments can name more than one page: several arguments, a folder, a glob or a list."""


def is_web_address(argument: str) -> bool:
    """Return whether an argument starts with the scheme of a URL."""
    return _WEB_ADDRESS.match(argument) is not None


def find_pages(
    arguments: Sequence[str], lists: Sequence[str] = (), *, remote: bool = False, links: FolderLinks | None = None
) -> PageLocations:
    """Find the pages that arguments name, in the order of the arguments; those of a folder sorted by path.

    A page in a folder with a `pages.jsonl`, or in the folder `html` beside one, gets its address from there.

    Args:
        arguments: files, folders (searched recursively), globs, "-" for standard input, and web addresses.
        lists: files with one argument per line, "-" for standard input; after a tab the page's address may follow.
            Blank lines are ignored.
        remote: whether web addresses are allowed.
        links: whether links out of folders are followed, and a place for those that are not; by default none is.

    Raises:
        InputError: a folder without pages, a glob without matches, a list that cannot be read, standard input used
            twice, a web address although `remote` is false. A missing single file is not an error here: it fails when
            it is read, so that the other pages are still processed.
    """
    named: list[tuple[str, str | None]] = [(argument, None) for argument in arguments]
    named += [line for name in lists for line in _list_lines(name)]
    uses_of_stdin = [*(argument for argument, _ in named), *lists].count(STDIN)
    if uses_of_stdin > 1:
        raise InputError("standard input can be read only once")
    if uses_of_stdin and sys.stdin is None:
        raise InputError("standard input is closed")
    page_urls = PageUrls()
    sources: list[PageLocation] = []
    many = len(named) > 1 or bool(lists)
    for argument, url in named:
        if not remote and is_web_address(argument):
            raise InputError(f"{argument} is a web address, but a file is needed here: save the page first")
        expanded, several = _expand(argument, links or FolderLinks())
        if several and url is not None:
            raise InputError(f"{argument} names several pages, which cannot share the address {url}")
        sources += (replace(source, url=url or source.url or _stored_url(source, page_urls)) for source in expanded)
        many |= several
    return PageLocations(tuple(sources), many)


def _stored_url(source: PageLocation, page_urls: PageUrls) -> str | None:
    return None if source.name == STDIN else page_urls.of(source.name)


def _list_lines(name: str) -> Iterator[tuple[str, str | None]]:
    """Yield the arguments in a list, each with the address that follows it after a tab.

    Raises:
        InputError: the list cannot be read.
    """
    if name == STDIN and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig") if name == STDIN else read_given(name, "utf-8-sig")
    except OSError as error:
        raise InputError(f"list {name} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"list {name} cannot be read: not UTF-8 ({error.reason} at byte {error.start})") from error
    for line in text.split("\n"):
        argument, tab, url = line.removesuffix("\r").rpartition("\t")
        if not (tab and is_web_address(url)):
            argument, url = line.removesuffix("\r"), ""
        if argument.strip():
            yield argument, url or None


def _expand(argument: str, links: FolderLinks) -> tuple[list[PageLocation], bool]:
    """Return the pages that an argument names, and whether it can name several."""
    if is_web_address(argument):
        return [PageLocation(argument, _path_of_address(argument), argument)], False
    path = Path(argument)
    try:
        is_file, is_folder = path.is_file(), path.is_dir()
    except OSError:  # a name that is too long: reading the page says so
        is_file, is_folder = True, False
    if argument == STDIN or is_file:
        return [PageLocation(argument, path.name)], False
    if is_folder:
        with explaining(f"folder {argument} cannot be read"):
            pages = links.files(path, has_page_suffix)
        if not pages:
            raise InputError(f"folder {argument} contains no pages ({', '.join(sorted(SUFFIXES))}); {_OF_MANY}")
        return [PageLocation(str(file), file.relative_to(path).as_posix()) for file in pages], True
    if glob.has_magic(argument):
        matches = [name for name in links.matches(argument) if may_be_read(Path(name))]
        if not matches:
            raise InputError(f"no file matches {argument}")
        base = folder_of_glob(argument)
        return [PageLocation(name, Path(name).relative_to(base).as_posix()) for name in matches], True
    return [PageLocation(argument, path.name)], False


def has_page_suffix(path: FilePath | PurePosixPath) -> bool:
    """Return whether a file in a folder counts as a page: page.html, page.html.gz, or as wget saves page.php?id=1."""
    name = path.name.lower().removesuffix(".gz")
    return name.endswith(_SUFFIXES) or _QUERY.split(name, maxsplit=1)[0].endswith(_SUFFIXES)


def _is_packed(path: FilePath) -> bool:
    return path.name.lower().endswith(".gz") and has_page_suffix(path)


def _unpacked(data: bytes, limit: int) -> bytes:
    """Return at most `limit` bytes of a page that gzip has packed.

    Raises:
        OSError: the page is damaged from the start, or was never packed.
    """
    from dehusk.read.inflating import MislabelledError, inflated  # noqa: PLC0415 (few pages are packed)

    try:
        return inflated(data, limit)[0]
    except MislabelledError as error:
        raise OSError("damaged gzip data") from error


def _path_of_address(url: str) -> str:
    """Return a relative path for a web address; it never leaves the folder that it is joined to."""
    try:
        address = urlsplit(url)
    except ValueError:
        return "page"
    parts = [part for part in address.path.split("/") if part.strip(".")]
    if not parts or address.path.endswith("/"):
        parts.append("index")
    host = (address.hostname or "").strip(".")
    return "/".join([host or "page", *parts])
