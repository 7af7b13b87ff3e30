"""Sums over the subtrees of a page, and the elements that go with a block."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport as_f64, memory, new_array, values
from dehusk.compiled.blocks cimport Blocks, Page, per_block, read_blocks
from dehusk.compiled.first_use cimport once

cdef object _place = None  # dehusk.label.features.place, which imports this module


cdef bint _subtrees_ready = False


cdef int prepare_subtrees() except -1:
    """Find the module of the functions; it imports this one."""
    global _place
    from dehusk.label.features import place
    _place = place
    return 0


cdef object python_side():
    once(&_subtrees_ready, prepare_subtrees)
    return _place


cdef object filled(object kind, dict fields):
    """Return a dataclass with its fields set, as its constructor would, in a fourth of the time."""
    made = kind.__new__(kind)
    made.__dict__.update(fields)
    return made


def running_words(object blocks):
    """Return the unlinked words of each block of running text, 0 for other blocks, shape (b,).

    Running text has at least `MIN_RUNNING_WORDS` words, half of them or more outside links.
    """
    cdef Page tree
    cdef Blocks rows
    read_blocks(blocks, &tree, &rows)
    cdef int32_t least = python_side().MIN_RUNNING_WORDS
    cdef int32_t *words = per_block(blocks.words, &rows)
    cdef int32_t *linked = per_block(blocks.link_words, &rows)
    running = new_array(rows.b, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(running)
    cdef int32_t i, unlinked
    for i in range(rows.b):
        unlinked = words[i] - linked[i]
        out[i] = unlinked if words[i] >= least and 2 * unlinked >= words[i] else 0
    return running


cdef void add_up(Page *tree, Blocks *rows, int32_t **column, int32_t *sums, double **out) noexcept nogil:
    """Fill `before`, `count`, `words`, `linked` and `running` of `SubtreeCounts`.

    Args:
        tree: the page.
        rows: its blocks.
        column: (3,) words, linked words and running words of each block.
        sums: (4 (n + 1),) memory: numbers of blocks and words before each node.
        out: (5,) the columns.
    """
    cdef int32_t i, j, part, block = 0
    for part in range(4):
        sums[part] = 0
    for i in range(tree.n):
        for part in range(4):
            sums[4 * i + 4 + part] = sums[4 * i + part]
        if block < rows.b and rows.first[block] == i:
            sums[4 * i + 4] += 1
            for part in range(3):
                sums[4 * i + 5 + part] += column[part][block]
            block += 1
    for i in range(tree.n):
        j = 4 * tree.end[i]
        out[0][i] = sums[4 * i]
        for part in range(4):
            out[part + 1][i] = sums[j + part] - sums[4 * i + part]


def count_subtrees(object blocks):
    """Count the blocks and words in each subtree of the page."""
    cdef Page tree
    cdef Blocks rows
    read_blocks(blocks, &tree, &rows)
    cdef int32_t *column[3]
    cdef double *out[5]
    cdef int part
    running = running_words(blocks)
    column[0] = per_block(blocks.words, &rows)
    column[1] = per_block(blocks.link_words, &rows)
    column[2] = per_block(running, &rows)
    counts = {"running_words": running}
    for part, name in enumerate(("before", "count", "words", "linked", "running")):
        counts[name] = made = new_array(tree.n, cnp.NPY_FLOAT64)
        out[part] = <double *>values(made)
    cdef int32_t *sums = <int32_t *>memory((<size_t>tree.n + 1) * 4 * sizeof(int32_t))
    add_up(&tree, &rows, column, sums, out)
    free(sums)
    return filled(_place.SubtreeCounts, counts)


def topmost(object blocks):
    """Return for each node, shape (n,), the outermost element around it (or itself) with the same number of blocks."""
    cdef Page tree
    cdef Blocks rows
    read_blocks(blocks, &tree, &rows)
    cdef double *count = as_f64(python_side().count_subtrees(blocks).count)
    found = new_array(tree.n, cnp.NPY_INT64)
    cdef int64_t *out = <int64_t *>values(found)
    cdef int32_t i
    out[0] = 0
    for i in range(1, tree.n):
        out[i] = out[tree.parent[i]] if count[tree.parent[i]] == count[i] else i
    return found
