"""Lines that a reader sees as titles though they head no section: of notes in boxes, and of what a click opens.

A note in a box becomes a quotation, as Markdown readers show it: a strong line, "Note", over what it says. The classes
are those of Sphinx, MkDocs, Docusaurus, Starlight, Hugo, Obsidian, GitHub and Bootstrap. The questions of a list of
questions become `summary`, which writers of tokens have as a strong line.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks.layout import Nodes
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_WORDS = "admonition callout alert starlight-aside"
_TITLE = NamePattern(
    r"(?:^|[\s_-])(?:admonition|callout|markdown-alert|alert|starlight-aside)(?:[_-]{0,2}(?:title|heading)|heading_\w+)",
    _WORDS,
)
_BOX = NamePattern(r"(?:^|[\s_-])(?:admonition|callout|markdown-alert|alert|starlight-aside)(?:$|[\s_])", _WORDS)
_QUESTION = NamePattern(
    r"(?:faq|accordion|collapsible|expander)[\w-]{0,30}(?:question|title|(?<!sub)heading|header|label|button|trigger|summary)"
    r"|elementor-(?:toggle|tab)-title",
    "faq accordion collapsible expander elementor-t",
)
_OPENERS = ("button", "div", "p", "span")
_LINES, _BOXES = ("div", "h4", "h5", "h6", "p", "span", "summary"), ("aside", "details", "div", "section")
_LEVELS = 4  # elements between a box and its title, at most; the engines named above have one or two


def with_callouts(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, with the boxes of notes as quotations and their titles as strong.

    Args:
        page: a page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.
    """
    titles, boxes = page.classes.named(_TITLE), page.classes.named(_BOX)
    if not titles or not boxes:
        return names
    places, titled = dict[int, int](), set[int]()
    for place in page.has_class(titles)[nodes].nonzero()[0].tolist():
        box = int(page.parent[nodes[place]])
        for _ in range(_LEVELS):
            box = int(page.parent[box]) if box > 0 and int(page.class_code[box]) not in boxes else box
        around = int(nodes.searchsorted(box)) if box > 0 and int(page.class_code[box]) in boxes else -1
        if around >= 0 and names[place] in _LINES and names[around] in _BOXES and around not in titled:
            places[place] = around
            titled.add(around)
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
