# cython: language_level=3
"""Pages and blocks as structs of pointers, and memory for kernels.

Columns are read only after `tree_of` or `rows_of` found every index in them valid; other pages are a ValueError. The
result of this test is stored in the page and in the blocks, whose columns do not change.
"""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, malloc

from dehusk.compiled.arrays cimport as_i32, as_u16, new_array, size_of, values


cdef struct Tree:
    int32_t n  # nodes
    int32_t classes, ids  # names of class and id attributes
    const uint16_t *tag
    const int32_t *parent
    const int32_t *end
    const int32_t *class_code
    const int32_t *id_code


cdef struct Rows:
    int32_t b  # blocks
    int32_t chars  # characters of the text
    const int32_t *first
    const int32_t *node
    const int32_t *start
    const int32_t *end


cdef inline bint is_tree(Tree *tree) noexcept nogil:
    """Return whether parents come before their children, subtrees are nested, and codes have names."""
    cdef int32_t i, up
    cdef bint sound = tree.n == 0 or (tree.parent[0] == -1 and tree.end[0] == tree.n)
    for i in range(tree.n):  # no branches, so that several nodes are tested at once
        sound &= (tree.class_code[i] >= 0) & (tree.class_code[i] < tree.classes)
        sound &= (tree.id_code[i] >= 0) & (tree.id_code[i] < tree.ids)
    for i in range(1, tree.n):
        up = tree.parent[i]
        sound &= (up >= 0) & (up < i) & (tree.end[i] > i)
        sound &= tree.end[i] <= tree.end[up if 0 <= up < i else 0]
    return sound


cdef inline int tree_of(object page, Tree *tree) except -1:
    """Fill the struct of a page; raises ValueError if its columns are not valid."""
    tree.tag, tree.parent, tree.end = as_u16(page.tag), as_i32(page.parent), as_i32(page.end)
    tree.class_code, tree.id_code = as_i32(page.class_code), as_i32(page.id_code)
    tree.n = <int32_t>size_of(page.tag)
    tree.classes, tree.ids = <int32_t>len(page.class_names), <int32_t>len(page.id_names)
    cdef dict known = page.__dict__
    if "_is_tree" not in known:
        lengths = {size_of(column) for column in (page.tag, page.parent, page.end, page.class_code, page.id_code)}
        known["_is_tree"] = len(lengths) == 1 and is_tree(tree)
    if not known["_is_tree"]:
        raise ValueError("the columns of the page do not fit together")
    return 0


cdef inline bint are_rows(Rows *rows, Tree *tree) noexcept nogil:
    """Return whether the blocks follow each other, have text, and are in elements of the page."""
    cdef int32_t i, node, before = -1, reached = 0
    for i in range(rows.b):
        node = rows.node[i]
        if rows.first[i] <= before or rows.first[i] >= tree.n or node < 0 or node > rows.first[i]:
            return False
        if rows.start[i] < reached or rows.end[i] <= rows.start[i] or tree.end[node] <= rows.first[i]:
            return False
        before, reached = rows.first[i], rows.end[i]
    return reached <= rows.chars


cdef inline int rows_of(object blocks, Tree *tree, Rows *rows) except -1:
    """Fill the structs of blocks and of their page; raises ValueError if the columns are not valid."""
    tree_of(blocks.page, tree)
    rows.first, rows.node = as_i32(blocks.first), as_i32(blocks.node)
    rows.start, rows.end = as_i32(blocks.start), as_i32(blocks.end)
    rows.b, rows.chars = <int32_t>size_of(blocks.first), <int32_t>size_of(blocks.code_points)
    cdef dict known = blocks.__dict__
    if "_are_rows" not in known:
        lengths = {size_of(column) for column in (blocks.first, blocks.node, blocks.start, blocks.end)}
        known["_are_rows"] = len(lengths) == 1 and are_rows(rows, tree)
    if not known["_are_rows"]:
        raise ValueError("the columns of the blocks do not fit their page")
    return 0


cdef inline int32_t *per_block(object column, Rows *rows) except NULL:
    """Return a pointer to a column of 32-bit numbers with one row per block."""
    if size_of(column) != rows.b:
        raise ValueError("a column has not one row per block")
    return as_i32(column)


cdef inline void *memory(size_t size) except NULL:
    """Return memory whose values are not set; the caller frees it."""
    cdef void *found = malloc(size + 1)
    if found == NULL:
        raise MemoryError
    return found


cdef inline void *zeros(size_t size) except NULL:
    """Return memory filled with zeros; the caller frees it."""
    cdef void *found = calloc(size + 1, 1)
    if found == NULL:
        raise MemoryError
    return found


cdef inline double *reals(dict columns, str name, Rows *rows) except NULL:
    """Add a column of 64-bit floating-point numbers; return a pointer to its values, which are not set."""
    columns[name] = column = new_array(rows.b, cnp.NPY_FLOAT64)
    return <double *>values(column)


cdef inline int64_t *integers(dict columns, str name, Rows *rows) except NULL:
    """Add a column of 64-bit integers; return a pointer to its values, which are not set."""
    columns[name] = column = new_array(rows.b, cnp.NPY_INT64)
    return <int64_t *>values(column)


cdef inline int32_t *ints(dict columns, str name, Rows *rows) except NULL:
    """Add a column of 32-bit integers; return a pointer to its values, which are not set."""
    columns[name] = column = new_array(rows.b, cnp.NPY_INT32)
    return <int32_t *>values(column)


cdef inline uint8_t *bools(dict columns, str name, Rows *rows) except NULL:
    """Add a column of truth values; return a pointer to its values, which are not set."""
    columns[name] = column = new_array(rows.b, cnp.NPY_BOOL)
    return <uint8_t *>values(column)


cdef inline int32_t below(Rows *rows, int32_t node) noexcept nogil:
    """Return the number of blocks that start before a node."""
    cdef int32_t low = 0, high = rows.b, middle
    while low < high:
        middle = low + (high - low) // 2
        if rows.first[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low
