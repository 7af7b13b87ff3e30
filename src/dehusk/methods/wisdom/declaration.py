"""Declaration of the method "wisdom"."""

from dehusk.methods.base import PageMethod
from dehusk.methods.declaration import Declaration, Request
from dehusk.methods.site_models import built_once, load_site
from dehusk.methods.wisdom.presets import RECOMMENDED
from dehusk.methods.wisdom.wisdom import Wisdom
from dehusk.methods.wisdom.wisdom_counts import WisdomCounts
from dehusk.site.model import Site
from dehusk.site.table import Table


def _build(request: Request) -> PageMethod:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    site = load_site(request.site)
    return built_once(site, ("wisdom", repr(sorted(request.options.items()))), lambda: _fitted(site, request))


def _fitted(site: Site, request: Request) -> Wisdom:
    """Fit to a site model, which counts all words without stemming and does not record links between pages.

    Raises:
        ConfigError: the options need other terms, as the preset "paper" does.
    """
    counts = WisdomCounts(RECOMMENDED.words, site.tables.term_counts, Table.empty(2))
    return Wisdom(**request.options).fit_counts(counts)


METHOD = Declaration(
    name="wisdom",
    summary="Keeps article blocks, found by the entropy of a site's terms and the page structure (Kao, Ho & Chen).",
    method=Wisdom,
    build=_build,
    site="required",
)
