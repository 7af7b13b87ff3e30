"""Methods: how much of each block is content, and of what kind."""

from functools import lru_cache
from importlib import import_module
from pathlib import Path

from dehusk.config import PRESETS, load_config
from dehusk.errors import ConfigError
from dehusk.methods.base import PageMethod
from dehusk.methods.sites import of_site
from dehusk.site.model import Site
from dehusk.store import stamp

METHODS = {
    "victor": "dehusk.methods.victor",
    "site": "dehusk.methods.site",
    "cst": "dehusk.methods.structure_tree",
    "wisdom": "dehusk.methods.wisdom",
    "alternation": "dehusk.methods.alternation",
    "keep-all": "dehusk.methods.baseline",
}
"""Method -> the module that has it; loaded when asked for."""

SITE_METHODS = ("site", "cst", "wisdom", "alternation")
"""Methods that need what other pages of the site are like."""

DEFAULT = "victor"
SHIPPED = PRESETS
"""Names of the models that come with the package, one for each preset."""

__all__ = ["DEFAULT", "METHODS", "SHIPPED", "SITE_METHODS", "PageMethod", "load_method"]


def load_method(
    name: str | None = None,
    *,
    model: str | Path | None = None,
    config: str | Path | None = None,
    site: Site | str | Path | None = None,
) -> PageMethod:
    """Return a method ready to label pages.

    Args:
        name: one of `METHODS`; by default "site" where a site is given, else "victor".
        model: a shipped model's name or a model folder; by default the shipped model of the preset that `config`
            names, else "web".
        config: a preset's name, or a configuration file that the model is to be used with instead of its own; its
            features must be the model's.
        site: for `SITE_METHODS`: a site that was learned, or the folder that `dehusk site learn` wrote.

    Raises:
        ConfigError: no such method, a configuration that is wrong or does not fit, options that mean nothing here.
        ModelError: the model is missing, damaged or does not fit.
    """
    name = name or ("site" if site is not None else DEFAULT)
    if name not in METHODS:
        raise ConfigError(f"no method {name!r}; known: {', '.join(METHODS)}")
    if (name in SITE_METHODS) != (site is not None):
        needs = "needs a site" if name in SITE_METHODS else f"takes no site; these do: {', '.join(SITE_METHODS)}"
        raise ConfigError(f"method {name} {needs}")
    if site is not None:
        if model is not None or config is not None:
            raise ConfigError(f"method {name} has neither model nor configuration")
        return of_site(name, site)
    if name == "keep-all":
        if model is not None or config is not None:
            raise ConfigError("method keep-all has neither model nor configuration")
        keep_all: PageMethod = import_module(METHODS[name]).KeepAll()
        return keep_all
    chosen = str(model or (config if str(config) in SHIPPED else "web"))
    folder = model_folder(chosen) if chosen in SHIPPED else Path(chosen)
    files = [folder / "card.json", folder / "arrays.npz"]
    if config is not None and str(config) not in SHIPPED:
        files.append(Path(config))
    return _victor(folder, None if config is None else str(config), stamp(files))


@lru_cache(maxsize=16)
def _victor(folder: Path, config: str | None, _stamp: tuple[tuple[int, int], ...]) -> PageMethod:
    module = import_module(METHODS["victor"])
    victor: PageMethod = module.Victor.load(folder, config=None if config is None else load_config(config))
    return victor


def model_folder(name: str) -> Path:
    """Return the folder of a shipped model."""
    return Path(__file__).parents[1] / "models" / name
