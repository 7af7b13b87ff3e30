"""Slots: the places in a site's design where a block can stand, comparable between its pages.

A block's slot is the path from the root to the innermost element that contains it: the tag and the first class of each
element. Of a class, what differs between pages of one design is left out, as in `dehusk.counts.display`; the class of
the body, which names the page or its type, does not count. The key of a path is a sum over its elements, so that one
cumulative sum yields all paths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys, mix, pair_keys
from dehusk.blocks import Blocks
from dehusk.compiled.site import path_keys as _paths
from dehusk.compiled.text import text_key
from dehusk.counts.display import normalise_attribute
from dehusk.read.page import Bools, Page

LONG = 8
"""Words from which a text is neither a label nor a value. A text of so many words, not counting numbers, is the same
with other numbers: "628 comments · share"."""


@dataclass(frozen=True, eq=False)
class SlotTexts:
    """The t blocks of one page that have words, in document order."""

    block: npt.NDArray[np.intp]
    """(t,) the block."""
    words: Keys
    """(t,) key of the block's words."""
    slot: Keys
    """(t,) key of the block's slot; equal on all pages."""
    text: Keys
    """(t,) key of the slot and the words in it."""
    without_numbers: Keys
    """(t,) key of the slot and the words that are not numbers, for `LONG` texts; the same as `text` for others."""
    has_letters: Bools
    """(t,) whether any of the words is not a number."""


def block_slots(blocks: Blocks) -> Keys:
    """Return the key of the slot of each block, shape (b,); equal on all pages of a design."""
    return mix(_paths(blocks.page).take(blocks.node))


_STEP = " > "  # neither tags nor classes contain spaces


def slot_path(page: Page, node: int) -> str:
    """Return the slot of what stands in an element as text: `body > div.post > p`."""
    steps = []
    while node >= 0:
        first = page.class_names[page.class_code[node]].split(maxsplit=1)[:1] if node else []
        steps.append(page.tag_name(node) + "".join(normalise_attribute("class", name) for name in first))
        node = int(page.parent[node])
    return _STEP.join(reversed(steps))


def path_slots(paths: Sequence[str]) -> Keys:
    """Return the key of the slot that each path names, shape (p,); see `slot_path`."""
    return mix(np.array([_path_sum(path) for path in paths], dtype=np.uint64))


def _path_sum(path: str) -> int:
    """Return the sum of the keys of the elements of a path, as `path_keys` has it."""
    steps = [step.partition(".") for step in path.split(_STEP)]
    tags = np.array([text_key(tag) for tag, _, _ in steps], dtype=np.uint64)
    classes = [text_key(f".{name}") if name and depth else 0 for depth, (_, _, name) in enumerate(steps)]
    elements = pair_keys(tags, np.array(classes, dtype=np.uint64))
    return int(pair_keys(elements, np.arange(len(steps), dtype=np.uint64)).sum(dtype=np.uint64))


def path_sums(page: Page, elements: npt.NDArray[np.integer], keys: Keys) -> Keys:
    """Return for each node of a page, shape (n,), the sum of the keys of the elements that it lies in.

    Args:
        page: the page.
        elements: (t,) elements of the page, ascending.
        keys: (t,) key of each.
    """
    change = np.zeros(len(page) + 1, dtype=np.uint64)
    change[elements] = keys
    np.subtract.at(change, page.end.take(elements), keys)
    return np.cumsum(change[:-1], dtype=np.uint64)


def first_class_key(names: str) -> int:
    """Return the key of the first of the classes of an element, without what differs between pages; 0 for none."""
    first = names.split(maxsplit=1)[:1]
    return _class_key(first[0]) if first else 0


@lru_cache(maxsize=1 << 14)
def _class_key(name: str) -> int:
    return text_key(normalise_attribute("class", name))
