"""Model folders of WISDOM: the settings, and the counts of the site's terms and link targets; nothing is pickled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ModelError
from dehusk.base.store import load_model, reading, save_model
from dehusk.sites.wisdom.presets import Settings
from dehusk.sites.wisdom.wisdom_counts import WisdomCounts

CARD = "wisdom"
"""What the card of a WISDOM model names as its method."""

VERSION = 2
"""Version of what is counted; a model of another version is refused."""


def save_counts(folder: str | Path, settings: Settings, counts: WisdomCounts) -> None:
    """Write a model folder; equal settings and counts give equal bytes.

    Raises:
        ModelError: the folder cannot be written.
    """
    arrays = counts.arrays()
    card = {
        "method": CARD,
        "version": VERSION,
        "pages": counts.pages,
        "settings": settings.values(),
        "hash": _hash(arrays),
    }
    save_model(folder, card, arrays)


def load_counts(folder: str | Path) -> tuple[Settings, WisdomCounts]:
    """Read a model folder.

    Raises:
        ModelError: the folder is missing, damaged, of another version or of another method.
    """
    card, arrays = load_model(folder, CARD)
    if card.get("version") != VERSION:
        raise ModelError(f"model {folder} is of another version of dehusk: learn the site again")
    with reading(folder):
        if card["hash"] != _hash(arrays):
            raise ValueError("the card and the arrays disagree")
        settings, counts = Settings.of_values(card["settings"]), WisdomCounts.from_arrays(arrays)
        if settings.words != counts.words:
            raise ValueError("the settings and the counts have different terms")
        if not counts.pages:
            raise ValueError("no pages")
    return settings, counts


def _hash(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return a hash of named arrays: of their types, shapes and values."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
