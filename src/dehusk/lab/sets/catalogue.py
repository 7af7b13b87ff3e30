"""The catalogue of public sets: where each is published, its licence, who made its gold texts, its known faults."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class PublishedSet:
    """A public set of pages."""

    name: str
    title: str
    pages: int
    licence: str
    home: str
    """Address of the page that describes it; "unknown" if there is none."""
    gold: str
    """Who made its gold texts or facts, and how."""
    convention: str
    """What its gold texts contain."""
    faults: str
    address: str = ""
    """Address of its archive; "" if it cannot be built."""
    archive: str = ""
    """Name of the downloaded archive."""
    layout: str = ""
    """Name of the reader of `layouts.LAYOUTS` or `layouts.LINE_LAYOUTS`."""
    unmeasured: str = ""
    """Why it has no manifest, although it can be built; "" if it has one."""
    why: str = ""
    """Why it cannot be built; "" if it can."""


@dataclass(frozen=True)
class ManifestPage:
    """What identifies a page of a set, its gold text and its row, without any of their text."""

    id: str
    html: str
    """Hash of the page's bytes."""
    gold: str
    """Hash of the gold text's bytes; "" if it has none."""
    row: str
    """Hash of its line of pages.jsonl."""
    fields: Mapping[str, Any]
    """The parts of the line that the archive need not give: URL, site, type, language."""


@cache
def published_sets() -> Mapping[str, PublishedSet]:
    """Return the sets by name, in the order of `catalogue.toml`."""
    entries = tomllib.loads((_FOLDER / "catalogue.toml").read_text("utf-8"))
    return {name: PublishedSet(name=name, **entry) for name, entry in entries.items()}


def manifest(name: str) -> list[ManifestPage]:
    """Return the pages of a set that can be built, in the order of its pages.jsonl."""
    lines = (_FOLDER / "manifests" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [manifest_page(line) for line in lines if line]


def manifest_page(line: str) -> ManifestPage:
    """Read a line of a manifest."""
    row = json.loads(line)
    return ManifestPage(row.pop("id"), row.pop("html"), row.pop("gold"), row.pop("row"), row)
