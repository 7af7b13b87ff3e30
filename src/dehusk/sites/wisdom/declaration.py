"""Declaration of the method "wisdom"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dehusk.base.errors import ConfigError
from dehusk.counts.model import SiteModel
from dehusk.counts.table import Table
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, Findings, FoundLinks, LinkSearch, Request
from dehusk.label.site_models import built_once, load_site, own_model
from dehusk.read.page import Page
from dehusk.sites.wisdom.block_records import NO_BLOCKS, page_blocks, toc_links
from dehusk.sites.wisdom.presets import RECOMMENDED
from dehusk.sites.wisdom.wisdom import Wisdom
from dehusk.sites.wisdom.wisdom_counts import CARD, WisdomCounts


def _build(request: Request) -> PageMethod:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    own = own_model(request.site, CARD, Wisdom.load, request.options)
    if own is not None:
        return _checked(own)
    site = load_site(request.site)
    return built_once(site, ("wisdom", repr(sorted(request.options.items()))), lambda: _fitted(site, request))


def _checked(method: PageMethod) -> PageMethod:
    """Return the method of a model folder; raise ConfigError if options need other terms than the model counts."""
    assert isinstance(method, Wisdom)  # noqa: S101 (narrows the type)
    if method.settings.words != method.words_:
        raise ConfigError(
            f"the model counts terms with {method.words_}, but the options need terms with {method.settings.words}: "
            "learn the site with these options, by `dehusk site learn --method wisdom`"
        )
    return method


def _fitted(site: SiteModel, request: Request) -> Wisdom:
    """Fit to a site model, which counts all words without stemming and does not record links between pages.

    Raises:
        ConfigError: the options need other terms, as the preset "paper" does.
    """
    method = Wisdom(**request.options)
    if method.settings.words != RECOMMENDED.words:
        raise ConfigError(
            f"a site model counts all words, but the options need terms with {method.settings.words}: "
            "learn the site with these options, by `dehusk site learn --method wisdom`"
        )
    return method.fit_counts(WisdomCounts(RECOMMENDED.words, site.tables.term_counts, Table.empty(2), Table.empty(3)))


def _found_blocks(counts: WisdomCounts) -> Callable[[Page], Mapping[str, Any]]:
    wisdom = Wisdom().fit_counts(counts)
    return lambda page: page_blocks(wisdom.blocks(page))


def _found_links(counts: WisdomCounts) -> Callable[[Page], FoundLinks]:
    wisdom = Wisdom().fit_counts(counts)
    return lambda page: toc_links(wisdom.blocks(page))


METHOD = Declaration(
    name="wisdom",
    summary="Keeps article blocks, found by the entropy of a site's terms and the page structure (Kao, Ho & Chen).",
    method=Wisdom,
    build=_build,
    site="required",
    own_models=True,
    findings=Findings(summary="article and TOC blocks", counts=WisdomCounts, fit=_found_blocks, nothing=NO_BLOCKS),
    links=LinkSearch(
        order="toc", summary="those in TOC blocks, found by WISDOM", counts=WisdomCounts, fit=_found_links
    ),
)
