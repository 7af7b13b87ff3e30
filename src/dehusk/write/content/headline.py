"""Headings that other elements are, as the title in a line or `<div role=heading>`; and bylines in headings."""

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.headlines import line_of_title
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes, are_among
from dehusk.read.names import NamePattern
from dehusk.read.page import Page
from dehusk.read.signs import source_signs

_HEADINGS, _HEADING_TAGS = numbers(HEADINGS), frozenset(numbers(HEADINGS).tolist())
_MAIN = numbers("h1")
_AUTHOR = NamePattern(r"(?:^|\s)(?:[\w-]{0,20}author[-_]?name|byline)(?:$|\s)", "author byline")
_TO_BYLINE = 5  # kept blocks up to the byline, at most
_LINES = frozenset(("center", "div", "header", "p", "section"))
_PLAIN = _LINES | {"b", "big", "em", "font", "i", "span", "strong"}
"""Names of elements that can become a heading."""
_INSIDE = _PLAIN | {"", "a", "abbr", "code", "img", "s", "small", "sub", "sup", "time", "u", "wbr"}
_LEVELS = frozenset("123456")
_LONGEST = 300  # characters of a heading by its role


def with_headline(labels: Labels, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, with the heading of the title, or an element of nothing else, as h1.

    Args:
        labels: the labels of a page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.
    """
    blocks, page = labels.blocks, labels.blocks.page
    names = _with_plain_byline(labels, nodes, names)
    block = line_of_title(blocks, labels.kept)
    if block < 0:
        return names
    heading = int(blocks.first[block])
    while heading >= 0 and page.tag[heading] not in _HEADING_TAGS:
        heading = int(page.parent[heading])
    if heading >= 0:
        names = names.copy()
        names[nodes.searchsorted(heading)] = "h1"
        return names
    found, around = -1, int(page.parent[blocks.first[block]])
    while around > 0 and (name := names[nodes.searchsorted(around)]) in _PLAIN | {"a"}:
        first, end = blocks.first.searchsorted((around, page.end[around])).tolist()
        if end - first > 1:
            break
        found = around if name != "a" and page.end[around] > blocks.last[block] else found
        around = int(page.parent[around])
        if found >= 0 and name in _LINES:
            break
    is_inline = found < 0 or names[nodes.searchsorted(found)] not in _LINES
    if found < 0 or (is_inline and around > 0 and names[nodes.searchsorted(around)] == "p"):
        return names
    names = names.copy()
    _make_heading(names, slice(*nodes.searchsorted((found, page.end[found])).tolist()), 1)
    return names


def _with_plain_byline(labels: Labels, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements with the only heading that is named as an author's as a line, if it is a byline."""
    blocks, page = labels.blocks, labels.blocks.page
    codes = page.classes.named(_AUTHOR)
    if not codes:
        return names
    headings = page.nodes_of(_HEADINGS)
    found = headings[page.has_class(codes)[headings] & are_among(headings, nodes)]
    above = blocks.first[labels.kept.nonzero()[0][:_TO_BYLINE]]
    if len(found) != 1 or not (page.nodes_of(_MAIN) < found[0]).any() or found[0] > above[-1]:
        return names
    names = names.copy()
    names[nodes.searchsorted(found)] = "p"
    return names


def with_heading_roles(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, (m,), with those as headings whose role is to be one."""
    if not source_signs(page).heads:
        return names
    plain = np.array([name in _PLAIN for name in names], dtype=np.bool_)
    short = page.text_end[nodes] - page.text_start[nodes] <= _LONGEST
    places = (plain & short).nonzero()[0]
    roles, levels = page.elements.columns(nodes[places], ("role", "aria-level"))
    names, end = names.copy(), -1
    for place, role, level in zip(places.tolist(), roles, levels, strict=True):
        if role != "heading" or place < end:
            continue
        inside = slice(place, int(nodes.searchsorted(page.end[nodes[place]])))
        if all(name in _INSIDE for name in names[inside]):
            _make_heading(names, inside, int(level) if level in _LEVELS else 2)
            end = inside.stop
    return names


def _make_heading(names: npt.NDArray[np.object_], inside: slice, level: int) -> None:
    """Name the first element of a slice as a heading, and those in it that would be lines of their own as spans."""
    names[inside] = ["span" if name in _LINES else name for name in names[inside]]
    names[inside.start] = f"h{level}"
