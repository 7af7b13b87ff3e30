"""Sections, which are headings with what they head, and runs of paragraphs: units that no single element defines."""

import numpy as np

from dehusk.base.tags import HEADINGS, TAG_NUMBER
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices, sums_before
from dehusk.blocks.units.ranges import INNER, Ranges, innermost
from dehusk.blocks.units.skeleton import CHARS_PER_WORD, Skeleton, skeleton_of, tag_table
from dehusk.blocks.units.structures import find_structures
from dehusk.read.page import Bools

MIN_HEADED = 20
"""A heading heads what follows in the smallest element around it that has this many words after it."""

_LEVELS = [TAG_NUMBER[name] for name in sorted(HEADINGS)]
_HEADING, _P, _DIV = tag_table(HEADINGS), tag_table("p"), tag_table("div")
_BOUNDS = tag_table("body article section main aside nav footer li dd td th figure blockquote details dialog")


def section_ranges(blocks: Blocks, nested: Ranges, kind: int) -> Ranges:
    """Return the sections of a page.

    A section starts with a heading. It ends before the next heading of the same or a higher level, and at the latest
    where the smallest element around the heading ends that has `MIN_HEADED` words after it or is a sectioning element
    such as `article` or `li`. A section that would overlap another unit ends before it.

    Args:
        blocks: the blocks of a page.
        nested: all other units except runs of paragraphs.
        kind: what the ranges get as their kind.
    """
    tree = skeleton_of(blocks)
    heading = _headings(tree)
    first, level = tree.first[heading], tree.tag[heading].astype(np.intp)
    end = np.minimum(_element_ends(blocks, heading), _next_headings(first, level, len(blocks)))
    end = _clipped(nested, first, end, len(blocks))
    limit = np.full(len(blocks), len(blocks))
    for number in np.unique(level).tolist():  # an inner section ends with the outer one at the latest
        here = (level == number).nonzero()[0]
        end[here] = np.minimum(end[here], limit[first[here]])
        here = here[end[here] > tree.end[heading[here]]]
        if len(here):
            section = here[first[here].searchsorted(np.arange(len(blocks)), "right") - 1]
            inside = (np.arange(len(blocks)) >= first[section]) & (np.arange(len(blocks)) < end[section])
            limit = np.where(inside, end[section], limit)
    heads = end > tree.end[heading]
    first = first[heads]
    return Ranges.alike(kind, first, end[heads], np.full(len(first), -1), INNER + level[heads])


def _headings(tree: Skeleton) -> Indices:
    is_heading = tree.has_tag(_HEADING)
    outermost: Bools = is_heading & (tree.inside_of(is_heading) == 1)
    return outermost.nonzero()[0]


def _element_ends(blocks: Blocks, heading: Indices) -> Indices:
    """Return where the element ends whose content each heading can head at most."""
    tree = skeleton_of(blocks)
    before = sums_before(np.maximum(blocks.words, blocks.chars // CHARS_PER_WORD))
    is_bound = tree.has_tag(_BOUNDS)
    around = np.maximum(tree.parent[heading], 0)
    own = before[tree.end[heading]]
    active = np.arange(len(heading))
    while len(active):
        element = around[active]
        words = before[tree.end[element]] - own[active]
        active = active[(words < MIN_HEADED) & ((words == 0) | ~is_bound[element]) & (element > 0)]
        around[active] = tree.parent[around[active]]
    return tree.end[around]


def _next_headings(first: Indices, level: Indices, size: int) -> Indices:
    """Return the block of the next heading of the same or a higher level, `size` if there is none."""
    following = np.full(len(first), size)
    for number in np.unique(level).tolist():
        here, starts = level == number, np.append(first[level <= number], size)
        following[here] = starts[starts.searchsorted(first[here], "right")]
    return following


def _clipped(nested: Ranges, first: Indices, end: Indices, size: int) -> Indices:
    """Return the ends of sections, so that none overlaps another unit without one containing the other."""
    unit = innermost(nested, size)
    if not len(nested.first):
        return end
    around = unit[first]
    end = np.where(around >= 0, np.minimum(end, nested.end[around]), end)
    clipped, last = end.copy(), unit[end - 1]
    active = ((last >= 0) & (nested.first[last] > first)).nonzero()[0]
    while len(active):
        inner = last[active]
        crossed = nested.end[inner] > end[active]
        clipped[active[crossed]] = nested.first[inner[crossed]]
        last[active] = nested.parent[inner]
        active = active[(last[active] >= 0) & (nested.first[last[active]] > first[active])]
    return clipped


def paragraph_runs(blocks: Blocks, others: Ranges, kind: int) -> Ranges:
    """Return the runs of adjacent paragraphs, or of lines of text, in one element and one unit.

    Args:
        blocks: the blocks of a page.
        others: all other units.
        kind: what the ranges get as their kind.
    """
    tree = skeleton_of(blocks)
    is_paragraph = _are_paragraphs(tree)[tree.holder]
    element = np.where(is_paragraph, tree.parent[tree.holder], tree.holder)
    free = _may_be_paragraphs(blocks)[tree.innermost]
    starts = np.zeros(len(blocks) + 1, dtype=np.bool_)
    starts[:1] = starts[others.first] = starts[others.end] = True
    starts[1:-1] |= (element[1:] != element[:-1]) | ~free[1:] | ~free[:-1]
    first = starts[: len(blocks)].nonzero()[0]
    end = np.append(first[1:], len(blocks))[: len(first)]
    is_run = free[first] & ((end - first > 1) | is_paragraph[first])
    first, end = first[is_run], end[is_run]
    return Ranges.alike(kind, first, end, np.full(len(first), -1), np.full(len(first), 2 * INNER))


def _are_paragraphs(tree: Skeleton) -> Bools:
    """Return which elements are paragraphs: `p`, and each `div` of one block without class."""
    is_plain = tree.has_tag(_DIV) & (tree.signature < tree.n_tags) & (tree.end - tree.first == 1)
    plain: Bools = is_plain | tree.has_tag(_P)
    return plain


def _may_be_paragraphs(blocks: Blocks) -> Bools:
    """Return which elements of the skeleton are neither in headings nor in tables of data or code listings."""
    tree, parts = skeleton_of(blocks), find_structures(blocks)
    others = tree.has_tag(_HEADING) | parts.tables | parts.listings
    free: Bools = tree.inside_of(others) == 0
    return free
