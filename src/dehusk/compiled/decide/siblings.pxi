"""Siblings in a row, and groups of those that are alike: what `dehusk.blocks.units.records` finds, for `records`."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from dehusk.compiled.elements cimport Elements

cdef enum:
    FREE = 1  # can be part of a record
    ELIGIBLE = 2  # can start one
    POST = 4  # named like a post
    NESTED = 8  # in or around a post with the same signature
    ARTICLE = 16
    THIN = 32  # a heading, or a paragraph with a class

# The k free elements in a row: siblings in order, one parent after the other. The groups of eligible ones come first
# among the kinds, all other kinds after them.
cdef struct Row:
    int32_t k, kinds
    int32_t *element  # (k,)
    int32_t *stop  # (k,) one past the last sibling
    int32_t *kind  # (k,)
    uint8_t *flags  # (m,)
    uint64_t *keys  # (2 k,) room for sorting

# The g groups of like siblings.
cdef struct Groups:
    int32_t g
    int32_t *lead  # first element
    int32_t *size
    int32_t *largest  # the largest group with its parent and tag, itself if it is that
    int32_t *number  # after joining
    int32_t *common  # paths that half or more of the members have
    int32_t *shared  # of these, those that the largest has in common as well
    int32_t *several  # whether there are others of its parent and tag
    int64_t *words  # of the member with the fewest unlinked words
    int32_t *blocks  # of the member with the most blocks
    double *cohesion
    uint8_t *is_needed  # whether its cohesion matters

# The distinct paths of tags below the members of each group.
cdef struct Paths:
    Table rows  # hash of group and path
    int32_t n
    int32_t *group  # (n,)
    uint64_t *path  # (n,)
    int32_t *count  # (n,) members with the path
    int32_t *latest  # (n,) the latest member with the path
    int32_t pairs
    int32_t *member  # (pairs,) position of each distinct pair of member and path
    int32_t *row  # (pairs,)


cdef inline void lay_row(const Elements *t, Row *row) noexcept nogil:
    """Put the free elements in a row."""
    cdef int64_t up, inner
    cdef int32_t first, i
    row.k = 0
    for up in range(t.m):
        first, inner = row.k, up + 1
        while inner < t.close[up]:
            if row.flags[inner] & FREE:
                row.element[row.k] = <int32_t>inner
                row.k += 1
            inner = t.close[inner]
        for i in range(first, row.k):
            row.stop[i] = row.k


cdef inline void drop_single(const Elements *t, Row *row, int32_t *seen) noexcept nogil:
    """Leave only those eligible that are posts or have an eligible sibling with the same tag.

    `seen` has two places for each tag, all 0.
    """
    cdef int32_t i, start = 0
    cdef uint16_t tag
    cdef uint8_t *flags = row.flags
    for i in range(row.k):
        if i == row.stop[start]:
            start = i
        tag = t.tag[row.element[i]]
        if not flags[row.element[i]] & ELIGIBLE:
            continue
        if seen[2 * tag] != start + 1:
            seen[2 * tag], seen[2 * tag + 1] = start + 1, row.element[i]
            if not flags[row.element[i]] & POST:
                flags[row.element[i]] ^= ELIGIBLE
        else:
            flags[seen[2 * tag + 1]] |= ELIGIBLE


cdef inline void number_kinds(const Elements *t, Row *row, Groups *groups) noexcept nogil:
    """Number the kinds of siblings: groups of eligible ones from 0 up, others from -1 down."""
    cdef int32_t start = 0, stop, i, at, group, other = 0
    cdef uint64_t *keys = row.keys
    cdef uint64_t before, signature
    groups.g = 0
    while start < row.k:
        stop = row.stop[start]
        for i in range(start, stop):
            keys[i - start] = <uint64_t>t.signature[row.element[i]] << 24 | <uint64_t>(i - start)
        sort_keys(keys, keys + row.k, stop - start)
        before, group = <uint64_t>-1, -1
        for i in range(stop - start):
            signature, at = keys[i] >> 24, start + <int32_t>(keys[i] & 0xFFFFFF)
            if signature != before:
                before, group, other = signature, -1, other - 1
            if not row.flags[row.element[at]] & ELIGIBLE:
                row.kind[at] = other
                continue
            if group < 0:
                group = groups.g
                groups.lead[group], groups.size[group] = row.element[at], 0
                groups.g += 1
            row.kind[at] = group
            groups.size[group] += 1
        start = stop
    row.kinds = -other


cdef inline void find_largest(const Elements *t, Groups *groups, int32_t *seen) noexcept nogil:
    """Find the largest group of each parent and tag, the first of equals; `seen` has a place for each tag."""
    cdef int32_t i, j, start = 0, stop, best
    cdef int64_t up
    while start < groups.g:
        up, stop = t.parent[groups.lead[start]], start
        while stop < groups.g and t.parent[groups.lead[stop]] == up:
            seen[t.tag[groups.lead[stop]]] = -1
            stop += 1
        for i in range(start, stop):
            best = seen[t.tag[groups.lead[i]]]
            groups.several[i] = best >= 0
            if best >= 0:
                groups.several[best] = 1
            if best < 0 or groups.size[i] > groups.size[best] or (
                groups.size[i] == groups.size[best] and groups.lead[i] < groups.lead[best]
            ):
                seen[t.tag[groups.lead[i]]] = i
        for j in range(start, stop):
            groups.largest[j] = seen[t.tag[groups.lead[j]]]
        start = stop


cdef inline bint open_paths(Paths *paths, Py_ssize_t most) noexcept nogil:
    """Return whether there was memory for so many pairs of member and path; `close_paths` frees it in any case."""
    cdef size_t room = most + 1
    paths.n = paths.pairs = 0
    cdef bint is_open = table_open(&paths.rows, min(most, 256))
    paths.path = <uint64_t *>malloc(room * (sizeof(uint64_t) + 5 * sizeof(int32_t)))
    paths.group = <int32_t *>(paths.path + room)
    paths.count, paths.latest = paths.group + room, paths.group + 2 * room
    paths.member, paths.row = paths.group + 3 * room, paths.group + 4 * room
    return is_open and paths.path != NULL


cdef inline void close_paths(Paths *paths) noexcept nogil:
    table_close(&paths.rows)
    free(paths.path)


cdef inline bint add_path(Paths *paths, int32_t member, int32_t group, uint64_t path) noexcept nogil:
    """Note that a member has a path below; return whether there was memory."""
    cdef int32_t row = table_number(&paths.rows, hash_of_two(path, <uint64_t>group))
    if row < 0:
        return False
    if row == paths.n:
        paths.group[row], paths.path[row], paths.count[row], paths.latest[row] = group, path, 0, -1
        paths.n += 1
    if paths.latest[row] != member:
        paths.latest[row] = member
        paths.count[row] += 1
        paths.member[paths.pairs], paths.row[paths.pairs] = member, row
        paths.pairs += 1
    return True


cdef inline bint add_paths(
    const Elements *t, Paths *paths, int32_t member, int32_t element, int32_t group
) noexcept nogil:
    """Add the paths of a member down to the third level below it; return whether there was memory."""
    cdef int64_t i = element + 1, j, k
    cdef uint64_t first, second
    while i < t.close[element]:
        first = t.tag[i]
        if not add_path(paths, member, group, first):
            return False
        j = i + 1
        while j < t.close[i]:
            second = first << 16 | t.tag[j]
            if not add_path(paths, member, group, second):
                return False
            k = j + 1
            while k < t.close[j]:
                if not add_path(paths, member, group, second << 16 | t.tag[k]):
                    return False
                k = t.close[k]
            j = t.close[j]
        i = t.close[i]
    return True


cdef inline bint is_common(const Paths *paths, const Groups *groups, int32_t row) noexcept nogil:
    """Return whether half or more of the members of the group have the path; of two members, both."""
    cdef int32_t size = groups.size[paths.group[row]]
    return 2 * paths.count[row] >= (4 if size == 2 else size)


cdef inline void measure_cohesion(const Row *row, const Paths *paths, Groups *groups) noexcept nogil:
    """Sum in the order of the members, as numpy does, so that the bits agree."""
    cdef int32_t i, total, common, at = 0, group
    for i in range(groups.g):
        groups.cohesion[i] = 0
    for i in range(row.k):
        group = row.kind[i]
        if group < 0 or not groups.is_needed[group]:
            continue
        total = common = 0
        while at < paths.pairs and paths.member[at] == i:
            total += 1
            common += is_common(paths, groups, paths.row[at])
            at += 1
        groups.cohesion[group] += <double>common / <double>total if total else 1.0
    for i in range(groups.g):
        groups.cohesion[i] /= groups.size[i]


cdef inline void join_groups(Paths *paths, Groups *groups, double alike) noexcept nogil:
    """Find the group that each belongs to, as `largest`: the largest of its parent and tag if alike, or itself."""
    cdef int32_t i, group, most, other
    for i in range(groups.g):
        groups.common[i] = groups.shared[i] = 0
    for i in range(paths.n):
        if not is_common(paths, groups, i):
            continue
        group = paths.group[i]
        groups.common[group] += 1
        if groups.largest[group] != group:
            other = table_find(&paths.rows, hash_of_two(paths.path[i], <uint64_t>groups.largest[group]))
            groups.shared[group] += other >= 0 and is_common(paths, groups, other)
    for i in range(groups.g):
        most = max(groups.common[i], groups.common[groups.largest[i]])
        if groups.common[i] <= 1 or groups.shared[i] < alike * most:
            groups.largest[i] = i


cdef inline void renumber_groups(Row *row, Groups *groups) noexcept nogil:
    """Join the groups, give them consecutive numbers, and the other kinds those after them."""
    cdef int32_t i, to, g = 0
    for i in range(groups.g):
        to = groups.largest[i]
        if to != i:
            groups.size[to] += groups.size[i]
            groups.lead[to] = min(groups.lead[to], groups.lead[i])
            groups.words[to] = min(groups.words[to], groups.words[i])
            groups.blocks[to] = max(groups.blocks[to], groups.blocks[i])
    for i in range(groups.g):
        if groups.largest[i] == i:
            groups.size[g], groups.lead[g] = groups.size[i], groups.lead[i]
            groups.words[g], groups.blocks[g] = groups.words[i], groups.blocks[i]
            groups.cohesion[g], groups.number[i] = groups.cohesion[i], g
            g += 1
    for i in range(groups.g):
        groups.number[i] = groups.number[groups.largest[i]]
    for i in range(row.k):
        row.kind[i] = groups.number[row.kind[i]] if row.kind[i] >= 0 else g - row.kind[i] - 1
    row.kinds += g
    groups.g = g
