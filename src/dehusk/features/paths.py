"""`path.*`: blocks of the page with the same path of tags and classes; not in the thesis.

A page says the same kind of thing in the same kind of place: all paragraphs of an article, all entries of a menu.
The path of a node is the sum over its ancestors of a hash of tag, class and depth, so that all paths of a page are
one cumulative sum.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.page import Page

DOC = {
    "path.blocks": "Blocks with the same path.",
    "path.words": "Share of the page's unlinked words that stand in blocks with the same path.",
    "path.long": "Share of these blocks' words that stand in long blocks (15 words or more, mostly unlinked).",
    "path.link-density": "Share of these blocks' words that stand in links.",
    "path.parent-words": "path.words for blocks whose holders' parents have the same path.",
    "path.parent-long": "path.long for blocks whose holders' parents have the same path.",
    "path.parent-link-density": "path.link-density for blocks whose holders' parents have the same path.",
}

LONG = 15
"""Words from which a block counts as long."""


def path_keys(page: Page) -> npt.NDArray[np.uint64]:
    """Return a hash of each node's path of tags and classes, shape (n,)."""
    mixed = (page.tag.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= (page.class_code.astype(np.uint64) + np.uint64(1)) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(31)
    mixed *= (2 * page.depth.astype(np.uint64) + np.uint64(1)) * np.uint64(0x165667B19E3779F9)
    change = np.zeros(len(page) + 1, dtype=np.uint64)
    change[:-1] = mixed
    np.subtract.at(change, page.end, mixed)
    return np.cumsum(change[:-1], dtype=np.uint64)


def paths(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the figures of each block's group and of its parent's, shape (b,) each."""
    page = blocks.page
    keys, columns = path_keys(page), Columns()
    unlinked = blocks.words - blocks.link_words
    long = np.where((blocks.words >= LONG) & (2 * unlinked >= blocks.words), blocks.words, 0)
    parents = np.maximum(page.parent[blocks.node], 0)
    for prefix, nodes in (("path.", blocks.node), ("path.parent-", parents)):
        _, group = np.unique(keys[nodes], return_inverse=True)
        words = np.bincount(group, weights=blocks.words)
        open_ = np.bincount(group, weights=unlinked)
        columns[prefix + "words"] = (open_ / max(int(unlinked.sum()), 1))[group]
        columns[prefix + "long"] = (np.bincount(group, weights=long) / np.maximum(words, 1))[group]
        columns[prefix + "link-density"] = (1 - open_ / np.maximum(words, 1))[group]
        if prefix == "path.":
            columns["path.blocks"] = np.bincount(group)[group]
    return columns
