"""Footnotes: which links refer to notes, which elements are the notes, and what in the notes only leads back.

    >>> from dehusk import parse
    >>> page = parse('<p>A<sup><a href="#n" id="r">1</a></sup>.</p><ol><li id="n">Note. <a href="#r">↩</a></li></ol>')
    >>> find_footnotes(page, Addresses.of(page))  # doctest: +ELLIPSIS
    Footnotes(references={3: '1'}, notes={8: '1'}, asides={}, left_out=frozenset({10}), trimmed={}, wrappers=...)

A link to an element of the same page refers to a note if it is marked as such (`role=doc-noteref`, `epub:type`, classes
and ids that generators of footnotes use), or if its text is a number, a sign or a few characters in brackets, and
either the note links back, or the note follows it and the link is raised, has a class of notes, or has the number in
brackets that the note starts with or has in its list. A heading, a section with headings, or a place in a block with
other such places is no note: the link stays a link. A heading of just the label is that of the block after it.
Marks that are no links, and notes within the line, are found by `loose_notes`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, TAG_NUMBER, numbers
from dehusk.blocks.layout import Nodes, counts_before, is_holder
from dehusk.blocks.units.local_links import links_within, named_places
from dehusk.blocks.units.loose_notes import aside_notes, find_loose_notes, has_asides  # noqa: F401 (for the core)
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page

_RAISED, _HEADING = numbers("sup"), numbers(HEADINGS)
_ITEM = numbers("li")
_MAX_NOTE = 20_000  # characters of a note
_MAX_LABEL = 30
_MAX_BACK = 1000  # links within the page in one note
_WRAPPERS = 6
"""How many elements around a link may carry the id that its note links back to."""
_LABEL = pattern(
    r"(?:note\s?|fn\.?\s?)?(?:\d{1,4}|[a-z]{1,2}|[ivxlc]{1,7}|[*∗†‡§¶‖#※]{1,4}|[*＊※]\d{1,3}|[⁰¹²³⁴-⁹]{1,4})[.:]?"
    r"|\[[^\[\]]{1,20}\]|\([\w*†‡]{1,4}\)",
    re.IGNORECASE,
)
_ROLE = pattern(r"(?:^|\s)(?:doc-)?(?:noteref|backlink)(?:\s|$)", re.IGNORECASE)
_REFERENCE_CLASS = pattern(
    r"(?:^|[\s_-])(?:foot|end|side)?note-?_?(?:ref|reference|link|anchor|marker)(?:$|[\s_-])|(?:^|\s)(?:fn-?ref|ptref)",
    re.IGNORECASE,
)
_NAMED_CLASS = pattern(r"(?:^|\s)(?:fn|footnote|endnote)(?:\s|$)", re.IGNORECASE)
"""Classes of references and of notes alike."""
_NOTE_NAME = pattern(
    r"_?_?(?:cite_note|(?:user-content-)?fn|ftn|edn|_ftn|_edn|sdfootnote|sdendnote|footnote|endnote|easy-footnote)[\W_]?\w",
    re.IGNORECASE,
)
_BACK = pattern(
    r"(?:back-?(?:ref|link)|doc-backlink|return|reverse|fn-?back|mw-cite-backlink|cite-backlink)", re.IGNORECASE
)
_SIGNS = pattern(r"[\s^↑↩↵⤴⏎←\ufe0e\ufe0f.,;:|/()\[\]–—-]+|(?<![^\W_])[a-z]{1,2}(?![^\W_])")
_WORD = pattern(r"[^\W_][\w-]{0,19}")
_BETWEEN = pattern(r"\s+")
_PUNCTUATION = pattern(r"[\s,;.–—-]*")
_BRACKETS = "[](). "
_NUMBER = pattern(r"\s*[\[(]?(\d{1,4})(?!\d|[.,]\d)[\]).]?\s*")
_EDGES = pattern(r"^[\d\W]+|[\W]+$")
_AFTER_LABEL = pattern(r"\s*(?!\.\.)[\].:)]+\s*")


@dataclass(frozen=True)
class Footnotes:
    """The footnotes of a page; node numbers, all in document order."""

    references: dict[int, str] = field(default_factory=dict)
    """Element to write as a reference -> id of its note: the link, or a `sup` or the like around just this link."""
    notes: dict[int, str] = field(default_factory=dict)
    """Element that is a note -> its id. Each id is unique; it is the note's label if that is a word."""
    asides: dict[int, str] = field(default_factory=dict)
    """Element within a line that is a note -> its id; that of another note if it has the same text."""
    left_out: frozenset[int] = frozenset()
    """Nodes to be left out: in notes links back to the reference, signs beside them, and the label at the start;
    headings of nothing but a label."""
    trimmed: dict[int, str] = field(default_factory=dict)
    """Text node at the start of a note -> its text without the label."""
    wrappers: frozenset[int] = frozenset()
    """`sup` elements around several references and nothing else: to be written without raising."""


@dataclass(frozen=True)
class _Reference:
    link: int
    label: str
    note: int
    """The element that is the note."""


def find_footnotes(page: Page, addresses: Addresses) -> Footnotes:
    """Return the footnotes of a page, in time proportional to its size.

    Args:
        page: the page.
        addresses: tells which links lead to places on the page.
    """
    targets = dict(_local_links(page, addresses))
    finder = _Finder(page, targets)
    found = _one_label_per_note([each for link in targets if (each := finder.reference(link))])
    aside_marks = aside_notes(page, finder.is_holder, finder.holder)
    if found and aside_marks:  # Hatena's notes at the end have elements of the same class
        in_note = page.within(np.array(sorted({each.note for each in found}), dtype=np.intp)) > 0
        aside_marks = {note: mark for note, mark in aside_marks.items() if not in_note[note]}
    found += _without_links(page, found, aside_marks)
    copies = _copies(page, {each.note for each in found}, aside_marks)
    found += [
        _Reference(mark, "" if mark == note else _folded(page, mark, _MAX_LABEL), note)
        for note, mark in aside_marks.items()
        if note not in copies
    ]
    if not found:
        return Footnotes()
    ids = _ids(found)
    backlinks = finder.backlinks(found)
    references = {finder.outermost(each.link): ids[each.note] for each in found if each.link != each.note}
    notes = {note: ids[note] for note in sorted(ids)}
    asides = {note: ids[copies.get(note, note)] for note in aside_marks}
    labels = {each.note: each.label for each in found}
    labels |= {note: labels[copy] for note, copy in copies.items()}
    left_out = _left_out(page, backlinks, labels)
    left_out |= {finder.titles[note] for note in notes if note in finder.titles}
    wrappers = _wrappers(page, np.array(sorted(references), dtype=np.intp))
    notes = {note: label for note, label in notes.items() if note not in asides}
    return Footnotes(references, notes, asides, left_out, _trimmed(page, labels, left_out), wrappers)


def _local_links(page: Page, addresses: Addresses) -> Iterator[tuple[int, int]]:
    """Yield (link, element that it leads to) for the links within the page, in document order."""
    if wanted := links_within(page, addresses):
        place = named_places(page)
        yield from ((link, place[name]) for link, name in wanted.items() if name in place)


def _without_links(page: Page, found: list[_Reference], asides: Iterable[int]) -> list[_Reference]:
    """Return the references that are no links, unless they are in or around one that is, or their notes have others."""
    links = {node for each in found for node in range(each.link, int(page.end[each.link]))}
    notes = {each.note for each in found}
    return [
        _Reference(each.mark, each.label, each.note)
        for each in find_loose_notes(page, asides)
        if each.note not in notes and links.isdisjoint(range(each.mark, int(page.end[each.mark])))
    ]


def _copies(page: Page, notes: Iterable[int], asides: Iterable[int]) -> dict[int, int]:
    """Return aside -> the note with the same text, for asides that have one."""
    of_text = {_bare_text(page, note): note for note in notes}
    return {aside: of_text[text] for aside in asides if (text := _bare_text(page, aside)) in of_text}


def _bare_text(page: Page, note: int) -> str:
    """Return the text of a note without white space, its label and signs around it."""
    text = "".join(page.text_of(note).split())
    return _EDGES.sub("", text)


class _Finder:
    """Tells references from other links within a page.

    Attributes:
        targets: link -> the element that it leads to.
        is_holder: (n,) whether each node is a block-level element.
        holder: (n,) the innermost block-level element around each node.
    """

    def __init__(self, page: Page, targets: dict[int, int]) -> None:
        self.page, self.targets = page, targets
        self.links = np.array(list(targets), dtype=np.intp)
        holders = is_holder(page)
        self.is_holder, self.holder = holders, page.nearest(holders)
        self.is_raised = page.within(page.nodes_of(_RAISED)) > 0
        self._holders = counts_before(page, holders.nonzero()[0])
        self._headings = counts_before(page, page.nodes_of(_HEADING))
        self._in_heading = page.within(page.nodes_of(_HEADING)) > 0
        self._sups = counts_before(page, page.nodes_of(_RAISED))
        places = np.array(sorted(set(targets.values())), dtype=np.intp)
        inline = places[~holders[places]]
        self._places = np.bincount(self.holder[inline], minlength=len(page))
        self._leading: dict[int, set[int]] = {}
        self._ranks: dict[int, Nodes] = {}
        self.titles: dict[int, int] = {}
        """Note -> the heading before it, which has only its label."""

    def reference(self, link: int) -> _Reference | None:
        """Return the reference that a link is, or None."""
        page = self.page
        label = _folded(page, link, _MAX_LABEL)
        note = self.note(self.targets[link], label)
        if not label or note is None or note <= link < page.end[note] or link <= note < page.end[link]:
            return None
        if self._is_marked(link):
            return _Reference(link, label, note)
        if not _LABEL.fullmatch(label) or note < link or not label.strip(_BRACKETS + "0"):  # notes count from 1
            return None
        raised = self.is_raised[link] or self._sups[page.end[link]] > self._sups[link]
        is_note = raised or self._is_named(link) or self._is_numbered(note, label) or self._leads_back(link, note)
        return _Reference(link, label, note) if is_note else None

    def note(self, place: int, label: str) -> int | None:
        """Return the element that is the note at a place, or None: the element itself, or the block it is in."""
        page, holder = self.page, int(self.holder[place])
        note = place if place == holder else holder
        if place != holder and self._in_heading[note]:
            note = self._after_title(note, label)
        elif place != holder and (self._places[note] > 1 or not self._is_one(note, place, label)):
            return None
        numbered = self._item(note, label)
        note = note if numbered is None else numbered
        is_text = 0 < page.text_end[note] - page.text_start[note] <= _MAX_NOTE
        headed = self._in_heading[note] or self._headings[page.end[note]] > self._headings[note]
        return note if is_text and not headed and note > 0 else None

    def _is_one(self, note: int, place: int, label: str) -> bool:
        """Return whether the block around a place is one note: it has no blocks in it, or starts with the label."""
        page = self.page
        if self._holders[page.end[note]] - self._holders[note] <= 1:
            return True
        before = page.text[page.text_start[note] : page.text_start[place]]
        return not before.strip() and _folded(page, place, _MAX_LABEL).strip(_BRACKETS) == label.strip(_BRACKETS)

    def _after_title(self, heading: int, label: str) -> int:
        """Return the block after a heading that has only a label; the heading if it has more, or no block follows."""
        page, after = self.page, int(self.page.end[heading])
        if _folded(page, heading, _MAX_LABEL).strip(_BRACKETS) != label.strip(_BRACKETS):
            return heading
        after += after < len(page) and bool(page.is_text[after])  # white space
        if after >= len(page) or not self.is_holder[after] or page.parent[after] != page.parent[heading]:
            return heading
        self.titles[after] = heading
        return after

    def _is_numbered(self, note: int, label: str) -> bool:
        """Return whether a label is a number in brackets, and a note starts with it or has it in its list."""
        page, number = self.page, label.strip(_BRACKETS)
        if not label.startswith(("[", "(")) or not number.isdecimal():
            return False
        start = int(page.text_start[note])
        if (first := _NUMBER.match(page.text, start, min(start + 12, int(page.text_end[note])))) is not None:
            return first[1] == number
        items = int(page.parent[note])
        if page.tag[note] != TAG_NUMBER["li"] or page.tag[items] != TAG_NUMBER["ol"]:
            return False
        return int(self._items(items).searchsorted(note)) + 1 == int(number)

    def _items(self, items: int) -> Nodes:
        """Return the items of a list."""
        if items not in self._ranks:
            found = self.page.nodes_of(_ITEM)
            found = found[found.searchsorted(items) : found.searchsorted(self.page.end[items])]
            self._ranks[items] = found[self.page.parent[found] == items]
        return self._ranks[items]

    def _is_named(self, link: int) -> bool:
        """Return whether a link, or an inline element around it, has a class of footnotes."""
        page, parent = self.page, int(self.page.parent[link])
        nodes = (link,) if self.is_holder[parent] else (link, parent)
        return any(_NAMED_CLASS.search(page.class_names[page.class_code[node]][:1000]) for node in nodes)

    def _item(self, note: int, label: str) -> int | None:
        """Return the item with a label's number, if the place is that of an ordered list with all notes."""
        number = label.strip(_BRACKETS)
        if not number.isdecimal() or self.page.tag[note] != TAG_NUMBER["ol"]:
            return None
        items = self._items(note)
        return int(items[int(number) - 1]) if 0 < int(number) <= len(items) else None

    def _is_marked(self, link: int) -> bool:
        """Return whether a link, or the element around it, is marked as a reference; a link back is not."""
        page = self.page
        for node in (link, int(page.parent[link])):
            classes = page.class_names[page.class_code[node]][:1000]
            if _BACK.search(classes):
                return False
            given = ((page.attribute(node, name) or "")[:100] for name in ("role", "epub:type"))
            if (role := _ROLE.search(" ".join(given))) is not None:
                return "noteref" in role[0]
            if _REFERENCE_CLASS.search(classes):
                return True
        target = self.targets[link]
        name = page.id_names[page.id_code[target]] or page.attribute(target, "name") or ""
        return bool(self.is_raised[link]) and _NOTE_NAME.match(name[:100]) is not None and target > link

    def _leads_back(self, link: int, note: int) -> bool:
        return not self._around(link, note).isdisjoint(self._led_to(note))

    def _led_to(self, note: int) -> set[int]:
        """Return the elements that the links in a note lead to."""
        if note not in self._leading:
            self._leading[note] = set(map(self.targets.__getitem__, self._links_in(note)))
        return self._leading[note]

    def _links_in(self, note: int) -> list[int]:
        first, last = self.links.searchsorted((note, self.page.end[note])).tolist()
        inside: list[int] = self.links[first : min(last, first + _MAX_BACK)].tolist()
        return inside

    def _around(self, link: int, note: int) -> set[int]:
        """Return the elements that stand for a link: in it, next to it, and around it but not around its note."""
        page = self.page
        end = int(page.end[link])
        around = set(range(max(link - 2, 0), min(end + 2, link + 12)))
        node = link
        for _ in range(_WRAPPERS):
            node = int(page.parent[node])
            if node <= 0 or node <= note < page.end[node]:
                break
            around.add(node)
        return around

    def outermost(self, link: int) -> int:
        """Return the outermost inline element with just the text of a link."""
        page, node = self.page, link
        label = _folded(page, link, _MAX_LABEL)
        for _ in range(_WRAPPERS):
            parent = int(page.parent[node])
            if parent < 0 or self.is_holder[parent] or _folded(page, parent, _MAX_LABEL) != label:
                break
            node = parent
        return node

    def backlinks(self, found: list[_Reference]) -> dict[int, list[int]]:
        """Return note -> the links in it that lead back to its references."""
        around: dict[int, set[int]] = defaultdict(set)
        for each in found:
            around[each.note] |= self._around(each.link, each.note)
        back = {}
        for note, places in around.items():
            back[note] = [link for link in self._links_in(note) if self.targets[link] in places or self._is_back(link)]
        return back

    def _is_back(self, link: int) -> bool:
        classes = self.page.class_names[self.page.class_code[link]][:1000]
        return bool(_BACK.search(classes + (self.page.attribute(link, "role") or "")[:100]))


def _one_label_per_note(found: list[_Reference]) -> list[_Reference]:
    """Drop references with different labels to one element, which holds all notes, and references inside others."""
    labels: dict[int, set[str]] = defaultdict(set)
    for each in found:
        labels[each.note].add(each.label)
    return [each for each in found if len(labels[each.note]) == 1]


def _ids(found: list[_Reference]) -> dict[int, str]:
    """Return note -> id, unique: its label if that is a word, otherwise a number that is no label.

    The id of a sign is no number where notes have numbers: it would be taken for that of another note, kept or not.
    """
    labels = {each.note: _BETWEEN.sub("-", each.label.strip(_BRACKETS)) for each in reversed(found)}
    words = {label for label in labels.values() if _WORD.fullmatch(label)}
    free = (str(number) for number in count(1) if str(number) not in words)
    signs = free if not any(map(str.isdigit, words)) else (f"note-{number}" for number in count(1))
    ids: dict[int, str] = {}
    taken: set[str] = set()
    copies: dict[str, int] = {}
    for note in dict.fromkeys(each.note for each in found):
        name = stem = labels[note] if labels[note] in words else next(signs if labels[note] else free)
        while name in taken:
            copies[stem] = copies.get(stem, 1) + 1
            name = f"{stem}-{copies[stem]}"
        ids[note] = name
        taken.add(name)
    return ids


def _folded(page: Page, node: int, limit: int) -> str:
    """Return the text of a node with its white space folded; "" if it is longer than `limit`."""
    start, end = int(page.text_start[node]), int(page.text_end[node])
    text = " ".join(page.text[start:end].split()) if end - start <= 4 * limit else ""
    return text if len(text) <= limit else ""


def _left_out(page: Page, backlinks: dict[int, list[int]], labels: dict[int, str]) -> frozenset[int]:
    """Return the elements in notes that are links back, with the signs around them, or labels."""
    left_out = set()
    for note, links in backlinks.items():
        for link in links:
            if page.text_end[link] - page.text_start[link] < page.text_end[note] - page.text_start[note]:
                left_out.add(_with_signs(page, note, link))
        left_out |= _leading_signs(page, note, left_out)
    for note, label in labels.items():
        left_out |= _label_in(page, note, label)
    return frozenset(left_out)


def _with_signs(page: Page, note: int, link: int) -> int:
    """Return the outermost element in a note around a link back that contains nothing but signs and such links."""
    node = link
    for _ in range(_WRAPPERS):
        parent = int(page.parent[node])
        text = _folded(page, parent, 100)
        if parent <= note or not text or _SIGNS.sub("", text.replace(_folded(page, link, 100), "")):
            break
        node = parent
    return node


def _leading_signs(page: Page, note: int, left_out: set[int]) -> set[int]:
    """Return the texts at the start of a note that are only signs, if links back are among them."""
    signs: list[int] = []
    node, end, leads_back = note + 1, min(int(page.end[note]), note + 100), False
    while node < end:
        if node in left_out:
            node, leads_back = int(page.end[node]), True
            continue
        if page.is_text[node]:
            text = page.text_of(node)
            if len(text) > 20 or _SIGNS.sub("", text):
                break
            signs.append(node)
        node += 1
    return set(signs) if leads_back else set()


def _label_in(page: Page, note: int, label: str) -> set[int]:
    """Return the element at the start of a note that contains only the note's label, if there is one."""
    bare = label.strip(_BRACKETS)
    for node in range(note + 1, min(note + 8, int(page.end[note]))):
        text = _folded(page, node, _MAX_LABEL)
        if not page.is_text[node] and text.strip("[]().: ") == bare:
            return {node}
        if page.is_text[node] and text:
            break
    return set()


def _trimmed(page: Page, labels: dict[int, str], left_out: frozenset[int]) -> dict[int, str]:
    """Return the first text node of each note -> its text without the label, or the signs after a label left out."""
    trimmed = {}
    for note, label in labels.items():
        node, end, after_label = note + 1, min(int(page.end[note]), note + 12), False
        while node < end:
            if node in left_out:
                node, after_label = int(page.end[node]), True
                continue
            text = page.text_of(node) if page.is_text[node] else ""
            if text.strip():
                found = (_AFTER_LABEL if after_label else _NUMBER).match(text)
                if (
                    found is not None
                    and (after_label or found[1] == label.strip(_BRACKETS))
                    and found.end() < len(text)
                ):
                    trimmed[node] = " ".join(text[found.end() :].split())
                break
            node += 1
    return trimmed


def _wrappers(page: Page, references: Nodes) -> frozenset[int]:
    """Return the `sup` elements that contain references and punctuation only."""
    inside: dict[int, int] = defaultdict(int)
    raised = page.is_one_of(_RAISED)
    for reference in references.tolist():
        parent = int(page.parent[reference])
        if parent > 0 and raised[parent]:
            inside[parent] += int(page.text_end[reference] - page.text_start[reference])
    found = set()
    for sup, length in inside.items():
        text = page.text_of(sup)
        if len(text) - length <= 2 * length + 10 and _PUNCTUATION.fullmatch(_without(page, sup, references, text)):
            found.add(sup)
    return frozenset(found)


def _without(page: Page, sup: int, references: Nodes, text: str) -> str:
    """Return a text of a `sup` without that of the references in it."""
    first, last = references.searchsorted((sup, page.end[sup]))
    start, rest = int(page.text_start[sup]), []
    for reference in references[first:last].tolist():
        rest.append(page.text[start : page.text_start[reference]])
        start = int(page.text_end[reference])
    return "".join(rest) + text[start - int(page.text_start[sup]) :]
