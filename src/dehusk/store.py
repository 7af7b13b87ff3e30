"""Model folders: `card.json` (method, training, quality) and `arrays.npz`; nothing is pickled."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from dehusk.errors import ModelError

FORMAT = 1
"""Version of the folder format."""

CARD_FILES = _CARD, _ARRAYS = "card.json", "arrays.npz"
"""The files of a model folder."""


def feature_hash(names: Sequence[str]) -> str:
    """Return a short hash of feature names in their order; a model only works with features of the same hash."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]


def save_model(folder: Path, card: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write a model folder; equal contents give equal bytes.

    Raises:
        ModelError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"format": FORMAT, **card}, indent=1, ensure_ascii=False) + "\n"
        (folder / _CARD).write_text(text, "utf-8")
        with (folder / _ARRAYS).open("wb") as stream:
            write_arrays(stream, arrays, compress=True)
    except OSError as error:
        raise ModelError(f"model {folder} cannot be written: {error}") from error


def write_arrays(stream: IO[bytes], arrays: Mapping[str, npt.NDArray[Any]], *, compress: bool = False) -> None:
    """Write an npz archive, sorted by name and without time stamps, so that equal arrays give equal bytes."""
    compression, level = (zipfile.ZIP_DEFLATED, 9) if compress else (zipfile.ZIP_STORED, None)
    with zipfile.ZipFile(stream, "w", compression, compresslevel=level) as archive:
        for name in sorted(arrays):
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = compression
            with archive.open(entry, "w") as target:
                np.lib.format.write_array(target, np.ascontiguousarray(arrays[name]), allow_pickle=False)


def load_model(folder: Path, method: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Read a model folder.

    Args:
        folder: the folder.
        method: the name of the method that the model must belong to.

    Raises:
        ModelError: the folder is missing, unreadable or damaged, or belongs to another format or method.
    """
    if not (folder / _CARD).exists():
        problem = f"no {_CARD} in this folder" if folder.is_dir() else "no such folder"
        raise ModelError(f"model {folder}: {problem}: name a folder that dehusk train or dehusk site learn has written")
    try:
        card = json.loads((folder / _CARD).read_text("utf-8"))
        with (folder / _ARRAYS).open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except OSError as error:
        name = Path(error.filename or _ARRAYS).name
        raise ModelError(f"model {folder}: {name} cannot be read: {error.strerror or error}") from error
    except (ValueError, LookupError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        raise ModelError(f"model {folder} is damaged: {' '.join(str(error).split())}") from error
    except (AttributeError, TypeError) as error:  # np.load returns an array if the file is not an archive
        raise ModelError(f"model {folder} is damaged: {_ARRAYS} is not an npz archive") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise ModelError(f"model {folder} is not in format {FORMAT}")
    if card.get("method") != method:
        raise ModelError(f"model {folder} belongs to method {card.get('method')!r}, not {method!r}")
    return card, arrays


def identity_of(folder: Path) -> str:
    """Return the name of a model folder and a short hash of its files, which tells it from all other models.

    Raises:
        ModelError: a file cannot be read.
    """
    digest = hashlib.sha256()
    try:
        for name in CARD_FILES:
            digest.update((folder / name).read_bytes())
    except OSError as error:
        raise ModelError(f"model {folder} cannot be read: {error}") from error
    return f"{folder.resolve().name} {digest.hexdigest()[:16]}"


def method_of(folder: Path) -> str:
    """Return the name of the method that a model folder belongs to, "" if it is not a model folder."""
    try:
        card = json.loads((folder / _CARD).read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    return str(card.get("method", "")) if isinstance(card, dict) else ""


def stamp(files: Sequence[Path]) -> tuple[tuple[int, int], ...]:
    """Return the (size, modification time) of files, so that caches notice when a file changes."""
    stamps = []
    for file in files:
        try:
            status = file.stat()
        except OSError:
            stamps.append((0, 0))  # reading the file reports the error
        else:
            stamps.append((status.st_size, status.st_mtime_ns))
    return tuple(stamps)


def stamp_of(folder: Path) -> tuple[tuple[int, int], ...]:
    """Return the stamp of a model folder."""
    return stamp([folder / name for name in CARD_FILES])
