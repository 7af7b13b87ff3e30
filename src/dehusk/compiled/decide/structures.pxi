"""Lists, tables, listings and definition lists of a page."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free

from dehusk.compiled.arrays cimport as_bool, as_i32, new_array, size_of, values
from dehusk.compiled.elements cimport Elements, TagBits, add_tags, bits_of, read_elements
from dehusk.compiled.first_use cimport once

cdef enum:
    LIST_TAG = 1
    ITEM_TAG = 2
    PRE_TAG = 4
    CODE_TAG = 8
    DEFINITIONS_TAG = 16
    DEFINITION_PART_TAG = 32
    TABLE_TAG = 64
    ROW_TAG = 128
    CELL_TAG = 256
    MARK_TAG = 512
    HEADING_TAG = 1024
    HEAD_TAG = 2048
    HEADER_TAG = 4096

cdef TagBits structure_tags
cdef int64_t long_cell = 0, marked = 0, huge_cell = 0, max_blocks = 0, headed_blocks = 0, running_share = 0
cdef object structure_rules = None, tables_of, no_records


cdef int prepare_structures() except -1:
    """Take the sets of tags and the limits from the modules of the functions, which cannot be imported before."""
    global structure_rules, tables_of, no_records, long_cell, marked, huge_cell
    global max_blocks, headed_blocks, running_share
    from dehusk.blocks.units import records, skeleton, structures, tables
    for table, bit in (
        (structures._LIST, LIST_TAG), (structures._ITEM, ITEM_TAG),
        (structures._PRE, PRE_TAG), (structures._CODE, CODE_TAG),
        (structures._DEFINITIONS, DEFINITIONS_TAG), (structures._DEFINITION_PARTS, DEFINITION_PART_TAG),
        (structures._ROW, ROW_TAG), (tables._TABLE, TABLE_TAG), (tables._CELL, CELL_TAG), (tables._MARKS, MARK_TAG),
        (tables._HEADINGS, HEADING_TAG), (tables._HEADS, HEAD_TAG), (tables._HEADER, HEADER_TAG),
    ):
        add_tags(&structure_tags, table, bit)
    long_cell, marked, huge_cell = tables.LONG_CELL, tables.MARKED, tables.HUGE_CELL
    max_blocks, headed_blocks, running_share = tables.MAX_BLOCKS, tables.HEADED_BLOCKS, tables.RUNNING_SHARE
    structure_rules, tables_of, no_records = structures, tables.data_tables, records.no_records
    return 0


# ---------------------------------------------------------------- masks

cdef enum:
    IN_TABLE = 1
    IN_LISTING = 2

cdef struct Masks:
    uint8_t *lists
    uint8_t *items
    uint8_t *rows
    uint8_t *listings
    uint8_t *definitions
    uint8_t *taken
    uint8_t *inside  # IN_TABLE: of data; IN_LISTING


def find_structures(object blocks):
    """Return the lists, tables, listings, definition lists and records of a page."""
    once(&_is_ready, prepare)
    cdef Elements t
    tree, tables = skeleton_of(blocks), tables_of(blocks)
    read_elements(tree, &t)
    cdef const uint8_t *is_table = as_bool(tables)
    if size_of(tables) != t.m:
        raise ValueError("the tables do not fit the skeleton")
    cdef list masks = [new_array(t.m, cnp.NPY_BOOL) for _ in range(7)]
    cdef Masks out
    out.lists, out.items = <uint8_t *>values(masks[0]), <uint8_t *>values(masks[1])
    out.rows, out.listings = <uint8_t *>values(masks[2]), <uint8_t *>values(masks[3])
    out.definitions, out.taken = <uint8_t *>values(masks[4]), <uint8_t *>values(masks[5])
    out.inside = <uint8_t *>values(masks[6])
    cdef bint has_definitions = fill_masks(&t, is_table, &out)
    pairs = find_pairs(blocks) if has_definitions else no_records()
    return structure_rules.Structures(
        masks[0], masks[1], tables, masks[2], masks[3], masks[4], pairs, find_records(blocks, masks[5])
    )


cdef bint fill_masks(const Elements *t, const uint8_t *is_table, Masks *out) noexcept nogil:
    """Fill the masks; return whether there is a definition list."""
    cdef int64_t i, up
    cdef bint has_definitions = False
    cdef uint32_t bits
    cdef uint8_t around, in_list
    for i in range(t.m):
        up, bits = max(t.parent[i], 0), bits_of(&structure_tags, t.tag[i])
        around = out.inside[up] if i else 0
        out.lists[i], out.definitions[i] = (bits & LIST_TAG) != 0, (bits & DEFINITIONS_TAG) != 0
        has_definitions |= out.definitions[i]
        in_list = out.lists[up]
        out.items[i] = in_list and (bits & ITEM_TAG) != 0
        out.rows[i] = (bits & ROW_TAG) != 0 and (around & IN_TABLE) != 0
        out.listings[i] = (around & IN_LISTING) == 0 and (
            (bits & PRE_TAG) != 0 or ((bits & CODE_TAG) != 0 and t.end[i] - t.first[i] > 1)
        )
        out.taken[i] = (
            (in_list and (bits & (ITEM_TAG | LIST_TAG)) != 0)
            or ((around & IN_TABLE) != 0 and not is_table[i])
            or (around & IN_LISTING) != 0
            or ((bits & DEFINITION_PART_TAG) != 0 and out.definitions[up] != 0)
        )
        out.inside[i] = around | (IN_TABLE if is_table[i] else 0) | (IN_LISTING if out.listings[i] else 0)
    return has_definitions


# ---------------------------------------------------------------- tables

cdef struct Tables:
    # of each element
    int32_t *nearest  # innermost table around it
    int32_t *head  # innermost caption, thead or header cell around it
    int32_t *filled  # cells that are its children
    int32_t *headers  # header cells among these
    int32_t *wide_rows  # of a table
    int32_t *cells  # of a table
    int32_t *columns  # of a table: cells of its first wide row, if all of them are header cells
    int32_t *running  # of a table: cells of running text
    uint8_t *flags  # of a table


cdef enum:
    MARKED = 1  # header cells or a caption
    HOLDS_FOREIGN = 2  # a table or preformatted text
    HOLDS_HEADING = 4
    IS_UNEVEN = 8  # a row with more cells than the header row
    IS_HEADED = 16


def data_tables(object blocks):
    """Return which elements of the skeleton, shape (m,), are tables of data.

    Two rows of them, or one in a table with header cells or a caption, have two or more cells with text. Tables that
    contain another table or preformatted text, or in their cells a heading, are for layout, as are those with a cell of
    running text or with many blocks per cell. A heading in a header cell or the caption heads the table, and one in the
    only cell of its row that has text the rows below it. A table whose first row are header cells, with two rows or
    more below it and none with more cells than it, may have headings, some cells of running text, and more blocks.
    Below a first row of header cells, however many rows there are, texts of links are no running text, and blocks of
    them do not count.
    """
    once(&_is_ready, prepare)
    cdef Elements t
    tree = skeleton_of(blocks)
    read_elements(tree, &t)
    is_data = new_array(t.m, cnp.NPY_BOOL)
    cdef uint8_t *out = <uint8_t *>values(is_data)
    cdef const int32_t *start = as_i32(blocks.start)
    cdef const int32_t *end = as_i32(blocks.end)
    cdef Tables w
    cdef int64_t i
    cdef bint is_any = False
    for i in range(t.m):
        out[i] = 0
        is_any |= bits_of(&structure_tags, t.tag[i]) & TABLE_TAG
    if not is_any:
        return is_data
    in_links = blocks.link_chars
    cdef const int32_t *linked = as_i32(in_links)
    w.nearest = <int32_t *>calloc(8 * t.m + 1, sizeof(int32_t))
    w.flags = <uint8_t *>calloc(t.m, 1)
    cdef int64_t *before = <int64_t *>calloc(3 * (t.b + 1), sizeof(int64_t))
    cdef int64_t *unlinked = before + t.b + 1  # characters outside of links
    cdef int64_t *said = unlinked + t.b + 1  # blocks that have any
    if w.nearest == NULL or w.flags == NULL or before == NULL:
        free(w.nearest)
        free(w.flags)
        free(before)
        raise MemoryError
    w.head, w.filled, w.wide_rows = w.nearest + t.m, w.nearest + 2 * t.m, w.nearest + 3 * t.m
    w.cells, w.headers = w.nearest + 4 * t.m, w.nearest + 5 * t.m
    w.columns, w.running = w.nearest + 6 * t.m, w.nearest + 7 * t.m
    with nogil:
        for i in range(t.b):
            before[i + 1] = before[i] + end[i] - start[i]
            unlinked[i + 1] = unlinked[i] + end[i] - start[i] - linked[i]
            said[i + 1] = said[i] + (linked[i] < end[i] - start[i])
        look_into_tables(&t, &w)
        choose_tables(&t, &w, said, out)
        drop_running_text(&t, &w, before, unlinked, out)
    free(w.nearest)
    free(w.flags)
    free(before)
    return is_data


cdef void look_into_tables(const Elements *t, Tables *w) noexcept nogil:
    cdef int64_t i, up
    cdef uint32_t bits
    cdef int32_t outer
    for i in range(t.m):
        up, bits = t.parent[i], bits_of(&structure_tags, t.tag[i])
        outer = w.nearest[up] if up >= 0 else -1
        w.nearest[i] = <int32_t>i if bits & TABLE_TAG else outer
        w.head[i] = <int32_t>i if bits & HEAD_TAG else w.head[up] if up >= 0 else -1
        if outer < 0:
            continue
        if bits & TABLE_TAG or (bits & PRE_TAG and w.head[i] < w.nearest[i] and t.end[i] - t.first[i] > 1):
            w.flags[outer] |= HOLDS_FOREIGN
        if bits & MARK_TAG:
            w.flags[outer] |= MARKED
        if bits & CELL_TAG:
            w.cells[outer] += 1
            w.filled[up] += 1
            w.headers[up] += (bits & HEADER_TAG) != 0
    for i in range(t.m):
        outer = w.nearest[i]
        if outer >= 0 and bits_of(&structure_tags, t.tag[i]) & HEADING_TAG and w.head[i] < outer:
            up = t.parent[i]
            while up > outer and not bits_of(&structure_tags, t.tag[up]) & ROW_TAG:
                up = t.parent[up]
            if up <= outer or w.filled[up] > 1:
                w.flags[outer] |= HOLDS_HEADING


cdef inline bint has_header(const Tables *w, int64_t table) noexcept nogil:
    """Whether the first row of a table are header cells, and no row has more cells."""
    return w.columns[table] > 0 and not w.flags[table] & IS_UNEVEN


cdef void choose_tables(const Elements *t, Tables *w, const int64_t *said, uint8_t *out) noexcept nogil:
    cdef int64_t i, blocks
    cdef int32_t table
    cdef bint is_headed
    for i in range(t.m):
        if w.filled[i] < 2 or not bits_of(&structure_tags, t.tag[i]) & ROW_TAG:
            continue
        table = w.nearest[i]
        if w.wide_rows[table] == 0 and w.headers[i] == w.filled[i]:
            w.columns[table] = w.filled[i]
        elif w.filled[i] > w.columns[table]:
            w.flags[table] |= IS_UNEVEN
        w.wide_rows[table] += 1
    for i in range(t.m):
        if w.nearest[i] != i:
            continue
        is_headed = has_header(w, i) and w.wide_rows[i] > 2
        w.flags[i] |= IS_HEADED if is_headed else 0
        blocks = said[t.end[i]] - said[t.first[i]] if has_header(w, i) else t.end[i] - t.first[i]
        out[i] = (
            w.wide_rows[i] > (0 if w.flags[i] & MARKED else 1)
            and (w.flags[i] & HOLDS_FOREIGN) == 0
            and (is_headed or (w.flags[i] & HOLDS_HEADING) == 0)
            and blocks <= (headed_blocks if is_headed else max_blocks) * w.cells[i]
        )


cdef void drop_running_text(
    const Elements *t, Tables *w, const int64_t *before, const int64_t *unlinked, uint8_t *out
) noexcept nogil:
    cdef int64_t i, chars, limit
    cdef int32_t table
    cdef const int64_t *counted
    for i in range(t.m):
        if not bits_of(&structure_tags, t.tag[i]) & CELL_TAG or w.nearest[i] < 0:
            continue
        table = w.nearest[i]
        counted = unlinked if has_header(w, table) else before
        chars = counted[t.end[i]] - counted[t.first[i]]
        limit = marked * long_cell if w.flags[table] & MARKED else long_cell
        w.running[table] += (chars > limit and t.end[i] - t.first[i] > 1) or chars > huge_cell
    for i in range(t.m):
        if w.nearest[i] == i and w.running[i] > (w.cells[i] // running_share if w.flags[i] & IS_HEADED else 0):
            out[i] = 0
