"""Decide which blocks to keep, by their probabilities."""

import numpy as np
import numpy.typing as npt

from dehusk.read.page import Bools

LEAST = 0.2
"""A page on which no block is more likely content than this has no content."""


def expected_f1(probability: npt.NDArray[np.float64], words: npt.NDArray[np.integer], *, beta: float = 1.0) -> Bools:
    """Keep the blocks that maximise the page's expected word F.

    Of the blocks sorted by probability p, with w words each, the prefix is kept that maximises
    (1 + β²) Σ p w / (Σ w + β² Σ_all p w). For β = 1 this is twice the expected number of common words, divided by the
    kept words plus the expected gold words.
    A block without words is kept if its probability is at least that of the last block of the prefix.

    Args:
        probability: (b,) probability that the block is content.
        words: (b,) number of words of the block.
        beta: weight of recall relative to precision.

    Returns:
        (b,) whether to keep the block; no block is kept if none reaches a probability of .2.
    """
    order = (-probability).argsort(kind="stable")
    weight = words[order].astype(np.float64)
    gain = (probability[order] * weight).cumsum()
    kept = np.zeros(len(probability), dtype=np.bool_)
    if not len(order) or gain[-1] <= 0 or probability.max() < LEAST:
        return kept
    score = gain / (weight.cumsum() + beta * beta * gain[-1] + 1e-12)
    least = probability[order[int(score.argmax())]]
    kept |= probability >= least
    return kept
