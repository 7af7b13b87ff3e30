"""From probabilities to a decision."""

import numpy as np
import numpy.typing as npt

from dehusk.page import Bools

_LEAST = 0.2  # where no block is more likely content than this, the page has none


def expected_f1(probability: npt.NDArray[np.float64], words: npt.NDArray[np.integer], *, beta: float = 1.0) -> Bools:
    """Keep the blocks that make the page's expected word F highest.

    With blocks sorted by probability p and w their words, a prefix is kept that maximises
    (1 + β²) Σ p w / (Σ w + β² Σ_all p w): for β = 1 twice the expected words in common over the words kept plus the
    expected gold words.
    A block without words is kept where its probability is at least that of the last block kept.

    Args:
        probability: (b,) that a block is content.
        words: (b,) words of the block.
        beta: how much more recall counts than precision.

    Returns:
        (b,) what to keep; nothing where no block reaches a probability of .2.
    """
    order = np.argsort(-probability, kind="stable")
    weight = words[order].astype(np.float64)
    gain = np.cumsum(probability[order] * weight)
    kept = np.zeros(len(probability), dtype=np.bool_)
    if not len(order) or gain[-1] <= 0 or probability.max() < _LEAST:
        return kept
    score = gain / (np.cumsum(weight) + beta * beta * gain[-1] + 1e-12)
    least = probability[order[int(np.argmax(score))]]
    kept |= probability >= least
    return kept
