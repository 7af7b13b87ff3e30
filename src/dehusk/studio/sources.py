"""What a studio shows: single pages, folders, files of pages, crawls, and the inputs of a corpus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dehusk.base.errors import InputError, explaining
from dehusk.base.remote.paths import is_address, path_of
from dehusk.many.corpus.folder import RunFolder, read_json
from dehusk.many.files.formats import FOLDER, format_named, format_of, suffixes
from dehusk.many.files.inputs import CRAWL_JOB, Input, find_inputs, has_suffix, read_at, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.saved_pages import has_list, page_files
from dehusk.read.files import SUFFIXES, PageLocation, has_page_suffix
from dehusk.read.folder_links import FolderLinks
from dehusk.read.page_urls import PAGE_LIST, PageUrls
from dehusk.read.parsing import saved_from
from dehusk.studio.project import DATABASE

PAGE = "page"
"""Format of an input that is a single page."""

_WEB = re.compile(r"https?://", re.IGNORECASE)


def find_sources(arguments: Sequence[str], links: FolderLinks | None = None) -> list[Input]:
    """Return the inputs that arguments name, each file and folder once.

    Single pages, files of pages, globs, and folders: of pages, of such files, of folders with a `pages.jsonl` each, the
    job folder of a crawl, the output folder of `dehusk corpus`, for the files that it was made from.

    Args:
        arguments: what the user names.
        links: a place for links out of folders; none is followed, because a project would forget which were.

    Raises:
        InputError: an argument names nothing that can be read, or something else than files.
    """
    inputs: dict[Path, Input] = {}
    for argument in arguments:
        for file in _named_by(argument, links or FolderLinks()):
            inputs.setdefault(_local(file).resolve(), file)
    folders = {path for path, file in inputs.items() if file.format == FOLDER.name}
    return [file for path, file in inputs.items() if file.format != PAGE or folders.isdisjoint(path.parents)]


def _local(file: Input) -> Path:
    if isinstance(file.path, Path):
        return file.path
    raise _remote(str(file.path))


def _remote(address: str) -> InputError:
    return InputError(f"{address} is on a remote filesystem: copy it to this machine, then name the copy")


def _named_by(argument: str, links: FolderLinks) -> list[Input]:
    path = Path(argument)
    if _WEB.match(argument):
        raise InputError(
            f"{argument} is a URL: fetch it with `dehusk crawl {argument} -o FOLDER`, then name that folder"
        )
    if is_address(argument):
        raise _remote(argument)
    if path.is_file() and has_page_suffix(path):
        return [Input(path, path.name, PAGE)]
    if path.is_file() and path.name == DATABASE:
        raise InputError(f"{argument} belongs to a project: open it with --project {path.parent}")
    if path.is_file() and not path.name.lower().endswith(tuple(suffixes())):
        known = ", ".join((*sorted(SUFFIXES), *suffixes()))
        raise InputError(f"{argument}: unsupported file type; supported: {known}, and folders")
    if not path.is_dir():
        return find_inputs([argument], links)
    if (path / DATABASE).is_file():
        raise InputError(f"{argument} is the folder of a project: open it with --project {argument}")
    if _is_corpus(path):
        return _of_corpus(path)
    return find_inputs([argument], links) if (path / CRAWL_JOB).is_file() else _in_folder(path, links)


def _is_corpus(folder: Path) -> bool:
    run = RunFolder(folder)
    return run.pages.is_dir() and (run.state.is_dir() or run.summary.is_file())


def _of_corpus(folder: Path) -> list[Input]:
    """Return the inputs of the run that wrote a folder: its rows have texts, but not the pages themselves."""
    values = read_json(RunFolder(folder).inputs)
    if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
        raise InputError(
            f"{folder} is the output of `dehusk corpus`, and does not say what it was made from: "
            "name the inputs of that run instead"
        )
    inputs = [Input(path_of(each["path"]), each["name"], each["format"]) for each in values]
    if missing := [path for path in map(_local, inputs) if not path.exists()]:
        raise InputError(f"{folder} was made from {missing[0]}, which no longer exists: name the inputs of that run")
    return inputs


def _in_folder(folder: Path, links: FolderLinks) -> list[Input]:
    """Return what a folder contains: folders with a list of their pages, files of pages, and other pages."""
    listed: list[Path] = []
    for path in sorted(folder.rglob(PAGE_LIST)):
        if listed_folder := _listed(path.parent, listed):
            listed.append(listed_folder)
    own_lists = {each / PAGE_LIST for each in listed}
    files = [path for path in _files_of_pages(folder, links) if path not in own_lists]
    pages = [path for path in page_files(folder, links) if isinstance(path, Path)]
    rest = [path for path in pages if not any(path.is_relative_to(each) for each in listed)]
    inputs = [_relative(folder, path, format_of(path).name) for path in files]
    inputs += [_relative(folder, each, FOLDER.name) for each in listed]
    if rest and not listed:
        inputs.append(Input(folder, folder.resolve().name or "pages", FOLDER.name))
    elif rest:
        inputs += [_relative(folder, path, PAGE) for path in rest]
    if not inputs:
        raise InputError(f"folder {folder} contains neither pages nor files of pages ({', '.join(suffixes())})")
    return inputs


def _listed(folder: Path, known: Sequence[Path]) -> Path | None:
    """Return a folder if its list describes pages in it, and no folder above it does."""
    if any(folder.is_relative_to(each) for each in known) or not has_list(folder) or not page_files(folder):
        return None
    return folder


def _files_of_pages(folder: Path, links: FolderLinks) -> list[Path]:
    """Return the files of many pages below a folder, but not what a crawl writes about its pages beside them."""
    found = [path for path in links.files(folder, has_suffix) if isinstance(path, Path) and path.is_file()]
    return [path for path in found if path.suffix != ".jsonl" or not (path.parent / CRAWL_JOB).is_file()]


def _relative(folder: Path, path: Path, format_name: str) -> Input:
    name = path.relative_to(folder).as_posix()
    return Input(path, folder.resolve().name if name == "." else name, format_name)


def read_source(file: Input, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the records of an input in order, and a `Loss` for each damaged part.

    Raises:
        InputError: the file cannot be read at all, or a column is missing.
    """
    if file.format == PAGE:
        yield _single(file, options)
        return
    yield from read_records(file, options)


def read_place(file: Input, place: int, options: ReadOptions) -> Record | None:
    """Return the record at a place of an input; None if there is none, or if only reading from the start can tell.

    Raises:
        InputError: the file cannot be read at all.
    """
    if file.format == PAGE:
        return _single(file, options)
    [record] = read_at(file, [place], options)
    return record


def has_places(file: Input) -> bool:
    """Return whether single records of an input can be read without reading what precedes them."""
    return file.format == PAGE or format_named(file.format).read_at is not None


def _single(file: Input, options: ReadOptions) -> Record:
    with explaining(f"{file.path}: cannot be read"):
        raw = PageLocation(str(file.path), file.name).read(options.limit)
    return Record(0, 0, file.name, PageUrls().of(str(file.path)) or saved_from(raw) or "", raw, type="file")
