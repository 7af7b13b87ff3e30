"""Where a page says dates: in its text, and in attributes such as `datetime`; and names for places in its markup."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from dehusk.about.dates import FoundDate, read_attribute, read_dates, settle_orders
from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER, TEXT
from dehusk.blocks import Blocks
from dehusk.blocks.post_profiles import text_range
from dehusk.read.names import NameWords
from dehusk.read.page import Page

_DATED = (
    "time,[datetime],[itemprop~=datePublished],[itemprop~=dateCreated],[itemprop~=commentTime],[itemprop~=dateModified],"
    "abbr[title],span[title],a[title],[data-time],[data-timestamp],[data-date],.dt-published"
)
_VALUES = (
    "datetime",
    "content",
    "data-timestamp",
    "data-time",
    "data-date",
    "title",
    "data-tooltip",
    "data-tippy-content",
    "aria-label",
)
_SHORT_DATE = NameWords("ipstime__short")
_DIGIT = pattern(r"\d")
_DIGITS = pattern(r"\d+")
_WINDOW = 200  # characters at the start of a block in which its date is
_PROSE = 120  # characters from which on a block and the element in it are running text, not a line with a date
_LONG_DATE = 80
_LEVELS = (3, 6)
_TIME = TAG_NUMBER["time"]
_SINCE = 1980  # no post is older, but dates that are not set are of 1970


class DateMark(NamedTuple):
    """A date on a page."""

    node: int
    """The element that holds it."""
    start: int
    end: int
    """Where its text starts and ends in `Blocks.text`; equal for a date in an attribute alone."""
    date: FoundDate
    text: str
    """The date as the page shows it; as its attribute has it if it does not show it."""
    declared: bool
    """Whether markup says that it is a date."""


class Places:
    """Names for places in a page's markup: tag and first class without digits of an element and of those around it."""

    def __init__(self, page: Page) -> None:
        numbers = dict[str, int]()
        first = "\n".join((name.split(None, 1) or [""])[0] for name in page.class_names)
        words = _DIGITS.sub("", first).lower().split("\n")
        codes = np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.intp)
        self.signatures: list[int] = (codes[page.class_code] * (int(page.tag.max(initial=0)) + 1) + page.tag).tolist()
        """(n,) a number for the tag and the first class of each node, without digits."""
        self.parents: list[int] = page.parent.tolist()

    def path(self, node: int, levels: int = 3) -> tuple[int, ...]:
        """Return the signatures of an element and of the next ones around it."""
        found: list[int] = []
        while node >= 0 and len(found) < levels:
            found.append(self.signatures[node])
            node = self.parents[node]
        return tuple(found)


@cached_per_object
def places_of(page: Page) -> Places:
    """Return the names for the places of a page."""
    return Places(page)


def date_marks(blocks: Blocks) -> list[list[DateMark]]:
    """Return the dates of a page in document order, in groups of the same place in its markup.

    An element has one date, the first. Places are compared by three levels and by six, so that two dates of each record
    come apart; so a date may be in two groups, and the only one of a page is in none. The orders of day and month are
    settled, for each group or for the page.
    """
    page = blocks.page
    language = page.meta.language or ""
    declared = list(_declared(blocks, language))
    inside = _covered(page, [mark.node for mark in declared])
    marks = declared + [mark for mark in _written(blocks, language) if not inside[mark.node]]
    marks = list({mark.node: mark for mark in sorted(marks, key=lambda mark: (mark.node, -mark.start))}.values())
    if len(marks) < 2:
        return []
    groups: dict[tuple[int, ...], list[DateMark]] = {}
    for levels in _LEVELS:
        by_place: dict[object, list[DateMark]] = defaultdict(list)
        for mark in marks:
            by_place[places_of(page).path(mark.node, levels)].append(mark)
        groups |= {tuple(mark.node for mark in group): group for group in by_place.values()}
    told = {mark.date.day_first for mark in marks} - {None}
    return [_settled(group, language, told.copy().pop() if len(told) == 1 else None) for group in groups.values()]


def _settled(marks: list[DateMark], language: str, day_first: bool | None) -> list[DateMark]:
    settled = settle_orders([mark.date for mark in marks], language, day_first)
    return [mark._replace(date=date) for mark, date in zip(marks, settled, strict=True)]


def _covered(page: Page, nodes: Iterable[int]) -> list[bool]:
    covered: list[bool] = (page.within(np.array(sorted(set(nodes)), np.intp)) > 0).tolist()
    return covered


def _written(blocks: Blocks, language: str) -> Iterator[DateMark]:
    """Yield the dates near the starts of blocks."""
    page, starts, text = blocks.page, blocks.start.tolist(), blocks.text
    nodes = np.flatnonzero(page.tag == TEXT)
    offsets = page.text_start[nodes]
    for start, block_text in zip(starts, blocks.texts, strict=True):
        window = block_text[:_WINDOW]
        if not _DIGIT.search(window):
            continue
        for found in read_dates(window, language, since=_SINCE):
            first, last = start + found.start, start + found.end
            node = int(page.parent[nodes[int(offsets.searchsorted(blocks.source[first], "right")) - 1]])
            if found.is_month or (len(block_text) > _PROSE < page.text_end[node] - page.text_start[node]):
                continue
            yield DateMark(node, first, last, found, text[first:last].strip(), False)


def _declared(blocks: Blocks, language: str) -> Iterator[DateMark]:
    """Yield the dates in attributes, with the text of their elements."""
    page = blocks.page
    elements = page.elements.select(_DATED, contents=False)
    for element, row, node in zip(elements, *_places(page, elements), strict=True):
        given = ((raw, _value(raw, language)) for name in _VALUES if (raw := element.attr(name)))
        written, value = next((pair for pair in given if pair[1]), ("", None))
        if node < 0 or (value is None and element.tag != "time"):
            continue
        start, end = _whole_date(blocks, node) if row >= 0 else (0, 0)
        shown = blocks.text[start:end]
        if end - start > _LONG_DATE:
            continue
        if value is None:
            yield from _of_element(node, start, shown, language)
            continue
        yield DateMark(node, start, end, FoundDate(0, len(shown), value), shown or written[:_LONG_DATE], True)


def declared_dates(blocks: Blocks, places: Iterable[Sequence[int]]) -> list[DateMark | None]:
    """Return for each of some posts its date: the first in the elements that may hold it; None if they hold none."""
    language = blocks.page.meta.language or ""
    marks = [next(filter(None, (_declared_at(blocks, node, language) for node in nodes)), None) for nodes in places]
    settled = iter(_settled([mark for mark in marks if mark], language, None))
    return [mark and next(settled) for mark in marks]


def _declared_at(blocks: Blocks, node: int, language: str) -> DateMark | None:
    """Return the date in the attributes or the text of an element; of a text that is none, such as "at", None."""
    start, end = _whole_date(blocks, node)
    line = int(blocks.end[blocks.block_of[start]]) if end > start else end
    if line < end and not any(date.value for date in read_dates(blocks.text[start:end][:_LONG_DATE], language)[:1]):
        end = line  # a time in the next line touches the year
    shown = blocks.text[start:end][:_LONG_DATE]
    values = (_value(blocks.page.attribute(node, name), language) for name in _VALUES)
    if value := next(filter(None, values), None):
        return DateMark(node, start, end, FoundDate(0, len(shown), value), shown, True)
    for found in read_dates(shown, language, since=_SINCE)[:1]:
        text = shown[found.start : found.end].strip()
        return DateMark(node, start + found.start, start + found.end, found, text, True)
    is_relative = bool(_DIGIT.search(shown)) and blocks.page.tag[node] == _TIME
    return DateMark(node, start, end, FoundDate(0, len(shown), None), shown, True) if is_relative else None


def _whole_date(blocks: Blocks, node: int) -> tuple[int, int]:
    """Return where the text of a date is, without the short one behind it that Invision shows on narrow screens."""
    page, (start, end) = blocks.page, text_range(blocks, node)
    short = _short_dates(page)
    after = (one for one in range(node, page.end[node]) if short and int(page.class_code[one]) in short)
    first = text_range(blocks, next(after, node))[0]
    return (start, first) if first > start else (start, end)


@cached_per_object
def _short_dates(page: Page) -> frozenset[int]:
    """Return the codes of the classes of these short dates."""
    return frozenset(page.classes.having(_SHORT_DATE))


def _value(attribute: str | None, language: str) -> str | None:
    return read_attribute(attribute, language, since=_SINCE)


def _of_element(node: int, start: int, shown: str, language: str) -> Iterator[DateMark]:
    found = read_dates(shown, language, since=_SINCE) or [FoundDate(0, len(shown), None)]
    if shown:
        yield DateMark(node, start, start + len(shown), found[0]._replace(start=0, end=len(shown)), shown, True)


def _places(page: Page, elements: list[Any]) -> tuple[list[int], list[int]]:
    """Return the node of each element, -1 if it has none, and the node that it is or is directly in, else -1."""
    rows = page.elements.rows_of(elements).tolist()
    outside = [index for index, row in enumerate(rows) if row < 0 and hasattr(elements[index].parent, "tag")]
    nodes = [*rows]
    if outside:  # looked up at once: each look-up takes time in proportion to the page
        around = page.elements.rows_of([elements[index].parent for index in outside]).tolist()
        for index, node in zip(outside, around, strict=True):
            nodes[index] = node
    return rows, nodes
