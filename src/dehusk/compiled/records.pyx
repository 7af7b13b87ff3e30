"""Twins of `dehusk.units.records.find_records` and `find_pairs`."""

cimport numpy as cnp
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from dehusk.compiled.arrays cimport as_bool, as_i32, new_array, size_of, values
from dehusk.compiled.segments cimport Counts, Cut, cut, is_dense, is_regular, keep_lists, keep_starts, number_lists
from dehusk.compiled.siblings cimport (
    ARTICLE, ELIGIBLE, FREE, NESTED, POST, THIN, Groups, Paths, Row, add_paths, close_paths, drop_single, find_largest,
    join_groups, lay_row, measure_cohesion, number_kinds, open_paths, renumber_groups
)
from dehusk.compiled.trees cimport TagBits, Tree, add_tags, bits_of, read_tree

cnp.import_array()

cdef enum:
    NO_RECORD = 1
    HEADING = 2
    PARAGRAPH = 4
    IS_ARTICLE = 8
    DEFINITIONS = 16
    TERM = 32

cdef TagBits tags
cdef object reference = None  # dehusk.units.records, which cannot be imported before this module
cdef object skeleton_of = None
cdef int64_t min_records = 0, long_record = 0, chars_per_word = 1
cdef double min_cohesion = 0, main_starts = 0, min_parts = 0, alike = 0

cdef struct Work:
    Tree t
    Row row
    Groups groups
    Counts counts
    Cut headed
    Cut plain
    int32_t *first  # of each kind: first position, or number
    int32_t *last  # of each kind: last position, or count
    int32_t *nearest  # (m,) innermost post around each element
    int32_t *covered  # (k + 1,) positions before that are in records of `headed`
    bint *mask  # of lists, or of groups
    int64_t *unlinked  # (b + 1,) unlinked words before each block
    int32_t *seen  # two places for each tag
    void *memory


cdef bint load() except False:
    """Take the sets of tags and the limits from the modules of the functions, which cannot be imported before."""
    global reference, skeleton_of, min_records, long_record, chars_per_word
    global min_cohesion, main_starts, min_parts, alike
    from dehusk.units import likeness, records, segments, skeleton
    for table, bit in (
        (records._NO_RECORD, NO_RECORD), (records._HEADING, HEADING), (records._P, PARAGRAPH),
        (records._ARTICLE, IS_ARTICLE), (records._DEFINITIONS, DEFINITIONS), (records._TERM, TERM),
    ):
        add_tags(&tags, table, bit)
    min_records, long_record, chars_per_word = records.MIN_RECORDS, records.LONG_RECORD, skeleton.CHARS_PER_WORD
    min_cohesion, main_starts = records.MIN_COHESION, records.MAIN_STARTS
    min_parts, alike = segments.MIN_PARTS, likeness.ALIKE
    skeleton_of, reference = skeleton.skeleton_of, records
    return True


cdef bint open_work(Work *w) noexcept nogil:
    """Return whether there was memory; `free(w.memory)` and `free(w.seen)` free it in any case."""
    cdef size_t n = <size_t>w.t.m + 2
    w.seen = <int32_t *>calloc(2 * <size_t>w.t.n_tags + 2, sizeof(int32_t))
    w.memory = malloc(n * (4 * sizeof(uint64_t) + 38 * sizeof(int32_t) + 2) + (<size_t>w.t.b + 1) * sizeof(int64_t))
    if w.memory == NULL or w.seen == NULL:
        return False
    w.unlinked = <int64_t *>w.memory
    w.row.keys = <uint64_t *>(w.unlinked + w.t.b + 1)
    w.groups.words, w.groups.cohesion = <int64_t *>(w.row.keys + 2 * n), <double *>(w.row.keys + 3 * n)
    cdef int32_t *at = <int32_t *>(w.row.keys + 4 * n)
    w.row.element, w.row.stop, w.row.kind = at, at + n, at + 2 * n
    w.groups.lead, w.groups.size, w.groups.largest = at + 3 * n, at + 4 * n, at + 5 * n
    w.groups.number, w.groups.common, w.groups.shared = at + 6 * n, at + 7 * n, at + 8 * n
    w.groups.several, w.groups.blocks = at + 9 * n, at + 10 * n
    w.nearest, w.covered, w.mask = at + 11 * n, at + 12 * n, <bint *>(at + 13 * n)
    lay_cut(&w.headed, at + 14 * n, n)
    lay_cut(&w.plain, at + 21 * n, n)
    at += 28 * n
    # there are at most twice as many kinds as elements
    w.counts.count, w.counts.list_of, w.counts.record = at, at + 2 * n, at + 4 * n
    w.first, w.last = at + 6 * n, at + 8 * n
    w.row.flags, w.groups.is_needed = <uint8_t *>(at + 10 * n), <uint8_t *>(at + 10 * n) + n
    return True


cdef void lay_cut(Cut *found, int32_t *at, size_t n) noexcept nogil:
    found.start, found.stop, found.first_part, found.part = at, at + n, at + 2 * n, at + 3 * n
    found.first_record, found.kind, found.number = at + 4 * n, at + 5 * n, at + 6 * n
    found.r = found.l = found.q = 0


def find_records(object blocks, object taken):
    if reference is None:
        load()
    cdef Work w
    cdef int64_t i
    tree = skeleton_of(blocks)
    read_tree(tree, &w.t)
    cdef const uint8_t *is_taken = as_bool(taken)
    columns = (blocks.words, blocks.link_words, blocks.link_chars, blocks.start, blocks.end)
    cdef const int32_t *of_blocks[5]
    for i in range(5):
        of_blocks[i] = as_i32(columns[i])
        if size_of(columns[i]) != w.t.b:
            return NotImplemented
    if size_of(taken) != w.t.m or (w.t.m and not bits_of(&tags, w.t.tag[0]) & NO_RECORD):
        return NotImplemented
    cdef bytes posts = post_tokens(tree.tokens)
    cdef const uint8_t *is_post = <const uint8_t *><const char *>posts
    for i in range(w.t.m):
        if w.t.signature[i] >= len(posts) * w.t.n_tags:
            return NotImplemented
    cdef bint is_done = False
    with nogil:
        if open_work(&w):
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


cdef bytes post_tokens(tuple tokens):
    """Return a byte for each token: whether it names a post."""
    names_a_post = reference._names_a_post
    return bytes([names_a_post(token) for token in tokens])


cdef void sum_unlinked(Work *w, const int32_t **of_blocks) noexcept nogil:
    cdef int64_t i, words, chars
    w.unlinked[0] = 0
    for i in range(w.t.b):
        words = of_blocks[0][i] - of_blocks[1][i]
        chars = of_blocks[4][i] - of_blocks[3][i] - of_blocks[2][i]
        w.unlinked[i + 1] = w.unlinked[i] + max(words, chars // chars_per_word)


cdef void mark_elements(Work *w, const uint8_t *taken, const uint8_t *is_post) noexcept nogil:
    """Set the flags of the elements, as they are before `drop_single`."""
    cdef const Tree *t = &w.t
    cdef int64_t i
    cdef uint32_t bits
    cdef uint8_t flags
    for i in range(t.m):
        w.covered[i] = 0
    for i in range(t.m - 1, 0, -1):
        if t.is_holder[i] or w.covered[i]:
            w.covered[t.parent[i]] = 1  # block-level elements are inside
    for i in range(t.m):
        bits, flags = bits_of(&tags, t.tag[i]), 0
        if bits & HEADING or (bits & PARAGRAPH and t.signature[i] >= t.n_tags):
            flags = THIN
        if bits & IS_ARTICLE:
            flags |= ARTICLE
        if not taken[i]:
            flags |= FREE
            if not bits & NO_RECORD and (t.is_holder[i] or w.covered[i]):
                flags |= ELIGIBLE
                if is_post[t.signature[i] // t.n_tags]:
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
    cut(&w.row, &w.headed, &w.counts, min_parts, False)
    for i in range(w.headed.l):
        w.mask[i] = is_regular(&w.row, &w.headed, i)
    keep_lists(&w.headed, w.mask)
    choose_groups(w)
    memset(w.counts.list_of, 0, w.row.kinds * sizeof(int32_t))
    cut(&w.row, &w.plain, &w.counts, min_parts, False)
    for i in range(w.plain.l):
        w.mask[i] = is_regular(&w.row, &w.plain, i)
    keep_starts(&w.plain, w.mask)
    for i in range(w.plain.l):
        w.mask[i] = is_dense(&w.plain, i)
    keep_lists(&w.plain, w.mask)
    number_lists(&w.headed, w.first, w.row.kinds)
    number_lists(&w.plain, w.first, w.row.kinds)
    return True


cdef void mark_nested(Work *w) noexcept nogil:
    """Mark posts in or around a post with the same signature."""
    cdef int64_t i, around
    for i in range(w.t.m):
        around = w.nearest[w.t.parent[i]] if i else -1
        w.nearest[i] = <int32_t>(i if w.row.flags[i] & POST else around)
        if w.nearest[i] == i and around >= 0 and w.t.signature[i] == w.t.signature[around]:
            w.row.flags[i] |= NESTED
            w.row.flags[around] |= NESTED


cdef void measure_groups(Work *w) noexcept nogil:
    """Find the fewest unlinked words and the most blocks of the members of each group."""
    cdef int32_t i, group, element
    cdef int64_t words
    for i in range(w.groups.g):
        w.groups.words[i], w.groups.blocks[i] = INT64_MAX, 0
    for i in range(w.row.k):
        group, element = w.row.kind[i], w.row.element[i]
        if group >= 0:
            words = w.unlinked[w.t.end[element]] - w.unlinked[w.t.first[element]]
            w.groups.words[group] = min(w.groups.words[group], words)
            w.groups.blocks[group] = max(
                w.groups.blocks[group], <int32_t>(w.t.end[element] - w.t.first[element])
            )


cdef bint may_be_records(const Work *w, int32_t group) noexcept nogil:
    """Return whether a group is one of records if its members are alike."""
    cdef int32_t lead = w.groups.lead[group], size = w.groups.size[group]
    cdef bint is_article = (w.row.flags[lead] & ARTICLE) != 0
    return (size >= min_records or (size > 1 and (w.groups.words[group] >= long_record or is_article))) and (
        w.groups.blocks[group] > 1 or w.t.signature[lead] >= w.t.n_tags or is_article
    )


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
        join_groups(&paths, &w.groups, alike)
        renumber_groups(&w.row, &w.groups)
    close_paths(&paths)
    return is_done


cdef void choose_headings(Work *w) noexcept nogil:
    """Choose the headings, or paragraphs with a class, of one kind for each parent that may start records."""
    cdef int32_t i, start = 0, stop, largest, chosen
    cdef int32_t *count = w.last
    w.headed.l = w.headed.r = 0
    for i in range(w.row.k):
        count[w.row.kind[i]] = 0
    for i in range(w.row.k):
        count[w.row.kind[i]] += (w.row.flags[w.row.element[i]] & THIN) != 0
    while start < w.row.k:
        stop, largest, chosen = w.row.stop[start], 0, -1
        for i in range(start, stop):
            largest = max(largest, count[w.row.kind[i]])
        for i in range(start, stop):
            if largest >= min_records and count[w.row.kind[i]] >= min_records:
                if count[w.row.kind[i]] >= main_starts * largest:
                    chosen = w.row.kind[i]
                    break
        if chosen >= 0:
            add_list(w, &w.headed, chosen, start, stop)
        start = stop


cdef void add_list(Work *w, Cut *found, int32_t kind, int32_t first, int32_t end) noexcept nogil:
    """Add the list of the records that the siblings of a kind start."""
    cdef int32_t i
    found.first_record[found.l], found.kind[found.l] = found.r, kind
    for i in range(first, end):
        if w.row.kind[i] == kind:
            found.start[found.r] = i
            found.r += 1
    found.l += 1
    found.first_record[found.l] = found.r


cdef bint is_good(const Work *w, int32_t group) noexcept nogil:
    """Return whether a group is one of records; `last` says which groups have nested posts."""
    if w.row.flags[w.groups.lead[group]] & POST and (w.groups.size[group] > 1 or w.last[group]):
        return True
    return may_be_records(w, group) and w.groups.cohesion[group] >= min_cohesion


cdef void choose_groups(Work *w) noexcept nogil:
    """Choose the groups that start records: of those that alternate, one."""
    cdef int32_t i, kind, reach = -1, begin = 0, n = 0, record
    cdef int32_t *cluster = w.counts.count  # the groups of a cluster, in order
    w.plain.l = w.plain.r = 0
    for i in range(w.groups.g):
        w.last[i] = 0
    for i in range(w.row.k):
        if w.row.kind[i] < w.groups.g:
            w.last[w.row.kind[i]] |= (w.row.flags[w.row.element[i]] & NESTED) != 0
    for i in range(w.groups.g):
        w.mask[i], w.first[i] = is_good(w, i), -1
    cover(w)
    for i in range(w.row.k):
        kind = w.row.kind[i]
        if kind < w.groups.g:
            w.first[kind] = i if w.first[kind] < 0 else w.first[kind]
            w.last[kind] = i
    for i in range(w.row.k):
        kind = w.row.kind[i]
        if kind >= w.groups.g or i != w.first[kind] or not w.mask[kind] or (
            w.covered[w.last[kind] + 1] != w.covered[i]
        ):
            continue
        if i > reach:
            add_cluster(w, cluster, n, reach)
            n = 0
        cluster[n] = kind
        n, reach = n + 1, max(reach, w.last[kind])
    add_cluster(w, cluster, n, reach)


cdef void add_cluster(Work *w, const int32_t *cluster, int32_t n, int32_t reach) noexcept nogil:
    cdef int32_t i, largest = 0
    for i in range(n):
        largest = max(largest, w.groups.size[cluster[i]])
    for i in range(n):
        if w.groups.size[cluster[i]] >= main_starts * largest:
            add_list(w, &w.plain, cluster[i], w.first[cluster[i]], reach + 1)
            return


cdef void cover(Work *w) noexcept nogil:
    """Count the positions before each position that are in records of `headed`."""
    cdef int32_t i, record
    memset(w.covered, 0, (<size_t>w.row.k + 1) * sizeof(int32_t))
    for record in range(w.headed.r):
        for i in range(w.headed.start[record], w.headed.stop[record]):
            w.covered[i + 1] = 1
    for i in range(w.row.k):
        w.covered[i + 1] += w.covered[i]


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
    return reference.Records(*arrays)


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
    if reference is None:
        load()
    cdef Work w
    tree = skeleton_of(blocks)
    read_tree(tree, &w.t)
    cdef int64_t i
    cdef bint is_any = False
    for i in range(w.t.m):
        is_any |= (bits_of(&tags, w.t.tag[i]) & DEFINITIONS) != 0
    if not is_any:
        return reference.Records(*[new_array(0, cnp.NPY_INT64)] * 8)
    if bits_of(&tags, w.t.tag[0]) & DEFINITIONS:
        return NotImplemented
    cdef bint is_open
    with nogil:
        is_open = open_work(&w)
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
        if element and bits_of(&tags, w.t.tag[w.t.parent[element]]) & DEFINITIONS:
            w.row.flags[element] = FREE
    lay_row(&w.t, &w.row)
    w.row.kinds = w.row.k
    for i in range(w.row.k):
        w.row.kind[i] = i  # each part says its own signature
    while start < w.row.k:
        stop, was_term = w.row.stop[start], False
        w.plain.first_record[w.plain.l], w.plain.number[w.plain.l] = w.plain.r, w.plain.l
        for i in range(start, stop):
            is_term = (bits_of(&tags, w.t.tag[w.row.element[i]]) & TERM) != 0
            if is_term and not was_term:
                w.plain.start[w.plain.r] = i
                w.plain.r += 1
            was_term = is_term
        if w.plain.r > w.plain.first_record[w.plain.l]:
            w.plain.l += 1
            w.plain.first_record[w.plain.l] = w.plain.r
        start = stop
    cut(&w.row, &w.plain, &w.counts, min_parts, True)
