"""Folders of saved pages.

A folder may contain a `pages.jsonl` with one object per page: `id`, and optionally `url` and `file`. It describes the
page at the path `file` relative to the folder, or else the page `<id>.html` in it or in its folder `html`.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from dehusk.base.remote.paths import RemotePath
from dehusk.many.files.archives import file_record
from dehusk.many.files.options import Columns, ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.tables import parse_object, text_of, url_in
from dehusk.read.files import has_page_suffix
from dehusk.read.folder_links import FolderLinks
from dehusk.read.page_urls import PAGE_LIST, PAGES_FOLDER

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath


def read_folder(folder: FilePath, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the pages in a folder, sorted by path, and a `Loss` for each one that is listed but missing or unreadable.

    Raises:
        OSError: the folder cannot be read.
    """
    pages = page_files(folder, FolderLinks(follow=options.follow_links))
    entries, losses = _read_list(folder)
    yield from losses
    unused = dict(entries)
    for number, path in enumerate(pages):
        for key in _keys(folder, path):
            unused.pop(key, None)
        yield _read_page(folder, path, number, options.limit, entries)
    for number, key in enumerate(unused, len(pages)):
        yield Loss(number, 0, f"{PAGE_LIST} lists {key!r}, but the folder has no such page")


def read_folder_at(folder: FilePath, numbers: Sequence[int], options: ReadOptions) -> Iterator[Record | None]:
    """Yield the page with each of the numbers; None if it does not exist or cannot be read."""
    pages = page_files(folder, FolderLinks(follow=options.follow_links))
    entries, _ = _read_list(folder)
    for number in numbers:
        page = None
        if number < len(pages):
            page = _read_page(folder, pages[number], number, options.limit, entries)
        yield page if isinstance(page, Record) else None


def page_files(folder: FilePath, links: FolderLinks | None = None) -> list[FilePath]:
    """Return the pages in a folder and the folders below it, sorted by path."""
    return (links or FolderLinks()).files(folder, has_page_suffix)


def has_list(folder: FilePath) -> bool:
    """Return whether a folder's `pages.jsonl` describes files, rather than containing the pages itself."""
    try:
        with (folder / PAGE_LIST).open("rb") as stream:
            lines = iter(partial(stream.readline, 1_000_000), b"")
            entry = parse_object(next((line for line in lines if line.strip()), b""), 0)
    except OSError:
        return False
    return isinstance(entry, dict) and Columns().present(tuple(entry))[0] is None


def folder_stamp(folder: FilePath, *, follow_links: bool = False) -> list[int]:
    """Return the size of all pages and a 63-bit hash of their paths, sizes and modification times."""
    digest, total = blake2b(digest_size=8), 0
    for path in [*page_files(folder, FolderLinks(follow=follow_links)), *_page_list(folder)]:
        status = path.stat() if path.exists() else os.lstat(str(path))
        total += status.st_size
        name = path.relative_to(folder).as_posix()
        digest.update(os.fsencode(f"{name} {status.st_size} {status.st_mtime_ns}\n"))
    return [total, int.from_bytes(digest.digest(), "big") >> 1]


def modified_date(path: FilePath) -> str:
    """Return when a file was changed, in ISO format; "" if the store of a remote file does not say.

    Raises:
        OSError: the file does not exist.
    """
    time = path.stat().st_mtime
    if not time and isinstance(path, RemotePath):
        return ""
    return dt.datetime.fromtimestamp(time, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _page_list(folder: FilePath) -> list[FilePath]:
    path = folder / PAGE_LIST
    return [path] if path.exists() or path.is_symlink() else []


def _read_page(
    folder: FilePath, path: FilePath, number: int, limit: int, entries: Mapping[str, dict[str, Any]]
) -> Record | Loss:
    name = path.relative_to(folder).as_posix()
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
        modified = modified_date(path)
    except OSError as error:
        return Loss(number, 0, f"{name} cannot be read: {error.strerror or error}")
    record = replace(file_record(name, data, number), date=modified)
    entry: dict[str, Any] = next((entries[key] for key in _keys(folder, path) if key in entries), {})
    given = text_of(entry.get("id"))
    return replace(record, id=given or name, url=url_in(entry.get("url")) or record.url)


def _keys(folder: FilePath, path: FilePath) -> tuple[str, str]:
    """Return the keys under which the list may describe a page: its path, and its id if it is in the right folder."""
    relative = path.relative_to(folder)
    own = PurePosixPath(path.name.removesuffix(".gz")).stem
    return relative.as_posix(), own if relative.parent.as_posix() in (".", PAGES_FOLDER) else ""


def _read_list(folder: FilePath) -> tuple[dict[str, dict[str, Any]], list[Loss]]:
    """Return the entries of `pages.jsonl` by path or id, and its unreadable lines."""
    entries: dict[str, dict[str, Any]] = {}
    losses: list[Loss] = []
    path = folder / PAGE_LIST
    if not has_list(folder):
        return entries, losses
    with path.open("rb") as stream:
        for number, line in enumerate(stream):
            if not line.strip():
                continue
            entry = parse_object(line, number)
            if isinstance(entry, Loss):
                losses.append(entry._replace(message=f"{PAGE_LIST}: {entry.message}"))
            elif key := str(PurePosixPath(str(entry["file"])) if entry.get("file") else text_of(entry.get("id"))):
                if key in entries:
                    losses.append(Loss(number, len(line), f"{PAGE_LIST}: line {number + 1} lists {key!r} once more"))
                entries.setdefault(key, entry)
            else:
                losses.append(Loss(number, len(line), f"{PAGE_LIST}: line {number + 1} has neither file nor id"))
    return entries, losses
