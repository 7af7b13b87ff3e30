"""What the registry knows of WISDOM."""

from dehusk.methods.base import PageMethod
from dehusk.methods.declaration import Declaration, Request
from dehusk.methods.site_models import built_once, load_site
from dehusk.methods.wisdom.wisdom import Wisdom
from dehusk.methods.wisdom.wisdom_counts import WisdomCounts
from dehusk.site.model import Site
from dehusk.site.table import Table


def _build(request: Request) -> PageMethod:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    site = load_site(request.site)
    return built_once(site, ("wisdom", repr(sorted(request.options.items()))), lambda: _fitted(site, request))


def _fitted(site: Site, request: Request) -> Wisdom:
    """Fit to a site model, which does not record which pages link to which: TOC blocks go by the length of anchors."""
    method = Wisdom(**request.options)
    return method.fit_counts(WisdomCounts(method.settings.words, site.tables.term_counts, Table.empty(2)))


METHOD = Declaration(
    name="wisdom",
    summary="Kao, Ho & Chen: informative blocks by the entropy of terms and the structure of a site.",
    method=Wisdom,
    build=_build,
    site="required",
)
