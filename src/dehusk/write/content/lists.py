"""Lists that are not what their elements say: one item that is left of several, numbers that only a style gives, parts.

The one short item that is kept of a list with several is a line and no list, such as the date beside a share button. A
`ul` whose own style or that of its first item is decimal is shown with numbers, as the steps of many recipes are. A
`ul` whose items are each a `section` that begins with a heading has the parts of a page, as those of Javadoc.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Page

_SECTION, _HEADINGS = numbers("section"), frozenset(numbers(HEADINGS).tolist())
_ITEM, _UNORDERED, _LISTS = numbers("li"), numbers("ul"), ("ol", "ul")
_DECIMAL = pattern(r"list-style(?:-type)?\s*:[^;]{0,40}?decimal")
_SPACE = 80  # characters of white space after a section
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


@cached_per_object
def lists_of_parts(page: Page) -> frozenset[int]:
    """Return the `ul` elements whose items are sections with headings, and these items."""
    items = page.nodes_of(_ITEM)
    if not len(items) or not len(page.nodes_of(_SECTION)):
        return frozenset()
    is_part = {item: _is_part(page, item) for item in items.tolist()}
    others = {int(page.parent[item]) for item, is_one in is_part.items() if not is_one}
    parts = [item for item, is_one in is_part.items() if is_one and int(page.parent[item]) not in others]
    return frozenset([*parts, *(int(page.parent[item]) for item in parts)])


def _is_part(page: Page, item: int) -> bool:
    """Return whether an item is nothing but a section that begins with a heading."""
    section = item + 1
    while section < page.end[item] and page.is_text[section] and not page.text_of(section).strip():
        section += 1
    heading = section + 1
    while heading < page.end[item] and page.is_text[heading] and not page.text_of(heading).strip():
        heading += 1
    is_one = heading < page.end[item] and page.tag[section] in _SECTION and page.tag[heading] in _HEADINGS
    return bool(is_one) and page.text_end[item] - page.text_end[section] <= _SPACE


def with_lists(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, (m,), with such lists as `ol` or as lines."""
    numbered = np.isin(nodes, [*numbered_lists(page)]) & (names == "ul")
    if numbered.any():
        names = np.where(numbered, "ol", names)
    if parts := lists_of_parts(page):
        names = np.where(np.isin(nodes, [*parts]) & np.isin(names, ("ul", "li")), "div", names)
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
