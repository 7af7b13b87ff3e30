"""The kind of each kept block, by its markup and by the names of the elements around it.

A block gets the first of these kinds that applies: header, code, comment, table, list, continuation, paragraph.

A line after a `br` is a continuation only in a `p`. In CLEANEVAL's gold texts, half of the lines that follow a
paragraph in the same `p` continue its segment; in cells and other elements, two thirds start a new segment.
"""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from dehusk.compiled.arrays cimport as_bool, as_i32, as_u64, new_array, size_of, values
from dehusk.compiled.blocks cimport (
    CELL, CODE, CODE_KIND, COMMENT_KIND, CONTINUATION_KIND, HEADER_KIND, HEADING, HOLDER, ITEM, LINE, LISTING,
    LIST_KIND, MAIN, OTHER_KIND, PARAGRAPH, PARAGRAPH_KIND, TABLE, TABLE_KIND, Blocks, Page, flags_of, gap, mark_breaks,
    read_blocks,
)
from dehusk.compiled.elements cimport Elements, read_elements, row_of
from dehusk.compiled.first_use cimport once

cdef object name_bits = None
cdef str _COMMENT = "comment"  # the set of names of `FeatureSettings.classes`
cdef enum: INSIDE = HEADING | ITEM | LISTING | CODE  # what is asked of all elements above a block
cdef enum: IN_COMMENT = 1 << 30  # beside the sets of tags


cdef int prepare_kinds() except -1:
    """Import what is in Python; modules that import this one cannot be imported before."""
    global name_bits
    from dehusk.label.features.lexicon import name_bits
    return 0


# The innermost elements around an element, itself included, -1 for none; and which tags of INSIDE are above.
cdef struct Near:
    int32_t table
    int32_t cell
    int32_t holder
    uint32_t inside


cdef void _find_near(const Elements *tree, Near *near) noexcept nogil:
    """Fill what is around each element; whether the element itself is a comment is in `inside` already."""
    cdef int32_t i
    cdef uint32_t flags
    cdef Near own
    for i in range(<int32_t>tree.m):
        flags = flags_of[tree.tag[i]]
        if i:
            own = near[tree.parent[i]]
        else:
            own.table = own.cell = own.holder = -1
            own.inside = 0
        own.inside |= near[i].inside | (flags & INSIDE)
        own.table = i if flags & TABLE else own.table
        own.cell = i if flags & CELL else own.cell
        own.holder = i if flags & HOLDER else own.holder
        near[i] = own


cdef int _mark_comments(
    object page, object settings, const Page *tree, const Elements *elements, Near *near
) except -1:
    """Mark the elements named as comments, except those with the page's `main` or `h1`."""
    cdef int32_t i, node, classes
    cdef int32_t *mains = NULL
    cdef const int32_t *class_code = as_i32(page.class_code)
    cdef const int32_t *id_code = as_i32(page.id_code)
    for i in range(<int32_t>elements.m):
        near[i].inside = 0
    if _COMMENT not in settings.classes:
        return 0
    names = name_bits(page, settings)
    cdef const uint64_t *of_name = as_u64(names)
    cdef uint64_t bit = <uint64_t>1 << <int>tuple(settings.classes).index(_COMMENT)
    classes = <int32_t>len(page.class_names)
    if size_of(names) != classes + len(page.id_names) or not _are_codes(page, tree.n):
        raise ValueError("the columns of the page do not fit together")
    for i in range(1, <int32_t>elements.m):
        node = <int32_t>elements.node[i]
        if (of_name[class_code[node]] | of_name[classes + id_code[node]]) & bit:
            if mains == NULL:
                mains = _mains_before(tree)
            if mains[tree.end[node]] == mains[node]:
                near[i].inside = IN_COMMENT
    free(mains)
    return 0


cdef bint _are_codes(object page, int32_t n) except -1:
    """Return whether each node has a class and an id that exist."""
    cdef const int32_t *class_code = as_i32(page.class_code)
    cdef const int32_t *id_code = as_i32(page.id_code)
    cdef int32_t i, classes = <int32_t>len(page.class_names), ids = <int32_t>len(page.id_names)
    cdef bint sound = size_of(page.class_code) == n and size_of(page.id_code) == n
    for i in range(n if sound else 0):
        sound &= (0 <= class_code[i]) & (class_code[i] < classes) & (0 <= id_code[i]) & (id_code[i] < ids)
    return sound


cdef int32_t *_mains_before(const Page *tree) except NULL:
    """Return the number of `main` and `h1` before each node, and after the last; the caller frees it."""
    cdef int32_t *mains = <int32_t *>malloc((tree.n + 1) * sizeof(int32_t))
    cdef int32_t i
    if mains == NULL:
        raise MemoryError
    mains[0] = 0
    for i in range(tree.n):
        mains[i + 1] = mains[i] + ((flags_of[tree.tag[i]] & MAIN) != 0)
    return mains


cdef uint8_t _kind_of(const Near *near, const Near *first, const uint8_t *is_grid) noexcept nogil:
    """Return the kind of a kept block, except for continuations; `first` is of the element around its first text."""
    cdef uint32_t inside = near.inside
    cdef uint8_t kind = LIST_KIND if inside & ITEM else PARAGRAPH_KIND
    if inside & HEADING:
        return HEADER_KIND
    if first.table >= 0 and is_grid[first.table] and first.cell > first.table:
        kind = TABLE_KIND
    if inside & IN_COMMENT:
        kind = COMMENT_KIND
    if inside & LISTING or (inside & CODE and kind == PARAGRAPH_KIND):
        kind = CODE_KIND
    return kind


cdef int32_t _paragraph(const Elements *tree, const Near *first) noexcept nogil:
    """Return the `p` that directly holds a block, -1 if another element does."""
    return first.holder if first.holder >= 0 and flags_of[tree.tag[first.holder]] & PARAGRAPH else -1


cdef int _mark_continuations(
    const Page *tree, const Blocks *rows, const int32_t *paragraph, object line_nodes, uint8_t *kind
) except -1:
    """Mark paragraphs that follow another in the same `p`, after one `br`."""
    cdef Py_ssize_t i
    cdef uint8_t *marks = NULL
    try:
        for i in range(1, rows.b):
            if paragraph[i] < 0 or paragraph[i] != paragraph[i - 1]:
                continue
            if marks == NULL:
                marks = <uint8_t *>calloc(tree.n + 1, 1)
                if marks == NULL:
                    raise MemoryError
                mark_breaks(tree, line_nodes, marks)
            if gap(rows, marks, i - 1, i) == LINE:
                kind[i] = CONTINUATION_KIND
    finally:
        free(marks)
    return 0


def block_kinds(object blocks, object kept, object settings):
    """Return the kind of each block, shape (b,), as an index into `KINDS`; dropped blocks are OTHER.

    Args:
        blocks: the blocks of a page.
        kept: (b,) whether the block is content.
        settings: settings of the features, whose words for comments, `lexicon.comment`, identify the elements that
            contain comments. With the settings of the method's own features, nothing is computed twice.
    """
    cdef Page tree
    cdef Blocks rows
    cdef Elements elements
    cdef Py_ssize_t i
    cdef int64_t own
    once(&_is_ready, prepare)
    read_blocks(blocks, &tree, &rows)
    if size_of(kept) != rows.b:
        raise ValueError("there is not one truth value for each block")
    skeleton, tables = skeleton_of(blocks), tables_of(blocks)
    read_elements(skeleton, &elements)
    if elements.b != rows.b or (elements.m and elements.node[elements.m - 1] >= tree.n) or (rows.b and not elements.m):
        raise ValueError("the skeleton does not fit the blocks")
    if size_of(tables) != elements.m:
        raise ValueError("the tables do not fit the skeleton")
    cdef const uint8_t *is_grid = as_bool(tables)
    cdef const uint8_t *is_kept = as_bool(kept)
    kinds = new_array(rows.b, cnp.NPY_UINT8)
    cdef uint8_t *kind = <uint8_t *>values(kinds)
    cdef Near *near = <Near *>malloc(elements.m * sizeof(Near) + (rows.b + 1) * sizeof(int32_t))
    cdef int32_t *paragraph = <int32_t *>(near + elements.m)
    if near == NULL:
        raise MemoryError
    try:
        _mark_comments(blocks.page, settings, &tree, &elements, near)
        _find_near(&elements, near)
        for i in range(rows.b):
            kind[i], paragraph[i] = OTHER_KIND, -1
            if is_kept[i]:
                own = row_of(&elements, tree.parent[rows.first[i]], elements.innermost[i])
                kind[i] = _kind_of(near + elements.innermost[i], near + own, is_grid)
                if kind[i] == PARAGRAPH_KIND:
                    paragraph[i] = _paragraph(&elements, near + own)
        _mark_continuations(&tree, &rows, paragraph, blocks.page.line_nodes, kind)
    finally:
        free(near)
    return kinds
