"""Words that a page shows apart though nothing in its markup parts them: in boxes side by side.

Browsers show each child of a flexible row or a grid as a box of its own, and what is in two boxes is not one word, with
white space between them or without: `<div class="flex"><span>12</span><span>Reviews</span></div>`. The same is true of
elements that hold a whole date or name: `time`, and those marked as a byline or as an author's card. Of two elements
side by side, what follows a colon is apart; if their classes differ, so is a capital after a small letter or a digit
(`<span class="brand">Leaf</span><span class="title">Oolong</span>`), a number after a letter, an amount of money, and
whatever stands between two texts of several words; but not in code and formulas. Other elements in a line are no boxes:
`<b>b</b>old` is a word.
"""

from __future__ import annotations

from functools import lru_cache

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.compiled.write import touching_texts
from dehusk.read.page import Page

_CITE, _LINK = int(numbers("cite")[0]), int(numbers("a")[0])
_OWN = frozenset(numbers("button label time").tolist())
_CODE = frozenset(numbers("code pre kbd samp tt var").tolist())
_ROW = pattern(r"(?:^|\s)(?:is-|d-)?(?:inline-)?(?:flex|grid)(?=\s|$)")
"""The classes with which style sheets in wide use (Tailwind, Bootstrap, Bulma) name a flexible row or a grid."""
_WHOLE = pattern(r"(?:^|\s)(?:vcard|h-card|byline|author|posted-on)(?=\s|$)")
"""Classes of microformats, and those that WordPress gives to the parts of a byline."""
_OWN_NUMBER = pattern(r"\d{1,2}:\d\d|\d+ ?%")
"""Numbers that start after a digit: a time after a year, a discount after a price."""
_LABEL = pattern(r"[^\W\d_][^:：]{1,30}(?::(?=\s|$)|：)")
_LEVELS = 16  # elements in a line above a text that may be boxes
_WORD = 3  # characters of a text that is a word of its own
_KNOWN_NAMES, _LONG_NAME = 4_096, 300  # classes of which it is remembered what they name, and their characters


_ROW_BIT, _WHOLE_BIT = 1, 2


@cached_per_object
def texts_apart(page: Page) -> frozenset[int]:
    """Return the text nodes that follow a word in another box of the same line directly."""
    pictures = set(page.alt_nodes.tolist())  # whose texts only some formats write, and never as a part of a word
    pairs = (pair for pair in touching_texts(page) if pictures.isdisjoint(pair[:2]))
    return frozenset(after for before, after, holder in pairs if _are_apart(page, before, after, holder))


def _are_apart(page: Page, before: int, after: int, holder: int) -> bool:
    """Return whether one of two texts is in a box without the other one, in the block-level element around both."""
    for text in (after, before):
        node = text
        for _ in range(_LEVELS):
            if node <= holder or node <= before < page.end[node] > after:
                break
            if _is_box(page, node):
                return True
            node = int(page.parent[node])
    return _are_named_apart(page, before, after)


def _are_named_apart(page: Page, before: int, after: int) -> bool:
    """Return whether two texts are whole, in two elements side by side, and no word by their classes and characters."""
    if page.end[page.parent[before]] > after or page.parent[after] <= before:  # one of them is in no element of its own
        return False
    left, right = (page.text[page.text_start[node] : page.text_end[node]] for node in (before, after))
    is_label = left[-1] in ":：" and left[-2:-1].isalpha()
    if (":" in right or "：" in right) and left[-1].isalnum() and not left[-1].isupper():
        is_label |= _LABEL.match(right) is not None
    is_label |= _are_links(page, int(page.parent[before]), int(page.parent[after]))
    size = min(len(left), _WORD if right.isdigit() else len(right))
    if not is_label and (size < _WORD or left[-1] in ":：" or not _are_words(left, right)):
        return False
    for _ in range(_LEVELS):
        before = int(page.parent[before]) if page.end[page.parent[before]] <= after else before
    for _ in range(_LEVELS):
        after = int(page.parent[after]) if page.parent[after] > before else after
    if page.end[before] != after or not (is_label or 0 < page.class_code[before] != page.class_code[after] > 0):
        return False
    return not _is_in_code(page, after)


def _are_links(page: Page, before: int, after: int) -> bool:
    """Return whether two elements are links to different places."""
    both = page.tag[before] == page.tag[after] == _LINK
    return both and page.attribute(before, "href") != page.attribute(after, "href")


def _are_words(left: str, right: str) -> bool:
    """Return whether a word or an amount ends with one text, and another one starts with the next."""
    end, start = left[-1], right[0]
    if not start.isalnum() or not end.isalnum() or (" " in left.strip() and " " in right.strip()):
        return True
    if start.isdigit():
        return left.rsplit(maxsplit=1)[-1].isalpha() or _OWN_NUMBER.match(right) is not None  # not "tea.mp" and "4"
    return start.isupper() and (not end.isupper() or (left.isupper() and right[1].islower()))


def _is_in_code(page: Page, node: int) -> bool:
    for _ in range(_LEVELS):
        if node <= 0 or int(page.tag[node]) in _CODE:
            break
        node = int(page.parent[node])
    return node > 0 and int(page.tag[node]) in _CODE


def _is_box(page: Page, node: int) -> bool:
    own, around = (page.class_names[page.class_code[each]] for each in (node, int(page.parent[node])))
    if page.tag[node] == _CITE and page.text[page.text_end[node] - 1] in ":：":
        return True
    return int(page.tag[node]) in _OWN or bool(_meaning(own) & _WHOLE_BIT or _meaning(around) & _ROW_BIT)


@lru_cache(_KNOWN_NAMES)
def _meaning(name: str) -> int:
    """Return what a class names."""
    name = name[:_LONG_NAME]
    return _ROW_BIT * bool(_ROW.search(name)) | _WHOLE_BIT * bool(_WHOLE.search(name))
