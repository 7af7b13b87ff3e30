"""Declaration of the method "united"."""

from collections.abc import Iterable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Self

from dehusk.base.store import stamp_of
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, Request
from dehusk.label.registry import model_folder
from dehusk.label.united.elements import ElementOdds
from dehusk.label.united.method import United
from dehusk.read.page import Page

_DEFAULT_MODEL = "united"


class ShippedOdds(ElementOdds):
    """The elements of a site's pages by the shipped model, whichever model uses them."""

    @classmethod
    def of(cls, pages: Iterable[Page]) -> Self:
        """Return the elements of some pages."""
        from dehusk.counts.slots import block_slots  # noqa: PLC0415 (most pages are cleaned without a site)

        method = _shipped()
        each = [method.segment(page) for page in pages]
        return cls.total([cls.of_scores(block_slots(blocks), method.auto_scores(blocks)) for blocks in each])


def _build(request: Request) -> PageMethod:
    method = _shipped() if request.model is None else _loaded(request.model, stamp_of(request.model))
    if request.site is None and not request.options:
        return method
    if request.site is None:
        return method.using(**request.options)
    from dehusk.label.site_models import built_once, load_site  # noqa: PLC0415 (most pages are cleaned without a site)

    site = load_site(request.site)
    using = method.using(site=site, **request.options)
    using.elements = built_once(site, ShippedOdds, partial(site.find_counts, ShippedOdds))
    return using


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
    counts=(ShippedOdds,),
    default_model=_DEFAULT_MODEL,
    trainable=True,
)
