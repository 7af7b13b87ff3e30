"""Which siblings start records: headings of a kind, and groups of like siblings, for `records`."""

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, malloc
from libc.string cimport memset

from dehusk.compiled.elements cimport Elements

cdef struct RecordLimits:
    int64_t min_records
    int64_t long_record
    int64_t chars_per_word
    double min_cohesion
    double main_starts
    double min_parts
    double alike

cdef struct Work:
    const RecordLimits *limits
    Elements t
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


cdef inline bint open_work(Work *w, const RecordLimits *limits) noexcept nogil:
    """Return whether there was memory; `free(w.memory)` and `free(w.seen)` free it in any case."""
    cdef size_t n = <size_t>w.t.m + 2
    w.limits = limits
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


cdef inline void lay_cut(Cut *found, int32_t *at, size_t n) noexcept nogil:
    found.start, found.stop, found.first_part, found.part = at, at + n, at + 2 * n, at + 3 * n
    found.first_record, found.kind, found.number = at + 4 * n, at + 5 * n, at + 6 * n
    found.r = found.l = found.q = 0


cdef inline void mark_nested(Work *w) noexcept nogil:
    """Mark posts in or around a post with the same signature."""
    cdef int64_t i, around
    for i in range(w.t.m):
        around = w.nearest[w.t.parent[i]] if i else -1
        w.nearest[i] = <int32_t>(i if w.row.flags[i] & POST else around)
        if w.nearest[i] == i and around >= 0 and w.t.signature[i] == w.t.signature[around]:
            w.row.flags[i] |= NESTED
            w.row.flags[around] |= NESTED


cdef inline void measure_groups(Work *w) noexcept nogil:
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


cdef inline bint may_be_records(const Work *w, int32_t group) noexcept nogil:
    """Return whether a group is one of records if its members are alike."""
    cdef int32_t lead = w.groups.lead[group], size = w.groups.size[group]
    cdef bint is_article = (w.row.flags[lead] & ARTICLE) != 0
    cdef bint is_large = w.groups.words[group] >= w.limits.long_record or is_article
    return (size >= w.limits.min_records or (size > 1 and is_large)) and (
        w.groups.blocks[group] > 1 or w.t.signature[lead] >= w.t.n_tags or is_article
    )


cdef inline void choose_headings(Work *w) noexcept nogil:
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
            if largest >= w.limits.min_records and count[w.row.kind[i]] >= w.limits.min_records:
                if count[w.row.kind[i]] >= w.limits.main_starts * largest:
                    chosen = w.row.kind[i]
                    break
        if chosen >= 0:
            add_list(w, &w.headed, chosen, start, stop)
        start = stop


cdef inline void add_list(Work *w, Cut *found, int32_t kind, int32_t first, int32_t end) noexcept nogil:
    """Add the list of the records that the siblings of a kind start."""
    cdef int32_t i
    found.first_record[found.l], found.kind[found.l] = found.r, kind
    for i in range(first, end):
        if w.row.kind[i] == kind:
            found.start[found.r] = i
            found.r += 1
    found.l += 1
    found.first_record[found.l] = found.r


cdef inline bint is_good(const Work *w, int32_t group) noexcept nogil:
    """Return whether a group is one of records; `last` says which groups have nested posts."""
    if w.row.flags[w.groups.lead[group]] & POST and (w.groups.size[group] > 1 or w.last[group]):
        return True
    return may_be_records(w, group) and w.groups.cohesion[group] >= w.limits.min_cohesion


cdef inline void choose_groups(Work *w) noexcept nogil:
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


cdef inline void add_cluster(Work *w, const int32_t *cluster, int32_t n, int32_t reach) noexcept nogil:
    cdef int32_t i, largest = 0
    for i in range(n):
        largest = max(largest, w.groups.size[cluster[i]])
    for i in range(n):
        if w.groups.size[cluster[i]] >= w.limits.main_starts * largest:
            add_list(w, &w.plain, cluster[i], w.first[cluster[i]], reach + 1)
            return


cdef inline void cover(Work *w) noexcept nogil:
    """Count the positions before each position that are in records of `headed`."""
    cdef int32_t i, record
    memset(w.covered, 0, (<size_t>w.row.k + 1) * sizeof(int32_t))
    for record in range(w.headed.r):
        for i in range(w.headed.start[record], w.headed.stop[record]):
            w.covered[i + 1] = 1
    for i in range(w.row.k):
        w.covered[i + 1] += w.covered[i]
