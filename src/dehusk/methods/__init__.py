"""Methods: how much of each block is content, and of what kind."""

from functools import lru_cache
from importlib import import_module
from pathlib import Path

from dehusk.config import PRESETS, load_config
from dehusk.errors import ConfigError
from dehusk.methods.base import PageMethod

METHODS = {"victor": "dehusk.methods.victor", "keep-all": "dehusk.methods.baseline"}
"""Method -> the module that has it; loaded when asked for."""

DEFAULT = "victor"
SHIPPED = PRESETS
"""Names of the models that come with the package, one for each preset."""

__all__ = ["DEFAULT", "METHODS", "SHIPPED", "PageMethod", "load_method"]


def load_method(
    name: str = DEFAULT, *, model: str | Path | None = None, config: str | Path | None = None
) -> PageMethod:
    """Return a method ready to label pages.

    Args:
        name: one of `METHODS`.
        model: a shipped model's name or a model folder; by default the shipped model of the preset that `config`
            names, else "web".
        config: a preset's name, or a configuration file that the model is to be used with instead of its own; its
            features must be the model's.

    Raises:
        ConfigError: no such method, a configuration that is wrong or does not fit, options that mean nothing here.
        ModelError: the model is missing, damaged or does not fit.
    """
    if name not in METHODS:
        raise ConfigError(f"no method {name!r}; known: {', '.join(METHODS)}")
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
    return _victor(folder, None if config is None else str(config), _stamp(files))


def _stamp(files: list[Path]) -> tuple[tuple[int, int], ...]:
    """Return size and time of files: a model that was trained anew is loaded anew."""
    found = []
    for file in files:
        try:
            status = file.stat()
        except OSError:
            found.append((0, 0))  # loading says what is wrong
        else:
            found.append((status.st_size, status.st_mtime_ns))
    return tuple(found)


@lru_cache(maxsize=16)
def _victor(folder: Path, config: str | None, _stamp: tuple[tuple[int, int], ...]) -> PageMethod:
    module = import_module(METHODS["victor"])
    victor: PageMethod = module.Victor.load(folder, config=None if config is None else load_config(config))
    return victor


def model_folder(name: str) -> Path:
    """Return the folder of a shipped model."""
    return Path(__file__).parents[1] / "models" / name
