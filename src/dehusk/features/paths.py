"""`path.*`: blocks with the same path of tags and classes; not in the thesis.

Such blocks usually have the same role: all paragraphs of an article, all entries of a menu. The key of a path is the
sum over its elements of a hash of tag, class and depth, so that one cumulative sum gives the keys of all nodes.
"""

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.page import Page
from dehusk.units.keys import distinct

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


@kernel("features_page.path_features")
def path_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the blocks with the same path, and with the same parent path, shape (b,) each."""
    page = blocks.page
    keys, columns = path_keys(page), Columns()
    unlinked = blocks.words - blocks.link_words
    long = np.where((blocks.words >= _MIN_LONG) & (2 * unlinked >= blocks.words), blocks.words, 0)
    parents = np.maximum(page.parent[blocks.node], 0)
    for prefix, nodes in (("path.", blocks.node), ("path.parent-", parents)):
        group = distinct(keys[nodes])[1]
        words = np.bincount(group, weights=blocks.words)
        unlinked_words = np.bincount(group, weights=unlinked)
        columns[prefix + "words"] = (unlinked_words / max(int(unlinked.sum()), 1))[group]
        columns[prefix + "long"] = (np.bincount(group, weights=long) / np.maximum(words, 1))[group]
        columns[prefix + "link-density"] = (1 - unlinked_words / np.maximum(words, 1))[group]
        if prefix == "path.":
            columns["path.blocks"] = np.bincount(group)[group]
    return columns


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
