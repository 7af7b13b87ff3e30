"""Declaration of the method "cst"."""

from collections.abc import Mapping
from typing import Any

from dehusk.errors import ConfigError
from dehusk.methods.base import PageMethod
from dehusk.methods.declaration import Declaration, Request
from dehusk.methods.site_models import built_once, load_site
from dehusk.methods.structure_tree.cst import CompressedStructureTree
from dehusk.site.model import Site


def _build(request: Request) -> PageMethod:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    site, options = load_site(request.site), request.options
    return built_once(site, ("cst", repr(sorted(options.items()))), lambda: tree_of_site(site, options))


def tree_of_site(site: Site, options: Mapping[str, Any]) -> CompressedStructureTree:
    """Return the tree of a site from its counts.

    Raises:
        ConfigError: the site was learned without its structure, or an option does not fit its counts.
    """
    structure = site.tables.structure
    if structure is None:
        raise ConfigError("method cst needs the structure of a site: learn it with Site(structure=True)")
    return CompressedStructureTree(**options).fit_counts(structure)


METHOD = Declaration(
    name="cst",
    summary="Keeps blocks whose elements in the site's compressed structure tree vary between pages (Yi & Liu 2003).",
    method=CompressedStructureTree,
    build=_build,
    site="required",
    needs_structure=True,
)
