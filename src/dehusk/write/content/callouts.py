"""Lines that a reader sees as titles though they head no section: of notes in boxes, and of what a click opens.

A note in a box becomes a quotation, as Markdown readers show it: a strong line, "Note", over what it says. The
questions of a list of questions, and buttons that open what follows them, become `summary`, which writers of tokens
have as a strong line. A box that is named a quotation, with what is said as its heading, is one.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.layout import Nodes, are_among
from dehusk.blocks.units.admonitions import admonitions_of
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_QUESTION = NamePattern(
    r"(?:faq|accordion|collapsible|expander)[\w-]{0,30}(?:question|title|(?<!sub)heading|header|label|button|trigger|summary)"
    r"|elementor-(?:toggle|tab)-title|^expand-control-text$",
    "faq accordion collapsible expander elementor-t expand-control",
)
_BUTTON, _HEADINGS = numbers("button"), numbers(HEADINGS)
_LONG_TITLE, _SPACE = 120, 200  # characters of a title, and those in which what it opens starts; set by hand
_PULL_QUOTE = NamePattern(r"(?:^|[\s_-])(?:pull-?)?quote(?:$|\s)", "quote")
_LONG_QUOTE, _LARGE_BOX, _MARKS = 1_000, 100, frozenset("“”„«»「」")
"""Characters of such a box with its white space, and nodes, at most, set by hand; and what is in what it quotes."""
_OPENERS = ("button", "div", "p", "span")
_LINES, _BOXES = ("div", "h4", "h5", "h6", "p", "span", "summary"), ("aside", "details", "div", "section")


def with_callouts(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, with the boxes of notes as quotations and their titles as strong.

    Args:
        page: a page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.
    """
    names = _with_pull_quotes(page, nodes, names)
    places = dict[int, int]()
    for title, box in admonitions_of(page):
        place, around = nodes.searchsorted((title, box)).tolist()
        is_kept = place < len(nodes) and nodes[place] == title and nodes[around] == box
        if is_kept and names[place] in _LINES and names[around] in _BOXES:
            places[place] = around
    if not places:
        return names
    names = names.copy()
    names[[*places.values()]] = "blockquote"
    names[[*places]] = "strong"
    return names


def _with_pull_quotes(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names, (m,), with boxes that are named a quotation, and have one for a heading, as quotations."""
    boxes = page.nodes_of_class(_PULL_QUOTE)
    if not len(boxes):
        return names
    boxes = boxes[(page.text_end[boxes] - page.text_start[boxes]) <= _LONG_QUOTE]
    boxes, names = boxes[are_among(boxes, nodes)], names.copy()
    ends = nodes.searchsorted(page.end[boxes]).tolist()
    for place, end in zip(nodes.searchsorted(boxes).tolist(), ends, strict=True):
        heads = [at for at in range(place, min(end, place + _LARGE_BOX)) if names[at] in HEADINGS]
        if names[place] in _BOXES and len(heads) == 1 and _MARKS & {*page.text_of(int(nodes[heads[0]]))}:
            names[place], names[heads[0]] = "blockquote", "p"
    return names


def with_questions(page: Page, nodes: Nodes, names: list[str]) -> list[str]:
    """Return the names of elements in the output, (m,), with the titles of parts that a click opens as summaries."""
    codes, titles = page.classes.named(_QUESTION), _opening(page, nodes)
    if not codes and not titles:
        return names
    named = page.has_class(codes)[nodes]
    named[titles] = True
    rows = zip(names, named.tolist(), strict=True)
    return ["summary" if is_one and name in _OPENERS else name for name, is_one in rows]


def _opening(page: Page, nodes: Nodes) -> list[int]:
    """Return the places of buttons that open what follows them: they say whether it is open, and what is kept of it."""
    buttons = nodes[page.is_one_of(_BUTTON)[nodes]]
    if not len(buttons):
        return []
    (states,) = page.elements.columns(buttons, ("aria-expanded",))
    buttons = buttons[[state is not None for state in states]]
    around = page.parent[buttons]
    around = np.where(page.is_one_of(_HEADINGS)[around], page.parent[around], around)
    follows = nodes.searchsorted(page.end[buttons]) < nodes.searchsorted(page.end[around])
    is_line = page.text_end[buttons] - page.text_start[buttons] <= _LONG_TITLE
    buttons, around = buttons[follows & is_line], around[follows & is_line]
    spans = zip(page.text_end[buttons].tolist(), page.text_end[around].tolist(), strict=True)
    has_text = [bool(page.text[start : min(end, start + _SPACE)].strip()) for start, end in spans]
    titles: list[int] = nodes.searchsorted(buttons[has_text]).tolist() if len(buttons) else []
    return titles
