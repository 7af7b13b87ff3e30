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

import hashlib
import json
import re
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from dehusk.base.errors import InputError
from dehusk.label.registry import declaration
from dehusk.studio.project import Project

# ---------------------------------------------------------------- keys
# Hosts in addresses of views and in names of folders; a host comes from a page, so it can be any text.

NO_HOST = "-"
"""Key of the pages that name no host."""

_PLAIN = re.compile(r"[a-z0-9_][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
_CODED = "~"
_LONGEST = 150  # characters of the name of a folder


def key_of(host: str) -> str:
    """Return the key of a host: the host itself if it is an ordinary name, else "~" and its bytes in hex."""
    if not host:
        return NO_HOST
    return host if _PLAIN.fullmatch(host) else _CODED + host.encode("utf-8", "surrogatepass").hex()


def host_of(key: str) -> str:
    """Return the host of a key.

    Raises:
        KeyError: no host has this key.
    """
    try:
        coded = key.startswith(_CODED)
        host = bytes.fromhex(key[1:]).decode("utf-8", "surrogatepass") if coded else "" if key == NO_HOST else key
    except ValueError:
        raise KeyError(key) from None
    if key_of(host) != key:
        raise KeyError(key)
    return host


def site_folder(project: Project, host: str) -> Path:
    """Return the folder of what is learned of a site, in the project's folder of models."""
    key = key_of(host)
    name = key if len(key) <= _LONGEST else _CODED + hashlib.sha256(key.encode()).hexdigest()
    return project.models / "sites" / name


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
