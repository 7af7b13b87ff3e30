"""How deep each post is in its thread: by nesting, by what classes and attributes say, or by indentation."""

import itertools
import re

import numpy as np

from dehusk.blocks import Blocks
from dehusk.lazy import pattern
from dehusk.page import Page
from dehusk.posts.extents import Extents
from dehusk.tags import TAG_NUMBER
from dehusk.units.keys import distinct, mix, sums_before
from dehusk.units.skeleton import skeleton_of

_LEVEL = pattern(
    r"(?:^|[-_\s])(?:depth|level|lvl|indent|nest(?:ing|ed)?|tier|ident)(?:[-_]?level)?[-_]?(\d{1,2})(?:$|[-_\s])",
    re.IGNORECASE,
)
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
_SPACER = np.array([TAG_NUMBER["img"]], dtype=np.uint16)
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
    levels = []
    for node, outer in zip(around.root.tolist(), around.outer.tolist(), strict=True):
        levels.append(
            next((level for one in _near(page, node, outer) if (level := _named_level(page, one)) is not None), None)
        )
    return _relative(levels)


def _named_level(page: Page, node: int) -> float | None:
    match = _LEVEL.search(page.class_names[int(page.class_code[node])])
    if match:
        return float(match[1])
    for name in _ATTRIBUTES:
        value = page.attribute(node, name)
        if value and value.strip().isdecimal() and len(value) < 4:
            return float(value)
    return None


def _by_indentation(page: Page, around: Extents) -> list[int] | None:
    indents = []
    for node, outer in zip(around.root.tolist(), around.outer.tolist(), strict=True):
        indents.append(
            next((width for one in _near(page, node, outer) if (width := _indent(page, one)) is not None), None)
        )
    known = sorted({width for width in indents if width is not None})
    if len(known) < 2 or sum(width is not None for width in indents) < 0.4 * len(indents):
        return None
    step = min(b - a for a, b in itertools.pairwise(known))
    base = min(0.0, known[0]) if None in indents else known[0]
    if step <= 0:
        return None
    return [min(MAX_DEPTH, round(((width if width is not None else base) - base) / step)) for width in indents]


def _indent(page: Page, node: int) -> float | None:
    """Return how many pixels the style of an element, or an invisible image, moves a post to the side."""
    match = _STYLE.search(page.attribute(node, "style") or "")
    if match:
        return round(float(match[1]) * _PIXELS.get((match[2] or "").lower(), 1))
    width = page.attribute(node, "width") or ""
    is_spacer = bool(np.isin(page.tag[node], _SPACER)) and not (page.attribute(node, "alt") or "").strip()
    return float(width) if is_spacer and width.isdecimal() and page.attribute(node, "height") in ("1", "0") else None


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
