"""`div-group.*`, `td-group.*`, `position` and `document.*`: a block's position (thesis, sections 4.2, 4.3)."""

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.tags import numbers

_DIV, _TD = numbers("div"), numbers("td")


@kernel("features_words.group_features")
def group_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the relative size of each block's div and td groups, and the page's largest, shape (b,) each."""
    div, td = _word_ratio(blocks, _DIV), _word_ratio(blocks, _TD)
    return {
        "div-group.word-ratio": div,
        "td-group.word-ratio": td,
        "document.max-div-group": _constant(blocks, div.max(initial=0.0)),
        "document.max-td-group": _constant(blocks, td.max(initial=0.0)),
    }


def _word_ratio(blocks: Blocks, tags: npt.NDArray[np.uint16]) -> npt.NDArray[np.float64]:
    """Return the share of unlinked words in blocks with the same innermost element of some tags, 0 without one."""
    group = blocks.page.nearest(blocks.page.is_one_of(tags))[blocks.node]
    words = blocks.words - blocks.link_words
    size = np.bincount(group + 1, weights=words)
    size[0] = 0  # blocks without such an element do not form a group
    return size[group + 1] / max(int(words.sum()), 1)


@kernel("features_words.document_features")
def document_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the blocks' positions and the size of the page, shape (b,) each."""
    b = len(blocks)
    return {
        "position": np.arange(b) / max(b - 1, 1),
        "document.word-count": _constant(blocks, int(blocks.words.sum())),
        "document.block-count": _constant(blocks, b),
    }


def _constant(blocks: Blocks, value: float) -> npt.NDArray[np.float64]:
    return np.full(len(blocks), value, dtype=np.float64)


FAMILIES = (
    Family(
        group_features,
        {
            "div-group.word-ratio": "Share of the page's unlinked words in blocks with the same innermost div.",
            "td-group.word-ratio": "Share of the page's unlinked words in blocks with the same innermost td.",
        },
    ),
    Family(
        document_features,
        {
            "position": "Position among the page's blocks: 0 for the first, 1 for the last.",
            "document.word-count": "Words on the page.",
            "document.block-count": "Blocks on the page.",
        },
    ),
    Family(
        group_features,
        {
            "document.max-div-group": "Largest div-group.word-ratio on the page.",
            "document.max-td-group": "Largest td-group.word-ratio on the page.",
        },
    ),
)
