"""The style sheets that a page links to, if they were saved with it: in the same WARC, or in its folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from dehusk.many.files.inputs import Input
from dehusk.many.files.options import ReadOptions
from dehusk.read.page import Page
from dehusk.studio.page_files import PageFile, page_file
from dehusk.studio.project import Project
from dehusk.studio.sources import read_place

MOST_SHEETS = 30
"""Sheets of a page that are shown."""
_MOST_BYTES = 1_000_000  # of one sheet


def sheets_of_page(project: Project, number: int, page: Page) -> list[str]:
    """Return the contents of the style sheets that a page links to and that its input contains, in their order.

    Raises:
        KeyError: there is no such page.
    """
    addresses = sheet_addresses(page)
    if not addresses:
        return []
    file = page_file(project, number)
    row = project.reading.execute(
        "SELECT input.id, path, format, input.name FROM page JOIN input ON input.id = input WHERE page.id = ?",
        (number,),
    ).fetchone()
    sheets = []
    for address in addresses:
        if file is not None:
            data = _in_folder(file, address, page.url or "")
        else:
            data = _in_input(project, row["id"], Input(Path(row["path"]), row["name"], row["format"]), address)
        if data is not None:
            sheets.append(data.decode("utf-8", "replace").removeprefix("\ufeff"))
    return sheets


def sheet_addresses(page: Page) -> list[str]:
    """Return the addresses of the sheets for screens, resolved if the page's own address is known."""
    addresses = []
    for link in page.elements.select("link[href]") if len(page) else []:
        relation, media, address = (str(link.attr(name) or "").strip() for name in ("rel", "media", "href"))
        relations, media = relation.lower().split(), media.lower()
        is_screen = not media or "screen" in media or "all" in media or "print" not in media
        if "stylesheet" in relations and "alternate" not in relations and is_screen:
            addresses.append(_joined(page.url, address))
    return list(dict.fromkeys(filter(None, addresses)))[:MOST_SHEETS]


def _joined(base: str | None, address: str) -> str:
    try:
        return urldefrag(urljoin(base, address) if base else address)[0]
    except ValueError:  # such as "http://[": no address
        return ""


def _in_input(project: Project, number: int, file: Input, address: str) -> bytes | None:
    """Return a sheet from the file of many pages; by its address, or else by its address without the query."""
    bare = address.partition("?")[0]
    other = bare.replace("https://", "http://", 1) if bare.startswith("https:") else bare.replace("http:", "https:", 1)
    row = project.reading.execute(
        "SELECT place FROM sheet WHERE input = ? AND url IN (?, ?, ?) ORDER BY url = ? DESC LIMIT 1",
        (number, address, bare, other, address),
    ).fetchone()
    if row is None:
        return None
    record = read_place(file, row["place"], ReadOptions(_MOST_BYTES))
    return None if record is None else record.body(_MOST_BYTES).data


def _in_folder(file: PageFile, address: str, url: str) -> bytes | None:
    for path in _candidates(file, address, url):
        data = file.read(path)
        if data is not None:
            return data[:_MOST_BYTES]
    return None


def _candidates(file: PageFile, address: str, url: str) -> Iterator[Path]:
    """Yield where a sheet may be saved: beside the page, below the folder as on the site, or below its host's name."""
    try:
        parts = urlsplit(address)
        host, path = parts.hostname or "", unquote(parts.path)
        own = urlsplit(url).path
    except ValueError:
        return
    if not path or "\0" in path:
        return
    if not parts.scheme and not path.startswith("/"):
        yield file.path.parent / path
    inside = path.lstrip("/")
    yield file.root / inside
    if host:
        yield file.root / host / inside
    folder = unquote(own).rpartition("/")[0]
    if folder and path.startswith(f"{folder}/"):
        yield file.path.parent / path[len(folder) + 1 :]
    yield file.path.parent / f"{file.path.stem}_files" / path.rpartition("/")[2]
