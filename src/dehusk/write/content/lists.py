"""Lists that are not what their elements say: one item that is left of several, and numbers that only a style gives.

The one short item that is kept of a list with several is a line and no list, such as the date beside a share button. A
`ul` whose own style or that of its first item is decimal is shown with numbers, as the steps of many recipes are.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Page

_ITEM, _UNORDERED, _LISTS = numbers("li"), numbers("ul"), ("ol", "ul")
_DECIMAL = pattern(r"list-style(?:-type)?\s*:[^;]{0,40}?decimal")
_SHORT = 100  # characters of the item, with white space; set by hand


@cached_per_object
def numbered_lists(page: Page) -> frozenset[int]:
    """Return the `ul` elements of a page whose items a style attribute numbers."""
    lists = page.nodes_of(_UNORDERED)
    items = page.nodes_of(_ITEM)
    if not len(lists) or not len(items):
        return frozenset()
    first = items[np.minimum(items.searchsorted(lists), len(items) - 1)]
    own, of_item = page.elements.values(lists, "style"), page.elements.values(first, "style")
    rows = zip(lists.tolist(), (page.parent[first] == lists).tolist(), own, of_item, strict=True)
    styles = ((node, f"{style or ''};{(item or '') if has_item else ''}") for node, has_item, style, item in rows)
    return frozenset(node for node, style in styles if "decimal" in style and _DECIMAL.search(style))


def with_lists(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, (m,), with such lists as `ol` or as lines."""
    numbered = np.isin(nodes, [*numbered_lists(page)]) & (names == "ul")
    if numbered.any():
        names = np.where(numbered, "ol", names)
    return with_lines_for_items(page, nodes, names)


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
