"""How far apart kept blocks are, and what other modules need of pages and blocks."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free

from dehusk.compiled.arrays cimport as_i32, as_i64, as_u16, new_array, size_of, values

from dehusk.tags import HEADINGS, KNOWN, PREFORMATTED, is_block_level, numbers

cnp.import_array()


cdef int _add(object names, uint32_t flag) except -1:
    for tag in numbers(names).tolist():
        flags_of[<uint16_t>tag] |= flag
    return 0


cdef int _fill() except -1:
    cdef int tag
    for tag in range(0x10000):
        flags_of[tag] = 0
    is_holder = is_block_level()
    for tag in range(KNOWN):
        flags_of[tag] = HOLDER if is_holder[tag] else 0
    for tag in numbers("br hr").tolist():
        flags_of[tag] = 0
    _add("br", BR)
    _add("hr", HR)
    _add(PREFORMATTED, PRE)
    _add("pre listing xmp plaintext", LISTING)
    _add("a", LINK)
    _add("table", TABLE)
    _add("td th", CELL)
    _add("ul ol dl menu dir", LIST)
    _add("ol", ORDERED)
    _add("li dt dd", ITEM)
    _add(HEADINGS, HEADING)
    _add("p", PARAGRAPH)
    _add("main h1", MAIN)
    _add("code samp kbd", CODE)
    _add("button", BUTTON)
    _add("sup", RAISED)
    _add("sub", LOWERED)
    _add("img", IMAGE)
    _add("wbr", WBR)
    _add("figure", FIGURE)
    _add("tr", ROW)
    _add("thead tbody tfoot", SECTION)
    _add("caption", CAPTION)
    return 0


_fill()


cdef bint _is_sound_tree(const Tree *tree) noexcept nogil:
    """Return whether parents come before their children, subtrees nest, and texts are in the text."""
    cdef int32_t i, up
    if tree.n and (tree.parent[0] != -1 or tree.end[0] != tree.n or tree.tag[0] == 0):
        return False
    for i in range(tree.n):
        if not (i < tree.end[i] <= tree.n and 0 <= tree.start[i] <= tree.stop[i] <= tree.chars):
            return False
    for i in range(1, tree.n):
        up = tree.parent[i]
        if up < 0 or up >= i or tree.end[i] > tree.end[up]:
            return False
    return True


cdef int read_page(object page, Tree *tree) except -1:
    """Read the columns of a page, which the caller keeps alive; raises ValueError if they are not sound."""
    tag, parent, end, start, stop = page.tag, page.parent, page.end, page.text_start, page.text_end
    tree.n, tree.chars = <int32_t>size_of(tag), <int32_t>len(page.text)
    tree.tag, tree.parent, tree.end = as_u16(tag), as_i32(parent), as_i32(end)
    tree.start, tree.stop = as_i32(start), as_i32(stop)
    known = page.__dict__
    if "_is_sound" not in known:  # the columns do not change
        is_even = size_of(parent) == size_of(end) == size_of(start) == size_of(stop) == tree.n
        known["_is_sound"] = is_even and _is_sound_tree(tree)
    if not known["_is_sound"]:
        raise ValueError("the columns of the page do not fit together")
    return 0


cdef bint _are_sound_rows(const Rows *rows, const Tree *tree) noexcept nogil:
    """Return whether blocks follow each other, have text, and are in elements of the page; and so their characters."""
    cdef int32_t i, before = -1, place = 0
    cdef uint8_t descends = 0
    for i in range(rows.b):
        if not before < rows.first[i] <= rows.last[i] < tree.n or not 0 <= rows.node[i] < rows.first[i]:
            return False
        if rows.start[i] != place or rows.end[i] <= place:
            return False
        before, place = rows.last[i], rows.end[i]
    if place != rows.chars or (place and (rows.source[0] < 0 or rows.source[place - 1] >= tree.chars)):
        return False
    for i in range(1, rows.chars):
        descends |= rows.source[i] <= rows.source[i - 1]
    return not descends


cdef int read_blocks(object blocks, Tree *tree, Rows *rows) except -1:
    """Read the columns of blocks and their page, which the caller keeps alive; raises ValueError for unsound ones."""
    first, last, node = blocks.first, blocks.last, blocks.node
    start, end, source = blocks.start, blocks.end, blocks.source
    read_page(blocks.page, tree)
    rows.b, rows.chars = <int32_t>size_of(first), <int32_t>size_of(source)
    rows.first, rows.last, rows.node = as_i32(first), as_i32(last), as_i32(node)
    rows.start, rows.end, rows.source = as_i32(start), as_i32(end), as_i32(source)
    known = blocks.__dict__
    if "_is_sound" not in known:  # the columns do not change
        is_even = size_of(last) == size_of(node) == size_of(start) == size_of(end) == rows.b
        known["_is_sound"] = is_even and _are_sound_rows(rows, tree)
    if not known["_is_sound"]:
        raise ValueError("the columns of the blocks do not fit their page")
    return 0


cdef int check_indices(object indices, Py_ssize_t limit) except -1:
    """Raise a ValueError unless an array of `numpy.intp` ascends from 0 or more to less than a limit."""
    cdef const int64_t *index = as_i64(indices)
    cdef Py_ssize_t i
    cdef int64_t before = -1
    for i in range(size_of(indices)):
        if index[i] <= before:
            raise ValueError("indices do not ascend")
        before = index[i]
    if before >= limit:
        raise ValueError(f"index {before} is not below {limit}")
    return 0


cdef int mark_breaks(const Tree *tree, object line_nodes, uint8_t *at) except -1:
    """Mark what is at each node in n + 1 zeros; raises ValueError if a line is at no node."""
    cdef const int32_t *line = as_i32(line_nodes)
    cdef Py_ssize_t lines = size_of(line_nodes), k
    cdef int32_t i
    cdef uint32_t flags
    for k in range(lines):
        if not 0 <= line[k] < tree.n:
            raise ValueError("a line of the page is at no node")
        at[line[k]] |= IS_LINE
    with nogil:
        for i in range(tree.n):
            flags = flags_of[tree.tag[i]]
            if flags & HOLDER:
                at[i] |= IS_HARD
                at[tree.end[i]] |= IS_HARD
            elif flags & (BR | HR):
                at[i] |= IS_SOFT if flags & BR else IS_HARD
    return 0


def gaps(object blocks, object kept):
    """Return the `Gap` before each kept block, shape (k,); before the first it is BREAK.

    Args:
        blocks: the blocks of a page.
        kept: (k,) indices of the kept blocks, ascending.
    """
    cdef Tree tree
    cdef Rows rows
    cdef Py_ssize_t k = size_of(kept), i
    read_blocks(blocks, &tree, &rows)
    check_indices(kept, rows.b)
    cdef const int64_t *index = as_i64(kept)
    found = new_array(k, cnp.NPY_UINT8)
    cdef uint8_t *out = <uint8_t *>values(found)
    cdef uint8_t *at = <uint8_t *>calloc(tree.n + 1, 1)
    if at == NULL:
        raise MemoryError
    try:
        mark_breaks(&tree, blocks.page.line_nodes, at)
        for i in range(k):
            out[i] = BREAK if i == 0 else <uint8_t>gap(&rows, at, index[i - 1], index[i])
    finally:
        free(at)
    return found
