"""`holder.*`: what the elements around a block hold, level by level; not in the thesis.

Pages wrap elements in elements that hold nothing else, so a level up is the next element that holds more blocks.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.features.sums import siblings, sums
from dehusk.page import Page
from dehusk.tags import numbers

LEVELS = 4
"""Levels looked at: 0 is the outermost element that holds the block alone."""

_TAGS = {
    "p": "p",
    "heading": "h1 h2 h3 h4 h5 h6",
    "item": "li dt dd",
    "cell": "td th",
    "inline": "a span b strong i em font small label button",
    "pre": "pre code",
    "quote": "blockquote",
}
_KINDS = [(numbers(tags), kind) for kind, tags in enumerate(_TAGS.values(), start=1)]
_TAG_NUMBERS = np.concatenate([tags for tags, _ in _KINDS])
_KIND_NUMBERS = np.concatenate([np.full(len(tags), kind, dtype=np.int32) for tags, kind in _KINDS])

DOC = {
    "holder.tag": "Kind of the innermost element: "
    + ", ".join(f"{number} {name}" for number, name in enumerate(_TAGS, start=1))
    + ", 0 any other.",
    "holder.depth": "Elements above the block's innermost one.",
} | {
    f"holder.{level}.{name}": text
    for level in range(LEVELS)
    for name, text in {
        "words": "Share of the page's words that the element of this level holds.",
        "blocks": "Blocks that it holds.",
        "link-density": "Share of its words that stand in links.",
        "running": "Share of its words that are running text.",
        "siblings": "Elements of its parent with the same tag and class, itself included.",
        "sibling-words": "Words in these elements, on average.",
        "sibling-running": "Share of their words that are running text.",
    }.items()
}


def holders(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the figures of the elements around each block, shape (b,) each."""
    page, node, held = blocks.page, blocks.node.astype(np.intp), sums(blocks)
    top, alike = _topmost(page, held.count), _alike(blocks)
    columns = Columns(
        {
            "holder.tag": page.per_tag(_TAG_NUMBERS, _KIND_NUMBERS).take(node),
            "holder.depth": page.depth.take(node),
        }
    )
    total = max(int(blocks.words.sum()), 1)
    for level in range(LEVELS):
        outer = top.take(node)
        words, prefix = held.words.take(outer), f"holder.{level}."
        size = np.maximum(words, 1)
        columns[prefix + "words"] = words / total
        columns[prefix + "blocks"] = held.count.take(outer)
        columns[prefix + "link-density"] = held.linked.take(outer) / size
        columns[prefix + "running"] = held.running.take(outer) / size
        for name, values in alike.items():
            columns[prefix + name] = values.take(outer)
        node = np.maximum(page.parent.take(outer), 0)
    return columns


def _topmost(page: Page, count: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """Return for each node, shape (n,), the outermost element above it (or itself) that holds no more blocks."""
    parent = np.maximum(page.parent, 0).astype(np.intp)
    pointer = np.where(count.take(parent) == count, parent, np.arange(len(parent)))
    for _ in range(int(page.depth.max()).bit_length()):  # as in `Page.nearest`
        pointer = pointer.take(pointer)
    return pointer


def _alike(blocks: Blocks) -> dict[str, npt.NDArray[np.float64]]:
    """Return for each node, shape (n,), figures of the elements of its parent with its tag and class and with text."""
    held, like = sums(blocks), siblings(blocks)
    words = np.bincount(like.group, weights=held.words.take(like.nodes))
    running = np.bincount(like.group, weights=held.running.take(like.nodes))
    figures = {
        "siblings": like.size,
        "sibling-words": words / np.maximum(like.size, 1),
        "sibling-running": running / np.maximum(words, 1),
    }
    found = {}
    for name, values in figures.items():
        found[name] = np.zeros(len(blocks.page))
        found[name][like.nodes] = values.take(like.group)
    return found
