"""Blocks that are alike: those that start in elements of the same kinds, their records, and runs of equal texts."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport as_f64, as_i32, as_i64, as_u32, memory, new_array, size_of, values
from dehusk.compiled.blocks cimport Blocks, Page, below, check_indices, read_blocks
from dehusk.compiled.grouping cimport number_keys, text_hash

cdef uint64_t ALIKE_SEED = <uint64_t><int64_t>hash("dehusk.alike")


cdef struct Field:  # blocks that start in elements alike
    int32_t size, apart, left
    int64_t words
    double likely
    int32_t latest  # the block before


cdef inline uint64_t _place_key(const Page *page, int32_t leaf) noexcept nogil:
    """Return a hash of the tags and the classes of the element of a text node and of the one around that."""
    cdef int32_t node = page.parent[leaf], around = page.parent[node] if node > 0 else node
    cdef uint64_t tags = <uint64_t>page.tag[node] << 16 | page.tag[around]
    return hash_of_three(tags, <uint64_t>page.class_code[node], <uint64_t>page.class_code[around])


cdef void _add_to_fields(
    const int64_t *rows, int32_t n, const int32_t *group, const int32_t *words, const double *likely, Field *fields
) noexcept nogil:
    """Count the blocks of each field, and what is asked of it."""
    cdef int32_t i, block
    cdef Field *field
    for i in range(n):
        field, block = &fields[group[i]], <int32_t>rows[i]
        field.apart += field.size > 0 and block - field.latest > 1
        field.size += 1
        field.words += words[block]
        field.likely += 0 if likely == NULL else likely[block]
        field.latest = block


cdef inline bint _is_field(const Field *field, int32_t least, double apart, double words, double likely) noexcept nogil:
    return (
        field.size >= least and field.apart + 1 >= apart * field.size  # the last one is apart from what follows it
        and field.words >= words * field.size and field.likely >= likely * field.size
    )


cdef list _chosen(const int64_t *rows, int32_t n, const int32_t *group, Field *fields, int32_t found):
    """Return the blocks of the fields of which some are `left`, an array for each."""
    cdef list chosen = [
        new_array(fields[i].size, cnp.NPY_INT64) if fields[i].left else None for i in range(found)
    ]
    cdef int32_t i
    cdef Field *field
    for i in range(n):
        field = &fields[group[i]]
        if field.left:
            (<int64_t *>values(chosen[group[i]]))[field.size - field.left] = rows[i]
            field.left -= 1
    return [rows_of for rows_of in chosen if rows_of is not None]


def fields_of(
    object blocks, object of, *, int32_t least, double apart, double words, object probability, double likely
):
    cdef Page page
    cdef Blocks b
    cdef int32_t n = <int32_t>size_of(of), i, found
    if n < least:
        return []
    read_blocks(blocks, &page, &b)
    check_indices(of, b.b)
    size = blocks.words
    cdef const int64_t *rows = as_i64(of)
    cdef const int32_t *words_of = as_i32(size)
    cdef const double *likely_of = NULL if probability is None else as_f64(probability)
    if size_of(size) != b.b or (probability is not None and size_of(probability) != b.b):
        raise ValueError("a column has not one row per block")
    cdef uint64_t *key = <uint64_t *>memory(n * (sizeof(uint64_t) + sizeof(int32_t) + sizeof(Field)))
    cdef Field *fields = <Field *>(key + n)
    cdef int32_t *group = <int32_t *>(fields + n)
    try:
        for i in range(n):
            key[i] = _place_key(&page, b.first[rows[i]])
        found = number_keys(key, n, ALIKE_SEED, group)
        if found < 0:
            raise MemoryError
        for i in range(found):
            fields[i] = Field(0, 0, 0, 0, 0, 0)
        _add_to_fields(rows, n, group, words_of, likely_of, fields)
        for i in range(found):
            if _is_field(&fields[i], least, apart, words, 0 if likely_of == NULL else likely):
                fields[i].left = fields[i].size
        return _chosen(rows, n, group, fields, found)
    finally:
        free(key)


def records_of(object blocks, object field):
    cdef Page page
    cdef Blocks b
    cdef int32_t n = <int32_t>size_of(field), i, node, before, after
    read_blocks(blocks, &page, &b)
    check_indices(field, b.b)
    cdef const int64_t *rows = as_i64(field)
    starts, ends = new_array(n, cnp.NPY_INT64), new_array(n, cnp.NPY_INT64)
    cdef int64_t *start = <int64_t *>values(starts)
    cdef int64_t *end = <int64_t *>values(ends)
    for i in range(n):
        node = b.first[rows[i]]
        before = b.first[rows[i - 1]] if i else -1
        after = b.first[rows[i + 1]] if i + 1 < n else page.n
        while page.parent[node] > before and page.end[page.parent[node]] <= after:
            node = page.parent[node]
        start[i], end[i] = below(&b, node), below(&b, page.end[node])
    return starts, ends


def repeated_runs(object blocks, object of, int32_t size):
    cdef Page page
    cdef Blocks b
    cdef int32_t n = <int32_t>size_of(of), i, j, found, runs
    read_blocks(blocks, &page, &b)
    check_indices(of, b.b)
    points_ = blocks.code_points
    cdef const uint32_t *points = as_u32(points_)
    cdef const int64_t *rows = as_i64(of)
    runs = n - size + 1
    if runs < 2:
        return []
    if size_of(points_) != b.chars:
        raise ValueError("the columns of the blocks do not fit their page")
    cdef uint64_t *text = <uint64_t *>memory(n * 2 * (sizeof(uint64_t) + sizeof(int32_t)))
    cdef uint64_t *run = text + n
    cdef int32_t *group = <int32_t *>(run + n)
    cdef int32_t *count = group + n
    try:
        for i in range(n):
            text[i] = text_hash(points + b.start[rows[i]], b.end[rows[i]] - b.start[rows[i]], ALIKE_SEED)
            count[i] = 0
        for i in range(runs):
            run[i] = text[i]
            for j in range(1, size):
                run[i] = hash_of_two(run[i], text[i + j])
        found = number_keys(run, runs, ALIKE_SEED, group)
        if found < 0:
            raise MemoryError
        if found == runs:  # as on most pages
            return []
        for i in range(runs):
            count[group[i]] += 1
        return [i for i in range(n) if _is_in_repeated(group, count, runs, size, i)]
    finally:
        free(text)


cdef bint _is_in_repeated(
    const int32_t *group, const int32_t *count, int32_t runs, int32_t size, int32_t at
) noexcept nogil:
    """Return whether one of the runs that a text is in is there twice."""
    cdef int32_t i
    for i in range(max(at - size + 1, 0), min(at + 1, runs)):
        if count[group[i]] > 1:
            return True
    return False
