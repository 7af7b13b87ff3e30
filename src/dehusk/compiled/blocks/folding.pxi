"""The blocks of a page, and their texts."""

cimport numpy as cnp
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from dehusk.compiled.arrays cimport as_i32, as_u16, as_u32, new_array, size_of, values
from dehusk.compiled.text cimport INVISIBLE, WHITE, classes_for_text, text_of_points
from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND

from dehusk.base.tags import KNOWN, PREFORMATTED, TAG_NUMBER, is_block_level, numbers

cdef extern from "numpy/arrayobject.h":
    object PyArray_Resize(cnp.ndarray array, cnp.PyArray_Dims *shape, int refcheck, cnp.NPY_ORDER order)

ctypedef fused Character:
    uint8_t
    uint16_t
    uint32_t

cdef enum: SPLITS = 1, IS_PRE = 2, IS_LINK = 4  # what a tag does
cdef enum: BOUNDARY = 1, ALT = 2  # what is at a node
cdef enum: TAGS = 0x10000
cdef uint8_t[TAGS] _flags


cdef int _fill_flags() except -1:
    cdef int tag
    for tag in range(TAGS):
        _flags[tag] = 0
    splits = is_block_level()
    for tag in range(KNOWN):
        if splits[tag]:
            _flags[tag] |= SPLITS
    for tag in numbers(PREFORMATTED).tolist():
        _flags[tag] |= IS_PRE
    _flags[TAG_NUMBER["a"]] |= IS_LINK
    return 0


_fill_flags()


cdef struct Nodes:
    int32_t n
    int32_t chars
    const uint16_t *tag
    const int32_t *parent
    const int32_t *end
    const int32_t *start
    const int32_t *stop
    uint8_t *marks  # (n + 1,) BOUNDARY and ALT


cdef struct Folded:
    int32_t used  # characters so far, including white space that may be dropped
    int32_t kept  # characters up to the last with ink
    int32_t blocks
    uint32_t *points
    uint8_t *classes
    int32_t *source
    uint8_t *linked
    int32_t *first
    int32_t *last
    int32_t *node
    int32_t *begin
    int32_t *stop


cdef struct Node:  # what a text node needs to know of the text before it
    uint8_t after_ink  # whether its last visible character is ink


cdef bint _is_sound(const Nodes *tree) noexcept nogil:
    """Return whether no column leads out of another one, and no texts overlap; so it is on pages that are parsed."""
    cdef int32_t i, reached = 0
    for i in range(tree.n):
        if not (i < tree.end[i] <= tree.n and 0 <= tree.start[i] <= tree.stop[i] <= tree.chars):
            return False
        if tree.tag[i] == 0:
            if tree.start[i] < reached:
                return False
            reached = tree.stop[i]
        if not -1 <= tree.parent[i] < i or (tree.tag[i] == 0 and i == 0):
            return False
    return tree.n == 0 or tree.end[0] == tree.n


cdef void _mark(const Nodes *tree, bint every_tag) noexcept nogil:
    """Mark the starts and ends of the elements that split blocks."""
    cdef int32_t i
    for i in range(tree.n):
        if tree.tag[i] and (every_tag or _flags[tree.tag[i]] & SPLITS):
            tree.marks[i] |= BOUNDARY
            tree.marks[tree.end[i]] |= BOUNDARY


cdef int _mark_nodes(const Nodes *tree, object nodes, uint8_t mark) except -1:
    """Mark some nodes; returns 1 if one does not exist."""
    cdef const int32_t *node = as_i32(nodes)
    cdef Py_ssize_t i
    for i in range(size_of(nodes)):
        if not 0 <= node[i] < tree.n:
            return 1
        tree.marks[node[i]] |= mark
    return 0


cdef inline void _close(const Nodes *tree, Folded *out, int32_t begin, int32_t first, int32_t last) noexcept nogil:
    """End a run of text: it is a block if it has ink, and ends after it."""
    cdef int32_t holder
    if out.kept > begin:
        holder = tree.parent[first]
        while holder > 0 and tree.end[holder] <= last:
            holder = tree.parent[holder]
        out.first[out.blocks], out.last[out.blocks], out.node[out.blocks] = first, last, holder
        out.begin[out.blocks], out.stop[out.blocks] = begin, out.kept
        out.blocks += 1
    out.used = out.kept


cdef inline void _fold_preformatted(
    const Character *text, int32_t start, int32_t stop, const uint8_t *class_of, Node *node, Folded *out
) noexcept nogil:
    """Copy the characters of a preformatted text node: all but line ends, of which one ends a run of ink."""
    cdef int32_t at, used = out.used
    cdef uint32_t point
    cdef uint8_t kind
    for at in range(start, stop):
        point = text[at]
        kind = class_of[point]
        if kind == WHITE:
            if not node.after_ink and (point == 10 or point == 13):
                continue
            node.after_ink = False
            point = point if point == 9 else 32
        elif kind == INVISIBLE:
            continue
        else:
            node.after_ink, out.kept = 1, used + 1
        out.points[used], out.classes[used], out.source[used] = point, kind, at
        used += 1
    out.used = used


cdef inline void _fold_text(
    const Character *text, int32_t start, int32_t stop, const uint8_t *class_of, Node *node, Folded *out
) noexcept nogil:
    """Copy the characters of any other text node: of white space the first character, as a space.

    Without branches, because where words end cannot be predicted: what is not kept is overwritten.
    """
    cdef int32_t at = start, used = out.used, kept = out.kept
    cdef uint32_t point
    cdef uint8_t kind, is_ink, is_white, after_ink = node.after_ink
    cdef uint32_t *points = out.points  # in registers, which no store can change
    cdef uint8_t *classes = out.classes
    cdef int32_t *source = out.source
    if not after_ink:
        while at < stop and class_of[text[at]] == WHITE:
            at += 1
    for at in range(at, stop):
        point = text[at]
        kind = class_of[point]
        is_ink, is_white = kind < WHITE, kind == WHITE
        points[used] = point ^ ((point ^ 32) & -<uint32_t>is_white)
        classes[used], source[used] = kind, at
        used += is_ink | (is_white & after_ink)
        kept = used if is_ink else kept
        after_ink = is_ink | (after_ink & (is_white ^ 1))
    node.after_ink, out.used, out.kept = after_ink, used, kept


cdef void _fold(
    const Nodes *tree, const Character *text, const uint8_t *class_of, bint alt, Folded *out
) noexcept nogil:
    """Copy the characters of the blocks."""
    cdef int32_t i, begin = 0, first = -1, last = -1, pre_end = 0, link_end = 0, used, kept
    cdef uint8_t flags
    cdef Node node
    node.after_ink = 0
    for i in range(tree.n):
        if tree.marks[i] & BOUNDARY:
            _close(tree, out, begin, first, last)
            begin, first, node.after_ink = out.used, -1, 0
        if tree.tag[i]:
            flags = _flags[tree.tag[i]]
            if flags & IS_PRE and tree.end[i] > pre_end:
                pre_end = tree.end[i]
            if flags & IS_LINK and tree.end[i] > link_end:
                link_end = tree.end[i]
            continue
        if tree.marks[i] & ALT and not alt:
            continue
        used, kept = out.used, out.kept
        if i < pre_end:
            _fold_preformatted(text, tree.start[i], tree.stop[i], class_of, &node, out)
        else:
            _fold_text(text, tree.start[i], tree.stop[i], class_of, &node, out)
        if out.used > used:
            memset(out.linked + used, i < link_end, out.used - used)
            first = i if first < 0 else first
            last = i if out.kept > kept else last
    _close(tree, out, begin, first, last)


cdef object _first_rows(object array, Py_ssize_t n):
    """Return an array of one dimension cut to its first n values; nobody else may have it."""
    cdef cnp.npy_intp size = n
    cdef cnp.PyArray_Dims shape
    shape.ptr, shape.len = &size, 1
    PyArray_Resize(<cnp.ndarray>array, &shape, 0, cnp.NPY_CORDER)
    return array


cdef object _copied(const int32_t *column, Py_ssize_t n):
    array = new_array(n, cnp.NPY_INT32)
    memcpy(values(array), column, n * sizeof(int32_t))
    return array


cdef object _columns(const Nodes *tree, str text, bint alt, int32_t *rows):
    """Return the columns of the blocks; `rows` has space for five columns of n values."""
    cdef Folded out
    cdef Py_ssize_t n = tree.n
    cdef const uint8_t *class_of = classes_for_text(text)
    points, classes = new_array(tree.chars, cnp.NPY_UINT32), new_array(tree.chars, cnp.NPY_UINT8)
    source, linked = new_array(tree.chars, cnp.NPY_INT32), new_array(tree.chars, cnp.NPY_BOOL)
    out.used = out.kept = out.blocks = 0
    out.points, out.classes = <uint32_t *>values(points), <uint8_t *>values(classes)
    out.source, out.linked = <int32_t *>values(source), <uint8_t *>values(linked)
    out.first, out.last, out.node, out.begin, out.stop = rows, rows + n, rows + 2 * n, rows + 3 * n, rows + 4 * n
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    with nogil:
        if kind == 1:
            _fold(tree, <const uint8_t *>data, class_of, alt, &out)
        elif kind == 2:
            _fold(tree, <const uint16_t *>data, class_of, alt, &out)
        else:
            _fold(tree, <const uint32_t *>data, class_of, alt, &out)
    return (
        _copied(out.first, out.blocks), _copied(out.last, out.blocks), _copied(out.node, out.blocks),
        _first_rows(points, out.kept), _copied(out.begin, out.blocks), _copied(out.stop, out.blocks),
        _first_rows(classes, out.kept), _first_rows(source, out.kept), _first_rows(linked, out.kept),
    )


def columns(object page, bint every_tag, bint alt):
    """Return the columns of the blocks of a page; see `segment`."""
    cdef Nodes tree
    cdef str text = page.text
    tag, parent, end, start, stop = page.tag, page.parent, page.end, page.text_start, page.text_end
    tree.n, tree.chars = <int32_t>size_of(tag), <int32_t>PyUnicode_GET_LENGTH(text)
    tree.tag, tree.parent, tree.end = as_u16(tag), as_i32(parent), as_i32(end)
    tree.start, tree.stop = as_i32(start), as_i32(stop)
    if not size_of(parent) == size_of(end) == size_of(start) == size_of(stop) == tree.n or not _is_sound(&tree):
        raise ValueError("the columns of the page do not fit together")
    cdef Py_ssize_t n = tree.n
    cdef int32_t *rows = <int32_t *>malloc((5 * n + 1) * sizeof(int32_t))
    tree.marks = <uint8_t *>calloc(n + 1, 1)
    try:
        if rows == NULL or tree.marks == NULL:
            raise MemoryError
        _mark(&tree, every_tag)
        if _mark_nodes(&tree, page.line_nodes, BOUNDARY) or _mark_nodes(&tree, page.alt_nodes, ALT):
            raise ValueError("a line or an image of the page is at no node")
        if alt:
            _mark_alts(&tree)
        return _columns(&tree, text, alt, rows)
    finally:
        free(rows)
        free(tree.marks)


cdef void _mark_alts(const Nodes *tree) noexcept nogil:
    """Make each image's alternative text a run of its own."""
    cdef int32_t i
    for i in range(tree.n - 1, -1, -1):
        if tree.marks[i] & ALT:
            tree.marks[i] |= BOUNDARY
            tree.marks[i + 1] |= BOUNDARY


def texts(object blocks):
    points_, start_, end_ = blocks.code_points, blocks.start, blocks.end
    cdef const uint32_t *points = as_u32(points_)
    cdef const int32_t *start = as_i32(start_)
    cdef const int32_t *end = as_i32(end_)
    cdef Py_ssize_t b = size_of(start_), i
    if size_of(end_) != b or not are_tiles(start, end, b, size_of(points_)):
        raise ValueError("the columns of the blocks do not fit their page")
    return [text_of_points(points + start[i], end[i] - start[i]) for i in range(b)]
