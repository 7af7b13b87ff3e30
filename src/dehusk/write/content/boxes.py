"""Words that a page shows apart though nothing in its markup parts them: in boxes side by side.

Browsers show each child of a flexible row or a grid as a box of its own, and what is in two boxes is not one word, with
white space between them or without: `<div class="flex"><span>12</span><span>Reviews</span></div>`. The same is true of
elements that hold a whole date or name: `time`, and those marked as a byline or as an author's card. Other elements in
a line are no boxes: `<b>b</b>old` is a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes, is_holder
from dehusk.read.page import Bools, Page

_TIME = numbers("time")
_ROW = pattern(r"(?:^|\s)(?:is-|d-)?(?:inline-)?(?:flex|grid)(?=\s|$)")
"""The classes with which style sheets in wide use (Tailwind, Bootstrap, Bulma) name a flexible row or a grid."""
_WHOLE = pattern(r"(?:^|\s)(?:vcard|h-card|byline|author|posted-on)(?=\s|$)")
"""Classes of microformats, and those that WordPress gives to the parts of a byline."""
_SIGNS_OF_ROWS, _SIGNS_OF_WHOLES = ("flex", "grid"), ("vcard", "h-card", "byline", "author", "posted-on")
"""One of these is in each class that matters; most pages have few of them."""


@cached_per_object
def texts_apart(page: Page) -> frozenset[int]:
    """Return the text nodes that follow a word in another box of the same line directly."""
    boxes = _boxes(page)
    before, after = _words_that_touch(page) if boxes.any() else (np.zeros(0, np.intp),) * 2
    if not len(after):
        return frozenset()
    box, holder = page.nearest(boxes), page.nearest(is_holder(page))
    parted = (box[after] > before) | ((box[before] >= 0) & (page.end[box[before]] <= after))
    return frozenset(after[parted & (holder[before] == holder[after])].tolist())


def _boxes(page: Page) -> Bools:
    """Return which nodes, shape (n,), are boxes that can stand in a line."""
    boxes = np.zeros(len(page), np.bool_)
    boxes[page.nodes_of(_TIME)] = True
    together = "\0".join(page.class_names)
    if rows := _codes_of(page, together, _SIGNS_OF_ROWS, _ROW):
        boxes |= _have(page, rows)[page.parent] & (page.parent >= 0)
    if whole := _codes_of(page, together, _SIGNS_OF_WHOLES, _WHOLE):
        boxes |= _have(page, whole)
    return boxes


def _codes_of(page: Page, together: str, signs: tuple[str, ...], wanted: re.Pattern[str]) -> list[int]:
    """Return the codes of the classes in which a pattern finds something, of those with a sign."""
    codes = sorted({code for sign in signs for code in _codes_with(together, sign)})
    return [code for code in codes if wanted.search(page.class_names[code])]


def _codes_with(together: str, sign: str) -> Iterator[int]:
    """Yield which of some names, with zeros between them, have a sign; that is faster than to look at each."""
    code, at = 0, 0
    while at >= 0 and (found := together.find(sign, at)) >= 0:
        code += together.count("\0", at, found)
        yield code
        at = together.find("\0", found)


def _have(page: Page, codes: list[int]) -> Bools:
    """Return which nodes have one of some classes."""
    chosen = np.zeros(len(page.class_names), np.bool_)
    chosen[codes] = True
    return chosen[page.class_code]


def _words_that_touch(page: Page) -> tuple[Nodes, Nodes]:
    """Return the text nodes, shapes (p,), that would read as one word: one after the other, letter to letter.

    Not single letters: titles that move have each of theirs in a box.
    """
    texts = np.flatnonzero(page.is_text & (page.text_end > page.text_start))
    starts, sizes = page.text_start[texts], (page.text_end - page.text_start)[texts]
    letters = page.code_points >= ord("0")  # no white space or common sign
    touch = letters[starts[1:]] & letters[starts[1:] - 1] & ((sizes[1:] > 1) | (sizes[:-1] > 1))
    pairs = np.flatnonzero(touch)
    at = starts[1:][pairs].tolist()
    pairs = pairs[[page.text[start - 1 : start + 1].isalnum() for start in at]] if at else pairs
    return texts[pairs], texts[pairs + 1]
