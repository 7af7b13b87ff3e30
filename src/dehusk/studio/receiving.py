"""Pages that come through the browser: fetched by their address, pasted, or dropped as files.

They are stored in the project's folder `received`, and then added as any other input: the project keeps what it shows.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError
from dehusk.many.files.inputs import Input
from dehusk.read.decoding import decode
from dehusk.read.parsing import saved_from
from dehusk.studio.adding import Adding
from dehusk.studio.exporting import safe_name
from dehusk.studio.project import DATABASE, Project
from dehusk.studio.sources import PAGE, find_sources

_END = 24  # bytes of the name of a file that are stored of its end; its suffixes say what it is


class Received(NamedTuple):
    """What came."""

    page: int | None
    """The id of a single page, which is in the project; None if the pages of a file are being added."""
    adding: Adding | None = None
    """Adds the pages of a file of many."""


def receive_address(project: Project, address: str) -> Received:
    """Fetch a page by the rules of a crawl, and add it.

    Raises:
        FetchError: it cannot be fetched: robots.txt forbids it, its address is private, or the like.
        InputError: the address is none, or only a part of the page came.
        MissingExtraError: the extra "crawl" is not installed.
    """
    from dehusk.many.crawl import fetch  # noqa: PLC0415 (few studios fetch anything)

    found = fetch(address)
    if found.truncated:
        raise InputError(f"{address}: the response was cut short: {found.truncated}; try again")
    return receive_text(project, decode(found.data, found.headers).text, found.url)


def receive_text(project: Project, html: str, url: str = "") -> Received:
    """Add a page that is known as text.

    Args:
        project: the project.
        html: the page.
        url: its address; by default the one that the browser noted in it.

    Raises:
        InputError: it is empty, or cannot be stored.
    """
    if not html.strip():
        raise InputError("there is no page: the text is empty")
    url = url or saved_from(html) or ""
    row = json.dumps({"id": url or "pasted", "url": url, "html": html}, ensure_ascii=False) + "\n"
    return _added(project, "page.jsonl", row.encode("utf-8", "replace"), is_single=True)


def receive_file(project: Project, name: str, data: bytes, *, workers: int = 1) -> Received:
    """Add a page, or the pages of a file of many.

    Args:
        project: the project.
        name: of the file; its suffix says what the file is.
        data: its content.
        workers: processes that clean the pages of a file of many.

    Raises:
        InputError: the file is empty, of no known kind, or cannot be stored.
    """
    if not data:
        raise InputError(f"{name} is empty")
    own = safe_name(Path(name).name, end=_END)
    if own == DATABASE:  # which makes a folder a project
        raise InputError(f"{own}: unsupported file type: it is the database of a project")
    return _added(project, own, data, workers=workers)


def _added(project: Project, name: str, data: bytes, *, workers: int = 1, is_single: bool = False) -> Received:
    """Store a file in a folder named by its content, so that what comes twice is there once, and add its pages."""
    path = project.inside(project.folder / "received") / hashlib.sha256(data).hexdigest()[:12] / name
    is_new = not path.exists()
    if is_new:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_bytes(data)
    try:
        inputs = find_sources([str(path)])
    except InputError as error:
        if is_new:
            path.unlink()
            path.parent.rmdir()
        raise InputError(str(error).replace(str(path), name)) from error
    adding = Adding(project, inputs, workers=workers)
    if inputs[0].format != PAGE and not is_single:
        adding.start()
        return Received(None, adding)
    progress = adding.run()
    page = page_of_input(project, inputs[0])
    if page is None:
        raise InputError(f"{name} cannot be added: {'; '.join(progress.messages) or 'there is no page in it'}")
    return Received(page)


def page_of_input(project: Project, given: Input) -> int | None:
    """Return the first page of an input; None if it has none."""
    query = "SELECT page.id FROM page JOIN input ON input.id = input WHERE path = ? ORDER BY number LIMIT 1"
    row = project.reading.execute(query, (str(given.path.absolute()),)).fetchone()
    return None if row is None else int(row["id"])
