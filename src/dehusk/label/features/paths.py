"""`path.*`: blocks with the same path of tags and classes; not in the thesis.

Such blocks usually have the same role: all paragraphs of an article, all entries of a menu. The key of a path is the
sum over its elements of a hash of tag, class and depth, so that one cumulative sum gives the keys of all nodes.
"""

import numpy as np
import numpy.typing as npt

from dehusk.compiled.features import path_features
from dehusk.label.features.family import Family
from dehusk.read.page import Page

_MIN_LONG = 15  # words of a long block


def path_keys(page: Page) -> npt.NDArray[np.uint64]:
    """Return a hash of the path of tags and classes from the root to each node, shape (n,)."""
    mixed = (page.tag.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= (page.class_code.astype(np.uint64) + np.uint64(1)) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(31)
    mixed *= (2 * page.depth.astype(np.uint64) + np.uint64(1)) * np.uint64(0x165667B19E3779F9)
    change = np.zeros(len(page) + 1, dtype=np.uint64)
    change[:-1] = mixed
    np.subtract.at(change, page.end, mixed)
    return change[:-1].cumsum(dtype=np.uint64)


FAMILIES = (
    Family(
        path_features,
        {
            "path.blocks": "Blocks with the same path.",
            "path.words": "Share of the page's unlinked words in blocks with the same path.",
            "path.long": "Share of the words of these blocks that are in blocks of 15 words or more, half or more "
            "unlinked.",
            "path.link-density": "Share of linked words among the words of these blocks.",
            "path.parent-words": "path.words for blocks whose innermost elements' parents have the same path.",
            "path.parent-long": "path.long for blocks whose innermost elements' parents have the same path.",
            "path.parent-link-density": "path.link-density for blocks whose innermost elements' parents have the same "
            "path.",
        },
    ),
)
