"""How well two annotators agree on what is content: Cohen's kappa, and F1 of one against the other.

Cohen, *A Coefficient of Agreement for Nominal Scales*, 1960:

    κ = (p_o − p_e) / (1 − p_e)

p_o is the share of items on which both agree, p_e the share on which they would agree by chance, given how often each
of them uses each label. Kappa is 1 for perfect agreement and 0 for agreement by chance. It depends on the shares of the
labels: for pages that are nearly all content it is low although the annotators rarely differ. F1 does not correct for
chance; it compares with the F1 of tools.

Items are blocks, or words if each block is weighted by its words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dehusk.blocks.labels import OTHER
from dehusk.measures.metrics import Counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class ContentAgreement(Counts):
    """Numbers of items by the decisions of two annotators; see `content_agreement`.

    Attributes:
        both: items that both call content.
        only_first: items that only the first calls content.
        only_second: items that only the second calls content.
        neither: items that neither calls content.
    """

    both: int = 0
    only_first: int = 0
    only_second: int = 0
    neither: int = 0

    @property
    def items(self) -> int:
        """Number of items."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def observed(self) -> float:
        """Share of the items on which both agree; 1 if there are no items."""
        return (self.both + self.neither) / self.items if self.items else 1.0

    @property
    def kappa(self) -> float:
        """Cohen's kappa; 1 if there are no items."""
        return cohens_kappa([[self.both, self.only_first], [self.only_second, self.neither]])

    @property
    def f1(self) -> float:
        """F1 of the content of one annotator against that of the other; 1 if neither has any."""
        size = 2 * self.both + self.only_first + self.only_second
        return 2 * self.both / size if size else 1.0


def content_agreement(
    first: npt.NDArray[np.integer], second: npt.NDArray[np.integer], words: npt.NDArray[np.integer] | None = None
) -> ContentAgreement:
    """Count the blocks, or words, of a page by what two annotators call content.

    Blocks that either left unlabelled do not count.

    Args:
        first: (b,) index into `LABELS` for each block, -1 if it is unlabelled.
        second: the same from another annotator.
        words: (b,) words of each block; if not given, every block counts once.

    Raises:
        ValueError: the columns differ in length.
    """
    weights = np.ones(len(first), dtype=np.int64) if words is None else words
    if not len(first) == len(second) == len(weights):
        raise ValueError(f"columns differ in length: {len(first)}, {len(second)} and {len(weights)}")
    labelled = (first >= 0) & (second >= 0)
    noise = (2 * (first == OTHER) + (second == OTHER))[labelled]
    both, only_first, only_second, neither = np.bincount(noise, weights=weights[labelled], minlength=4).astype(int)
    return ContentAgreement(int(both), int(only_first), int(only_second), int(neither))


def cohens_kappa(table: Sequence[Sequence[int]]) -> float:
    """Return Cohen's kappa of a square table of counts; 1 if all items are in one cell of its diagonal, or none exist.

    Args:
        table: ``[i][j]`` is the number of items with label i from the first annotator and label j from the second, for
            example `LabelCounts.confusion`.

    Raises:
        ValueError: the table is not square.
    """
    counts = np.array(table, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise ValueError(f"the table must be square, not of shape {counts.shape}")
    items = counts.sum()
    if not items:
        return 1.0
    observed = np.trace(counts) / items
    by_chance = float(counts.sum(axis=0) @ counts.sum(axis=1)) / items**2
    return 1.0 if by_chance == 1 else float((observed - by_chance) / (1 - by_chance))
