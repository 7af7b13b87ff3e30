"""Declaration of the method "united"."""

from functools import cache, lru_cache
from pathlib import Path

from dehusk.base.store import stamp_of
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, Request
from dehusk.label.registry import model_folder
from dehusk.label.united.method import United

_DEFAULT_MODEL = "united"


def _build(request: Request) -> PageMethod:
    method = _shipped() if request.model is None else _loaded(request.model, stamp_of(request.model))
    if request.site is None and not request.options:
        return method
    if request.site is None:
        return method.using(**request.options)
    from dehusk.label.site_models import load_site  # noqa: PLC0415 (most pages are cleaned without a site)

    return method.using(site=load_site(request.site), **request.options)


@cache
def _shipped() -> United:
    """Return the shipped model, which does not change while a process runs: its files are not looked at again."""
    return United.load(model_folder(_DEFAULT_MODEL))


@lru_cache(maxsize=16)
def _loaded(folder: Path, _stamp: tuple[tuple[int, int], ...]) -> United:
    return United.load(folder)


METHOD = Declaration(
    name="united",
    summary="A small net over the blocks of the page, with the site's other pages as evidence.",
    method=United,
    build=_build,
    site="optional",
    default_model=_DEFAULT_MODEL,
    trainable=True,
)
