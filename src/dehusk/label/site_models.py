"""Load site models, and cache the methods that are built from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from dehusk.base.errors import ConfigError, ModelError, require_type
from dehusk.base.store import method_of, stamp_of
from dehusk.counts.model import CARD, SiteModel
from dehusk.counts.shared import SharedCounts
from dehusk.label.base import PageMethod
from dehusk.label.registry import declarations

_BUILT: WeakKeyDictionary[SharedCounts, dict[object, PageMethod]] = WeakKeyDictionary()
"""A site's tables -> the methods built from them. Adding pages to a site gives it new tables, and so new methods."""


def load_site(site: SiteModel | str | Path) -> SiteModel:
    """Return a site, or the site of a model folder; the same object as long as the folder does not change.

    Raises:
        TypeError: it is neither.
        ConfigError: the folder is a model of another method.
        ModelError: the folder is not a site model, or damaged.
    """
    if isinstance(site, SiteModel):
        return site
    require_type(site, str | PathLike, "site must be a Site or the folder of a site model")
    folder = Path(site)
    check_kind(folder, CARD)
    return _loaded(folder, stamp_of(folder))


def check_kind(folder: Path, wanted: str) -> None:
    """Check that a folder is a site model for a method.

    Args:
        folder: the model folder.
        wanted: the method that its card must name.

    Raises:
        ConfigError: it is a model of another method.
        ModelError: it is not a model.
    """
    kind = method_of(folder)
    if kind == wanted:
        return
    if kind not in (CARD, *(declared.name for declared in declarations() if declared.own_models)):
        raise ModelError(f"{folder} is not a site model: make one with `dehusk site learn PAGES -o {folder}`")
    raise ConfigError(f"site model {folder} was learned for method {kind}; learn one with --method {wanted}")


def own_model(
    site: SiteModel | Path | None, name: str, load: Callable[[Path], PageMethod], options: Mapping[str, Any]
) -> PageMethod | None:
    """Return the method of a model that was learned for it alone: the same object until the folder changes.

    Args:
        site: what the caller gave as the site.
        name: the method.
        load: its classmethod `load`.
        options: options that replace those of the model; the class refuses those that need another model.

    Returns:
        The method; None if `site` is not the folder of such a model.
    """
    if not isinstance(site, Path) or method_of(site) != name:
        return None
    return _loaded_own(load, site, stamp_of(site), tuple(sorted(options.items())))


@lru_cache(maxsize=16)
def _loaded_own(
    load: Callable[[Path], PageMethod],
    folder: Path,
    _stamp: tuple[tuple[int, int], ...],
    options: tuple[tuple[str, Any], ...],
) -> PageMethod:
    method: Any = load(folder)
    loaded: PageMethod = method.set_params(**dict(options)) if options else method
    return loaded


def built_once(site: SiteModel, key: object, build: Callable[[], PageMethod]) -> PageMethod:
    """Return the method that was built from a site's tables under a key; build it on the first call."""
    methods = _BUILT.setdefault(site.tables, {})
    if key not in methods:
        methods[key] = build()
    return methods[key]


@lru_cache(maxsize=16)
def _loaded(folder: Path, _stamp: tuple[tuple[int, int], ...]) -> SiteModel:
    return SiteModel.load(folder)
