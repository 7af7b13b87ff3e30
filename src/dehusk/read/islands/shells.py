"""How much running text the elements of a page hold, and whether it is a shell that scripts are to fill."""

from __future__ import annotations

from itertools import chain

from dehusk.compiled.text import chars_of_texts
from dehusk.read.elements import ParsedElements
from dehusk.read.nodes import NodeColumns

MUCH_TEXT, LONG = 2000, 60
"""Characters of running text in a page's elements from which on its data is not searched; it is in texts this long."""
MAX_SHOWN = 4000
"""Characters of text in the elements of a page whose data is searched."""
SHELL_CHARS = 200
"""Characters of text from which on a page is no shell."""
PROSE_CHARS, IDEOGRAPHS, PER_IDEOGRAPH = 50, "\u2e80", 3
"""Characters of paragraphs from which on a page is no shell, where one from this on counts as so many; set by hand,
below two short lines of a notice. Shells of the open sets have at most a line of rights."""
_SCRIPTS = "script:not([type*=json], [type*=math]), link[rel=modulepreload], link[as=script]"
_PARAGRAPHS = "body :is(p, blockquote, pre)"
_DATA_SIGNS = ("{", "[", "&#")
"""One of these is in each attribute with data."""
_DATA_ELEMENTS = "script, template"
_CONTAINERS = "body :is(div[id], section, main, article)"


def may_hold_data(elements: ParsedElements) -> bool:
    """Return whether a page may hold data outside of its text: in attributes, scripts or templates."""
    return any(sign in elements.text for sign in _DATA_SIGNS) or bool(elements.select(_DATA_ELEMENTS))


def is_shell(columns: NodeColumns) -> bool:
    """Return whether a page is a shell: nearly no text, no paragraphs, scripts, and an empty element for them to fill.

    The empty element is a section, a main, an article, or one with an id or a name of the page's own. Scripts that a
    page only announces count, because many tools save pages without scripts.

    Args:
        columns: those of a page with less than `SHELL_CHARS` of running text.
    """
    elements = columns.elements
    if chars_of_texts(columns, 1, SHELL_CHARS) >= SHELL_CHARS or not elements.select(_SCRIPTS) or _has_prose(elements):
        return False
    if any("javascript" in element.text.lower() for element in elements.select("noscript")):
        return True
    own = (element for element in elements.select("body *") if "-" in element.tag and element.tag[:4] != "mjx-")
    return any(not element.text.strip() for element in chain(elements.select(_CONTAINERS), own))


def _has_prose(elements: ParsedElements) -> bool:
    """Return whether paragraphs say something, which is not that scripts are needed."""
    texts = [element.text for element in elements.select(_PARAGRAPHS) if "javascript" not in element.text.lower()]
    said = "".join(chain.from_iterable(map(str.split, texts)))
    return sum(PER_IDEOGRAPH if sign >= IDEOGRAPHS else 1 for sign in said) >= PROSE_CHARS
