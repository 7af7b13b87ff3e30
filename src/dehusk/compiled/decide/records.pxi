"""Repeated siblings that are records, and the pairs of definition lists."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from dehusk.compiled.arrays cimport as_bool, as_i32, new_array, size_of, values
from dehusk.compiled.elements cimport Elements, TagBits, add_tags, bits_of, read_elements
from dehusk.compiled.first_use cimport once

cdef enum:
    NO_RECORD = 1
    RECORD_HEADING = 2
    RECORD_PARAGRAPH = 4
    IS_ARTICLE = 8
    PAIRS = 16
    TERM = 32

cdef TagBits record_tags
cdef object record_rules = None  # dehusk.blocks.units.records, which cannot be imported before this module
cdef object skeleton_of = None
cdef RecordLimits record_limits

cdef int prepare_records() except -1:
    """Take the sets of tags and the limits from the modules of the functions, which cannot be imported before."""
    global record_rules, skeleton_of
    from dehusk.blocks.units import records, skeleton
    for table, bit in (
        (records._NO_RECORD, NO_RECORD), (records._HEADING, RECORD_HEADING), (records._P, RECORD_PARAGRAPH),
        (records._ARTICLE, IS_ARTICLE), (records._DEFINITIONS, PAIRS), (records._TERM, TERM),
    ):
        add_tags(&record_tags, table, bit)
    record_limits.min_records, record_limits.long_record = records.MIN_RECORDS, records.LONG_RECORD
    record_limits.min_cohesion, record_limits.main_starts = records.MIN_COHESION, records.MAIN_STARTS
    record_limits.min_parts, record_limits.alike = records.MIN_PARTS, records.ALIKE
    record_limits.chars_per_word = skeleton.CHARS_PER_WORD
    skeleton_of, record_rules = skeleton.skeleton_of, records
    return 0


def find_records(object blocks, object taken):
    """Return the lists of records of a page.

    Args:
        blocks: the blocks of a page.
        taken: which elements of the skeleton, shape (m,), cannot be records: items of lists, and what is inside data
            tables and code listings.
    """
    once(&_is_ready, prepare)
    cdef Work w
    cdef int64_t i
    tree = skeleton_of(blocks)
    read_elements(tree, &w.t)
    cdef const uint8_t *is_taken = as_bool(taken)
    columns = (blocks.words, blocks.link_words, blocks.link_chars, blocks.start, blocks.end)
    cdef const int32_t *of_blocks[5]
    for i in range(5):
        of_blocks[i] = as_i32(columns[i])
        if size_of(columns[i]) != w.t.b:
            raise ValueError("the columns of the blocks do not fit their page")
    if size_of(taken) != w.t.m or (w.t.m and not bits_of(&record_tags, w.t.tag[0]) & NO_RECORD):
        raise ValueError("the skeleton does not start with the body")
    cdef const uint8_t *is_post = as_bool(tree.is_post)
    if size_of(tree.is_post) != w.t.m:
        raise ValueError("the columns of the skeleton do not fit together")
    cdef bint is_done = False
    with nogil:
        if open_work(&w, &record_limits):
            sum_unlinked(&w, of_blocks)
            mark_elements(&w, is_taken, is_post)
            is_done = work_out(&w)
    try:
        if not is_done:
            raise MemoryError
        return joined(&w)
    finally:
        free(w.memory)
        free(w.seen)


cdef void sum_unlinked(Work *w, const int32_t **of_blocks) noexcept nogil:
    cdef int64_t i, words, chars
    w.unlinked[0] = 0
    for i in range(w.t.b):
        words = of_blocks[0][i] - of_blocks[1][i]
        chars = of_blocks[4][i] - of_blocks[3][i] - of_blocks[2][i]
        w.unlinked[i + 1] = w.unlinked[i] + max(words, chars // record_limits.chars_per_word)


cdef void mark_elements(Work *w, const uint8_t *taken, const uint8_t *is_post) noexcept nogil:
    """Set the flags of the elements, as they are before `drop_single`."""
    cdef const Elements *t = &w.t
    cdef int64_t i
    cdef uint32_t bits
    cdef uint8_t flags
    for i in range(t.m):
        w.covered[i] = 0
    for i in range(t.m - 1, 0, -1):
        if t.is_holder[i] or w.covered[i]:
            w.covered[t.parent[i]] = 1  # block-level elements are inside
    for i in range(t.m):
        bits, flags = bits_of(&record_tags, t.tag[i]), 0
        if bits & RECORD_HEADING or (bits & RECORD_PARAGRAPH and t.signature[i] >= t.n_tags):
            flags = THIN
        if bits & IS_ARTICLE:
            flags |= ARTICLE
        if not taken[i]:
            flags |= FREE
            if not bits & NO_RECORD and (t.is_holder[i] or w.covered[i]):
                flags |= ELIGIBLE
                if is_post[i]:
                    flags |= POST
        w.row.flags[i] = flags


cdef bint work_out(Work *w) noexcept nogil:
    """Find the lists of records; return whether there was memory."""
    cdef int32_t i
    lay_row(&w.t, &w.row)
    mark_nested(w)
    drop_single(&w.t, &w.row, w.seen)
    number_kinds(&w.t, &w.row, &w.groups)
    find_largest(&w.t, &w.groups, w.seen)
    measure_groups(w)
    if not group_alike(w):
        return False
    choose_headings(w)
    memset(w.counts.list_of, 0, w.row.kinds * sizeof(int32_t))
    cut(&w.row, &w.headed, &w.counts, record_limits.min_parts, False)
    for i in range(w.headed.l):
        w.mask[i] = is_regular(&w.row, &w.headed, i)
    keep_lists(&w.headed, w.mask)
    choose_groups(w)
    memset(w.counts.list_of, 0, w.row.kinds * sizeof(int32_t))
    cut(&w.row, &w.plain, &w.counts, record_limits.min_parts, False)
    for i in range(w.plain.l):
        w.mask[i] = is_regular(&w.row, &w.plain, i)
    keep_starts(&w.plain, w.mask)
    for i in range(w.plain.l):
        w.mask[i] = is_dense(&w.plain, i)
    keep_lists(&w.plain, w.mask)
    number_lists(&w.headed, w.first, w.row.kinds)
    number_lists(&w.plain, w.first, w.row.kinds)
    return True


cdef bint group_alike(Work *w) noexcept nogil:
    """Join groups with nearly the same paths below; return whether there was memory."""
    cdef int32_t i, group
    cdef int64_t most = 0, element
    cdef Paths paths
    cdef bint is_done
    for i in range(w.groups.g):
        w.groups.is_needed[i] = w.groups.several[i] or may_be_records(w, i)
    for i in range(w.row.k):
        if w.row.kind[i] >= 0 and w.groups.is_needed[w.row.kind[i]]:
            element = w.row.element[i]
            most += w.t.close[element] - element - 1
    is_done = open_paths(&paths, min(most, 3 * w.t.m))
    for i in range(w.row.k):
        group = w.row.kind[i]
        if is_done and group >= 0 and w.groups.is_needed[group]:
            is_done = add_paths(&w.t, &paths, i, w.row.element[i], group)
    if is_done:
        measure_cohesion(&w.row, &paths, &w.groups)
        join_groups(&paths, &w.groups, record_limits.alike)
        renumber_groups(&w.row, &w.groups)
    close_paths(&paths)
    return is_done


# ---------------------------------------------------------------- results

cdef struct Columns:
    int64_t *first
    int64_t *end
    int64_t *start
    int64_t *list_of
    int64_t *parent
    int64_t *part
    int64_t *part_list
    int64_t *part_kind


cdef object joined(Work *w):
    """Return the lists of both cuts."""
    cdef int32_t r = w.headed.r + w.plain.r, l = w.headed.l + w.plain.l, q = w.headed.q + w.plain.q
    cdef Columns c
    if not r:
        return record_rules.no_records()
    cdef list arrays = [new_array(n, cnp.NPY_INT64) for n in (r, r, r, r, l, q, q, q)]
    c.first, c.end = <int64_t *>values(arrays[0]), <int64_t *>values(arrays[1])
    c.start, c.list_of = <int64_t *>values(arrays[2]), <int64_t *>values(arrays[3])
    c.parent, c.part = <int64_t *>values(arrays[4]), <int64_t *>values(arrays[5])
    c.part_list, c.part_kind = <int64_t *>values(arrays[6]), <int64_t *>values(arrays[7])
    cdef int32_t i
    for i in range(w.row.kinds):
        w.first[i] = -1
    write_cut(w, &w.headed, &c, 0)
    c.first, c.end, c.start = c.first + w.headed.r, c.end + w.headed.r, c.start + w.headed.r
    c.list_of, c.part = c.list_of + w.headed.r, c.part + w.headed.q
    c.part_list, c.part_kind = c.part_list + w.headed.q, c.part_kind + w.headed.q
    write_cut(w, &w.plain, &c, w.headed.l)
    return record_rules.Records(*arrays)


cdef void write_cut(Work *w, const Cut *found, Columns *c, int32_t lists) noexcept nogil:
    """Write the records of a cut; its lists are numbered from `lists` up, and c.parent is for all of them."""
    cdef int32_t i, record, at, number, element
    for i in range(found.l):
        number = lists + found.number[i]
        c.parent[number] = w.t.parent[w.row.element[found.start[found.first_record[i]]]]
        for record in range(found.first_record[i], found.first_record[i + 1]):
            c.start[record] = w.row.element[found.start[record]]
            c.first[record] = w.t.first[c.start[record]]
            c.end[record] = w.t.end[w.row.element[found.stop[record] - 1]]
            c.list_of[record] = number
            for at in range(found.first_part[record], found.first_part[record + 1]):
                element = w.row.element[found.part[at]]
                if w.first[w.row.kind[found.part[at]]] < 0:
                    w.first[w.row.kind[found.part[at]]] = element
                c.part[at], c.part_list[at] = element, number
                c.part_kind[at] = w.t.signature[w.first[w.row.kind[found.part[at]]]]


# ---------------------------------------------------------------- definition lists

def find_pairs(object blocks):
    """Return the terms of definition lists, each with what defines it, as records."""
    once(&_is_ready, prepare)
    cdef Work w
    tree = skeleton_of(blocks)
    read_elements(tree, &w.t)
    cdef int64_t i
    cdef bint is_any = False
    for i in range(w.t.m):
        is_any |= (bits_of(&record_tags, w.t.tag[i]) & PAIRS) != 0
    if not is_any:
        return record_rules.no_records()
    if bits_of(&record_tags, w.t.tag[0]) & PAIRS:
        raise ValueError("the skeleton does not start with the body")
    cdef bint is_open
    with nogil:
        is_open = open_work(&w, &record_limits)
        if is_open:
            pair_terms(&w)
    try:
        if not is_open:
            raise MemoryError
        return joined(&w)
    finally:
        free(w.memory)
        free(w.seen)


cdef void pair_terms(Work *w) noexcept nogil:
    """Cut the children of definition lists where terms start."""
    cdef int32_t start = 0, stop, i
    cdef int64_t element
    cdef bint is_term, was_term
    for element in range(w.t.m):
        w.row.flags[element] = 0
        if element and bits_of(&record_tags, w.t.tag[w.t.parent[element]]) & PAIRS:
            w.row.flags[element] = FREE
    lay_row(&w.t, &w.row)
    w.row.kinds = w.row.k
    for i in range(w.row.k):
        w.row.kind[i] = i  # each part says its own signature
    while start < w.row.k:
        stop, was_term = w.row.stop[start], False
        w.plain.first_record[w.plain.l], w.plain.number[w.plain.l] = w.plain.r, w.plain.l
        for i in range(start, stop):
            is_term = (bits_of(&record_tags, w.t.tag[w.row.element[i]]) & TERM) != 0
            if is_term and not was_term:
                w.plain.start[w.plain.r] = i
                w.plain.r += 1
            was_term = is_term
        if w.plain.r > w.plain.first_record[w.plain.l]:
            w.plain.l += 1
            w.plain.first_record[w.plain.l] = w.plain.r
        start = stop
    cut(&w.row, &w.plain, &w.counts, record_limits.min_parts, True)
