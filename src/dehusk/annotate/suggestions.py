"""Suggested labels for the annotation tool, from any method."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.gold import Annotation
from dehusk.methods.base import PageMethod

Suggest = Callable[[Blocks], npt.NDArray[np.integer]]
"""Returns an index into `LABELS` for each block, -1 for no suggestion."""


def suggest_by(method: PageMethod) -> Suggest:
    """Return a function that suggests a method's labels for any blocks, even if the method splits pages differently."""

    def suggest(blocks: Blocks) -> npt.NDArray[np.integer]:
        labels = method.label(method.segment(blocks.page))
        return Annotation.from_labels(b"", labels.blocks, labels.label).labels_for(blocks)

    return suggest
