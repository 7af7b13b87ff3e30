"""Words that a page shows apart though nothing in its markup parts them: in boxes side by side.

Browsers show each child of a flexible row or a grid as a box of its own, and what is in two boxes is not one word, with
white space between them or without: `<div class="flex"><span>12</span><span>Reviews</span></div>`. The same is true of
elements that hold a whole date or name: `time`, and those marked as a byline or as an author's card; and of those that
a style or a role makes boxes or cells. What follows the name with which a quote begins is apart, and what follows a
label, which has an element of its own and ends with a colon (`<b>Title:</b>Tea`). Of two elements side by side, what
follows a colon is apart, one sentence from the next, and one amount of money from another one; if their classes differ,
so is a capital after a small letter or a digit (`<span class="brand">Leaf</span><span class="title">Oolong</span>`), a
number after a letter, an amount of money, and whatever stands between two texts of several words; but not in code and
formulas. Other elements in a line are no boxes: `<b>b</b>old` is a word.

A sentence in another element is apart from one before it, and so is what follows a date, or what begins an item as its
title: `<li><b>No plastic</b>Our bags are of paper`. Two elements with different properties of microdata are two words.
"""

from __future__ import annotations

import re

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.characters import COLONS, CURRENCY_SIGNS
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes
from dehusk.compiled.write import touching_texts
from dehusk.read.names import NamePattern
from dehusk.read.page import Bools, Ints, Page

_CITE, _QUOTE, _LINK = numbers("cite"), numbers("blockquote"), int(numbers("a")[0])
_BEFORE_CITE = 9  # characters of white space and of a quotation mark between the start of a quote and who is quoted
_OWN, _CODE = numbers("button label time"), numbers("code pre kbd samp tt var")
_ROW = NamePattern(r"(?:^|\s)(?:is-|d-)?(?:inline-)?(?:flex|grid)(?=\s|$)", "flex grid")
"""The classes with which style sheets in wide use (Tailwind, Bootstrap, Bulma) name a flexible row or a grid."""
_WHOLE = NamePattern(
    r"(?:^|\s)(?:vcard|h-card|byline|author|posted-on|badge|d-(?:inline-)?block)(?=\s|$)",
    "vcard h-card byline author posted-on badge d-block d-inline",
)
"""Classes of microformats, those that WordPress gives to the parts of a byline, and Bootstrap's boxes."""
_BREAK = NamePattern(r"(?:^|\s)(?:br|line-?break)(?:\s|$)", "br linebreak line-break")
"""The classes of elements that stand for a line break."""
_STYLED = pattern(r"display\s*:\s*(?:inline-)?(?:block|flex|grid|table)", re.IGNORECASE)
_IN_ROW = pattern(r"display\s*:\s*(?:inline-)?(?:flex|grid)", re.IGNORECASE)
_CELLS = frozenset({"cell", "gridcell", "columnheader", "rowheader", "listitem", "option", "tab"})
"""Roles of elements that are boxes."""
_AMOUNT = pattern(rf"\s*(?:[{CURRENCY_SIGNS}]\s?\d[\d.,]*|\d[\d.,]*\s?[{CURRENCY_SIGNS}])\s*")
_FRACTION = NamePattern(r"(?:^|\s)[\w-]*(?:price|amount)[\w-]*(?:fraction|decimals?|cents?)(?:$|\s)", "price amount")
"""The classes of the cents of a price."""
_CENTS = pattern(r"\s*\d\d\s*")
_WITH_POINT = ("en", "zh", "ja", "ko", "th", "he")
"""Languages that write a point before cents; others have a comma."""
_OWN_NUMBER = pattern(r"\d{1,2}:\d\d|\d+ ?%")
"""Numbers that start after a digit: a time after a year, a discount after a price."""
_MOMENT = pattern(
    r"\s*(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4}|\d{1,2}\.? [^\W\d_]{3,12}\.? \d{4}"
    r"|[^\W\d_]{3,12}\.? \d{1,2}, \d{4}),? \d{1,2}:\d\d(?::\d\d)?(?: [AaPp]\.?[Mm]\.?)?\s*"
)
"""A whole date with a time."""
_DAY = pattern(r"\s*(?:\d{1,2}\.? [^\W\d_]{3,12}\.?,? \d{4}|[^\W\d_]{3,12}\.? \d{1,2}, \d{4})\s*")
"""A whole date with the name of its month."""
_OF_NUMBER = pattern(r"\s*\d{1,3}(?: ?%|/\d{1,3})\s*")
"""A share or a score, which no word ends with: "4%", "6/6"."""
_STYLES = numbers("b strong span")
_TITLE = NamePattern(
    r"(?:^|[\s_-])(?:title|label|head|heading|header|lead|name)(?:$|[\s_-])", "title label head lead name"
)
_LONG_TITLE = 60  # characters of what begins an item as its title, at most; set by hand
_PRICES = frozenset(("price", "pricecurrency"))
_LABEL = pattern(r"[^\W\d_][^:：]{1,30}(?::(?=\s|$)|：)")
_NO_END = (*COLONS, *".!?")  # after which a class does not tell words apart
_LEVELS = 16  # elements in a line above a text, at most
_WORD = 3  # characters of a text that is a word of its own


@cached_per_object
def texts_apart(page: Page) -> frozenset[int]:
    """Return the text nodes that follow a word in another box of the same line directly."""
    before, after, holder = _touching(page)
    if not len(before):
        return frozenset()
    boxed = _has_own_box(page, _boxes(page), before, after, holder)
    boxed |= _is_styled(page, before, after)
    in_code = _in_code(page)
    breaks = page.nodes_of_class(_BREAK)
    boxed |= breaks.searchsorted(after) > breaks.searchsorted(before)
    named = ((page.end[page.parent[before]] <= after) & (page.parent[after] > before) & ~boxed).nonzero()[0]
    pairs = zip(named.tolist(), before[named].tolist(), after[named].tolist(), strict=True)
    boxed[[row for row, left, right in pairs if _are_named_apart(page, left, right, in_code)]] = True
    ended = ((page.end[page.parent[before]] <= after) & ~boxed).nonzero()[0].tolist()
    boxed[[row for row in ended if _MOMENT.fullmatch(page.text_of(int(after[row])))]] = True
    boxed[[row for row in ended if not in_code[after[row]] and _is_label(page, int(before[row]), int(after[row]))]] = (
        True
    )
    rest = zip((~boxed).nonzero()[0].tolist(), before[~boxed].tolist(), after[~boxed].tolist(), strict=True)
    boxed[[row for row, left, right in rest if not in_code[right] and _begins_anew(page, left, right)]] = True
    return frozenset(after[boxed].tolist()) - cents_apart(page).keys()


@cached_per_object
def _touching(page: Page) -> tuple[Nodes, Nodes, Nodes]:
    """Return the first and the second of texts that touch, and the block-level element around both, (k,) each."""
    pictures = set(page.alt_nodes.tolist())  # whose texts only some formats write, and never as a part of a word
    touching = [pair for pair in touching_texts(page) if pictures.isdisjoint(pair)]
    before, after, holder = np.array(touching, dtype=np.intp).reshape(-1, 3).T
    return before, after, holder


def _is_styled(page: Page, before: Nodes, after: Nodes) -> Bools:
    """Return which pairs of texts a style or a role parts: of the element of one of them, or of a row around both."""
    left, right = page.parent[before], page.parent[after]
    nodes = sorted({*left.tolist(), *right.tolist(), *page.parent[right].tolist()} - {-1})
    *given, items = page.elements.columns(np.array(nodes), ("style", "role", "itemprop"))
    properties = {node: item.lower() for node, item in zip(nodes, items, strict=True) if item}
    rows = [*zip(nodes, *given, strict=True)]
    boxes = [node for node, style, role in rows if role in _CELLS or (style and _STYLED.search(style))]
    if not boxes and not properties:
        return np.zeros(len(before), dtype=np.bool_)
    is_box, is_row = (np.zeros(len(page) + 1, dtype=np.bool_) for _ in range(2))  # the last one: of no element
    is_box[boxes], is_row[[node for node, style, _ in rows if style and _IN_ROW.search(style)]] = True, True
    apart = page.end[left] <= after, right > before
    styled: Bools = (apart[0] & is_box[left]) | (apart[1] & (is_box[right] | is_row[page.parent[right]]))
    both = (apart[0] & apart[1] & ~styled).nonzero()[0]
    pairs = zip(both.tolist(), left[both].tolist(), right[both].tolist(), strict=True)
    styled[[row for row, one, other in pairs if _are_two(properties.get(one), properties.get(other))]] = True
    return styled


def _are_two(one: str | None, other: str | None) -> bool:
    """Return whether two elements have different properties of microdata, none of them that of a price."""
    return bool(one and other) and one != other and _PRICES.isdisjoint((one, other))


@cached_per_object
def cents_apart(page: Page) -> dict[int, str]:
    """Return text node -> point or comma before it, for texts that are the cents of the price that they touch."""
    before, after, _ = _touching(page)
    named = page.classes.named(_FRACTION) if len(before) else []
    if not named:
        return {}
    found = after[page.has_class(named)[page.parent[after]] & (page.parent[after] > before)].tolist()
    language = (page.meta.language or "en")[:2].lower()
    sign = "." if language in _WITH_POINT else ","
    starts = page.text_start
    follow = (node for node in found if page.text[starts[node] - 1].isdigit())
    return {node: sign for node in follow if _CENTS.fullmatch(page.text_of(node))}


def _has_own_box(page: Page, boxes: Bools, before: Nodes, after: Nodes, holder: Nodes) -> Bools:
    """Return which pairs of texts have one in a box without the other one, in the block-level element around both.

    Args:
        page: the page.
        boxes: (n,) whether each node is a box.
        before: (k,) the first text of each pair.
        after: (k,) the second one.
        holder: (k,) the element around both.
    """
    nearest = page.nearest(boxes)
    own, other = nearest[before], nearest[after]
    return ((own > holder) & (page.end[own] <= after)) | ((other > holder) & (other > before))


def _boxes(page: Page) -> Bools:
    """Return which nodes are boxes, or are in one by themselves, shape (n,)."""
    boxes = page.is_one_of(_OWN)
    rows, wholes = page.classes.named(_ROW), page.classes.named(_WHOLE)
    if rows:
        boxes |= page.has_class(rows)[page.parent]
    if wholes:
        boxes |= page.has_class(wholes)
    cites = page.nodes_of(_CITE)
    if not len(cites):
        return boxes
    said = [page.text[end - 1] in COLONS for end in page.text_end[cites].tolist()]
    quotes = page.nearest(page.is_one_of(_QUOTE))[cites]
    begins = (quotes >= 0) & (page.text_start[cites] - page.text_start[quotes] <= _BEFORE_CITE)
    boxes[cites[begins | np.array(said, dtype=np.bool_)]] = True
    return boxes


def _are_named_apart(page: Page, before: int, after: int, in_code: Ints) -> bool:
    """Return whether two texts, each in an element of its own, are whole, in two elements side by side, and no word."""
    left, right = (page.text_of(node) for node in (before, after))
    is_sure = _has_label(left, right) or _are_sentences(left, right)
    if left[-1] in CURRENCY_SIGNS or _AMOUNT.fullmatch(left):
        is_sure = bool(_AMOUNT.fullmatch(left) and _AMOUNT.fullmatch(right))
        if not is_sure and left[-1] in CURRENCY_SIGNS:
            return False
    is_sure |= _are_links(page, int(page.parent[before]), int(page.parent[after]))
    size = min(len(left), _WORD if right.isdigit() or _OF_NUMBER.fullmatch(right) else len(right))
    is_sure |= left[-1] in ".!?" and " " in left.strip() and right[0].isupper() and len(right) >= _WORD
    if not is_sure and (size < _WORD or left[-1] in _NO_END or not _are_words(left, right)):
        return False
    first, second = _side_by_side(page, before, after)
    if page.end[first] != second or in_code[second]:
        return False
    own, other = int(page.class_code[first]), int(page.class_code[second])
    is_one_named = own != other and (right[0] in CURRENCY_SIGNS or " " in right.strip())
    is_one_named |= _OF_NUMBER.fullmatch(right) is not None
    return is_sure or 0 < own != other > 0 or is_one_named


def _begins_anew(page: Page, before: int, after: int) -> bool:
    """Return whether a text in another element starts a sentence, or follows a date or the title of its block."""
    left, right = page.text_of(before), page.text_of(after)
    if not right[0].isupper() or not right[1:2].islower() or page.parent[before] == page.parent[after]:
        return False
    if _are_sentences(left, right):
        return left[-2:-1].islower()
    title = int(page.parent[before])
    if page.end[title] > after:
        return False
    if _DAY.fullmatch(left):
        return True
    if " " not in right.strip() or not left[-1].islower() or len(left) > _LONG_TITLE or page.tag[title] not in _STYLES:
        return False
    is_title = " " in left.strip() or (len(left) >= _WORD and page.class_code[title] in page.classes.named(_TITLE))
    around = int(page.parent[title])
    return (
        is_title
        and page.parent[after] == around
        and not page.text[page.text_start[around] : page.text_start[title]].strip()
    )


def _is_label(page: Page, before: int, after: int) -> bool:
    """Return whether a text in an element of its own is a label of one or more words with a colon, before a text."""
    left, right = page.text_of(before), page.text_of(after)
    return (
        left.endswith(":")
        and left[-3:-1].isalpha()
        and right[:1].isalnum()
        and page.parent[before] != page.parent[after]
    )


def _has_label(left: str, right: str) -> bool:
    """Return whether one of two texts is a label: it ends with a colon, or has one after its first word."""
    if left[-1] in COLONS:
        return left[-2:-1].isalpha() or left.endswith(".:")
    if not left[-1].isalnum() or _LABEL.match(right) is None:
        return False
    return not left[-1].isupper() or (len(left) > 1 and (right.rstrip()[-1] in COLONS or ":" in left))


def _are_sentences(left: str, right: str) -> bool:
    """Return whether a sentence of several words ends with one text, and another one starts with the next."""
    return left[-1] in ".!?" and " " in left.strip() and " " in right.strip() and right[0].isupper()


def _side_by_side(page: Page, before: int, after: int) -> tuple[int, int]:
    """Return the largest elements around two texts that have only one of them, `_LEVELS` around the text at most."""
    first, second = before, after
    for _ in range(_LEVELS):
        if page.end[parent := int(page.parent[first])] > after:
            break
        first = parent
    for _ in range(_LEVELS):
        if (parent := int(page.parent[second])) <= before:
            break
        second = parent
    return first, second


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
        return (
            left.rsplit(maxsplit=1)[-1].replace("-", "").isalpha() or _OWN_NUMBER.match(right) is not None
        )  # not "tea.mp" and "4"
    return start.isupper() and (not end.isupper() or (left.isupper() and right[1].islower()))


def _in_code(page: Page) -> Ints:
    """Return in how many elements of code each node is, shape (n,)."""
    return page.within(page.nodes_of(_CODE))
