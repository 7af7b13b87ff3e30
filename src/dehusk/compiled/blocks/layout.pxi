"""How far apart kept blocks are, and what other modules need of pages and blocks."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free

from dehusk.compiled.arrays cimport as_i32, as_i64, as_u16, new_array, size_of, values

from dehusk.base.tags import HEADINGS, KNOWN, PREFORMATTED, is_block_level, numbers


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


cdef bint _is_sound_page(const Page *page) noexcept nogil:
    """Return whether parents come before their children, subtrees nest, texts are in the text, and codes have names."""
    cdef int32_t i, up
    cdef bint sound = True
    if page.n and (page.parent[0] != -1 or page.end[0] != page.n or page.tag[0] == 0):
        return False
    for i in range(page.n):  # no branches, so that several nodes are tested at once
        sound &= (page.end[i] > i) & (page.end[i] <= page.n)
        sound &= (page.start[i] >= 0) & (page.start[i] <= page.stop[i]) & (page.stop[i] <= page.chars)
        sound &= (page.class_code[i] >= 0) & (page.class_code[i] < page.classes)
        sound &= (page.id_code[i] >= 0) & (page.id_code[i] < page.ids)
    for i in range(1, page.n):
        up = page.parent[i]
        if up < 0 or up >= i or page.end[i] > page.end[up]:
            return False
    return sound


cdef int read_page(object given, Page *page) except -1:
    """Read the columns of a page, which the caller keeps alive; raises ValueError if they are not sound."""
    tag, parent, end, start, stop = given.tag, given.parent, given.end, given.text_start, given.text_end
    class_code, id_code = given.class_code, given.id_code
    page.n, page.chars = <int32_t>size_of(tag), <int32_t>len(given.text)
    page.classes, page.ids = <int32_t>len(given.class_names), <int32_t>len(given.id_names)
    page.tag, page.parent, page.end = as_u16(tag), as_i32(parent), as_i32(end)
    page.start, page.stop = as_i32(start), as_i32(stop)
    page.class_code, page.id_code = as_i32(class_code), as_i32(id_code)
    cdef dict known = given.__dict__
    if "_is_sound" not in known:
        is_even = size_of(parent) == size_of(end) == size_of(start) == size_of(stop) == page.n
        is_even = is_even and size_of(class_code) == size_of(id_code) == page.n
        known["_is_sound"] = is_even and _is_sound_page(page)
    if not known["_is_sound"]:
        raise ValueError("the columns of the page do not fit together")
    return 0


cdef bint _are_sound_blocks(const Blocks *blocks, const Page *page) noexcept nogil:
    """Return whether blocks follow each other, have text, and are in elements of the page; and so their characters."""
    cdef int32_t i, before = -1, place = 0
    cdef uint8_t descends = 0
    for i in range(blocks.b):
        if not before < blocks.first[i] <= blocks.last[i] < page.n or not 0 <= blocks.node[i] < blocks.first[i]:
            return False
        if blocks.start[i] != place or blocks.end[i] <= place or page.end[blocks.node[i]] <= blocks.first[i]:
            return False
        before, place = blocks.last[i], blocks.end[i]
    if place != blocks.chars or (place and (blocks.source[0] < 0 or blocks.source[place - 1] >= page.chars)):
        return False
    for i in range(1, blocks.chars):
        descends |= blocks.source[i] <= blocks.source[i - 1]
    return not descends


cdef int read_blocks(object given, Page *page, Blocks *blocks) except -1:
    """Read the columns of blocks and their page, which the caller keeps alive; raises ValueError for unsound ones."""
    first, last, node = given.first, given.last, given.node
    start, end, source = given.start, given.end, given.source
    read_page(given.page, page)
    blocks.b, blocks.chars = <int32_t>size_of(first), <int32_t>size_of(source)
    blocks.first, blocks.last, blocks.node = as_i32(first), as_i32(last), as_i32(node)
    blocks.start, blocks.end, blocks.source = as_i32(start), as_i32(end), as_i32(source)
    cdef dict known = given.__dict__
    if "_is_sound" not in known:
        is_even = size_of(last) == size_of(node) == size_of(start) == size_of(end) == blocks.b
        known["_is_sound"] = is_even and _are_sound_blocks(blocks, page)
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


cdef int mark_breaks(const Page *page, object line_nodes, uint8_t *at) except -1:
    """Mark what is at each node in n + 1 zeros; raises ValueError if a line is at no node."""
    cdef const int32_t *line = as_i32(line_nodes)
    cdef Py_ssize_t lines = size_of(line_nodes), k
    cdef int32_t i
    cdef uint32_t flags
    for k in range(lines):
        if not 0 <= line[k] < page.n:
            raise ValueError("a line of the page is at no node")
        at[line[k]] |= IS_LINE
    with nogil:
        for i in range(page.n):
            flags = flags_of[page.tag[i]]
            if flags & HOLDER:
                at[i] |= IS_HARD
                at[page.end[i]] |= IS_HARD
            elif flags & (BR | HR):
                at[i] |= IS_SOFT if flags & BR else IS_HARD
    return 0


def gaps(object given, object kept):
    """Return the `Gap` before each kept block, shape (k,); before the first it is BREAK.

    Args:
        given: the blocks of a page.
        kept: (k,) indices of the kept blocks, ascending.
    """
    cdef Page page
    cdef Blocks blocks
    cdef Py_ssize_t k = size_of(kept), i
    read_blocks(given, &page, &blocks)
    check_indices(kept, blocks.b)
    cdef const int64_t *index = as_i64(kept)
    found = new_array(k, cnp.NPY_UINT8)
    cdef uint8_t *out = <uint8_t *>values(found)
    cdef uint8_t *at = <uint8_t *>calloc(page.n + 1, 1)
    if at == NULL:
        raise MemoryError
    try:
        mark_breaks(&page, given.page.line_nodes, at)
        for i in range(k):
            out[i] = BREAK if i == 0 else <uint8_t>gap(&blocks, at, index[i - 1], index[i])
    finally:
        free(at)
    return found
