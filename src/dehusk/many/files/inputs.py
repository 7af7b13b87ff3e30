"""Find the input files that arguments name, and read them."""

from __future__ import annotations

import glob
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.errors import InputError, explaining
from dehusk.base.remote.paths import RemotePath, path_of
from dehusk.many.files.formats import FOLDER, PartReader, format_named, format_of, suffixes
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.saved_pages import folder_stamp, has_list, modified_date, page_files
from dehusk.read.folder_links import FolderLinks
from dehusk.read.page_urls import PAGE_LIST

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

CRAWL_JOB = "job.json"
"""The file that marks the job folder of a crawl."""


@dataclass(frozen=True)
class Input:
    """A file that contains many pages, or a folder of pages."""

    path: FilePath
    name: str
    """The file's path relative to the folder that was searched; unique among the inputs of a run."""
    format: str
    """The name of the file's `dehusk.many.files.formats.InputFormat`."""
    follow_links: bool = False
    """Of a folder: whether pages are read that links lead to outside of it."""

    def stamp(self) -> list[int]:
        """Return two numbers that change with the content.

        For a file these are its size and modification time; instead of the time, a remote file has a hash of what its
        store says of the content, if it says anything.

        Raises:
            InputError: the file does not exist.
        """
        with _readable(self):
            if self.format == FOLDER.name:
                return folder_stamp(self.path, follow_links=self.follow_links)
            status = self.path.stat()
            return [status.st_size, status.st_mtime_ns]

    def modified(self) -> str:
        """Return when the file was changed, in ISO format; "" if the store of a remote file does not say.

        Raises:
            InputError: the file does not exist.
        """
        with _readable(self):
            return modified_date(self.path)


def find_inputs(arguments: Sequence[str], links: FolderLinks | None = None, *, for_outputs: bool = True) -> list[Input]:
    """Return the inputs that arguments name: files, folders and globs, local or remote.

    Remote files are read as they are at this moment: one that changes later is an error.

    A folder is searched for files of every format, and the job folder of a crawl for its WARC files only. If a folder
    has none, or has a `pages.jsonl` that lists its pages, the pages in it are an input. What a run over many pages has
    written into a folder below is none, so that the run can be repeated.

    Args:
        arguments: what the user names.
        links: whether links out of folders are followed, and a place for those that are not; by default none is.
        for_outputs: whether each input is to be written to an output file of its name.

    Raises:
        InputError: an argument matches no file, a file's format is not supported, or two files have the same name.
    """
    inputs = [file for argument in arguments for file in _expand(argument, links or FolderLinks())]
    inputs = [*{(file.name, str(file.path)): file for file in inputs}.values()]
    by_name: dict[str, FilePath] = {}
    for file in inputs if for_outputs else ():
        other = by_name.setdefault(file.name, file.path)
        if other is not file.path:
            raise InputError(f"{other} and {file.path} would be written to the same output file: run them separately")
    return inputs


def _expand(argument: str, links: FolderLinks) -> list[Input]:
    path = path_of(argument)
    if isinstance(path, RemotePath):
        return _expand_remote(path, links)
    with explaining(f"{argument} cannot be read"):
        is_folder = path.is_dir()
    if is_folder:
        return _inputs_in(path, links)
    if not path.is_file() and glob.has_magic(argument):
        files = [Path(name) for name in links.matches(argument) if Path(name).is_file()]
        if not files:
            raise InputError(f"{argument}: no file matches")
        return [Input(file, file.name, format_of(file).name) for file in files]
    if not path.is_file():
        raise InputError(f"{argument}: not a file" if path.exists() else f"{argument}: no such file or folder")
    return [Input(path, path.name, format_of(path).name)]


def _expand_remote(path: RemotePath, links: FolderLinks) -> list[Input]:
    kind, found = path.found()
    if kind == "folder":
        return _inputs_in(found, links)
    if not kind and glob.has_magic(path.address):
        files = path.glob()
        if not files:
            raise InputError(f"{path}: no file matches")
        return [Input(file, file.name, format_of(file).name) for file in files]
    if not kind:
        raise InputError(f"{path}: no such file or folder")
    return [Input(found, found.name, format_of(found).name)]


def _inputs_in(folder: FilePath, links: FolderLinks) -> list[Input]:
    pages = page_files(folder, links)
    listed = bool(pages) and has_list(folder)
    files = links.files(folder, has_suffix)
    if dangling := [path for path in files if not path.exists()]:
        raise InputError(f"{dangling[0]} is a link to a file that does not exist: remove or mend it")
    lists = {path.parent for path in files if path.name == PAGE_LIST and (path.parent != folder or listed)}
    sets = {each for each in lists if each == folder or (not listed and has_list(each))}
    outputs = {each for each in {path.parent for path in files} if _is_output(folder, each)}
    files = [path for path in files if path.parent not in outputs and not _describes_crawl(path)]
    files = [path for path in files if not (path.name == PAGE_LIST and path.parent in sets)]
    inputs = [Input(path, path.relative_to(folder).as_posix(), format_of(path).name) for path in files]
    below = sorted(sets - outputs - {folder}, key=str)
    inputs += [Input(each, each.relative_to(folder).as_posix(), FOLDER.name, links.follow) for each in below]
    if listed or (pages and not inputs):
        inputs.append(Input(folder, folder.resolve().name or "pages", FOLDER.name, links.follow))
    if not inputs:
        raise InputError(f"folder {folder} contains neither pages nor files of pages ({', '.join(suffixes())})")
    return inputs


def _is_output(folder: FilePath, inside: FilePath) -> bool:
    """Return whether a folder in another one is of what a run has written there."""
    if not isinstance(inside, Path) or not isinstance(folder, Path):
        return False  # each question would be a request to the store
    around = [inside, *inside.parents]
    return any((each / "state" / "inputs.json").is_file() for each in around[: around.index(folder)])


def has_suffix(path: FilePath) -> bool:
    """Return whether a file in a folder counts as a file of pages."""
    return path.name.lower().endswith(suffixes())


def _describes_crawl(path: FilePath) -> bool:
    """Return whether a file is what a crawl writes about its pages, beside the WARC files that contain them."""
    return path.suffix == ".jsonl" and (path.parent / CRAWL_JOB).is_file()


def read_records(file: Input, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the records of a file in order, and a `Loss` for each damaged part.

    Raises:
        InputError: the file cannot be read at all, or a column is missing.
        MissingExtraError: a library is not installed.
    """
    with _readable(file):
        yield from format_named(file.format).read(file.path, _for(file, options))


def read_at(file: Input, offsets: Sequence[int], options: ReadOptions) -> Iterator[Record | None]:
    """Yield the record at each offset; None if there is none, or if files of this format must be read from the start.

    Raises:
        InputError: the file cannot be read at all.
        MissingExtraError: a library is not installed.
    """
    reader = format_named(file.format).read_at
    if reader is None:
        yield from [None] * len(offsets)
        return
    with _readable(file):
        yield from reader(file.path, offsets, _for(file, options))


def _for(file: Input, options: ReadOptions) -> ReadOptions:
    return replace(options, follow_links=True) if file.follow_links else options


def has_parts(file: Input) -> bool:
    """Return whether parts of a file can be read without reading what precedes them."""
    return format_named(file.format).parts is not None


def find_part(file: Input, start: int, stop: int) -> int | None:
    """Return where the first record between two offsets of a file with parts seems to start; None if there is none.

    Raises:
        InputError: the file cannot be read at all.
        MissingExtraError: a library is not installed.
    """
    with _readable(file):
        return _parts(file).find(file.path, start, stop)


def read_part(file: Input, start: int, stop: int, options: ReadOptions) -> Generator[Record | Loss, None, int]:
    """Yield the records and losses that start between two offsets of a file; records are numbered from 0.

    Args:
        file: a file with parts.
        start: where a record starts; or 0.
        stop: records that start at or after this offset are not read.
        options: how to read the file.

    Returns:
        Where the next part starts; the size of the file if there is none.

    Raises:
        InputError: the file cannot be read at all.
        MissingExtraError: a library is not installed.
    """
    with _readable(file):
        return (yield from _parts(file).read(file.path, start, stop, options))


def read_part_heads(file: Input, start: int, stop: int, options: ReadOptions) -> tuple[list[Record], int] | None:
    """Return the records of a part with incomplete bodies, and where the next part starts.

    Damage inside a body remains unseen. The arguments and errors are those of `read_part`.

    Returns:
        None if only reading the part can tell what it contains.
    """
    with _readable(file):
        return _parts(file).heads(file.path, start, stop, options)


def _parts(file: Input) -> PartReader:
    parts = format_named(file.format).parts
    if parts is None:
        raise TypeError(f"a file in format {file.format} has no parts")
    return parts


@contextmanager
def _readable(file: Input) -> Iterator[None]:
    with explaining(f"{file.path}: cannot be read"):
        yield
