"""The labels of pages, from a list or from their folders."""

from collections.abc import Sequence
from pathlib import PurePath

from dehusk.base.errors import InputError, counted
from dehusk.base.given import read_given
from dehusk.read.files import STDIN, PageLocation

FOLDER = "folder"
"""The name of the folder that contains a page is its label."""


def labels_of(pages: Sequence[PageLocation], source: str) -> tuple[list[str | None], list[str]]:
    """Return the label of each page, None if it has none, and a line for people on each kind of gap.

    Args:
        pages: the pages.
        source: "folder" for the name of the folder that contains the page; otherwise a file with lines of page, tab,
            label. A page is named by its path as in the argument, its path in the folder that was searched, or its URL.

    Raises:
        InputError: the file cannot be read, a line has no tab, a line names several pages, or two differ about one.
    """
    if source == FOLDER:
        labels = [None if page.name == STDIN else PurePath(page.name).parent.name or None for page in pages]
        return labels, _gaps(labels, "are in no named folder")
    rows = _rows_by_name(pages)
    found: list[str | None] = [None] * len(pages)
    lines: dict[int, int] = {}
    unused = []
    for number, name, label in _lines(source):
        named = rows.get(name, [])
        if len({pages[row].name for row in named}) > 1:
            raise InputError(f"labels {source}, line {number}: {name} names {len(named)} pages: write more of its path")
        unused += [] if named else [name]
        for row in named:
            if found[row] not in (None, label):
                raise InputError(
                    f"labels {source}: {name} is {found[row]!r} in line {lines[row]}, {label!r} in line {number}"
                )
            found[row], lines[row] = label, number
    gaps = _gaps(found, f"have no label in {source}")
    if unused:
        gaps.append(f"{source}: no such page for {counted(len(unused), 'line')}, for example {unused[0]}")
    return found, gaps


def _gaps(labels: Sequence[str | None], what: str) -> list[str]:
    missing = labels.count(None)
    return [f"{missing} of {counted(len(labels), 'page')} {what}"] if missing else []


def _rows_by_name(pages: Sequence[PageLocation]) -> dict[str, list[int]]:
    """Return each name of a page -> the pages with it; a path as in the argument comes before all other names."""
    rows: dict[str, list[int]] = {}
    for row, page in enumerate(pages):
        for name in {page.relative, page.url or page.relative}:
            rows.setdefault(name, []).append(row)
    exact: dict[str, list[int]] = {}
    for row, page in enumerate(pages):
        exact.setdefault(page.name, []).append(row)
    return rows | exact


def _lines(path: str) -> list[tuple[int, str, str]]:
    """Return the number, the page and the label of each line."""
    try:
        text = read_given(path, "utf-8-sig")
    except OSError as error:
        raise InputError(f"labels {path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"labels {path} cannot be read: not UTF-8 (byte {error.start})") from error
    lines = []
    for number, line in enumerate(text.split("\n"), start=1):
        name, tab, label = line.rstrip("\r").rpartition("\t")
        if tab and label.strip():
            lines.append((number, name, label.strip()))
        elif line.strip():
            raise InputError(f"labels {path}, line {number}: expected page, tab, label, not {line.strip()[:60]!r}")
    return lines
