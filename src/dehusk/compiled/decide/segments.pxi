"""Siblings cut into records, as `dehusk.blocks.units.records` does, for `records`."""

from libc.stdint cimport int32_t, uint64_t


# Lists of records: r records in l lists, made of q parts. The records of a list follow each other.
cdef struct Cut:
    int32_t r, l, q
    int32_t *start  # (r,) position of the first part of each record
    int32_t *stop  # (r,) one past the position of its last part
    int32_t *first_part  # (r + 1,)
    int32_t *part  # (q,) positions of the parts
    int32_t *first_record  # (l + 1,)
    int32_t *kind  # (l,) kind of the starts; lists are numbered in ascending order of it
    int32_t *number  # (l,) number of the list

# Counts of the kinds of siblings in the list that is cut.
cdef struct Counts:
    int32_t *count  # (kinds,)
    int32_t *list_of  # (kinds,) list that the count is for, 0 for none; lists count from 1
    int32_t *record  # (kinds,) latest record counted, 0 for none; records count from 1


cdef inline void cut(const Row *row, Cut *found, const Counts *counts, double share, bint every) noexcept nogil:
    """Cut the siblings that follow each start into records; the starts and lists are given, stops and parts are not.

    `share` is that of the records that siblings must be in, if they belong to records; with `every`, all belong.
    """
    cdef int32_t i, record, end, longest, position, first
    found.q = 0
    for i in range(found.l):
        first, longest = found.first_record[i], 1
        for record in range(first, found.first_record[i + 1] - 1):
            longest = max(longest, found.start[record + 1] - found.start[record])
        if not every:
            count_kinds(row, found, counts, i)
        for record in range(first, found.first_record[i + 1]):
            found.first_part[record] = found.q
            end = end_of(row, found, record)
            for position in range(found.start[record], end):
                if every or position == found.start[record] or is_usual(
                    row, found, counts, i, position, share
                ):
                    if not every and record == found.first_record[i + 1] - 1:
                        if position - found.start[record] >= longest:
                            break
                    found.part[found.q] = position
                    found.q += 1
                elif record == found.first_record[i + 1] - 1:
                    break  # the last record ends before the first sibling that is no part
            found.stop[record] = found.part[found.q - 1] + 1
    found.first_part[found.r] = found.q


cdef inline int32_t end_of(const Row *row, const Cut *found, int32_t record) noexcept nogil:
    """Return where the siblings end that follow the start of a record, before the next start."""
    cdef int32_t end = row.stop[found.start[record]]
    return min(end, found.start[record + 1]) if record + 1 < found.r else end


cdef inline void count_kinds(const Row *row, const Cut *found, const Counts *counts, int32_t which) noexcept nogil:
    """Count in how many records of a list each kind is."""
    cdef int32_t record, position, kind
    for record in range(found.first_record[which], found.first_record[which + 1]):
        for position in range(found.start[record], end_of(row, found, record)):
            kind = row.kind[position]
            if counts.list_of[kind] != which + 1:
                counts.list_of[kind], counts.count[kind], counts.record[kind] = which + 1, 0, 0
            if counts.record[kind] != record + 1:
                counts.record[kind] = record + 1
                counts.count[kind] += 1


cdef inline bint is_usual(
    const Row *row, const Cut *found, const Counts *counts, int32_t which, int32_t position, double share
) noexcept nogil:
    """Return whether most records of a list have the kind of a sibling."""
    cdef int32_t count = counts.count[row.kind[position]]
    return count > 1 and count >= share * (found.first_record[which + 1] - found.first_record[which])


cdef inline void keep_starts(Cut *found, const bint *is_long) noexcept nogil:
    """Leave only the starts in the records of lists of which the mask is false."""
    cdef int32_t i, record, at, q = 0, first
    for i in range(found.l):
        for record in range(found.first_record[i], found.first_record[i + 1]):
            first, found.first_part[record] = found.first_part[record], q
            if not is_long[i]:
                found.part[q] = found.start[record]
                found.stop[record] = found.start[record] + 1
                q += 1
                continue
            for at in range(first, found.first_part[record + 1]):
                found.part[q] = found.part[at]
                q += 1
    found.first_part[found.r] = found.q = q


cdef inline void keep_lists(Cut *found, const bint *is_kept) noexcept nogil:
    """Leave only some of the lists."""
    cdef int32_t i, record, at, l = 0, r = 0, q = 0, first, begin
    for i in range(found.l):
        if not is_kept[i]:
            continue
        begin = r
        for record in range(found.first_record[i], found.first_record[i + 1]):
            first = found.first_part[record]
            found.start[r], found.stop[r], found.first_part[r] = found.start[record], found.stop[record], q
            for at in range(first, found.first_part[record + 1]):
                found.part[q] = found.part[at]
                q += 1
            r += 1
        found.first_record[l], found.kind[l] = begin, found.kind[i]
        l += 1
    found.l, found.r, found.q = l, r, q
    found.first_record[l], found.first_part[r] = r, q


cdef inline bint is_regular(const Row *row, const Cut *found, int32_t which) noexcept nogil:
    """Return whether half of the records of a list or more have the same parts, and two parts or more."""
    cdef int32_t record, at, n = 0, most = 0, run = 0
    cdef uint64_t sequence
    cdef uint64_t *keys = row.keys
    for record in range(found.first_record[which], found.first_record[which + 1]):
        if found.first_part[record + 1] - found.first_part[record] < 2:
            continue
        sequence = 0
        for at in range(found.first_part[record], found.first_part[record + 1]):
            sequence += hash_of_two(row.kind[found.part[at]], found.part[at] - found.start[record])
        keys[n] = sequence
        n += 1
    sort_keys(keys, keys + row.k, n)
    for at in range(n):
        run = run + 1 if at and keys[at] == keys[at - 1] else 1
        most = max(most, run)
    return 2 * most >= found.first_record[which + 1] - found.first_record[which]


cdef inline bint is_dense(const Cut *found, int32_t which) noexcept nogil:
    """Return whether there are no more other siblings between the records of a list than records."""
    cdef int32_t first = found.first_record[which], end = found.first_record[which + 1]
    cdef int32_t parts = found.first_part[end] - found.first_part[first]
    return found.stop[end - 1] - found.start[first] - parts <= end - first


cdef inline void number_lists(Cut *found, int32_t *list_of_kind, int32_t kinds) noexcept nogil:
    """Number the lists by the kinds of their starts; `list_of_kind` has a place for each kind."""
    cdef int32_t i, n = 0
    for i in range(kinds):
        list_of_kind[i] = -1
    for i in range(found.l):
        list_of_kind[found.kind[i]] = i
    for i in range(kinds):
        if list_of_kind[i] >= 0:
            found.number[list_of_kind[i]] = n
            n += 1
