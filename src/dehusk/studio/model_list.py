"""The models that a page can be cleaned with: those that ship with dehusk, and those of the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from dehusk.label.registry import HOMES, MODELS, shipped_models
from dehusk.studio.project import Project


class ListedModel(NamedTuple):
    """A model to choose."""

    name: str
    value: str
    """What `load_method` accepts: the name of a shipped model, or a folder."""
    method: str


def list_models(project: Project) -> list[ListedModel]:
    """Return the models that methods of pages can use, the shipped ones first."""
    shipped = [ListedModel(name, name, _method_of(MODELS / name)) for name in shipped_models()]
    folders = sorted(project.models.iterdir()) if project.models.is_dir() else []
    own = [ListedModel(folder.name, str(folder), _method_of(folder)) for folder in folders]
    return [model for model in (*shipped, *own) if model.method in HOMES]


def _method_of(folder: Path) -> str:
    """Return the method that the card of a model names; "" if it cannot be read."""
    try:
        card = json.loads((folder / "card.json").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return ""
    return str(card.get("method", "")) if isinstance(card, dict) else ""
