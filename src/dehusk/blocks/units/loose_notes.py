"""Footnotes whose marks are no links: raised numbers, and after them the notes that start with these numbers.

    >>> from dehusk import parse
    >>> notes = "<p><sup>1</sup> Steamed.</p><p><sup>2</sup> Shaded.</p>"
    >>> page = parse(f"<p>Sencha<sup>1</sup> or gyokuro<sup>2</sup>.</p><hr>{notes}")
    >>> [(each.mark, each.label, each.note) for each in find_loose_notes(page)]
    [(3, '1', 10), (6, '2', 14)]

A note is a block that starts with a raised number, or after a rule with a strong one, or an item of an ordered list
among notes: in an `aside`, in an element with a class of notes, or after a heading that says "Notes" or the like. Each
note has a mark before it; notes are numbered from 1 without a gap. A single one counts among notes only. Exponents,
verses and steps meet some of that, never all.

A note may also stand within the line, right after its mark, in an element with a class of side notes: an aside.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, TAG_NUMBER, numbers
from dehusk.blocks.layout import Nodes, is_holder
from dehusk.read.names import NameWords
from dehusk.read.page import Bools, Ints, Page

_LABEL = pattern(r"[\[(]?([1-9]\d{0,2})[\])]?[.:]?")
_MAX_LABEL = 6
_BLANKS = 200  # characters before a list that are looked at first: most lists follow some text
_MAX_NOTE = 20_000  # characters of a note
_AROUND = 4
"""How many elements around a list may say that its items are notes."""
_NOTES_CLASS = pattern(r"(?:foot|end|side)-?_?notes?(?![a-z])", re.IGNORECASE)
_NOTES_HEADING = pattern(
    r"(?:foot|end|side)?\s?notes?(?: and references)?:?|references(?: and notes)?:?", re.IGNORECASE
)
_MARKED, _STRONG, _HEADING = numbers("sup label"), numbers("b strong"), numbers(HEADINGS)
_LIST, _ITEM, _RULE, _LINK = numbers("ol"), numbers("li"), numbers("hr"), numbers("a")
_NOTE = NameWords("note")
_ASIDE_CLASS = pattern(
    r"(?:^|\s)(?:(?:side|margin|foot)-?_?note|footnote-?_?(?:content|text|body))(?=\s|$)", re.IGNORECASE
)
_BEFORE = 8
"""How many nodes before a note in the line may separate it from its mark: white space, a checkbox, ends of elements."""
_MIN_ASIDE = 8  # characters of a note in the line


@dataclass(frozen=True)
class LooseNote:
    """A mark and its note."""

    mark: int
    """The element that is the mark."""
    label: str
    note: int
    """The element that is the note."""


@dataclass(frozen=True)
class _Numbered:
    node: int
    number: int
    is_among_notes: bool = False


def find_loose_notes(page: Page, asides: Iterable[int] = ()) -> list[LooseNote]:
    """Return the marks of a page that have a note and are no links, in document order, in time linear in its size.

    Args:
        page: the page.
        asides: elements with notes in the line, in document order, where no marks are looked for.
    """
    holders = is_holder(page)
    holder = page.nearest(holders)
    marks, notes = [], []
    marked = page.nodes_of(_MARKED)
    for node, number in _numbered(page, marked[page.within(np.array([*asides], dtype=np.intp))[marked] == 0]):
        if _starts(page, int(holder[node]), node):
            notes.append(_note(page, int(holder[node]), number))
        elif _is_attached(page, node, int(holder[node])) or _is_of_notes(page, node):
            marks.append((node, number))
    if not marks or marks[0][1] != 1:
        return []
    notes += _strong_notes(page, holder, marks[-1][0])
    notes += _linked_notes(page, holder)
    notes += _listed_notes(page)
    return _paired(page, marks, sorted(notes, key=lambda each: each.node))


def _numbered(page: Page, nodes: Nodes) -> Iterator[tuple[int, int]]:
    """Yield (element, number) for elements of just a number."""
    short = nodes[(page.text_end[nodes] - page.text_start[nodes]) <= _MAX_LABEL]
    for node in short.tolist():
        if label := _LABEL.fullmatch(page.text_of(node).strip()):
            yield node, int(label[1])


def _starts(page: Page, block: int, node: int) -> bool:
    """Return whether no text precedes a node in its block."""
    return not page.text[page.text_start[block] : page.text_start[node]].strip()


def _is_attached(page: Page, node: int, block: int) -> bool:
    """Return whether a number belongs to the text before it: it follows directly, or no word follows."""
    start, end = int(page.text_start[node]), int(page.text_end[node])
    if not page.text[start - 1].isspace():
        return True
    after = page.text[end : min(end + 8, int(page.text_end[block]))].lstrip()
    return not after[:1].isalnum()


def _note(page: Page, block: int, number: int) -> _Numbered:
    """Return the note that starts with a number: its block, or the item that starts with the block."""
    parent = int(page.parent[block])
    if page.tag[parent] == TAG_NUMBER["li"] and page.text_start[parent] == page.text_start[block]:
        block = parent
    return _Numbered(block, number, _is_among_notes(page, block))


def _strong_notes(page: Page, holder: Ints, last_mark: int) -> Iterator[_Numbered]:
    """Yield the blocks that start with a strong number, if a rule separates them from all marks."""
    rules = page.nodes_of(_RULE)
    rule = rules[rules > last_mark][:1].tolist()
    strong = page.nodes_of(_STRONG)
    for node, number in _numbered(page, strong[strong > rule[0]]) if rule else ():
        if _starts(page, int(holder[node]), node):
            yield _note(page, int(holder[node]), number)


def _linked_notes(page: Page, holder: Ints) -> Iterator[_Numbered]:
    """Yield the blocks among notes that start with a number that is a link."""
    for node, number in _numbered(page, page.nodes_of(_LINK)):
        block = int(holder[node])
        if _starts(page, block, node) and (note := _note(page, block, number)).is_among_notes:
            yield note


def _listed_notes(page: Page) -> Iterator[_Numbered]:
    """Yield the items of ordered lists among notes."""
    lists, items = page.nodes_of(_LIST), page.nodes_of(_ITEM)
    among = [node for node in lists.tolist() if _is_among_notes(page, node) or _is_headed(page, node)]
    for node in among:
        inside = items[items.searchsorted(node) : items.searchsorted(page.end[node])]
        start = page.attribute(node, "start") or ""
        first = int(start) if start.isdecimal() and len(start) < 5 else 1
        for number, item in enumerate(inside[page.parent[inside] == node].tolist(), first):
            yield _Numbered(item, number, is_among_notes=True)


def _is_among_notes(page: Page, node: int) -> bool:
    """Return whether an element is in an `aside`, or it or one around it has a class of notes."""
    for _ in range(_AROUND):
        if page.tag[node] == TAG_NUMBER["aside"] or _is_of_notes(page, node):
            return True
        node = int(page.parent[node])
        if node <= 0:
            break
    return False


def _is_of_notes(page: Page, node: int) -> bool:
    return _NOTES_CLASS.search(page.class_names[page.class_code[node]][:1000]) is not None


def _is_headed(page: Page, node: int) -> bool:
    """Return whether the element before a list is a heading of notes."""
    headings = page.nodes_of(_HEADING)
    before = headings[: headings.searchsorted(node)][-1:].tolist()
    start = int(page.text_start[node])
    if not before or page.text[max(int(page.text_end[before[0]]), start - _BLANKS) : start].strip():
        return False
    if page.text[page.text_end[before[0]] : start].strip():
        return False
    heading = page.text[page.text_start[before[0]] : page.text_end[before[0]]].strip()
    return len(heading) < 40 and _NOTES_HEADING.fullmatch(heading) is not None


def _paired(page: Page, marks: list[tuple[int, int]], notes: Iterable[_Numbered]) -> list[LooseNote]:
    """Return the marks with their notes; each note has those with its number before it that have none yet."""
    waiting: dict[int, list[int]] = {}
    coming = iter([*marks, (len(page), 0)])
    mark, number = next(coming)
    runs: list[list[tuple[_Numbered, list[int]]]] = []
    for note in notes:
        while mark < note.node:
            waiting.setdefault(number, []).append(mark)
            mark, number = next(coming)
        if note.number not in waiting or page.text_end[note.node] - page.text_start[note.node] > _MAX_NOTE:
            continue
        if note.number == 1:
            runs.append([])
        if runs and note.number == len(runs[-1]) + 1:
            runs[-1].append((note, waiting.pop(note.number)))
    found = [pair for run in runs for pair in run]
    if len(found) < 2 and not all(note.is_among_notes for note, _ in found):
        return []
    return sorted(
        (LooseNote(mark, str(note.number), note.node) for note, of_note in found for mark in of_note),
        key=lambda each: each.mark,
    )


def has_asides(page: Page) -> bool:
    """Return whether a page may have notes within its lines."""
    return bool(_aside_classes(page))


def aside_notes(page: Page, is_block: Bools, holder: Ints) -> dict[int, int]:
    """Return note within a line -> its mark right before it, or the note itself if no number is there.

    Args:
        page: the page.
        is_block: (n,) whether each node is a block-level element.
        holder: (n,) the innermost block-level element around each node.
    """
    codes = _aside_classes(page)
    if not codes:
        return {}
    found: dict[int, int] = {}
    end = 0
    for node in (np.isin(page.class_code, codes) & ~is_block).nonzero()[0].tolist():
        size = int(page.text_end[node] - page.text_start[node])
        if node < end or not _MIN_ASIDE <= size <= _MAX_NOTE or _starts(page, int(holder[node]), node):
            continue
        if is_block[node : page.end[node]].any():
            continue
        found[node], end = _mark_before(page, node, int(holder[node])), int(page.end[node])
    return found


def _aside_classes(page: Page) -> list[int]:
    names = page.class_names
    return [code for code in page.classes.having(_NOTE) if _ASIDE_CLASS.search(names[code][:1000])]


def _mark_before(page: Page, note: int, block: int) -> int:
    """Return the text node of just a number that precedes a note in its line; the note if another text does."""
    for node in range(note - 1, max(note - 1 - _BEFORE, block), -1):
        text = page.text_of(node).strip() if page.is_text[node] else ""
        if text:
            return node if _LABEL.fullmatch(text) else note
    return note
