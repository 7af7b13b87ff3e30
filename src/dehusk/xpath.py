"""XPaths of many elements at once.

A single sort gives the index of every element among its siblings of the same name; a single pass in document order then
writes the paths.
"""

import re
from collections.abc import Iterable

import numpy as np

from dehusk.page import Ints, Page

_PLAIN_NAME = re.compile(r"[^\W\d][\w.-]*")


def ordinals(page: Page) -> Ints:
    """Return for each node, shape (n,), its index among its siblings with the same tag, starting at 1."""
    n = len(page)
    key = page.parent.astype(np.int64) * 0x10000 + page.tag
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-(1 << 62)))
    ordinal = np.zeros(n, dtype=np.int32)
    ordinal[order] = np.arange(n) - np.repeat(starts, np.diff(np.append(starts, n))) + 1
    return ordinal


def xpaths(page: Page, nodes: Iterable[int]) -> dict[int, str]:
    """Return node -> absolute XPath in the HTML5 tree (scripting off), for elements of a page.

    A name that is not valid in XPath (`o:p`, names with quotes) is written as `*[name()=…]`.
    """
    requested = np.unique(np.fromiter(nodes, dtype=np.intp))
    if not len(requested):
        return {}
    marks = np.zeros(len(page) + 1, dtype=np.int64)
    marks[requested + 1] = 1
    before = np.cumsum(marks)
    on_path = np.flatnonzero(before[page.end] > before[:-1])
    ordinal, end, is_requested = ordinals(page)[on_path], page.end[on_path], marks[on_path + 1] > 0
    paths: dict[int, str] = {}
    open_elements: list[tuple[int, str]] = []  # (end of the subtree, path)
    rows = zip(on_path.tolist(), ordinal.tolist(), end.tolist(), is_requested.tolist(), strict=True)
    for node, index, stop, requested_here in rows:
        while open_elements and open_elements[-1][0] <= node:
            open_elements.pop()
        step = f"{_node_test(page.tag_name(node))}[{index}]"
        path = f"{open_elements[-1][1]}/{step}" if open_elements else f"/html/{page.tag_name(0)}"
        if requested_here:
            paths[node] = path
        open_elements.append((stop, path))
    return paths


def _node_test(name: str) -> str:
    """Return the XPath node test that matches elements by their name."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    if "'" not in name:
        return f"*[name()='{name}']"
    if '"' not in name:
        return f'*[name()="{name}"]'
    parts = ', "\'", '.join(f"'{part}'" for part in name.split("'"))
    return f"*[name()=concat({parts})]"
