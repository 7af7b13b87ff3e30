"""The models that a page can be cleaned with, those of dehusk and of the project, and the one that the studio uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from dehusk.base.errors import InputError
from dehusk.label.registry import HOMES, MODELS, shipped_models
from dehusk.studio.opened import ViewSettings
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


_SETTING = "default-model"  # the name of a folder in the project's models


def default_settings(project: Project) -> ViewSettings:
    """Return the settings of a project; those of dehusk if its model is gone."""
    name = project.setting(_SETTING)
    own = {model.name: model for model in list_models(project) if model.value == str(project.models / model.name)}
    if name is None or name not in own:
        return ViewSettings()
    return ViewSettings(method=own[name].method, model=own[name].value)


def set_default_model(project: Project, name: str | None) -> None:
    """Clean by a model of the project from now on; None: as dehusk does.

    Raises:
        InputError: the project has no such model.
    """
    folders = {model.name for model in list_models(project) if model.value == str(project.models / model.name)}
    if name is not None and name not in folders:
        raise InputError(f"the project has no model {name}")
    project.set_setting(_SETTING, name)
