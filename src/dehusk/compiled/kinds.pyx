"""Twin of `dehusk.methods.kinds.block_kinds`."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from dehusk.compiled.arrays cimport as_bool, as_i64, new_array, size_of, values
from dehusk.compiled.layout cimport (
    CELL, CODE, CODE_KIND, COMMENT_KIND, CONTINUATION_KIND, HEADER_KIND, HEADING, HOLDER, ITEM, LINE, LISTING, LIST_KIND,
    MAIN, OTHER_KIND, PARAGRAPH, PARAGRAPH_KIND, TABLE, TABLE_KIND,
    Rows, Tree, are_indices, flags_of, gap, mark_breaks, read_blocks,
)

cnp.import_array()

cdef object _table_nodes = None, _comment_nodes
cdef enum: INSIDE = HEADING | ITEM | LISTING | CODE  # what is asked of all elements above a block


cdef int _load() except -1:
    """Import what is in Python; modules that import this one cannot be imported before."""
    global _table_nodes, _comment_nodes
    from dehusk.methods.kinds import comment_nodes
    from dehusk.units.tables import table_nodes

    _comment_nodes, _table_nodes = comment_nodes, table_nodes
    return 0


# The innermost elements around an element, itself included, -1 for none; and which tags of INSIDE are above.
cdef struct Near:
    int32_t table
    int32_t cell
    int32_t holder
    uint32_t inside


cdef void _find_near(const Tree *tree, Near *near) noexcept nogil:
    cdef int32_t i
    cdef uint32_t flags
    for i in range(tree.n):
        if tree.tag[i] == 0:
            continue
        flags = flags_of[tree.tag[i]]
        if i:
            near[i] = near[tree.parent[i]]
        else:
            near[0].table = near[0].cell = near[0].holder = -1
            near[0].inside = 0
        near[i].inside |= flags & INSIDE
        near[i].table = i if flags & TABLE else near[i].table
        near[i].cell = i if flags & CELL else near[i].cell
        near[i].holder = i if flags & HOLDER else near[i].holder


cdef int _mark_comments(const Tree *tree, object nodes, uint8_t *is_comment) except -1:
    """Mark what is inside some nodes, except those that contain the page's `main` or `h1`."""
    cdef const int64_t *node = as_i64(nodes)
    cdef Py_ssize_t k
    cdef int32_t i
    cdef int32_t *mains = <int32_t *>calloc(tree.n + 1, sizeof(int32_t))
    if mains == NULL:
        raise MemoryError
    for i in range(tree.n):
        mains[i + 1] = mains[i] + ((flags_of[tree.tag[i]] & MAIN) != 0)
    i = 0  # what is before this node is marked
    for k in range(size_of(nodes)):
        if mains[tree.end[node[k]]] == mains[node[k]]:
            i = max(i, <int32_t>node[k])
            if i < tree.end[node[k]]:
                memset(is_comment + i, 1, tree.end[node[k]] - i)
                i = tree.end[node[k]]
    free(mains)
    return 0


cdef void _find_kinds(
    const Rows *rows, const Near *near, const Near *first, const uint8_t *is_grid, const uint8_t *is_comment,
    Py_ssize_t block, uint8_t *kind,
) noexcept nogil:
    """Set the kind of a kept block, except for continuations."""
    cdef uint32_t inside = near.inside
    if inside & HEADING:
        kind[0] = HEADER_KIND
        return
    kind[0] = LIST_KIND if inside & ITEM else PARAGRAPH_KIND
    if first.table >= 0 and is_grid[first.table] and first.cell > first.table:
        kind[0] = TABLE_KIND
    if is_comment[rows.node[block]]:
        kind[0] = COMMENT_KIND
    if inside & LISTING or (inside & CODE and kind[0] == PARAGRAPH_KIND):
        kind[0] = CODE_KIND


cdef void _find_continuations(const Tree *tree, const Rows *rows, const Near *near, const uint8_t *at, uint8_t *kind) noexcept nogil:
    """Mark paragraphs that follow another in the same `p`, after one `br`."""
    cdef Py_ssize_t i
    cdef int32_t holder, holder_before = -1
    cdef bint is_plain, was_plain = False  # the block before is a paragraph in a `p`
    for i in range(rows.b):
        if kind[i] == OTHER_KIND:
            was_plain = False
            continue
        holder = near[tree.parent[rows.first[i]]].holder
        is_plain = kind[i] == PARAGRAPH_KIND and holder >= 0 and flags_of[tree.tag[holder]] & PARAGRAPH
        if is_plain and was_plain and holder == holder_before and gap(rows, at, i - 1, i) == LINE:
            kind[i] = CONTINUATION_KIND
        was_plain, holder_before = is_plain, holder


def block_kinds(object blocks, object kept, object settings):
    cdef Tree tree
    cdef Rows rows
    cdef Py_ssize_t i
    cdef Near *near = NULL
    cdef uint8_t *marks = NULL
    if _table_nodes is None:
        _load()
    if not read_blocks(blocks, &tree, &rows) or size_of(kept) != rows.b:
        return NotImplemented
    is_grid, comments = _table_nodes(blocks), _comment_nodes(blocks, settings)
    cdef const uint8_t *grids = as_bool(is_grid)
    cdef const uint8_t *is_kept = as_bool(kept)
    if size_of(is_grid) != tree.n or not are_indices(comments, tree.n):
        return NotImplemented
    kinds = new_array(rows.b, cnp.NPY_UINT8)
    cdef uint8_t *kind = <uint8_t *>values(kinds)
    try:
        near = <Near *>calloc(tree.n + 1, sizeof(Near))
        marks = <uint8_t *>calloc(2 * (tree.n + 1), 1)
        if near == NULL or marks == NULL:
            raise MemoryError
        if not mark_breaks(&tree, blocks.page.line_nodes, marks):
            return NotImplemented
        if size_of(comments):
            _mark_comments(&tree, comments, marks + tree.n + 1)
        with nogil:
            _find_near(&tree, near)
            for i in range(rows.b):
                kind[i] = OTHER_KIND
                if is_kept[i]:
                    _find_kinds(
                        &rows, near + rows.node[i], near + tree.parent[rows.first[i]], grids,
                        marks + tree.n + 1, i, kind + i,
                    )
            _find_continuations(&tree, &rows, near, marks, kind)
    finally:
        free(near)
        free(marks)
    return kinds
