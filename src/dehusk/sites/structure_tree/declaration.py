"""Declaration of the method "cst"."""

from collections.abc import Iterable, Mapping
from typing import Any

from dehusk.base.errors import ConfigError
from dehusk.counts.model import SiteModel
from dehusk.counts.structure_counts import StructureCounts
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, Request
from dehusk.label.site_models import built_once, load_site, own_model
from dehusk.read.page import Page
from dehusk.sites.structure_tree.cst import CompressedStructureTree
from dehusk.sites.structure_tree.model_folder import CARD


def _build(request: Request) -> PageMethod:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    if method := own_model(request.site, CARD, CompressedStructureTree.load, request.options):
        assert isinstance(method, CompressedStructureTree)  # noqa: S101 (its `load` returns one)
        method.check_fitted()
        return method
    site, options = load_site(request.site), request.options
    return built_once(site, ("cst", repr(sorted(options.items()))), lambda: tree_of_site(site, options))


def _learn(method: CompressedStructureTree, pages: Iterable[Page]) -> CompressedStructureTree:
    return _without_idle(method).fit(pages, sites="")  # one tree, also for pages that name no host, or several


def tree_of_site(site: SiteModel, options: Mapping[str, Any]) -> CompressedStructureTree:
    """Return the tree of a site from its counts.

    Raises:
        ConfigError: the site was learned without its structure, or an option does not fit its counts or the mode.
    """
    structure = site.tables.structure
    if structure is None:
        raise ConfigError("method cst needs the structure of a site: learn it with Site(structure=True)")
    return _without_idle(CompressedStructureTree(**options)).fit_counts(structure)


def _without_idle(method: CompressedStructureTree) -> CompressedStructureTree:
    """Return a method if its mode uses all of its options; the class itself takes them all, as scikit-learn's do.

    Raises:
        ConfigError: an option is of mode "style".
    """
    idle = [name for name in ("gamma", "lambda_") if getattr(method, name) != getattr(CompressedStructureTree, name)]
    if idle and method.mode != "style":
        raise ConfigError(f"option {idle[0]} of method cst is of mode style: set mode=style, or leave it out")
    return method


METHOD = Declaration(
    name="cst",
    summary="Keeps blocks whose elements in the site's compressed structure tree vary between pages (Yi & Liu 2003).",
    method=CompressedStructureTree,
    build=_build,
    site="required",
    counts=(StructureCounts,),
    own_models=True,
    learn=_learn,
)
