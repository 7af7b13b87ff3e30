"""Groups of blocks that are decided as one: the same field of all records, cells of a table, parts of a list."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from dehusk.compiled.arrays cimport as_bool, as_i64, new_array, size_of, values
from dehusk.compiled.elements cimport Elements, TagBits, add_tags, bits_of, read_elements
from dehusk.compiled.first_use cimport once

cdef enum:
    TEXT_ELEMENT = 1
    CELL_ELEMENT = 2

    LISTS = 1
    TABLES = 2
    LISTINGS = 4

cdef TagBits group_tags
cdef object group_rules = None  # dehusk.blocks.units.decisions, which cannot be imported before this module
cdef object structures_of = None
cdef int32_t many_records = 0

cdef struct Parts:
    # the q elements that the records of l lists consist of, items and definitions included
    int32_t q, l
    int64_t *element  # (q,)
    int64_t *list_of  # (q,)
    int64_t *kind  # (q,)
    int32_t *around  # (m,) innermost part around each element, or -1
    int32_t *lead  # (l,) first part of each list
    int32_t *outer  # (l,) list around each list, or -1
    int32_t *level  # (l,) lists around it that are not alike, -1 if not known yet
    int32_t *stack  # (l,)
    uint64_t *family  # (l,) equal for lists at the same path in the records of one list
    int32_t *family_size  # (l,) parts of all lists of each list's family

cdef struct Grouping:
    Elements t
    Parts parts
    uint64_t *path  # (m,) sum over the elements around each of their hashes times powers of an odd number
    uint64_t *power  # (depth,)
    uint64_t *inverse  # (depth,)
    int32_t *holder  # (m,) innermost block-level element around each, if a text element, or else the element
    int32_t *listed  # (m,) outermost list around each, or -1
    int32_t *table  # (m,)
    int32_t *listing  # (m,)
    int32_t *item  # (m,) innermost child of an outermost list around each, or -1
    uint8_t *is_outer  # (m,) whether a block is in this outermost list
    uint8_t *units  # (m,) LISTS, TABLES, LISTINGS: what the element is
    int32_t *scratch  # (m,)


cdef int prepare_groups() except -1:
    global group_rules, structures_of, many_records
    from dehusk.blocks.units import decisions, skeleton, structures
    add_tags(&group_tags, decisions._TEXT_ELEMENTS, TEXT_ELEMENT)
    add_tags(&group_tags, skeleton._CELL, CELL_ELEMENT)
    structures_of = structures.find_structures
    many_records = decisions.MANY_RECORDS
    group_rules = decisions
    return 0


def grouping(object blocks):
    """Return the fields and groups of the blocks, and which of them are bound."""
    once(&_is_ready, prepare)
    cdef Grouping w
    tree, structures = skeleton_of(blocks), structures_of(blocks)
    read_elements(tree, &w.t)
    records, pairs = structures.records, structures.pairs
    cdef int64_t most = size_of(records.part) + size_of(pairs.part) + w.t.m
    cdef int64_t lists = size_of(records.parent) + size_of(pairs.parent) + w.t.m
    cdef size_t m = w.t.m + 1
    field, bound = new_array(w.t.b, cnp.NPY_INT32), new_array(w.t.b, cnp.NPY_BOOL)
    group = new_array(w.t.b, cnp.NPY_INT32)
    cdef int32_t *fields = <int32_t *>values(field)
    cdef uint8_t *bounds = <uint8_t *>values(bound)
    cdef int32_t *groups = <int32_t *>values(group)
    cdef bint is_done = False
    cdef char *memory = <char *>malloc(
        8 * (3 * m + 3 * most + lists) + 4 * (9 * m + 5 * lists) + 2 * m
    )
    if memory == NULL:
        raise MemoryError
    try:
        lay_out_grouping(&w, memory, most, lists)
        read_units(&w, structures)
        read_parts(&w, structures.items, records, pairs)
        with nogil:
            hash_paths(&w)
            find_families(&w)
            is_done = count_families(&w) and number_blocks(&w, fields, bounds, groups)
    finally:
        free(memory)
    if not is_done:
        raise MemoryError
    return group_rules.Grouping(field, bound, group)


cdef void lay_out_grouping(Grouping *w, char *memory, int64_t most, int64_t lists) noexcept nogil:
    cdef size_t m = w.t.m + 1
    w.path = <uint64_t *>memory
    w.power, w.inverse = w.path + m, w.path + 2 * m
    w.parts.element = <int64_t *>(w.path + 3 * m)
    w.parts.list_of, w.parts.kind = w.parts.element + most, w.parts.element + 2 * most
    w.parts.family = <uint64_t *>(w.parts.element + 3 * most)
    cdef int32_t *at = <int32_t *>(w.parts.family + lists)
    w.parts.around, w.holder, w.listed, w.table = at, at + m, at + 2 * m, at + 3 * m
    w.listing, w.item, w.scratch = at + 4 * m, at + 5 * m, at + 6 * m
    at += 9 * m
    w.parts.lead, w.parts.outer, w.parts.level = at, at + lists, at + 2 * lists
    w.parts.stack, w.parts.family_size = at + 3 * lists, at + 4 * lists
    w.is_outer = <uint8_t *>(at + 5 * lists)
    w.units = w.is_outer + m


cdef int read_units(Grouping *w, object structures) except -1:
    """Find the outermost units around each element; raises ValueError if the masks do not fit the tree."""
    cdef const uint8_t *masks[4]
    cdef int64_t i, up
    cdef uint32_t bits
    for i, mask in enumerate((structures.lists, structures.definitions, structures.tables, structures.listings)):
        masks[i] = as_bool(mask)
        if size_of(mask) != w.t.m:
            raise ValueError("the structures do not fit the skeleton")
    for i in range(w.t.m):
        up = w.t.parent[i]
        w.units[i] = (LISTS if masks[0][i] or masks[1][i] else 0) | (TABLES if masks[2][i] else 0) | (
            LISTINGS if masks[3][i] else 0
        )
        w.listed[i] = outermost_of(w.listed, i, up, w.units[i] & LISTS)
        w.table[i] = outermost_of(w.table, i, up, w.units[i] & TABLES)
        w.listing[i] = outermost_of(w.listing, i, up, w.units[i] & LISTINGS)
        bits = bits_of(&group_tags, w.t.tag[i])
        # w.scratch: the innermost block-level element, as the body if there is none
        w.scratch[i] = <int32_t>i if w.t.is_holder[i] else w.scratch[up] if up >= 0 else 0
        w.holder[i] = (
            w.scratch[i] if bits_of(&group_tags, w.t.tag[w.scratch[i]]) & TEXT_ELEMENT else <int32_t>i
        )
    return 0


cdef inline int32_t outermost_of(const int32_t *found, int64_t i, int64_t up, bint is_one) noexcept nogil:
    if up >= 0 and found[up] >= 0:
        return found[up]
    return <int32_t>i if is_one else -1


cdef int read_parts(Grouping *w, object items, object records, object pairs) except -1:
    """Read the parts of all lists; raises ValueError if they are no elements of the tree."""
    cdef Parts *p = &w.parts
    cdef const uint8_t *is_item = as_bool(items)
    cdef int64_t i, up
    if size_of(items) != w.t.m:
        raise ValueError("the structures do not fit the skeleton")
    p.q, p.l = 0, 0
    add_records(w, records, False)
    for i in range(w.t.m):
        w.scratch[i] = -1
    for i in range(w.t.m):
        if is_item[i] and w.t.end[i] - w.t.first[i] > 1 and i:
            w.scratch[w.t.parent[i]] = 0  # a list with an item of several blocks
    for i in range(w.t.m):
        if w.scratch[i] == 0:
            w.scratch[i] = p.l
            p.l += 1
    for i in range(1, w.t.m):
        up = w.t.parent[i]
        if is_item[i] and w.scratch[up] >= 0:
            p.element[p.q], p.list_of[p.q], p.kind[p.q] = i, w.scratch[up], w.t.tag[i]
            p.q += 1
    return add_records(w, pairs, True)


cdef int add_records(Grouping *w, object records, bint are_pairs) except -1:
    """Add the parts of records; those of pairs are alike if their tags are."""
    cdef Parts *p = &w.parts
    cdef int64_t n = size_of(records.part), lists = size_of(records.parent), i
    if not n:
        return 0
    cdef const int64_t *part = as_i64(records.part)
    cdef const int64_t *part_list = as_i64(records.part_list)
    cdef const int64_t *kind = as_i64(records.part_kind)
    if size_of(records.part_list) != n or size_of(records.part_kind) != n:
        raise ValueError("the records do not fit the skeleton")
    for i in range(n):
        if not (0 <= part[i] < w.t.m and 0 <= part_list[i] < lists):
            raise ValueError("the records do not fit the skeleton")
        p.element[p.q], p.list_of[p.q] = part[i], p.l + part_list[i]
        p.kind[p.q] = w.t.tag[part[i]] if are_pairs else kind[i]
        p.q += 1
    p.l += <int32_t>lists
    return 0


cdef void hash_paths(Grouping *w) noexcept nogil:
    """Hash the path of each element, and find the innermost part around it."""
    cdef int64_t i, up, deepest = 0
    cdef uint64_t inverse = FACTOR_0, key
    cdef bint has_cells = False
    for i in range(6):  # Newton's iteration doubles the bits that are right, from three up
        inverse *= 2 - FACTOR_0 * inverse
    for i in range(w.t.m):
        deepest = max(deepest, w.t.depth[i])
        has_cells |= (bits_of(&group_tags, w.t.tag[i]) & CELL_ELEMENT) != 0
        w.scratch[i] = 0
        w.parts.around[i] = -1
    w.power[0], w.inverse[0] = FACTOR_0, inverse
    for i in range(1, deepest + 1):
        w.power[i], w.inverse[i] = w.power[i - 1] * FACTOR_0, w.inverse[i - 1] * inverse
    for i in range(w.parts.q):
        w.parts.around[w.parts.element[i]] = <int32_t>i
    for i in range(w.t.m):
        up = w.t.parent[i]
        key = hash_of_one(w.t.signature[i])
        if has_cells:  # cells of one row differ by their columns
            key = hash_of_two(key, w.scratch[up] if up >= 0 and bits_of(&group_tags, w.t.tag[i]) & CELL_ELEMENT else 0)
            if up >= 0 and bits_of(&group_tags, w.t.tag[i]) & CELL_ELEMENT:
                w.scratch[up] += 1
        w.path[i] = key * w.power[w.t.depth[i]] + (w.path[up] if up >= 0 else 0)
        if up >= 0 and w.parts.around[i] < 0:
            w.parts.around[i] = w.parts.around[up]


cdef inline uint64_t path_between(const Grouping *w, int64_t outer, int64_t inner) noexcept nogil:
    return (w.path[inner] - w.path[outer]) * w.inverse[w.t.depth[outer]]


cdef inline uint64_t field_key(const Grouping *w, int64_t place, int64_t holder) noexcept nogil:
    """Return a key for the path to a holder from the innermost part around a place."""
    cdef const Parts *p = &w.parts
    cdef int32_t part = p.around[place]
    return hash_of_three(path_between(w, p.element[part], holder), p.family[p.list_of[part]], <uint64_t>p.kind[part])


cdef void find_families(Grouping *w) noexcept nogil:
    cdef Parts *p = &w.parts
    cdef int32_t i, around, top
    cdef int64_t parent
    for i in range(p.l):
        p.lead[i], p.level[i] = -1, -1
    for i in range(p.q - 1, -1, -1):
        p.lead[p.list_of[i]] = i
    for i in range(p.l):
        parent = max(w.t.parent[p.element[p.lead[i]]], 0)
        around = p.around[parent]
        p.outer[i] = <int32_t>p.list_of[around] if around >= 0 else -1
    for i in range(p.l):
        top, around = 0, i
        while around >= 0 and p.level[around] < 0 and top < p.l:
            p.stack[top] = around
            top, around = top + 1, p.outer[around]
        while top > 0:
            top -= 1
            add_family(w, p.stack[top])


cdef void add_family(Grouping *w, int32_t which) noexcept nogil:
    """Find the family of a list; that of the list around it is known."""
    cdef Parts *p = &w.parts
    cdef int32_t lead = p.lead[which], outer = p.outer[which], around
    cdef int64_t parent = max(w.t.parent[p.element[lead]], 0)
    if outer < 0:
        p.level[which], p.family[which] = 0, hash_of_one(<uint64_t>which) * w.power[0]
        return
    around = p.around[parent]
    if p.kind[around] == p.kind[lead]:  # such as comments and replies
        p.level[which], p.family[which] = p.level[outer], p.family[outer]
        return
    p.level[which] = p.level[outer] + 1
    p.family[which] = p.family[outer] + w.power[p.level[which]] * hash_of_two(
        path_between(w, p.element[around], parent), <uint64_t>p.kind[lead]
    )


cdef bint count_families(Grouping *w) noexcept nogil:
    """Count the parts of each family; return whether there was memory."""
    cdef Parts *p = &w.parts
    cdef Table families
    cdef int32_t i, number
    cdef bint is_done = table_open(&families, p.l)
    if is_done:
        for i in range(p.l):
            p.lead[i] = table_number(&families, p.family[i])  # room for all: it never grows
            p.outer[i] = 0  # from here on, the parts of each family
        for i in range(p.q):
            p.outer[p.lead[p.list_of[i]]] += 1
        for i in range(p.l):
            p.family_size[i] = p.outer[p.lead[i]]
    table_close(&families)
    return is_done


cdef bint number_blocks(Grouping *w, int32_t *field, uint8_t *bound, int32_t *group) noexcept nogil:
    """Number the fields and the groups; return whether there was memory."""
    cdef Table fields, groups
    cdef int64_t i, inner
    cdef int32_t holder
    cdef bint is_done = True
    find_items(w)
    if not table_open(&fields, w.parts.q) & table_open(&groups, w.t.b):
        is_done = False
    for i in range(w.t.b if is_done else 0):
        inner = w.t.innermost[i]
        holder = w.holder[inner]
        field[i] = -1
        if w.parts.around[holder] >= 0:
            field[i] = table_number(&fields, field_key(w, holder, holder))
            is_done &= field[i] >= 0
        bound[i] = w.listed[inner] >= 0 or w.table[inner] >= 0 or w.listing[inner] >= 0
        group[i] = table_number(&groups, group_key(w, i, field[i]))
        is_done &= group[i] >= 0
    table_close(&fields)
    table_close(&groups)
    return is_done


cdef inline uint64_t group_key(const Grouping *w, int64_t block, int32_t field) noexcept nogil:
    """Return a key of what a block is decided with; the second number says what the first one means."""
    cdef int64_t inner = w.t.innermost[block]
    if w.listing[inner] >= 0:
        return hash_of_two(<uint64_t>w.listing[inner], 4)
    if w.table[inner] >= 0:
        return hash_of_two(<uint64_t>w.table[inner], 3)
    if w.listed[inner] >= 0:
        return hash_of_two(list_key(w, w.listed[inner], w.holder[inner]), 2)
    return hash_of_two(<uint64_t>field, 1) if field >= 0 else hash_of_two(<uint64_t>block, 0)


cdef inline uint64_t list_key(const Grouping *w, int32_t outer, int32_t holder) noexcept nogil:
    """Return a key of an outermost list and the path in it, or of the field if the list is in one of many records."""
    cdef int64_t place = max(w.t.parent[outer], 0)
    cdef int32_t around = w.parts.around[place], start
    holder = max(holder, outer)
    if around >= 0 and w.parts.family_size[w.parts.list_of[around]] >= many_records:
        return field_key(w, place, holder)
    start = max(w.item[holder], outer)
    return hash_of_three(path_between(w, start, holder), <uint64_t>outer, w.t.tag[start])


cdef void find_items(Grouping *w) noexcept nogil:
    cdef int64_t i, up
    memset(w.is_outer, 0, w.t.m)
    for i in range(w.t.b):
        if w.listed[w.t.innermost[i]] >= 0:
            w.is_outer[w.listed[w.t.innermost[i]]] = 1
    for i in range(w.t.m):
        up = max(w.t.parent[i], 0)
        w.item[i] = <int32_t>i if w.is_outer[up] else w.item[up] if i else -1
