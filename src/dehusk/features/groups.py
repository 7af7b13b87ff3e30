"""`div-group.*`, `td-group.*`, `position` and `document.*`: a block's place among the others (thesis, 4.2 and 4.3)."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.tags import numbers

DOC = {
    "div-group.word-ratio": "Share of the page's words outside of links that stand in the blocks of the same div.",
    "td-group.word-ratio": "The same for the innermost td element.",
    "position": "Relative position among the blocks, 0 for the first and 1 for the last.",
    "document.word-count": "Words of the page.",
    "document.block-count": "Blocks of the page.",
    "document.max-div-group": "Largest div-group.word-ratio of the page.",
    "document.max-td-group": "Largest td-group.word-ratio of the page.",
}


def groups(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the relative size of each block's div and td group and the page's largest, shape (b,) each."""
    div, td = _word_ratio(blocks, "div"), _word_ratio(blocks, "td")
    return {
        "div-group.word-ratio": div,
        "td-group.word-ratio": td,
        "document.max-div-group": _constant(blocks, div.max(initial=0.0)),
        "document.max-td-group": _constant(blocks, td.max(initial=0.0)),
    }


def _word_ratio(blocks: Blocks, tag: str) -> npt.NDArray[np.float64]:
    """Return the share of unlinked words in the group of blocks with the same innermost `tag`; 0 outside of any."""
    group = blocks.page.nearest(blocks.page.is_one_of(numbers(tag)))[blocks.node]
    words = blocks.words - blocks.link_words
    size = np.bincount(group + 1, weights=words)
    size[0] = 0  # blocks outside of any such element are no group
    return size[group + 1] / max(int(words.sum()), 1)


def document(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the block's position and the page's counts, shape (b,) each."""
    b = len(blocks)
    return {
        "position": np.arange(b) / max(b - 1, 1),
        "document.word-count": _constant(blocks, int(blocks.words.sum())),
        "document.block-count": _constant(blocks, b),
    }


def _constant(blocks: Blocks, value: float) -> npt.NDArray[np.float64]:
    return np.full(len(blocks), value, dtype=np.float64)
