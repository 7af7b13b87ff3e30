"""How the studio cleans pages unless somebody chooses otherwise: the default method, or a model of the project."""

from __future__ import annotations

from dehusk.base.errors import InputError
from dehusk.studio.model_list import list_models
from dehusk.studio.opened import ViewSettings
from dehusk.studio.project import Project

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
