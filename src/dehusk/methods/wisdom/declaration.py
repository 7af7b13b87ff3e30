"""Declaration of the method "wisdom"."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from dehusk.errors import ConfigError
from dehusk.methods.base import PageMethod
from dehusk.methods.declaration import Declaration, Request
from dehusk.methods.site_models import built_once, load_site
from dehusk.methods.wisdom.model_folder import CARD
from dehusk.methods.wisdom.presets import RECOMMENDED
from dehusk.methods.wisdom.wisdom import Wisdom
from dehusk.methods.wisdom.wisdom_counts import WisdomCounts
from dehusk.site.model import Site
from dehusk.site.table import Table
from dehusk.store import method_of, stamp_of


def _build(request: Request) -> PageMethod:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    if isinstance(request.site, Path) and method_of(request.site) == CARD:
        return _with_options(request.site, request.options)
    site = load_site(request.site)
    return built_once(site, ("wisdom", repr(sorted(request.options.items()))), lambda: _fitted(site, request))


def _with_options(folder: Path, options: Mapping[str, Any]) -> Wisdom:
    """Return the method of a model folder; options replace its settings.

    Raises:
        ConfigError: the options need other terms than the model's.
    """
    saved = _loaded(folder, stamp_of(folder))
    method = Wisdom(**{"preset": saved.settings, **options})
    if method.settings.words != saved.words_:
        raise ConfigError(
            f"model {folder} counts terms with {saved.words_}, but the options need {method.settings.words}: "
            "give them to `dehusk site learn --method wisdom`"
        )
    return method.fit_counts(saved.counts_) if options else saved


@lru_cache(maxsize=16)
def _loaded(folder: Path, _stamp: tuple[tuple[int, int], ...]) -> Wisdom:
    return Wisdom.load(folder)


def _fitted(site: Site, request: Request) -> Wisdom:
    """Fit to a site model, which counts all words without stemming and does not record links between pages.

    Raises:
        ConfigError: the options need other terms, as the preset "paper" does.
    """
    method = Wisdom(**request.options)
    if method.settings.words != RECOMMENDED.words:
        raise ConfigError(
            f"a site model counts all words, but the options need terms with {method.settings.words}: "
            "learn the site with `dehusk site learn --method wisdom`"
        )
    return method.fit_counts(WisdomCounts(RECOMMENDED.words, site.tables.term_counts, Table.empty(2), Table.empty(3)))


METHOD = Declaration(
    name="wisdom",
    summary="Keeps article blocks, found by the entropy of a site's terms and the page structure (Kao, Ho & Chen).",
    method=Wisdom,
    build=_build,
    site="required",
)
