"""Declaration of the method "united"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from dehusk.base.store import stamp_of
from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER
from dehusk.compiled.site import site_evidence
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, Request
from dehusk.label.registry import model_folder
from dehusk.label.united.elements import ElementOdds, taught_keys
from dehusk.label.united.method import United
from dehusk.read.page import Page

if TYPE_CHECKING:
    from dehusk.blocks.labels import Labels
    from dehusk.counts.model import SiteModel
    from dehusk.label.rules import Rules

_DEFAULT_MODEL = "united"


class ShippedOdds(ElementOdds):
    """The elements of a site's pages by the shipped model, whichever model uses them; stored with its name and hash."""

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns as arrays, and the model."""
        return {**super().arrays(), "model": np.frombuffer(shipped().identity.encode(), np.uint8)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """Return what `arrays` returned as arrays; raises `ValueError` if they are not that, or of another model."""
        columns = dict(arrays)
        model = columns.pop("model", np.zeros(0, np.uint8))
        if model.tobytes() != shipped().identity.encode():
            raise ValueError("they are of another version of the model: learn the site again")
        return super().from_arrays(columns)

    @classmethod
    def of(cls, pages: Iterable[Page]) -> Self:
        """Return the elements of some pages."""
        from dehusk.counts.slots import block_slots  # noqa: PLC0415 (most pages are cleaned without a site)

        method = shipped()
        each = [method.segment(page) for page in pages]
        return cls.total([cls.of_scores(block_slots(blocks), method.auto_scores(blocks)) for blocks in each])


def label_odds(site: SiteModel, blocks: Blocks, codes: npt.NDArray[np.integer]) -> ShippedOdds:
    """Return what the labels of a page say of the elements of its site.

    Args:
        site: the site.
        blocks: the b common blocks of the page.
        codes: (b,) index into `LABELS`, -1 if unlabelled.

    Raises:
        NotFittedError: the site has no pages.
    """
    known = codes >= 0
    return ShippedOdds.of_labels(taught_keys(blocks, site_evidence(blocks, site))[known], codes[known] != OTHER)


@dataclass(frozen=True, eq=False)
class Templated:
    """A method under the rules of a site's templates: it labels what they do not decide."""

    method: United
    rules: Rules

    @property
    def identity(self) -> str:
        """Name and hash of the method's model."""
        return self.method.identity

    @property
    def style(self) -> str:
        """How much of a page to keep."""
        return self.method.style

    def segment(self, page: Page) -> Blocks:
        """Split a page into the common blocks."""
        return self.method.segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page; see `dehusk.label.base.PageMethod`."""
        return self.rules.label(blocks, self.method, explain=explain)


def _build(request: Request) -> PageMethod:
    method = shipped() if request.model is None else _loaded(request.model, stamp_of(request.model))
    if request.site is None and not request.options:
        return method
    if request.site is None:
        return method.using(**request.options)
    from dehusk.counts.model import SiteModel  # noqa: PLC0415 (most pages are cleaned without a site)
    from dehusk.label.rules import Rules  # noqa: PLC0415
    from dehusk.label.site_models import load_site  # noqa: PLC0415

    site = load_site(request.site)
    using = method.using(site=site, **request.options)
    using.elements = site.find_counts(ShippedOdds)
    rules = None if isinstance(request.site, SiteModel) else Rules.of_site(request.site)
    return using if rules is None else Templated(using, rules)


@cache
def shipped() -> United:
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
