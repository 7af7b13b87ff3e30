"""The bytes of a page: from the project if it has them, else from the file that the page came from."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Row

from dehusk.base.errors import InputError
from dehusk.blocks import Blocks, segment
from dehusk.many.files.formats import FOLDER
from dehusk.many.files.inputs import Input
from dehusk.many.files.options import ReadOptions
from dehusk.read import Limits, parse
from dehusk.studio.page_files import likely_files
from dehusk.studio.project import Project
from dehusk.studio.sources import read_place


@dataclass(frozen=True)
class PageBody:
    """A page as it was received."""

    data: bytes
    url: str
    headers: Mapping[str, str]

    def blocks(self) -> Blocks:
        """Return the blocks of the page."""
        return segment(parse(self.data, self.url or None, self.headers))


def read_body(project: Project, page: int) -> PageBody:
    """Return the bytes of a page.

    Raises:
        KeyError: the project has no page of this number.
        InputError: its file cannot be read, or has changed since the page was added.
    """
    query = "SELECT page.*, path, format, input.name AS file FROM page JOIN input ON input.id = input WHERE page.id = ?"
    row = project.page_row(page, query)
    stored = project.reading.execute("SELECT data FROM body WHERE page = ?", (page,)).fetchone()
    if stored is not None:
        data = unpacked(stored["data"])
    else:
        found = _from_folder(row) if row["format"] == FOLDER.name else None
        data = _from_input(row) if found is None else found
    if hashlib.sha256(data).hexdigest() != row["sha"]:
        raise InputError(_changed(row))
    return PageBody(data, row["url"], json.loads(row["headers"]))


def _from_folder(row: Row) -> bytes | None:
    """Return the bytes of a page in a folder without listing the folder, as far as they are those of the page."""
    for path in likely_files(Path(row["path"]), row["name"], row["place"]):
        with suppress(OSError), path.open("rb") as stream:
            data = stream.read(Limits().bytes + 1)
            if hashlib.sha256(data).hexdigest() == row["sha"]:
                return data
    return None


def _from_input(row: Row) -> bytes:
    file, limit = Input(Path(row["path"]), row["file"], row["format"]), Limits().bytes
    if not file.path.exists():
        raise InputError(f"{row['path']} no longer exists: put it back, or add the pages from where they are now")
    record = read_place(file, row["place"], ReadOptions(limit))
    return b"" if record is None else record.body(limit).data


def _changed(row: Row) -> str:
    again = f"start the studio with {row['path']} to add what it contains now"
    return f"{row['path']} has changed since its pages were added: {again}"


def unpacked(data: bytes) -> bytes:
    """Return what zlib compressed, and not more than a page can have, whatever a project of somebody else contains.

    Raises:
        InputError: it is damaged.
    """
    try:
        return zlib.decompressobj().decompress(data, Limits().bytes + 1)
    except zlib.error as error:
        raise InputError(f"a page that the project stores is damaged: {error}") from error
