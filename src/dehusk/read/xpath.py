"""XPaths of many elements at once, bounded in length.

A single sort gives the index of every element among its siblings of the same name; cumulative sums give the lengths of
all paths, and a single pass in document order writes those that are short enough. The others are written as the number
of the element in the document, `(//*)[1234]`, which selects the same element.
"""

from bisect import bisect_right
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.read.page import Ints, Page

MAX_PATH = 1000
"""Maximum number of characters of a path of steps; a longer path is written as the element's number."""
PATH_CHARS = 500_000
PATH_SHARE = 4
"""The steps of all elements of a page have at most `PATH_CHARS` characters and `PATH_SHARE` times its source: if a page
has many elements for its size, paths are written as numbers from a length below `MAX_PATH` on."""

_PLAIN_NAME = pattern(r"[^\W\d][\w.-]*")
_SHARED_TAG = 0xFFFF  # from this number on, names share it, so the name of such an element is unknown
_POWERS = 10 ** np.arange(1, 10)
_Sizes = npt.NDArray[np.int64]


def ordinals(page: Page) -> Ints:
    """Return for each node, shape (n,), its index among its siblings with the same tag, starting at 1."""
    n = len(page)
    key = page.parent.astype(np.int64) * 0x10000 + page.tag
    order = key.argsort(kind="stable")
    starts = np.diff(key[order], prepend=-(1 << 62)).nonzero()[0]
    ordinal = np.zeros(n, dtype=np.int32)
    ordinal[order] = np.arange(n) - starts.repeat(np.diff(np.append(starts, n))) + 1
    return ordinal


def xpaths(page: Page, nodes: Iterable[int]) -> dict[int, str]:
    """Return node -> absolute XPath in the HTML5 tree (scripting off), for elements of a page.

    A path selects exactly one element. It has at most `MAX_PATH` characters and depends on the page only, not on the
    other nodes. A name that is not valid in XPath (`o:p`, names with quotes) is written as `*[name()=…]`. An element
    whose steps are too long is written as its number among all elements of the document, html and head included:
    `(//*)[1234]`, or `(//*[not(ancestor::template)])[1234]` on a page with elements in templates, because browsers keep
    these in trees of their own. What comes from the page's data has the path of what holds it.
    """
    requested = np.unique(np.fromiter(nodes, dtype=np.intp))
    if not len(requested):
        return {}
    ordinal, tests = ordinals(page), _node_tests(page)
    is_long = _lengths(page, ordinal, tests) > _longest(page)
    numbered, spelled = requested[is_long[requested]], requested[~is_long[requested]]
    marks = np.zeros(len(page) + 1, dtype=np.int64)
    marks[spelled + 1] = 1
    before = marks.cumsum()
    on_path = (before[page.end] > before[:-1]).nonzero()[0]
    paths: dict[int, str] = _numbers(page, numbered)
    open_elements: list[tuple[int, str]] = []  # (end of the subtree, path)
    columns = (on_path, ordinal[on_path], page.tag[on_path], page.end[on_path], marks[on_path + 1] > 0)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for node, index, tag, stop, is_requested in rows:
        while open_elements and open_elements[-1][0] <= node:
            open_elements.pop()
        path = f"{open_elements[-1][1]}/{tests[tag]}[{index}]" if open_elements else f"/html/{page.tag_name(0)}"
        if is_requested:
            paths[node] = path
        open_elements.append((stop, path))
    if page.islands:
        paths.update(_of_islands(page, requested[page.in_island[requested]].tolist()))
    return dict(sorted(paths.items())) if len(numbered) else paths


def _of_islands(page: Page, nodes: list[int]) -> dict[int, str]:
    """Return node -> path of the script, template or attribute it comes from, for nodes of the page's data."""
    starts = [island.node for island in page.islands]
    return {node: page.islands[bisect_right(starts, node) - 1].xpath for node in nodes}


def _longest(page: Page) -> int:
    """Return the maximum number of characters of a path of steps on a page."""
    n_elements = len(page) - int(page.is_text.sum())
    return min(MAX_PATH, (PATH_CHARS + PATH_SHARE * len(page.elements.text)) // n_elements)


def _lengths(page: Page, ordinal: Ints, tests: dict[int, str]) -> _Sizes:
    """Return the number of characters of the steps of each node, shape (n,): a sum over the elements above it."""
    size_of = np.zeros(0x10000, dtype=np.int64)
    size_of[list(tests)] = [len(test) + len("/[1]") for test in tests.values()]
    size_of[_SHARED_TAG] = MAX_PATH + 1
    sizes = size_of[page.tag] + _POWERS.searchsorted(ordinal, side="right")
    change = np.zeros(len(page) + 1, dtype=np.int64)
    np.subtract.at(change, page.end, sizes)
    change[:-1] += sizes
    return change[:-1].cumsum() + len("/html")


def _numbers(page: Page, nodes: npt.NDArray[np.intp]) -> dict[int, str]:
    """Return node -> path by the number of the element in the document."""
    if not len(nodes):
        return {}
    all_elements = "(//*[not(ancestor::template)])" if page.elements.has_templates else "(//*)"
    numbers = page.elements.numbers(nodes)
    return {node: f"{all_elements}[{number}]" for node, number in zip(nodes.tolist(), numbers.tolist(), strict=True)}


def _node_tests(page: Page) -> dict[int, str]:
    """Return tag number -> node test, for the tags of a page."""
    _, first = np.unique(page.tag, return_index=True)
    return {int(page.tag[node]): _node_test(page.tag_name(node)) for node in first.tolist() if not page.is_text[node]}


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
