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
    sections = page.nodes_of(_SECTION)
    sections = sections[page.is_one_of(_ITEM)[page.parent[sections]]] if len(sections) else sections
    parts = {int(page.parent[section]) for section in sections.tolist() if _is_part(page, section)}
    if not parts:
        return frozenset()
    others = {int(page.parent[item]) for item in page.nodes_of(_ITEM).tolist() if item not in parts}
    parts = {item for item in parts if int(page.parent[item]) not in others}
    return frozenset(parts | {int(page.parent[item]) for item in parts})


def _is_part(page: Page, section: int) -> bool:
    """Return whether the item around a section is nothing but the section, which begins with a heading."""
    item = int(page.parent[section])
    end = int(page.end[item])
    heading = _shown_after(page, section, end)
    is_one = heading < end and page.tag[heading] in _HEADINGS and _shown_after(page, item, end) == section
    return is_one and bool(page.text_end[item] - page.text_end[section] <= _SPACE)


def _shown_after(page: Page, node: int, end: int) -> int:
    """Return the first node after another one that is not white space, `end` if none comes before."""
    after = range(node + 1, end)
    return next((each for each in after if not page.is_text[each] or page.text_of(each).strip()), end)


def with_lists(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, (m,), with such lists as `ol` or as lines."""
    if numbered := numbered_lists(page):
        names = np.where(np.isin(nodes, [*numbered]) & (names == "ul"), "ol", names)
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
    items = page.nodes_of(_ITEM)
    if len(items) < 2:
        return names
    around = page.parent[items]
    places = nodes.searchsorted(items)
    is_kept = np.append(nodes, -1)[places] == items
    kept, all_items = (np.bincount(each, minlength=len(page))[around] for each in (around[is_kept], around))
    is_left = is_kept & (kept == 1) & (all_items > 1) & (page.text_end[items] - page.text_start[items] <= _SHORT)
    pairs = [
        (outer, place)
        for outer, place in zip(nodes.searchsorted(around[is_left]).tolist(), places[is_left].tolist(), strict=True)
        if names[outer] in _LISTS
    ]
    if not pairs:
        return names
    names = names.copy()
    names[np.concatenate(pairs)] = "div"
    return names
