"""How much running text the elements of a page hold, and whether it is a shell that scripts are to fill."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, chain

from dehusk.read.elements import ParsedElements

MUCH_TEXT = 2000
"""Characters of running text in a page's elements from which on its data is not searched."""
_LONG = 60  # characters of a text that may be running text
_SHELL_CHARS = 200
_SCRIPTS = "script, link[rel=modulepreload], link[as=script]"
_CONTAINERS = "body :is(div[id], section, main, article)"


def running_chars(texts: Iterable[str]) -> int:
    """Return the number of characters in long texts."""
    return sum(len(text.strip()) for text in texts if len(text) >= _LONG)


def is_shell(elements: ParsedElements, texts: Iterable[str]) -> bool:
    """Return whether a page is a shell: nearly no text, scripts, and an empty element for them to fill.

    The empty element is a section, a main, an article, or one with an id or a name of the page's own. Scripts that a
    page only announces count, because many tools save pages without scripts.
    """
    shown = accumulate(len(text.strip()) for text in texts)
    if any(chars >= _SHELL_CHARS for chars in shown) or not elements.select(_SCRIPTS):
        return False
    if any("javascript" in element.text.lower() for element in elements.select("noscript")):
        return True
    own = (element for element in elements.select("body *") if "-" in element.tag)
    return any(not element.text.strip() for element in chain(elements.select(_CONTAINERS), own))
