"""Methods: how much of each block is content, and of what kind."""

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from dehusk.errors import ConfigError
from dehusk.methods.base import PageMethod
from dehusk.methods.sites import load_site, of_site
from dehusk.methods.victor.config import PRESETS, load_config
from dehusk.site.model import Site
from dehusk.store import method_of, stamp, stamp_of

METHODS = {
    "united": "dehusk.methods.united",
    "victor": "dehusk.methods.victor.method",
    "site": "dehusk.methods.repetition",
    "cst": "dehusk.methods.structure_tree",
    "wisdom": "dehusk.methods.wisdom",
    "alternation": "dehusk.methods.alternation",
    "keep-all": "dehusk.methods.baseline",
}
"""Method -> the module that has it; loaded when asked for."""

SITE_METHODS = ("site", "cst", "wisdom", "alternation")
"""Methods that need what other pages of the site are like; united takes it where it is at hand."""

DEFAULT = "united"
SHIPPED = (DEFAULT, *PRESETS)
"""Names of the models that come with the package: the united labeller's, and Victor's, one for each preset."""

__all__ = ["DEFAULT", "METHODS", "SHIPPED", "SITE_METHODS", "STYLES", "WISHES", "PageMethod", "load_method"]


def load_method(
    name: str | None = None,
    *,
    model: str | Path | None = None,
    config: str | Path | None = None,
    site: Site | str | Path | None = None,
    **wishes: Any,
) -> PageMethod:
    """Return a method ready to label pages.

    Args:
        name: one of `METHODS`; by default "victor" where a configuration or a model of it is named, else "united".
        model: a shipped model's name or a model folder; by default "united", and for Victor the shipped model of the
            preset that `config` names, else "web".
        config: for Victor: a preset's name, or a configuration file that the model is to be used with instead of its
            own; its features must be the model's.
        site: for united and `SITE_METHODS`: a site that was learned, or the folder that `dehusk site learn` wrote.
        **wishes: `style` and `favour`, for united; see `dehusk.methods.united.United`.

    Raises:
        ConfigError: no such method, a configuration that is wrong or does not fit, options that mean nothing here.
        ModelError: the model is missing, damaged or does not fit.
        TypeError: an unknown wish.
    """
    if unknown := wishes.keys() - WISHES:
        raise TypeError(f"load_method() got an unexpected keyword argument {min(unknown)!r}")
    wishes = {wish: value for wish, value in wishes.items() if value is not None}
    name = name or _meant(model, config)
    if name not in METHODS:
        raise ConfigError(f"no method {name!r}; known: {', '.join(METHODS)}")
    if name == "united":
        if config is not None:
            raise ConfigError("method united has no configuration")
        return _united(_folder(str(model or "united")), site, wishes)
    if wishes:
        raise ConfigError(f"{' and '.join(sorted(wishes))} are for method united, not {name}")
    if (name in SITE_METHODS) != (site is not None):
        needs = (
            "needs a site" if name in SITE_METHODS else "takes no site; these do: united, " + ", ".join(SITE_METHODS)
        )
        raise ConfigError(f"method {name} {needs}")
    if name != "victor":
        if model is not None or config is not None:
            raise ConfigError(f"method {name} has neither model nor configuration")
        return of_site(name, site) if site is not None else _keep_all()
    folder = _folder(str(model or (config if str(config) in PRESETS else "web")))
    files = [folder / "card.json", folder / "arrays.npz"]
    if config is not None and str(config) not in PRESETS:
        files.append(Path(config))
    return _victor(folder, None if config is None else str(config), stamp(files))


STYLES = ("auto", "body", "article", "comments", "whole")
"""What is wanted of a page: what its kind suggests; the article's body alone; with headline and byline; with readers'
comments; everything but the frame of the site."""

WISHES = ("style", "favour")
"""Options of the united labeller alone."""


def _meant(model: str | Path | None, config: str | Path | None) -> str:
    """Return the method that a model or configuration is of; the default where neither is given."""
    if config is not None or str(model) in PRESETS:
        return "victor"
    return (method_of(Path(model)) if model is not None and str(model) not in SHIPPED else "") or DEFAULT


def _keep_all() -> PageMethod:
    made: PageMethod = import_module(METHODS["keep-all"]).KeepAll()
    return made


def _united(folder: Path, site: Site | str | Path | None, wishes: dict[str, Any]) -> PageMethod:
    base = _grown(folder, stamp_of(folder))
    if site is None and not wishes:
        plain: PageMethod = base
        return plain
    learned = site if site is None or isinstance(site, Site) else load_site(site)
    made: PageMethod = base.using(site=learned, **{"style": "auto", "favour": 0.5, **wishes})
    return made


@lru_cache(maxsize=16)
def _grown(folder: Path, _stamp: tuple[tuple[int, int], ...]) -> Any:
    return import_module(METHODS["united"]).United.load(folder)


@lru_cache(maxsize=16)
def _victor(folder: Path, config: str | None, _stamp: tuple[tuple[int, int], ...]) -> PageMethod:
    module = import_module(METHODS["victor"])
    victor: PageMethod = module.Victor.load(folder, config=None if config is None else load_config(config))
    return victor


def _folder(name: str) -> Path:
    return model_folder(name) if name in SHIPPED else Path(name)


def model_folder(name: str) -> Path:
    """Return the folder of a shipped model."""
    return Path(__file__).parents[1] / "models" / name
