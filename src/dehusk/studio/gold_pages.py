"""Which pages of a project have gold, and whether it has changed since a page was judged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from dehusk.blocks.annotation import SUFFIX
from dehusk.many.files.formats import FOLDER
from dehusk.studio.page_files import page_file, siblings
from dehusk.studio.page_gold import GOLD_FOLDER, GOLD_TEXTS
from dehusk.studio.project import Project
from dehusk.studio.sources import PAGE

_FOLDERS = 64


class GoldPages(NamedTuple):
    """The pages with gold."""

    stamps: dict[int, str]
    """Page -> what changes when its gold does."""
    labelled: int
    """Pages whose gold is labels of the project; the others have files beside them."""
    flagged: int
    """Pages with gold that are left out because people flagged them."""

    def plain(self) -> dict[str, int]:
        """Return the numbers of pages as plain values."""
        labelled = self.labelled
        return {
            "pages": len(self.stamps),
            "labelled": labelled,
            "files": len(self.stamps) - labelled,
            "flagged": self.flagged,
        }


def find_gold_pages(project: Project) -> GoldPages:
    """Return the pages that have gold, apart from flagged ones: labels of the project, or a file beside them."""
    flagged = {row["id"] for row in project.reading.execute("SELECT id FROM page WHERE flag <> ''")}
    stamps = dict(_labelled(project))
    labelled = len(stamps.keys() - flagged)
    stamps |= {page: stamp for page, stamp in _with_files(project) if page not in stamps}
    chosen = {page: stamps[page] for page in sorted(stamps.keys() - flagged)}
    return GoldPages(chosen, labelled, len(stamps.keys() & flagged))


def _labelled(project: Project) -> Iterator[tuple[int, str]]:
    rows = project.reading.execute(
        "SELECT page, annotator, max(changed) AS changed FROM labelling WHERE labelled > 0 GROUP BY page"
    )
    for row in rows:
        yield row["page"], f"labels of {row['annotator']}, {row['changed']}"


def _with_files(project: Project) -> Iterator[tuple[int, str]]:
    """Yield the pages with a file of gold beside them; others than single pages cannot have one."""
    rows = project.reading.execute(
        "SELECT page.id FROM page JOIN input ON input.id = input WHERE format IN (?, ?) ORDER BY page.id",
        (PAGE, FOLDER.name),
    )
    names_in = lru_cache(_FOLDERS)(_names_in)
    for row in rows.fetchall():
        file = page_file(project, row["id"])
        if file is None:
            continue
        beside = siblings(file, (SUFFIX, *GOLD_TEXTS), GOLD_FOLDER)
        stamps = (_stamp(path, file.root) for path in beside if path.name in names_in(path.parent))
        if stamp := next(filter(None, stamps), ""):
            yield row["id"], stamp


def _stamp(path: Path, root: Path) -> str:
    """Return what changes when a file does; "" if it is outside of its folder, or gone."""
    try:
        status = path.stat()
        is_inside = path.resolve().is_relative_to(root.resolve())
    except OSError:
        return ""
    return f"{path.name}, {status.st_size}, {status.st_mtime_ns}" if is_inside else ""


def _names_in(folder: Path) -> frozenset[str]:
    """Return the names of the files in a folder; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return frozenset(entry.name for entry in entries if entry.is_file())
    except OSError:
        return frozenset()
