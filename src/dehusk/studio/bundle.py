"""A bundle: rules, models and labels of a project as one file, which `dehusk clean --project` reads as the folder.

It is a zip archive with `bundle.json`, which names the version, how the project cleans pages, and the SHA-256 of each
other member: `rules.toml`, `models/` with the models of sites, and an annotation for each page and annotator. Pages are
not in it. What is read is checked first: a bundle may be somebody else's.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dehusk
from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError, explaining
from dehusk.many.files.archives import DAMAGE
from dehusk.studio.exporting import annotation_of, label_files
from dehusk.studio.list_export import add_member
from dehusk.studio.making import Making, making_of
from dehusk.studio.project import RULES, Project

_MANIFEST = "bundle.json"
_FORMAT = 1
_MODELS = "models"
_MOST_BYTES = 1_000_000_000  # of all members that are read


def write_bundle(project: Project, path: Path) -> tuple[int, int]:
    """Write the bundle of a project; the same project gives the same bytes.

    Returns:
        How many annotations it has, and how many are left out, because no annotation can express the labels.

    Raises:
        InputError: there is a file of this name, it cannot be written, or the project's rules are invalid.
    """
    if path.exists():
        raise InputError(f"{path} exists: name another file")
    making = making_of(project)
    if making.problem:
        raise InputError(making.problem)
    annotations = dict(_annotations(project))
    members = dict(_files_of_models(project)) | {name: data for name, data in annotations.items() if data}
    if making.rules:
        members[RULES] = making.rules.encode()
    manifest = {
        "format": _FORMAT,
        "dehusk": dehusk.__version__,
        "method": making.method,
        "model": Path(making.model).name if making.model else None,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(members.items())},
    }
    with (
        explaining(f"{path} cannot be written"),
        replacing(path) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        add_member(archive, _MANIFEST, json.dumps(manifest, indent=1).encode())
        for name, data in sorted(members.items()):
            add_member(archive, name, data)
    return sum(map(bool, annotations.values())), sum(not data for data in annotations.values())


def _files_of_models(project: Project) -> Iterator[tuple[str, bytes]]:
    for path in project.models.rglob("*"):
        if path.is_file():
            yield path.relative_to(project.folder).as_posix(), project.inside(path).read_bytes()


def _annotations(project: Project) -> Iterator[tuple[str, bytes]]:
    """Yield the annotation of each page with labels; b"" if none can be made."""
    rows = project.reading.execute("SELECT page, annotator FROM labelling WHERE labelled > 0 ORDER BY page, annotator")
    for page, annotator in rows.fetchall():
        path = label_files(project, page, annotator).annotation
        try:
            data = annotation_of(project, page, annotator)[1].json().encode()
        except InputError:
            data = b""
        yield path.relative_to(project.folder).as_posix(), data


def open_bundle(path: Path, folder: Path) -> Making:
    """Write the rules and the model of a bundle to a folder, and return how its project cleans pages.

    Args:
        path: the bundle.
        folder: where `rules.toml` and `models/` are written.

    Raises:
        InputError: the file is no bundle, it is damaged, or a newer dehusk made it.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive)
            model = manifest["model"]
            wanted = {RULES, *(name for name in manifest["files"] if model and name.startswith(f"{_MODELS}/{model}/"))}
            for name, data in _checked(archive, manifest["files"]):
                if name in wanted:
                    target = folder / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
            rules = (folder / RULES).read_text("utf-8") if RULES in manifest["files"] else ""
            return Making(manifest["method"], str(folder / _MODELS / model) if model else None, rules)
    except _NoBundleError as error:
        raise InputError(f"{path} {error}") from error
    except (*DAMAGE, OSError) as error:
        raise InputError(f"{path} is damaged, or no bundle of dehusk studio: {error}") from error


class _NoBundleError(Exception):
    """What is wrong with a file that should be a bundle."""


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Return what a bundle says of itself."""
    if _MANIFEST not in archive.namelist():
        raise _NoBundleError(f"is no bundle of dehusk studio: it has no {_MANIFEST}")
    try:
        found = json.loads(_read(archive, _MANIFEST, 100_000_000))
        version = found["format"]
        if isinstance(version, int) and version > _FORMAT:
            raise _NoBundleError(f"was made by a newer dehusk ({found['dehusk']}): upgrade dehusk")
        is_one = version == _FORMAT and isinstance(found["files"], dict) and isinstance(found["method"], str)
        is_one = is_one and (found["model"] is None or (_is_plain(found["model"]) and "/" not in found["model"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        is_one = False
    if not is_one:
        raise _NoBundleError(f"is damaged: its {_MANIFEST} does not say what is in it")
    return dict(found)


def _checked(archive: zipfile.ZipFile, sums: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield all members besides the manifest; none is trusted before its sum is compared."""
    names = [name for name in archive.namelist() if name != _MANIFEST]
    if other := sorted({*names} ^ {*sums}):
        raise _NoBundleError(f"is damaged: {other[0]!r} is not what its {_MANIFEST} says")
    left = _MOST_BYTES
    for name in names:
        if not _is_plain(name):
            raise _NoBundleError(f"is no bundle of dehusk studio: {name!r} leads out of it")
        data = _read(archive, name, left)
        left -= len(data)
        if hashlib.sha256(data).hexdigest() != sums[name]:
            raise _NoBundleError(f"is damaged: {name} has other content than its {_MANIFEST} says")
        yield name, data


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as member:
        data = member.read(most + 1)
    if len(data) > most:
        raise _NoBundleError(f"is no bundle of dehusk studio: {name} is too large")
    return data


def _is_plain(name: object) -> bool:
    """Return whether a name stays in the folder that it is written to, on all systems."""
    return isinstance(name, str) and not {"\\", ":", "\0"} & {*name} and not {"", ".", ".."} & {*name.split("/")}
