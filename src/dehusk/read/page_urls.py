"""The addresses of saved pages, from the `pages.jsonl` beside them."""

import json
from functools import cache
from pathlib import Path

from dehusk.base.errors import InputError

PAGE_LIST = "pages.jsonl"
PAGES_FOLDER = "html"


class PageUrls:
    """Looks up the addresses of pages.

    A `pages.jsonl` has one JSON object per line, with a page's `id` and, if it is known, its `url`. The page is
    `<id>.html` in the same folder or in the folder `html` beside the file.
    """

    def __init__(self) -> None:
        self._urls_in = cache(_read)  # reads each folder's file once

    def of(self, path: str) -> str | None:
        """Return the address of a page, None if it is not known.

        Raises:
            InputError: a line of the `pages.jsonl` is not a JSON object.
        """
        page = Path(path)
        folder = page.parent.parent if page.parent.name == PAGES_FOLDER else page.parent
        stem = Path(page.name.removesuffix(".gz")).stem  # of a packed page, too
        return self._urls_in(folder).get(stem) or self._urls_in(page.parent).get(stem)


def _read(folder: Path) -> dict[str, str]:
    """Return id -> address from a folder's `pages.jsonl`; empty if the folder has none."""
    path = folder / PAGE_LIST
    if not path.is_file():
        return {}
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    urls = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if row.get("id") and row.get("url"):
                urls[str(row["id"])] = str(row["url"])
        except (ValueError, AttributeError) as error:
            raise InputError(f"{path}, line {number}: not a JSON object") from error
    return urls
