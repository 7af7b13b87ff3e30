"""What the registry knows of FindOptimal."""

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
        raise ConfigError("method alternation compares pages letter by letter: use Alternation().fit(pages)")
    check_kind(request.site, "alternation")
    return _loaded(request.site, stamp_of(request.site))


@lru_cache(maxsize=16)
def _loaded(folder: Path, _stamp: tuple[tuple[int, int], ...]) -> PageMethod:
    return Alternation.load(folder)


METHOD = Declaration(
    name="alternation",
    summary="Ikeda et al. 2001: text in n-grams that are frequent on a site is useless.",
    method=Alternation,
    build=_build,
    site="required",
    learning="pages",
    fixed_options=True,
)
