"""Build a method that is ready to label, from its name, model, site and options."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dehusk.base.errors import ConfigError, require_type
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, Request
from dehusk.label.registry import (
    DEFAULT,
    configurable_method,
    declaration,
    declarations,
    method_of_model,
    resolve_model,
)
from dehusk.label.styles import Style

if TYPE_CHECKING:
    from dehusk.counts.model import SiteModel


def load_method(  # noqa: PLR0913 (what a caller can choose is named here, with its type)
    name: str | None = None,
    *,
    model: str | Path | None = None,
    config: str | Path | None = None,
    site: SiteModel | str | Path | None = None,
    style: Style | None = None,
    favour: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> PageMethod:
    """Return a method that is ready to label pages.

    Args:
        name: name of a method. By default, the method that `model` belongs to; if only `config` is given, "victor";
            otherwise "united".
        model: name of a shipped model, or a model folder; by default the method's own shipped model.
        config: for a method with a configuration: name of a preset, or a configuration file. It replaces the model's
            configuration and must define the same features.
        site: a learned site, or the folder that `dehusk site learn` wrote.
        style: how much of a page to keep; shorthand for the option of the same name.
        favour: 0 for precision, 1 for recall; shorthand for the option of the same name.
        options: further options of the method, by name.

    Raises:
        TypeError: an argument of another type.
        ConfigError: unknown method; an invalid configuration; a model, site or option that the method does not use; an
            option given twice.
        ModelError: the model is missing, damaged or does not fit.
        NotFittedError: the site has no pages.
    """
    _require_types(model, config, site, options)
    declared = implied_method(name, model, config)
    named = {"style": style, "favour": favour}
    if twice := [option for option in options or () if named.get(option) is not None]:
        raise ConfigError(f"{twice[0]} is given twice: as an argument, and among the options")
    chosen = {option: value for option, value in {**named, **(options or {})}.items() if value is not None}
    _check(declared, model, config, site, chosen)
    return declared.build(
        Request(
            model=None if model is None else resolve_model(model),
            config=config,
            site=Path(site) if isinstance(site, str) else site,
            options=chosen,
        )
    )


def implied_method(name: str | None, model: str | Path | None, config: str | Path | None) -> Declaration:
    """Return the method of this name; without a name, the method of a model or of a configuration, or the default.

    Raises:
        ConfigError: the method is unknown.
        ModelError: the model is missing.
    """
    if name is None and model is not None:
        return declaration(method_of_model(model))
    return declaration(name or (DEFAULT if config is None else configurable_method()))


def _require_types(model: object, config: object, site: object, options: object) -> None:
    for name, value in (("model", model), ("config", config)):
        require_type(value, str | PathLike | None, f"{name} must be a name or a path")
    for name, value in (("model", model), ("config", config), ("site", site)):
        if isinstance(value, str | PathLike) and "\0" in str(value):
            raise ConfigError(f"{name} {str(value)!r} is no path: it has a null character")
    require_type(options, Mapping | None, "options must be a mapping of names to values")


def _check(
    declared: Declaration,
    model: str | Path | None,
    config: str | Path | None,
    site: SiteModel | str | Path | None,
    options: Mapping[str, Any],
) -> None:
    """Raise `ConfigError` for arguments that the method does not use, and for a missing site."""
    name = declared.name
    if model is not None and declared.default_model is None:
        raise ConfigError(f"method {name} has no models: leave out the model")
    if config is not None and not declared.presets:
        raise ConfigError(f"method {name} has no configuration: leave it out")
    if site is None and declared.site == "required":
        raise ConfigError(f"method {name} needs a site: give the pages of a site or a site model (site=, --site)")
    if site is not None and declared.site == "no":
        users = ", ".join(other.name for other in declarations() if other.site != "no")
        raise ConfigError(f"method {name} does not use a site; these do: {users}")
    declared.check_options(options)
