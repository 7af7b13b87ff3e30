"""The registry of methods, the only module that knows which methods exist.

Each method declares itself (`dehusk.label.declaration.Declaration`) under the name `METHOD` in its module; `HOMES`
has one line for each. Modules are imported when their method is first needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from dehusk.base.errors import ConfigError, ModelError, unknown
from dehusk.base.lazy import IMPORTING
from dehusk.base.store import method_of
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, LinkSearch

PLUGINS = "dehusk.methods"
"""Group of entry points: an installed package that has `name = "module"` there adds the method of the module."""

HOMES: dict[str, str] = {
    "united": "dehusk.label.united",
    "victor": "dehusk.label.victor",
    "site": "dehusk.label.repetition",
    "cst": "dehusk.sites.structure_tree",
    "wisdom": "dehusk.sites.wisdom",
    "alternation": "dehusk.sites.alternation",
    "keep-all": "dehusk.label.baseline",
}
"""Method -> the module that declares it as `METHOD`. To add a method, add a line, or have a package of your own with an
entry point in `PLUGINS`."""

DEFAULT = next(iter(HOMES))
"""The method to use if the caller names none."""

MODELS = Path(__file__).parents[1] / "models"
"""Folder of the models that ship with the package."""


def names() -> tuple[str, ...]:
    """Return the names of all methods, the default first, and those of other packages last."""
    _find_plugins()
    return tuple(HOMES)


def declaration(name: str) -> Declaration:
    """Return the declaration of a method.

    Raises:
        ConfigError: the method is unknown, or its declaration is invalid.
    """
    if name not in HOMES:
        _find_plugins()
    if name not in HOMES:
        raise ConfigError(unknown("method", name, HOMES))
    return _declared(name, HOMES[name])


def declarations() -> Iterator[Declaration]:
    """Yield the declarations of all methods; imports all of their modules."""
    return map(declaration, names())


@cache
def _find_plugins() -> None:
    """Add the methods of installed packages; not before one is asked for, because reading what is installed is slow."""
    from importlib.metadata import entry_points  # noqa: PLC0415 (takes as long as a page)

    for plugin in entry_points(group=PLUGINS):
        HOMES.setdefault(plugin.name, plugin.value)


def register(home: str) -> Declaration:
    """Add a method to the registry of this process.

    Args:
        home: dotted name of an importable module that declares the method as `METHOD`.

    Raises:
        ConfigError: the module cannot be imported, its declaration is missing or invalid, or the name is taken.
    """
    declared = _in(home)
    if HOMES.get(declared.name, home) != home:
        raise ConfigError(f"method {declared.name!r} is registered already, by {HOMES[declared.name]}")
    HOMES[declared.name] = home
    return declared


def name_of(method: PageMethod) -> str:
    """Return the name under which a method's class is registered; for an unregistered class, the name of the class."""
    for name, home in HOMES.items():
        if home in sys.modules and declaration(name).method is type(method):  # else it has no instances yet
            return name
    return type(method).__name__


def link_searches() -> dict[str, LinkSearch]:
    """Return the order of a crawl -> the search for the links that it follows first, of all methods that have one."""
    return {declared.links.order: declared.links for declared in declarations() if declared.links}


@cache
def _declared(name: str, home: str) -> Declaration:
    declared = _in(home)
    if declared.name != name:
        raise ConfigError(f"{home} declares method {declared.name!r}, but is registered as {name!r}")
    return declared


def _in(home: str) -> Declaration:
    try:
        with IMPORTING:
            declared = getattr(import_module(home), "METHOD", None)
    except ImportError as error:
        raise ConfigError(f"method module {home} cannot be imported: {error}") from error
    if not isinstance(declared, Declaration):
        raise ConfigError(f"method module {home} has no METHOD: declare it with dehusk.label.Declaration")
    return declared


def shipped_models() -> tuple[str, ...]:
    """Return the names of the models that ship with the package, the default's first."""
    models = sorted(folder.name for folder in MODELS.iterdir() if (folder / "card.json").exists())
    return tuple(sorted(models, key=lambda name: name != declaration(DEFAULT).default_model))


def model_folder(name: str) -> Path:
    """Return the folder of a shipped model."""
    return MODELS / name


def resolve_model(model: str | Path) -> Path:
    """Return the folder of a model, given its folder or the name of a shipped model.

    Raises:
        ModelError: there is neither a shipped model of this name nor such a folder.
    """
    shipped = shipped_models()
    folder = model_folder(str(model)) if str(model) in shipped else Path(model)
    if not os.path.exists(folder):  # noqa: PTH110 (False for a name that is too long, where `Path` raises an error)
        raise ModelError(f"{unknown('model', model, shipped)}; or give the path of a model folder")
    return folder


def method_of_model(model: str | Path) -> str:
    """Return the registered method that a model belongs to; the default method if there is none."""
    name = method_of(resolve_model(model))
    return name if name in HOMES else DEFAULT


def configurable_method() -> str:
    """Return the method that reads configurations."""
    return next(declared.name for declared in declarations() if declared.presets)
