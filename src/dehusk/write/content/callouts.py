"""Lines that a reader sees as titles though they head no section: of notes in boxes, and of what a click opens.

A note in a box becomes a quotation, as Markdown readers show it: a strong line, "Note", over what it says. The
questions of a list of questions become `summary`, which writers of tokens have as a strong line.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks.layout import Nodes
from dehusk.blocks.units.admonitions import admonitions_of
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_QUESTION = NamePattern(
    r"(?:faq|accordion|collapsible|expander)[\w-]{0,30}(?:question|title|(?<!sub)heading|header|label|button|trigger|summary)"
    r"|elementor-(?:toggle|tab)-title|^expand-control-text$",
    "faq accordion collapsible expander elementor-t expand-control",
)
_OPENERS = ("button", "div", "p", "span")
_LINES, _BOXES = ("div", "h4", "h5", "h6", "p", "span", "summary"), ("aside", "details", "div", "section")


def with_callouts(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, with the boxes of notes as quotations and their titles as strong.

    Args:
        page: a page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.
    """
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


def with_questions(page: Page, nodes: Nodes, names: list[str]) -> list[str]:
    """Return the names of elements in the output, (m,), with the titles of parts that a click opens as summaries."""
    codes = page.classes.named(_QUESTION)
    if not codes:
        return names
    named = page.has_class(codes)[nodes].tolist()
    return ["summary" if is_one and name in _OPENERS else name for name, is_one in zip(names, named, strict=True)]
