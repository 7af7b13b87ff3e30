"""Pages and blocks as pointers, sets of tags as bits, and what separates blocks.

`read_page` and `read_blocks` raise a ValueError if columns lead out of each other. The result of this test is stored in
the page and in the blocks, whose columns do not change.
"""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

from dehusk.compiled.arrays cimport as_i32, new_array, size_of, values

# Sets of tags; a holder is a block-level element that can contain text.
cdef enum:
    HOLDER = 1 << 0
    BR = 1 << 1
    HR = 1 << 2
    PRE = 1 << 3
    LISTING = 1 << 4
    LINK = 1 << 5
    TABLE = 1 << 6
    CELL = 1 << 7
    LIST = 1 << 8
    ORDERED = 1 << 9
    ITEM = 1 << 10
    HEADING = 1 << 11
    PARAGRAPH = 1 << 12
    MAIN = 1 << 13
    CODE = 1 << 14
    BUTTON = 1 << 15
    RAISED = 1 << 16
    LOWERED = 1 << 17
    IMAGE = 1 << 18
    WBR = 1 << 19
    FIGURE = 1 << 20
    ROW = 1 << 21
    SECTION = 1 << 22  # of a table
    CAPTION = 1 << 23

# What separates a block from the kept block before it: `dehusk.blocks.layout.Gap`.
cdef enum:
    NOTHING = 0
    SPACE = 1
    LINE = 2
    BREAK = 3

# What is at a node: the start or end of a holder or an `hr`, a `br`, a line of preformatted text.
cdef enum:
    IS_HARD = 1
    IS_SOFT = 2
    IS_LINE = 4

# The kinds of blocks: indices into `dehusk.blocks.labels.KINDS`.
cdef enum:
    HEADER_KIND = 0
    LIST_KIND = 1
    PARAGRAPH_KIND = 2
    CONTINUATION_KIND = 3
    OTHER_KIND = 4
    TABLE_KIND = 5
    CODE_KIND = 6
    COMMENT_KIND = 7

cdef struct Page:
    int32_t n  # nodes
    int32_t chars  # of the text
    int32_t classes, ids  # names of class and id attributes
    const uint16_t *tag
    const int32_t *parent
    const int32_t *end
    const int32_t *start
    const int32_t *stop
    const int32_t *class_code
    const int32_t *id_code

cdef struct Blocks:
    int32_t b  # blocks
    int32_t chars  # of the text
    const int32_t *first
    const int32_t *last
    const int32_t *node
    const int32_t *start
    const int32_t *end
    const int32_t *source

cdef uint32_t[0x10000] flags_of

cdef int read_page(object given, Page *page) except -1
cdef int read_blocks(object given, Page *page, Blocks *blocks) except -1
cdef int check_indices(object indices, Py_ssize_t limit) except -1
cdef int mark_breaks(const Page *page, object line_nodes, uint8_t *at) except -1


cdef inline int text_end(const Blocks *blocks, Py_ssize_t block) noexcept nogil:
    """Return the offset in the page's text where a block ends."""
    return blocks.source[blocks.end[block] - 1] + 1


cdef inline int gap(const Blocks *blocks, const uint8_t *at, Py_ssize_t before, Py_ssize_t after) noexcept nogil:
    """Return what separates two blocks, given what is at each node."""
    cdef int32_t node
    cdef int breaks = 0
    cdef uint8_t seen = 0
    for node in range(blocks.last[before] + 1, blocks.first[after] + 1):
        seen |= at[node]
        breaks += (at[node] & IS_SOFT) != 0
    if seen & IS_HARD or breaks > 1:
        return BREAK
    if breaks or seen & IS_LINE:
        return LINE
    if after == before + 1 and blocks.source[blocks.start[after]] == text_end(blocks, before):
        return NOTHING
    return SPACE


cdef inline int32_t *per_block(object column, const Blocks *blocks) except NULL:
    """Return a pointer to a column of 32-bit numbers with one row per block."""
    if size_of(column) != blocks.b:
        raise ValueError("a column has not one row per block")
    return as_i32(column)


cdef inline double *reals(dict columns, str name, const Blocks *blocks) except NULL:
    """Add a column of 64-bit floating-point numbers; return a pointer to its values, which are not set."""
    columns[name] = column = new_array(blocks.b, cnp.NPY_FLOAT64)
    return <double *>values(column)


cdef inline int64_t *integers(dict columns, str name, const Blocks *blocks) except NULL:
    """Add a column of 64-bit integers; return a pointer to its values, which are not set."""
    columns[name] = column = new_array(blocks.b, cnp.NPY_INT64)
    return <int64_t *>values(column)


cdef inline int32_t *ints(dict columns, str name, const Blocks *blocks) except NULL:
    """Add a column of 32-bit integers; return a pointer to its values, which are not set."""
    columns[name] = column = new_array(blocks.b, cnp.NPY_INT32)
    return <int32_t *>values(column)


cdef inline uint8_t *bools(dict columns, str name, const Blocks *blocks) except NULL:
    """Add a column of truth values; return a pointer to its values, which are not set."""
    columns[name] = column = new_array(blocks.b, cnp.NPY_BOOL)
    return <uint8_t *>values(column)


cdef inline int32_t below(const Blocks *blocks, int32_t node) noexcept nogil:
    """Return the number of blocks that start before a node."""
    cdef int32_t low = 0, high = blocks.b, middle
    while low < high:
        middle = low + (high - low) // 2
        if blocks.first[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low
