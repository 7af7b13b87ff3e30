"""The title of a page as its main heading, where it is a line of its own: `<div class=headline>Tea</div>` as an h1."""

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.headlines import line_of_title
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes

_HEADINGS = numbers(HEADINGS)
_PLAIN = frozenset(("b", "big", "center", "div", "em", "font", "header", "i", "p", "section", "span", "strong"))
"""Names of elements that can become a heading."""
_LINES = frozenset(("center", "div", "header", "p", "section"))


def with_headline(labels: Labels, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, with the element of the title as h1 if it has nothing else.

    Args:
        labels: the labels of a page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.
    """
    blocks, page = labels.blocks, labels.blocks.page
    block = line_of_title(blocks, labels.kept)
    if block < 0 or page.within_at(page.nodes_of(_HEADINGS), blocks.first[[block]]).any():
        return names
    found, around = -1, int(page.parent[blocks.first[block]])
    while around > 0 and names[nodes.searchsorted(around)] in _PLAIN:
        first, end = blocks.first.searchsorted((around, page.end[around])).tolist()
        if end - first > 1:
            break
        found = around if page.end[around] > blocks.last[block] else -1
        around = int(page.parent[around])
    is_inline = found < 0 or names[nodes.searchsorted(found)] not in _LINES
    if found < 0 or (is_inline and around > 0 and names[nodes.searchsorted(around)] == "p"):
        return names
    names = names.copy()
    inside = slice(*nodes.searchsorted((found, page.end[found])).tolist())
    names[inside] = ["span" if name in _LINES else name for name in names[inside]]
    names[inside.start] = "h1"
    return names
