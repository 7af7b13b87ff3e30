"""Declaration of the method "alternation"."""

from functools import lru_cache
from pathlib import Path

from dehusk.errors import ConfigError
from dehusk.methods.alternation.alternation import Alternation
from dehusk.methods.base import PageMethod
from dehusk.methods.declaration import Declaration, Request
from dehusk.methods.site_models import check_kind
from dehusk.store import stamp_of


def _build(request: Request) -> PageMethod:
    if not isinstance(request.site, Path):
        raise ConfigError(
            "method alternation needs a model made by `dehusk site learn --method alternation` or Alternation.save"
        )
    check_kind(request.site, "alternation")
    return _loaded(request.site, stamp_of(request.site))


@lru_cache(maxsize=16)
def _loaded(folder: Path, _stamp: tuple[tuple[int, int], ...]) -> PageMethod:
    return Alternation.load(folder)


METHOD = Declaration(
    name="alternation",
    summary="Drops text in n-grams that are frequent on a site (Ikeda, Yamada & Hirokawa 2001).",
    method=Alternation,
    build=_build,
    site="required",
    learning="pages",
    fixed_options=True,
)
