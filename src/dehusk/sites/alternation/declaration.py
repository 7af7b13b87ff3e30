"""Declaration of the method "alternation"."""

from pathlib import Path

from dehusk.base.errors import ConfigError
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, Request
from dehusk.label.site_models import check_kind, own_model
from dehusk.sites.alternation.alternation import Alternation


def _build(request: Request) -> PageMethod:
    if not isinstance(request.site, Path):
        raise ConfigError(
            "method alternation needs the folder of a model, site=FOLDER, as `dehusk site learn --method alternation` "
            "writes it, or `from dehusk.sites.alternation import Alternation; Alternation().fit(pages).save(FOLDER)`"
        )
    check_kind(request.site, "alternation")
    loaded = own_model(request.site, "alternation", Alternation.load, {})
    assert loaded is not None  # noqa: S101 (its kind was checked)
    return loaded


METHOD = Declaration(
    name="alternation",
    summary="Drops text in n-grams that are frequent on a site (Ikeda, Yamada & Hirokawa 2001).",
    method=Alternation,
    build=_build,
    site="required",
    learning="pages",
    own_models=True,
    fixed_options=True,
)
