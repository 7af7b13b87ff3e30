"""`holder.*`: what the elements around a block contain, level by level; not in the thesis.

Pages wrap elements in elements that contain nothing else. Going up one level therefore skips to the next element with
more blocks.
"""

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.features.subtrees import count_subtrees, group_siblings
from dehusk.tags import numbers

LEVELS = 4
"""Number of levels; level 0 is the outermost element that contains only the block."""

_TAGS = {
    "p": "p",
    "heading": "h1 h2 h3 h4 h5 h6",
    "item": "li dt dd",
    "cell": "td th",
    "inline": "a span b strong i em font small label button",
    "pre": "pre code",
    "quote": "blockquote",
}
_CATEGORIES = [(numbers(tags), category) for category, tags in enumerate(_TAGS.values(), start=1)]
_TAG_NUMBERS = np.concatenate([tags for tags, _ in _CATEGORIES])
_CATEGORY_OF_TAG = np.concatenate([np.full(len(tags), category, dtype=np.int32) for tags, category in _CATEGORIES])

_DOC = {
    "holder.tag": "Category of the block's innermost element: "
    + ", ".join(f"{number} {name}" for number, name in enumerate(_TAGS, start=1))
    + ", 0 other.",
    "holder.depth": "Number of elements above the block's innermost element.",
} | {
    f"holder.{level}.{name}": text.format(f"level {level}")
    for level in range(LEVELS)
    for name, text in {
        "words": "Share of the page's words in the element at {}.",
        "blocks": "Blocks in the element at {}.",
        "link-density": "Share of linked words in the element at {}.",
        "running": "Share of running text among the words of the element at {}.",
        "siblings": "Siblings of the element at {} with the same tag and class, including itself.",
        "sibling-words": "Mean number of words in these siblings at {}.",
        "sibling-running": "Share of running text among the words of these siblings at {}.",
    }.items()
}


@kernel("features_place.holder_features")
def holder_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the elements around each block, shape (b,) each."""
    page, node, counts = blocks.page, blocks.node.astype(np.intp), count_subtrees(blocks)
    top, sibling_statistics = topmost(blocks), _sibling_statistics(blocks)
    columns = Columns(
        {
            "holder.tag": page.per_tag(_TAG_NUMBERS, _CATEGORY_OF_TAG).take(node),
            "holder.depth": page.depth.take(node),
        }
    )
    total = max(int(blocks.words.sum()), 1)
    for level in range(LEVELS):
        outer = top.take(node)
        words, prefix = counts.words.take(outer), f"holder.{level}."
        size = np.maximum(words, 1)
        columns[prefix + "words"] = words / total
        columns[prefix + "blocks"] = counts.count.take(outer)
        columns[prefix + "link-density"] = counts.linked.take(outer) / size
        columns[prefix + "running"] = counts.running.take(outer) / size
        for name, values in sibling_statistics.items():
            columns[prefix + name] = values.take(outer)
        node = np.maximum(page.parent.take(outer), 0)
    return columns


@cached_per_object
@kernel("subtrees.topmost")
def topmost(blocks: Blocks) -> npt.NDArray[np.intp]:
    """Return for each node, shape (n,), the outermost element around it (or itself) with the same number of blocks."""
    page, count = blocks.page, count_subtrees(blocks).count
    parent = np.maximum(page.parent, 0).astype(np.intp)
    pointer = np.where(count.take(parent) == count, parent, np.arange(len(parent)))
    for _ in range(page.rounds):  # see `Page.nearest`
        pointer = pointer.take(pointer)
    return pointer


def _sibling_statistics(blocks: Blocks) -> dict[str, npt.NDArray[np.float64]]:
    """Return for each node, shape (n,), statistics of its siblings with text, the same tag and the same class."""
    counts, groups = count_subtrees(blocks), group_siblings(blocks)
    words = np.bincount(groups.group, weights=counts.words.take(groups.nodes))
    running = np.bincount(groups.group, weights=counts.running.take(groups.nodes))
    per_group = {
        "siblings": groups.size,
        "sibling-words": words / np.maximum(groups.size, 1),
        "sibling-running": running / np.maximum(words, 1),
    }
    per_node = {}
    for name, values in per_group.items():
        per_node[name] = np.zeros(len(blocks.page))
        per_node[name][groups.nodes] = values.take(groups.group)
    return per_node


FAMILIES = (Family(holder_features, _DOC),)
