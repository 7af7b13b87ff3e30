"""Declaration of the method "cst"."""

from dehusk.errors import ConfigError
from dehusk.methods.base import PageMethod
from dehusk.methods.declaration import Declaration, Request
from dehusk.methods.site_models import built_once, load_site
from dehusk.methods.structure_tree.cst import CompressedStructureTree


def _build(request: Request) -> PageMethod:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    site = load_site(request.site)
    structure = site.tables.structure
    if structure is None:
        raise ConfigError("method cst needs the structure of a site: learn it with Site(structure=True)")
    key = ("cst", repr(sorted(request.options.items())))
    return built_once(site, key, lambda: CompressedStructureTree(**request.options).fit_counts(structure))


METHOD = Declaration(
    name="cst",
    summary="Keeps blocks whose elements in the site's compressed structure tree vary between pages (Yi & Liu 2003).",
    method=CompressedStructureTree,
    build=_build,
    site="required",
    needs_structure=True,
)
