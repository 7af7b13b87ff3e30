"""From a site that was learned to a method that labels its pages."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from weakref import WeakKeyDictionary

from dehusk.errors import ConfigError, ModelError
from dehusk.methods.base import PageMethod
from dehusk.site.model import Site
from dehusk.site.shared import SharedCounts
from dehusk.site.table import Table
from dehusk.store import method_of, stamp_of

_READY: WeakKeyDictionary[SharedCounts, dict[str, PageMethod]] = WeakKeyDictionary()
"""What was made of a site's tables; when pages are added the tables are new ones, and so are the methods."""


def of_site(name: str, site: Site | str | Path) -> PageMethod:
    """Return a site method for a site, or for the folder it was saved in.

    Raises:
        ConfigError: the folder is not what the method needs.
        ModelError: the folder is no model, or damaged.
        NotFittedError: the site has no pages.
    """
    if not isinstance(site, Site):
        folder = Path(site)
        _check(folder, "alternation" if name == "alternation" else "site")
        return _of_folder(name, folder, stamp_of(folder))
    if name == "alternation":
        raise ConfigError("method alternation compares pages letter by letter: use Alternation().fit(pages)")
    tables = site.tables
    if name == "site":  # made in no time, and one that is remembered would hold the tables that it is remembered by
        return _MAKERS[name](site)
    ready = _READY.setdefault(tables, {})
    if name not in ready:
        ready[name] = _MAKERS[name](site)
    return ready[name]


def load_site(folder: str | Path) -> Site:
    """Return the site of a model folder; the same one while the folder does not change.

    Raises:
        ConfigError: the folder is of another method.
        ModelError: the folder is no model, or damaged.
    """
    _check(Path(folder), "site")
    return _loaded(Path(folder), stamp_of(Path(folder)))


def _check(folder: Path, wanted: str) -> None:
    kind = method_of(folder)
    if kind not in ("site", "alternation"):
        raise ModelError(f"{folder} is no site model: make one with `dehusk site learn PAGES -o {folder}`")
    if kind != wanted:
        raise ConfigError(f"site model {folder} was learned for method {kind}; learn one with --method {wanted}")


@lru_cache(maxsize=16)
def _loaded(folder: Path, _stamp: tuple[tuple[int, int], ...]) -> Site:
    return Site.load(folder)


@lru_cache(maxsize=16)
def _of_folder(name: str, folder: Path, _stamp: tuple[tuple[int, int], ...]) -> PageMethod:
    if name == "alternation":
        from dehusk.methods.alternation import Alternation  # noqa: PLC0415 (a method is loaded when asked for)

        return Alternation.load(folder)
    return of_site(name, Site.load(folder))


def _site(site: Site) -> PageMethod:
    from dehusk.methods.repetition import SiteRule  # noqa: PLC0415

    return SiteRule(site)


def _cst(site: Site) -> PageMethod:
    from dehusk.methods.structure_tree import CompressedStructureTree  # noqa: PLC0415

    if site.tables.structure is None:
        raise ConfigError("method cst needs a site that was learned with its structure")
    return CompressedStructureTree().fit_counts(site.tables.structure)


def _wisdom(site: Site) -> PageMethod:
    from dehusk.methods.wisdom import Wisdom, WisdomCounts  # noqa: PLC0415

    method = Wisdom()
    # which pages link to which is not in a site model: TOC blocks go by the length of anchors
    return method.fit_counts(WisdomCounts(method.settings.words, site.tables.term_counts, Table.empty(2)))


_MAKERS: dict[str, Callable[[Site], PageMethod]] = {"site": _site, "cst": _cst, "wisdom": _wisdom}
