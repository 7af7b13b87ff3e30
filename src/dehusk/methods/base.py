"""What every method promises; by shape, not by inheritance."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.labels import Labels
from dehusk.page import Page


@runtime_checkable
class PageMethod(Protocol):
    """A method that looks at one page; one that learns has `fit`, `save` and `load` too."""

    def segment(self, page: Page) -> Blocks:
        """Cut a page into the blocks that the method labels."""
        ...

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label and score the blocks of a page, with reasons where asked for; the page is never changed."""
        ...


@runtime_checkable
class TrainedMethod(PageMethod, Protocol):
    """A page method that learns from labelled pages."""

    def fit(self, pages: Sequence[Blocks], gold: Sequence[npt.NDArray[np.integer]]) -> Self:
        """Learn; a former fit is forgotten. `gold` has a code of `LABELS` for each block, -1 for unlabelled."""
        ...

    def save(self, folder: Path) -> None:
        """Write the model folder."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model folder; raises `ModelError` with one clear line where it does not fit."""
        ...
