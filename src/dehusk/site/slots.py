"""Slots: the places in a site's design where a block can stand, comparable between its pages.

A block's slot is the path from the root to the innermost element that contains it: the tag and the first class of each
element. Of a class, what differs between pages of one design is left out, as in `dehusk.site.display`; the class of the
body, which names the page or its type, does not count. The key of a path is a sum over its elements, so that one
cumulative sum yields all paths.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.characters import CharClass
from dehusk.hashing import Keys, mix, pair_keys, span_keys, text_key
from dehusk.page import Bools, Page
from dehusk.site.display import normalise_attribute, tag_keys
from dehusk.site.terms import Terms

LONG = 8
"""A text of at least this many words, numbers not counted, is the same with other numbers: "628 comments · share"."""


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


@kernel("site_words.slot_texts")
def slot_texts(words: Terms) -> SlotTexts:
    """Return the texts of a page in their slots."""
    keys, block = _text_keys(words.key, words.block)
    slot = block_slots(words.blocks).take(block)
    lettered = np.flatnonzero(~_is_number(words))
    size = np.bincount(words.block.take(lettered), minlength=len(words.blocks))
    shorter, of_block = _text_keys(words.key.take(lettered), words.block.take(lettered))
    reduced = np.zeros(len(words.blocks), dtype=np.uint64)
    reduced[of_block] = shorter
    is_long = size.take(block) >= LONG
    return SlotTexts(
        block=block,
        words=keys,
        slot=slot,
        text=pair_keys(slot, keys),
        without_numbers=pair_keys(slot, np.where(is_long, reduced.take(block), keys)),
        has_letters=size.take(block) > 0,
    )


def block_slots(blocks: Blocks) -> Keys:
    """Return the key of the slot of each block, shape (b,); equal on all pages of a design."""
    return mix(_paths(blocks.page).take(blocks.node))


def _text_keys(keys: Keys, block: npt.NDArray[np.integer]) -> tuple[Keys, npt.NDArray[np.intp]]:
    """Return the key of the words of each block that has words, and the number of the block, each of shape (t,).

    Args:
        keys: (w,) keys of words in document order.
        block: (w,) the block of each word.
    """
    start = np.flatnonzero(np.append(True, block[1:] != block[:-1])[: len(keys)])
    end = np.append(start[1:], len(keys))[: len(start)]
    return span_keys(keys, start, end), block[start].astype(np.intp)


def _is_number(words: Terms) -> Bools:
    """Return which words, shape (w,), start and end with a digit."""
    classes = words.blocks.char_class
    mask: Bools = (classes.take(words.start) == CharClass.DIGIT) & (classes.take(words.end - 1) == CharClass.DIGIT)
    return mask


@kernel("site_words.path_keys")
def _paths(page: Page) -> Keys:
    """Return for each node, shape (n,), the sum of the keys of the elements that it lies in."""
    elements = np.flatnonzero(~page.is_text)
    classes = np.array([first_class_key(names) for names in page.class_names], dtype=np.uint64)
    of_class = classes.take(page.class_code.take(elements)) if len(classes) else np.zeros(len(elements), np.uint64)
    of_class[:1] = 0  # the body's
    depth = page.depth.take(elements).astype(np.uint64)
    return path_sums(page, elements, pair_keys(pair_keys(tag_keys(page, elements), of_class), depth))


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
