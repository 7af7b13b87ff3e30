"""Headings: which level each block has, and those of which nothing below is kept."""

from libc.stdint cimport uint8_t, uint16_t

from dehusk.compiled.arrays cimport as_bool, as_u16, as_u8, new_array, size_of, values
from dehusk.compiled.blocks cimport HEADING, Blocks, Page, below, flags_of, read_blocks
from dehusk.compiled.first_use cimport once

cdef enum: HEADING_LEVELS = 6


def heading_levels(object blocks, object tags):
    """Return the level of the innermost heading that begins before each block and contains its start, shape (b,).

    Args:
        blocks: the blocks of a page.
        tags: the tags of headings of the first level, the second, and so on.
    """
    cdef Page page
    cdef Blocks rows
    cdef int32_t node, block
    cdef uint8_t level
    once(&_is_ready, prepare)
    read_blocks(blocks, &page, &rows)
    if size_of(tags) != HEADING_LEVELS:
        raise ValueError("there are six levels of headings")
    cdef const uint16_t *tag_of = as_u16(tags)
    found = new_array(rows.b, cnp.NPY_UINT8)
    cdef uint8_t *levels = <uint8_t *>values(found)
    for block in range(rows.b):
        levels[block] = 0
    for node in range(page.n):
        if flags_of[page.tag[node]] & HEADING:
            level = 0
            while level < HEADING_LEVELS and tag_of[level] != page.tag[node]:
                level += 1
            for block in range(below(&rows, node), below(&rows, page.end[node])):
                levels[block] = level + 1
    return found


cdef void _next_kept(const uint8_t *levels, const uint8_t *kept, Py_ssize_t b, Py_ssize_t *block, int *level) noexcept:
    """Go to the kept block after one; at the end to a heading of the first level after all blocks."""
    block[0] += 1
    while block[0] < b and not kept[block[0]]:
        block[0] += 1
    level[0] = levels[block[0]] if block[0] < b else 1


def bare_headings(object levels, object kept):
    """Return (block, level, whether blocks are dropped below) of the kept headings with no kept text, ascending.

    What follows such a heading next is a heading that is not deeper, or nothing.

    Args:
        levels: (b,) what `heading_levels` returns.
        kept: (b,) whether each block is kept.
    """
    cdef Py_ssize_t b = size_of(levels), block = -1, after
    cdef const uint8_t *level_of = as_u8(levels)
    cdef const uint8_t *is_kept = as_bool(kept)
    cdef int level, level_after
    if size_of(kept) != b:
        raise ValueError("there is not one truth value for each block")
    bare = []
    _next_kept(level_of, is_kept, b, &block, &level)
    while block < b:
        after = block
        _next_kept(level_of, is_kept, b, &after, &level_after)
        if level and 0 < level_after <= level:
            bare.append((block, level, after > block + 1))
        block, level = after, level_after
    return bare
