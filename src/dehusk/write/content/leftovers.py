"""The one short item that is kept of a list with several: a line and no list, as the date beside a share button."""

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Page

_ITEM, _LISTS = numbers("li"), ("ol", "ul")
_SHORT = 100  # characters of the item, with white space; set by hand


def with_lines_for_items(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, with such lists and their items as div.

    Args:
        page: a page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.
    """
    all_items = page.nodes_of(_ITEM)
    items = all_items[np.isin(all_items, nodes)] if len(all_items) > 1 else all_items[:0]
    if not len(items):
        return names
    lists, first, kept = np.unique(page.parent[items], return_index=True, return_counts=True)
    siblings = np.bincount(page.parent[all_items], minlength=len(page))[lists]
    own = items[first]
    is_left = (kept == 1) & (siblings > 1) & (page.text_end[own] - page.text_start[own] <= _SHORT)
    left = [(around, item) for around, item in zip(lists[is_left].tolist(), own[is_left].tolist(), strict=True)]
    places = [nodes.searchsorted(pair) for pair in left if names[nodes.searchsorted(pair[0])] in _LISTS]
    if not places:
        return names
    names = names.copy()
    names[np.concatenate(places)] = "div"
    return names
