"""Build a set from a published archive, and check that a set is the one that our figures are of.

A page is recognised by the hash of its bytes, wherever it is in the archive. A set is built only if every page of the
manifest was found, with the gold text and the facts that were measured; otherwise what was found goes to
`<name>.partial`, which no bench takes for the set, and each difference is named. A set that was never measured has no
manifest: it is built as it is published, and there is nothing to check it against.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError, explaining
from dehusk.lab.gold.datasets import set_files
from dehusk.lab.sets.archives import read_archive, read_lines
from dehusk.lab.sets.catalogue import ManifestPage, PublishedSet, manifest
from dehusk.lab.sets.layouts import LAYOUTS, LINE_LAYOUTS, FoundPage

FIELDS = ("url", "site", "type", "language")
"""Fields of a row that a manifest holds; others come from the archive."""
_SHOWN = 5
"""Identifiers that a difference names."""


@dataclass(frozen=True)
class Difference:
    """How a set differs from the one that was measured."""

    what: str
    """"missing pages", "other pages", "other gold texts", "other rows" or "unknown pages"."""
    ids: tuple[str, ...]

    def __str__(self) -> str:
        more = f" and {len(self.ids) - _SHOWN} more" if len(self.ids) > _SHOWN else ""
        return f"{self.what}: {', '.join(self.ids[:_SHOWN])}{more}"


@dataclass(frozen=True)
class _BuiltPage:
    id: str
    html: bytes
    gold: bytes | None
    row: bytes


def short_hash(data: bytes | None) -> str:
    """Return the hash that manifests hold; "" for what does not exist."""
    return "" if data is None else hashlib.sha256(data).hexdigest()[:16]


def build(published: PublishedSet, archive: Path, data: Path) -> tuple[Path, list[Difference]]:
    """Build a set from its archive.

    Returns:
        The set's folder in `data`, and how it differs from the one that was measured. If it does, the folder is
        `<name>.partial`, and the folder `<name>` stays as it was. A set without a manifest differs in nothing.

    Raises:
        InputError: the archive cannot be read, or is of another layout; or the set cannot be written.
    """
    if published.unmeasured:
        return _build_as_published(published, archive, data), []
    pages = manifest(published.name)
    layout = LAYOUTS[published.layout]
    files = read_archive(archive, lambda path: layout.wanted.fullmatch(path) is not None)
    try:
        built = _picked(layout.pages(files), pages)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{archive} has another layout than {published.name} had: {error!r}") from error
    if not built:
        raise InputError(f"{archive} holds none of the {len(pages)} pages of {published.name}")
    differences = _differences(pages, [_identity(page) for page in built])
    target = data / (f"{published.name}.partial" if differences else published.name)
    _write(target, built)
    return target, differences


def _build_as_published(published: PublishedSet, archive: Path, data: Path) -> Path:
    """Build a set that has no manifest from a file of JSON Lines; return its folder."""
    target = data / published.name
    try:
        _write(target, _as_published(map(LINE_LAYOUTS[published.layout], read_lines(archive))))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{archive} has another layout than {published.name} should have: {error!r}") from error
    return target


def _as_published(found: Iterable[FoundPage]) -> Iterator[_BuiltPage]:
    seen = set()
    for page in found:
        if page.id in seen:
            raise ValueError(f"page {page.id} stands twice")
        seen.add(page.id)
        [truth] = page.truths
        row = {"id": page.id, **(truth.fields or {})}
        line = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")
        yield _BuiltPage(page.id, page.html, truth.gold, line)


def check(published: PublishedSet, path: Path) -> list[Difference]:
    """Return how a set differs from the one that was measured; nothing if it is the same to the byte.

    Raises:
        InputError: the set cannot be read.
    """
    return _differences(manifest(published.name), list(identify(path)))


def identify(path: Path) -> Iterator[ManifestPage]:
    """Yield what a manifest holds of the pages of a set.

    Raises:
        InputError: the set cannot be read.
    """
    files = set_files(path)
    for line in files["pages.jsonl"].splitlines():
        try:
            page_id = str(json.loads(line)["id"])
            page = _BuiltPage(page_id, files[f"html/{page_id}.html"], files.get(f"gold/{page_id}.txt"), line)
        except (KeyError, ValueError, TypeError) as error:
            raise InputError(f"set {path} is malformed: {error!r}") from error
        yield _identity(page)


def _identity(page: _BuiltPage) -> ManifestPage:
    row = json.loads(page.row)
    fields = {key: row[key] for key in FIELDS if key in row}
    return ManifestPage(page.id, short_hash(page.html), short_hash(page.gold), short_hash(page.row), fields)


def _picked(found: Iterable[FoundPage], pages: list[ManifestPage]) -> list[_BuiltPage]:
    """Return the pages of the manifest that were found, in its order, each as its hashes say that it was read."""
    wanted: dict[str, list[ManifestPage]] = {}
    for page in pages:
        wanted.setdefault(page.html, []).append(page)
    best: dict[str, _BuiltPage] = {}
    for candidate in found:
        for page in wanted.get(short_hash(candidate.html), ()):  # two pages of the same bytes can have other facts
            read = _read(candidate, page)
            if page.id not in best or _agreement(page, read) > _agreement(page, best[page.id]):
                best[page.id] = read
    return [best[page.id] for page in pages if page.id in best]


def _read(candidate: FoundPage, page: ManifestPage) -> _BuiltPage:
    """Return a found page as the version that agrees best with the manifest; of equal ones the first."""
    versions = []
    for truth in candidate.truths:
        row = {"id": page.id, **page.fields, **(truth.fields or {})}
        line = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")
        versions.append(_BuiltPage(page.id, candidate.html, truth.gold if page.gold else None, line))
    return max(versions, key=lambda built: _agreement(page, built))


def _agreement(page: ManifestPage, built: _BuiltPage) -> int:
    return (short_hash(built.gold) == page.gold) + (short_hash(built.row) == page.row)


def _write(target: Path, built: Iterable[_BuiltPage]) -> None:
    with explaining(f"{target} cannot be written"), replacing(target) as folder:
        for part in ("html", "gold"):
            (folder / part).mkdir(parents=True)
        with (folder / "pages.jsonl").open("wb") as rows:
            for page in built:
                (folder / "html" / f"{page.id}.html").write_bytes(page.html)
                if page.gold is not None:
                    (folder / "gold" / f"{page.id}.txt").write_bytes(page.gold)
                rows.write(page.row + b"\n")


def _differences(pages: list[ManifestPage], built: list[ManifestPage]) -> list[Difference]:
    have, known = {page.id: page for page in reversed(built)}, {page.id for page in pages}
    both = [(page, have[page.id]) for page in pages if page.id in have]
    found = {
        "missing pages": [page.id for page in pages if page.id not in have],
        "other pages": [page.id for page, mine in both if mine.html != page.html],
        "other gold texts": [page.id for page, mine in both if mine.gold != page.gold],
        "other rows": [page.id for page, mine in both if mine.row != page.row],
        "unknown pages": [page.id for page in built if page.id not in known],
    }
    return [Difference(what, tuple(ids)) for what, ids in found.items() if ids]
