"""XPaths of many elements at once: `Page.xpath` looks at all siblings anew for each step of each path.

Ordinals among siblings of one name come from one sort; the paths are then written on one walk in document order.
"""

import re
from collections.abc import Iterable

import numpy as np

from dehusk.page import Ints, Page

_PLAIN_NAME = re.compile(r"[^\W\d][\w.-]*")


def ordinals(page: Page) -> Ints:
    """Return for each node, shape (n,), its place among the children of its parent that have its tag, from 1 on."""
    n = len(page)
    key = page.parent.astype(np.int64) * 0x10000 + page.tag
    order = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[order], prepend=-(1 << 62)))
    ordinal = np.zeros(n, dtype=np.int32)
    ordinal[order] = np.arange(n) - np.repeat(begins, np.diff(np.append(begins, n))) + 1
    return ordinal


def xpaths(page: Page, nodes: Iterable[int]) -> dict[int, str]:
    """Return the absolute XPath of each of the elements in the HTML5 tree (scripting off).

    Names that XPath could not read (`o:p`, names with quotes) are written as `*[name()=…]`.
    """
    wanted = np.unique(np.fromiter(nodes, dtype=np.intp))
    if not len(wanted):
        return {}
    marks = np.zeros(len(page) + 1, dtype=np.int64)
    marks[wanted + 1] = 1
    before = np.cumsum(marks)
    on_path = np.flatnonzero(before[page.end] > before[:-1])
    ordinal, end, is_wanted = ordinals(page)[on_path], page.end[on_path], marks[on_path + 1] > 0
    found: dict[int, str] = {}
    stack: list[tuple[int, str]] = []
    rows = zip(on_path.tolist(), ordinal.tolist(), end.tolist(), is_wanted.tolist(), strict=True)
    for node, place, stop, asked in rows:
        while stack and stack[-1][0] <= node:
            stack.pop()
        path = f"{stack[-1][1]}/{_test(page.tag_name(node))}[{place}]" if stack else f"/html/{page.tag_name(0)}"
        if asked:
            found[node] = path
        stack.append((stop, path))
    return found


def _test(name: str) -> str:
    """Return the node test that finds an element by its name."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    if "'" not in name:
        return f"*[name()='{name}']"
    if '"' not in name:
        return f'*[name()="{name}"]'
    parts = ', "\'", '.join(f"'{part}'" for part in name.split("'"))
    return f"*[name()=concat({parts})]"
