"""What stands for parts of a page in its tokens: formulas, references to footnotes, and the footnotes themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes, has_ink
from dehusk.blocks.units.marks import footnotes_of, marks_of
from dehusk.read.names import NamePattern
from dehusk.read.page import Page
from dehusk.write.content.boxes import cents_apart, texts_apart
from dehusk.write.content.emails import hidden_emails

if TYPE_CHECKING:
    from dehusk.write.content.formulas import Formula, Formulas
    from dehusk.write.pruning import Pruned
_RT, _RP, _Q, _WITH_SIGNS = numbers("rt"), numbers("rp"), numbers("q"), numbers("rt q time")
_CELL, _INPUT, _ITEM, _BOX = numbers("td"), numbers("input"), numbers("li"), ("type", "disabled", "checked")
_TO_TASK = 20  # nodes from a box to the text of its task, at most
_TASKS = NamePattern(r"(?:^|\s)inline-task-list(?:$|\s)", "inline-task-list")
_TIME, _STAMP = numbers("time"), pattern(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z)?")
"""A time for programs, which a script would show as readers write it."""
_MARK = 3  # signs that mark a note, as "***", at most; set by hand
_QUOTATION_MARKS = frozenset("\"'“”„‘’«»‹›「『")
_AROUND_IMAGE = 4
"""Elements around an image of a formula in which the text beside it is looked for; set by hand."""
_OPENING, _CLOSING = frozenset("(["), frozenset(")],.;:")  # beside which a formula has no space


@dataclass(frozen=True)
class Inserts:
    """What stands for parts of the kept content of a page; the keys are nodes."""

    formulas: Formulas
    references: dict[int, str]
    """Reference to a footnote that is kept -> its label."""
    notes: dict[int, str]
    """Kept footnote -> its label."""
    asides: dict[int, str]
    """Kept footnote within a line -> its label: it is written after the text."""
    left_out: frozenset[int]
    """Nodes that are not written: links from a footnote back to the text, previews of formulas."""
    languages: dict[int, str]
    """Code listing -> its language."""
    listings: frozenset[int]
    """Elements that are listings though their names do not say so."""
    prose: frozenset[int]
    """Preformatted elements that are no listings though their names say so."""

    @property
    def marked(self) -> frozenset[str]:
        """The labels of footnotes that have references of their own."""
        return frozenset(self.references.values())

    def __bool__(self) -> bool:
        return bool(self.formulas or self.notes or self.asides or self.left_out or self.listings)


@cached_per_object
def formulas_of(page: Page) -> Formulas:
    """Return the formulas of a page."""
    from dehusk.write.content.formulas import Formulas, find_formulas  # noqa: PLC0415 (plain text rarely needs them)

    return find_formulas(page) if marks_of(page).formulas else Formulas()


def read_inserts(pruned: Pruned, tables: Nodes) -> Inserts:
    """Return what stands for parts of a page.

    Args:
        pruned: the kept nodes.
        tables: the tables of data, where no footnote can stand.
    """
    from dehusk.write.content.code import code_languages, other_listings  # noqa: PLC0415 (plain text does not name languages)
    from dehusk.write.content.prose import prose_listings  # noqa: PLC0415

    page, footnotes, formulas = pruned.page, footnotes_of(pruned.page), formulas_of(pruned.page)
    notes = _kept_notes(pruned, footnotes.notes, tables) if footnotes.notes else {}
    labels = frozenset(notes.values())
    asides = _kept_notes(pruned, footnotes.asides, tables[:0]) if footnotes.asides else {}
    copies = frozenset(node for node, label in asides.items() if label in labels)
    asides = {node: label for node, label in asides.items() if node not in copies}
    labels |= frozenset(asides.values())
    references = {node: label for node, label in footnotes.references.items() if label in labels}
    left_out = footnotes.left_out | formulas.previews | copies
    languages, listings = code_languages(page), other_listings(page)
    prose = frozenset() if languages or listings else prose_listings(page)
    return Inserts(formulas, references, notes, asides, left_out, languages, listings, prose)


def _kept_notes(pruned: Pruned, notes: dict[int, str], tables: Nodes) -> dict[int, str]:
    """Return the footnotes that are kept and not in tables."""
    page = pruned.page
    kept, in_table = np.zeros(len(page), dtype=np.bool_), page.within(tables) > 0
    kept[pruned.nodes] = True
    return {node: label for node, label in notes.items() if kept[node] and not in_table[node]}


@cached_per_object
def replacements(page: Page) -> dict[int, str]:
    """Return text node -> what stands for its text in plain text: raised numbers, formulas in dollar signs, emoji.

    The text of a box that follows a word directly begins with a space.
    """
    replaced = (_replacements(page, with_scripts=True) if any(marks_of(page)) else {}) | hidden_emails(page)
    _add_signs(page, replaced)
    for node in texts_apart(page):
        replaced[node] = f" {replaced.get(node, _text(page, node))}"
    for node, sign in _signs_beside(page).items():
        replaced[node] = f"{replaced.get(node, _text(page, node))} {sign}"
    return replaced


def _signs_beside(page: Page) -> dict[int, str]:
    """Return text node -> the sign after it that stands for a drawing in a cell."""
    if not len(page.nodes_of(_CELL)):
        return {}
    from dehusk.write.content.grids import signs_beside  # noqa: PLC0415 (for pages with tables)

    return signs_beside(page)


@cached_per_object
def replacements_in_runs(page: Page) -> dict[int, str]:
    """Return text node -> what stands for its text where formulas are runs of their own."""
    from dehusk.write.content.recipes import counted_steps  # noqa: PLC0415 (plain text has the numbers of the page)

    replaced = (_replacements(page, with_scripts=False) if any(marks_of(page)) else {}) | hidden_emails(page)
    _add_signs(page, replaced)
    return counted_steps(page) | replaced


def _add_signs(page: Page, replaced: dict[int, str]) -> None:
    """Add what pages draw around texts: the point of a price, boxes of tasks, quotation marks of `q`, readings.

    A time that only programs read is written as a date and a time of day.
    Readings, which `ruby` has above the words, get brackets, unless the page has its own for where there is no `ruby`.
    """
    for node, sign in cents_apart(page).items():
        replaced[node] = f"{sign}{replaced.get(node, _text(page, node))}"
    for node, sign in tasks_of(page).items():
        replaced[node] = f"{sign} {replaced.get(node, _text(page, node))}"
    if not len(page.nodes_of(_WITH_SIGNS)):
        return
    for node in page.nodes_of(_TIME).tolist():
        if stamp := _STAMP.fullmatch(page.text_of(node).strip()):
            _replace(page, replaced, node, f"{stamp[1]} {stamp[2]}{' UTC' if stamp[3] else ''}")

    def shown(text: int) -> str:
        return replaced[text] if text in replaced else _text(page, text)

    bracketed = set(page.parent[page.nodes_of(_RP)].tolist())
    readings = [node for node in page.nodes_of(_RT).tolist() if int(page.parent[node]) not in bracketed]
    for nodes, signs in ((readings, "()"), (page.nodes_of(_Q).tolist(), "“”")):
        for node in nodes:
            texts = _texts(page, node)
            first = next(filter(shown, texts), 0)  # of hundreds of elements in one another, each has the texts of all
            if first and page.text_of(first).lstrip()[:1] not in _QUOTATION_MARKS:
                last = next(filter(shown, reversed(texts)))
                replaced[first] = f"{signs[0]}{shown(first)}"
                replaced[last] = f"{shown(last)}{signs[1]}"


def tasks_of(page: Page) -> dict[int, str]:
    """Return text node -> the sign before it, for the items of lists of tasks, whose boxes readers cannot tick."""
    found, boxes = dict[int, str](), page.nodes_of(_INPUT)
    if not len(boxes):
        return _listed_tasks(page)
    items = page.parent[boxes]
    items = np.where(page.tag[items] == _ITEM, items, page.parent[items])
    is_in_item = page.tag[items] == _ITEM
    boxes, items = boxes[is_in_item], items[is_in_item]
    states = zip(*page.elements.columns(boxes, _BOX), strict=True)
    for box, item, (kind, state, is_done) in zip(boxes.tolist(), items.tolist(), states, strict=True):
        if kind != "checkbox" or state is None:
            continue
        inside = range(box, min(int(page.end[item]), box + _TO_TASK))
        if text := next((node for node in inside if page.is_text[node] and _text(page, node)), 0):
            found[text] = "☐" if is_done is None else "☑"
    return found | _listed_tasks(page)


def _listed_tasks(page: Page) -> dict[int, str]:
    """Return the same of Confluence's lists of tasks, which have no boxes: classes say what is done."""
    if not (lists := page.classes.named(_TASKS)):
        return {}
    items, texts = page.nodes_of(_ITEM), has_ink(page).nonzero()[0]
    items = items[page.has_class(lists)[page.parent[items]]]
    items = items[texts.searchsorted(items) < texts.searchsorted(page.end[items])]
    rows = zip(texts[texts.searchsorted(items)].tolist(), page.class_code[items].tolist(), strict=True)
    return {text: "☑" if "checked" in page.class_names[code].split() else "☐" for text, code in rows}


def _replacements(page: Page, *, with_scripts: bool) -> dict[int, str]:
    from dehusk.write.content.ornaments import sign_places  # noqa: PLC0415 (for pages with such marks)
    from dehusk.write.content.raised import raised_texts  # noqa: PLC0415

    replaced = raised_texts(page)
    formulas, footnotes = formulas_of(page), footnotes_of(page)
    replaced |= footnotes.trimmed
    for node in footnotes.left_out | formulas.previews:
        replaced |= dict.fromkeys(_texts(page, node), "")
    for node, label in footnotes.references.items():
        sign = _text(page, node).strip("[]()")
        is_sign = 0 < len(sign) <= _MARK and not any(map(str.isalnum, sign))
        _replace(page, replaced, node, f"[{sign if is_sign else label}]")  # not a number that goes on with a word
    for node, formula in formulas.roots.items():
        _replace(page, replaced, node, dollars(formula))
    if with_scripts:
        _add_formulas(page, replaced, formulas)
    for node, (first, after) in (sign_places(page) if marks_of(page).emoji else {}).items():
        if replaced.get(node, "-"):  # not if the text is left out
            _add(page, replaced, node, " ".join(first), before=True)
            _add(page, replaced, node, " ".join(after), before=False)
    return replaced


def _replace(page: Page, replaced: dict[int, str], node: int, text: str) -> None:
    """Put a text in place of all text of a subtree: at its first letter, as white space before it is of no block."""
    texts = _texts(page, node)
    replaced |= dict.fromkeys(texts, "")
    if inked := [each for each in texts if not page.text_of(each).isspace()]:
        replaced[inked[0]] = text


def _add_formulas(page: Page, replaced: dict[int, str], formulas: Formulas) -> None:
    """Add the formulas that have no text of their own, of scripts and of images, to the text beside them.

    That of an image alone in its paragraph goes to the text before it, however far above both are in one element.
    """
    for before, places in ((True, formulas.first), (False, formulas.after)):
        for node, several in places.items():
            _add(page, replaced, node, " ".join(map(dollars, several)), before=before)
    for node, formula in formulas.roots.items():
        if not any(_text(page, text) for text in _texts(page, node)):
            around = _inked_around(page, node)
            last = [text for text in around if text < node][-1:]
            _add(page, replaced, (last or around or [node])[0], dollars(formula), before=not last)


def _inked_around(page: Page, node: int) -> list[int]:
    """Return the text nodes with letters of the smallest element around a node that has any."""
    around = node
    for _ in range(_AROUND_IMAGE):
        around = int(page.parent[around])
        found = [text for text in _texts(page, around) if _text(page, text)] if around >= 0 else []
        if found or around <= 0:
            return found
    return []


def _texts(page: Page, node: int) -> list[int]:
    """Return the text nodes of a subtree that have text, but those of alternative texts."""
    nodes = node + page.is_text[node : page.end[node]].nonzero()[0]
    shown: list[int] = nodes[page.text_end[nodes] > page.text_start[nodes]].tolist()
    pictures = {*page.alt_nodes[slice(*page.alt_nodes.searchsorted((node, page.end[node])))].tolist()}
    return [text for text in shown if text not in pictures] if pictures else shown


def _text(page: Page, node: int) -> str:
    """Return the text of a node, with white space folded and trimmed."""
    return " ".join(page.text_of(node).split())


def dollars(formula: Formula) -> str:
    """Return a formula in dollar signs."""
    return f"$${formula.tex}$$" if formula.display else f"${formula.tex}$"


def _add(page: Page, replaced: dict[int, str], node: int, text: str, *, before: bool) -> None:
    """Add what only a script or an image holds to the text next to its place."""
    texts = _texts(page, node)
    if texts and text:
        place = texts[0 if before else -1]
        old = replaced.get(place, _text(page, place))
        beside = old[:1] in _CLOSING if before else old[-1:] in _OPENING
        parts = (text, old) if before else (old, text)
        replaced[place] = ("" if beside else " ").join(parts)
