"""What was learned of sites, as folders in the project: written as a whole, and read when it is looked at.

models/sites/<host>/
    learned.json     from which pages, when, and what was noticed
    site/            the site's counts, for the default method and the structure tree
    wisdom/          WISDOM's terms and links; wisdom-paper/ with the terms of the paper, if its stemmer is there
    alternation/     FindOptimal by document frequency, which cleans
    surface.json     the alternation counts over n and a, and the paths of the search
    documents.z      the documents of the surface, to colour pages at any cut point
"""

from __future__ import annotations

import json
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from dehusk.base.errors import InputError
from dehusk.label.registry import declaration
from dehusk.studio.project import Project
from dehusk.studio.site_keys import site_folder

VERSION = 1
RECORD, SURFACE, DOCUMENTS = "learned.json", "surface.json", "documents.z"
SITE, ALTERNATION = "site", "alternation"
_MOST_BYTES = 500_000_000  # of the documents; a project may be somebody else's
WISDOM = {"recommended": "wisdom", "paper": "wisdom-paper"}
"""Preset of WISDOM -> its folder."""


def learned_record(project: Project, host: str) -> dict[str, Any] | None:
    """Return what `learned.json` of a site says; None if nothing was learned, or by another version."""
    try:
        record = json.loads((site_folder(project, host) / RECORD).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and record.get("version") == VERSION else None


def learned_folder(project: Project, host: str) -> Path:
    """Return the folder of what was learned of a site.

    Raises:
        InputError: nothing was learned yet.
    """
    if learned_record(project, host) is None:
        raise InputError("this site is not learned yet: learn it first")
    return site_folder(project, host)


def learned_times(project: Project) -> dict[str, str]:
    """Return the host of each learned site, and when it was learned."""
    hosts = project.reading.execute("SELECT DISTINCT host FROM page WHERE host <> ''")
    records = {host: learned_record(project, host) for (host,) in hosts}
    return {host: str(record.get("at", "")) for host, record in records.items() if record is not None}


def learns_from_whole_sites(method: str) -> bool:
    """Return whether a method cleans pages only of sites that were learned as a whole, as the view of sites does."""
    declared = declaration(method)
    return declared.site == "required" and declared.learning == "pages"


def write_documents(folder: Path, documents: list[str]) -> None:
    """Store the documents of a surface."""
    (folder / DOCUMENTS).write_bytes(zlib.compress(json.dumps(documents).encode()))


def read_documents(folder: Path) -> tuple[str, ...]:
    """Return the documents that `write_documents` stored."""
    path = folder / DOCUMENTS
    return _documents(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _documents(path: Path, _changed: int) -> tuple[str, ...]:
    try:
        text = zlib.decompressobj().decompress(path.read_bytes(), _MOST_BYTES)
        return tuple(map(str, json.loads(text)))
    except (OSError, ValueError, RecursionError, zlib.error) as error:
        raise InputError(f"{path} is damaged: learn the site again ({error})") from error
