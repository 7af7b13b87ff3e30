"""The protocols of methods; a class implements them by its structure, without inheriting from them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.read.page import Page


@runtime_checkable
class PageMethod(Protocol):
    """A method that labels the blocks of a page."""

    def segment(self, page: Page) -> Blocks:
        """Split a page into the blocks that the method labels."""
        ...

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label and score the blocks of a page, with reasons if `explain`. The page is never changed."""
        ...


def model_of(method: PageMethod) -> str:
    """Return the name and a hash of a method's model, from its attribute `identity`; "" if it has none."""
    return str(getattr(method, "identity", ""))


@runtime_checkable
class TrainedMethod(PageMethod, Protocol):
    """A page method that learns from labelled pages."""

    def fit(self, pages: Sequence[Blocks], gold: Sequence[npt.NDArray[np.integer]]) -> Self:
        """Learn from pages, forgetting any earlier fit; `gold` has one index into `LABELS` per block, or -1."""
        ...

    def save(self, folder: str | Path) -> None:
        """Write the model folder."""
        ...

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model folder; raises `ModelError` if it does not fit this version."""
        ...
