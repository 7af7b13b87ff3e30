"""How deep each post is in its thread: by nesting, by what classes and attributes say, or by indentation."""

import itertools
import re

import numpy as np

from dehusk.about.posts.extents import Extents
from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices, distinct, mix, sums_before
from dehusk.blocks.units.skeleton import skeleton_of
from dehusk.read.names import NameWords
from dehusk.read.page import Page

_LEVEL = pattern(
    r"(?:^|[-_\s])(?:depth|level|lvl|indent|nest(?:ing|ed)?|tier|ident)(?:[-_]?level)?[-_]?(\d{1,2})(?:$|[-_\s])",
    re.IGNORECASE,
)
_LEVELS = NameWords("depth level lvl indent nest tier ident")
_ATTRIBUTES = (
    "data-depth",
    "data-level",
    "aria-level",
    "depth",
    "level",
    "indent",
    "data-indent",
    "data-nesting-level",
)
_STYLE = pattern(r"(?:margin|padding)-(?:left|inline-start)\s*:\s*(\d{1,4}(?:\.\d+)?)(r?em|pt|%)?", re.IGNORECASE)
_PIXELS = {"em": 16, "rem": 16, "pt": 4 / 3, "%": 8}
"""Pixels of units other than the pixel: of text in the size of browsers, in a column of 800."""
_SPACER = TAG_NUMBER["img"]
_NEAR = 6  # elements at the start of a post in which its indentation is
MAX_DEPTH = 99
MOST = 0.8
"""Share of the posts that begin an element of the same tag and class if these elements are posts with their replies."""


def find_depths(blocks: Blocks, around: Extents) -> list[int]:
    """Return the depth of each post, 0 for the outermost."""
    page, nested = blocks.page, _by_nesting(blocks, around)
    if max(nested, default=0) > 0:
        return nested
    for read in (_by_name, _by_indentation):
        depths = read(page, around)
        if depths is not None:
            return depths
    return nested


def _by_nesting(blocks: Blocks, around: Extents) -> list[int]:
    """Return how many other posts each post is inside.

    If there are elements of one tag and class that each begin with a post of their own, such as the items of nested
    lists, the depth of a post is the number of those around it.
    """
    page, tree, anchors = blocks.page, skeleton_of(blocks), around.anchor
    k = len(anchors)
    before = sums_before(np.bincount(anchors, minlength=len(page)))
    inside = before[page.end[tree.node]] - before[tree.node]
    element = np.flatnonzero((inside > 0) & (inside < k))
    first = before[tree.node[element]]
    pairs, _, _ = distinct(mix(tree.signature[element], first))
    lead, kind, size = distinct(tree.signature[element])
    begun = np.bincount(kind[pairs], minlength=len(lead))
    fits = (begun == size) & (size >= MOST * k)
    depths = np.zeros(k, dtype=np.intp)
    for chosen in np.flatnonzero(fits).tolist():
        own = kind == chosen
        depth = page.within(tree.node[element[own]])[anchors].astype(np.intp)
        depth = np.maximum(depth - depth[first[own]].min(), 0)
        depths = depth if depth.max() > depths.max() else depths
    return [min(depth, MAX_DEPTH) for depth in depths.tolist()]


def _by_name(page: Page, around: Extents) -> list[int] | None:
    near = _near_all(page, around)
    return _relative(_first_known(near, _named_levels(page, _all_of(near))))


def _named_levels(page: Page, nodes: Indices) -> dict[int, float]:
    """Return the levels that classes and attributes of elements name."""
    named = ((code, _LEVEL.search(page.class_names[code])) for code in page.classes.having(_LEVELS))
    by_class = {code: float(match[1]) for code, match in named if match}
    levels: dict[int, float] = {}
    columns = page.elements.columns(nodes, _ATTRIBUTES)
    for node, code, *values in zip(nodes.tolist(), page.class_code[nodes].tolist(), *columns, strict=True):
        written = (float(value) for value in values if value and value.strip().isdecimal() and len(value) < 4)
        level = by_class[code] if code in by_class else next(written, None)
        if level is not None:
            levels[node] = level
    return levels


def _by_indentation(page: Page, around: Extents) -> list[int] | None:
    near = _near_all(page, around)
    indents = _first_known(near, _indents(page, _all_of(near)))
    known = sorted({width for width in indents if width is not None})
    if len(known) < 2 or sum(width is not None for width in indents) < 0.4 * len(indents):
        return None
    step = min(b - a for a, b in itertools.pairwise(known))
    base = min(0.0, known[0]) if None in indents else known[0]
    if step <= 0:
        return None
    return [min(MAX_DEPTH, round(((width if width is not None else base) - base) / step)) for width in indents]


def _indents(page: Page, nodes: Indices) -> dict[int, float]:
    """Return how many pixels the styles of elements, or invisible images, move posts to the side."""
    indents: dict[int, float] = {}
    columns = page.elements.columns(nodes, ("style", "width", "height", "alt"))
    for node, tag, style, width, height, alt in zip(nodes.tolist(), page.tag[nodes].tolist(), *columns, strict=True):
        if match := _STYLE.search(style or ""):
            indents[node] = round(float(match[1]) * _PIXELS.get((match[2] or "").lower(), 1))
        elif (
            tag == _SPACER
            and not (alt or "").strip()
            and (width or "").isdecimal()
            and len(width) < 5
            and height in ("1", "0")
        ):
            indents[node] = float(width or "")
    return indents


def _near_all(page: Page, around: Extents) -> list[list[int]]:
    return [_near(page, *ends) for ends in zip(around.root.tolist(), around.outer.tolist(), strict=True)]


def _all_of(near: list[list[int]]) -> Indices:
    return np.array(sorted(set(itertools.chain.from_iterable(near))), dtype=np.intp)


def _first_known(near: list[list[int]], values: dict[int, float]) -> list[float | None]:
    """Return for each post the value of the first of its elements that has one."""
    return [next((values[node] for node in nodes if node in values), None) for nodes in near]


def _near(page: Page, root: int, outer: int) -> list[int]:
    """Return the first elements of a post, and those around it up to the outermost that is its own."""
    inside = [node for node in range(root, min(int(page.end[root]), root + 2 * _NEAR)) if page.tag[node]][:_NEAR]
    above = root
    found: list[int] = []
    while above > outer and len(found) < _NEAR:
        above = int(page.parent[above])
        found.append(above)
    return inside + found


def _relative(levels: list[float | None]) -> list[int] | None:
    known = [level for level in levels if level is not None]
    if len(known) < 0.6 * len(levels) or len(set(known)) < 2:
        return None
    lowest = min(known)
    return [min(MAX_DEPTH, int(level - lowest)) if level is not None else 0 for level in levels]
