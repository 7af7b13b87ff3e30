"""Hashes as in `dehusk.blocks.units.keys`, a table of them, and sorting: inline functions for kernels over units.

The hash of a row of columns is `mixed(hash_more(hash_first(a), b))`, the same as `mix(a, b)` of numpy.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

cdef extern from *:
    """
    #define DEHUSK_FACTOR_0 0x9E3779B97F4A7C15ULL
    #define DEHUSK_FACTOR_1 0xC2B2AE3D27D4EB4FULL
    #define DEHUSK_FACTOR_2 0x165667B19E3779F9ULL
    """
    uint64_t FACTOR_0 "DEHUSK_FACTOR_0"
    uint64_t FACTOR_1 "DEHUSK_FACTOR_1"
    uint64_t FACTOR_2 "DEHUSK_FACTOR_2"


cdef inline uint64_t mixed(uint64_t key) noexcept nogil:
    return key ^ (key >> 29)


cdef inline uint64_t hash_first(uint64_t value) noexcept nogil:
    return mixed(value * FACTOR_0) * FACTOR_1


cdef inline uint64_t hash_more(uint64_t key, uint64_t value) noexcept nogil:
    return (mixed(key) + value * FACTOR_2) * FACTOR_1


cdef inline uint64_t hash_of_one(uint64_t value) noexcept nogil:
    return mixed(hash_first(value))


cdef inline uint64_t hash_of_two(uint64_t first, uint64_t second) noexcept nogil:
    return mixed(hash_more(hash_first(first), second))


cdef inline uint64_t hash_of_three(uint64_t first, uint64_t second, uint64_t third) noexcept nogil:
    return mixed(hash_more(hash_more(hash_first(first), second), third))


# A table of hashes: each distinct one has a number, in order of first appearance.
cdef struct Table:
    uint64_t *keys
    int32_t *numbers  # number + 1; 0 if the place is free
    uint64_t mask
    int32_t used


cdef inline bint table_open(Table *table, Py_ssize_t expected) noexcept nogil:
    """Return whether there was memory; `table_close` frees it in any case."""
    cdef uint64_t size = 64
    while size < <uint64_t>(2 * expected):
        size *= 2
    table.mask, table.used = size - 1, 0
    table.keys = <uint64_t *>malloc(size * sizeof(uint64_t))
    table.numbers = <int32_t *>calloc(size, sizeof(int32_t))
    return table.keys != NULL and table.numbers != NULL


cdef inline void table_close(Table *table) noexcept nogil:
    free(table.keys)
    free(table.numbers)
    table.keys, table.numbers = NULL, NULL


cdef inline uint64_t table_place(Table *table, uint64_t key) noexcept nogil:
    """Return where a key is, or where it would be."""
    cdef uint64_t at = mixed(key * FACTOR_1) & table.mask
    while table.numbers[at] and table.keys[at] != key:
        at = (at + 1) & table.mask
    return at


cdef inline int32_t table_find(Table *table, uint64_t key) noexcept nogil:
    """Return the number of a key, -1 if it has none."""
    return table.numbers[table_place(table, key)] - 1


cdef inline bint table_grow(Table *table) noexcept nogil:
    cdef Table larger
    cdef uint64_t at, to
    if not table_open(&larger, <Py_ssize_t>(table.mask + 1)):
        table_close(&larger)
        return False
    for at in range(table.mask + 1):
        if table.numbers[at]:
            to = table_place(&larger, table.keys[at])
            larger.keys[to], larger.numbers[to] = table.keys[at], table.numbers[at]
    larger.used = table.used
    table_close(table)
    table[0] = larger
    return True


cdef inline int32_t table_number(Table *table, uint64_t key) noexcept nogil:
    """Return the number of a key, which it gets if it has none; -1 if there is no memory."""
    cdef uint64_t at = table_place(table, key)
    if table.numbers[at]:
        return table.numbers[at] - 1
    if 2 * <uint64_t>table.used > table.mask:
        if not table_grow(table):
            return -1
        at = table_place(table, key)
    table.used += 1
    table.keys[at], table.numbers[at] = key, table.used
    return table.used - 1


cdef inline void insertion_sort(uint64_t *keys, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef uint64_t key
    for i in range(1, n):
        key, j = keys[i], i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key


cdef inline void merge(const uint64_t *a, Py_ssize_t n, const uint64_t *b, Py_ssize_t k, uint64_t *out) noexcept nogil:
    cdef Py_ssize_t i = 0, j = 0
    while i < n and j < k:
        if b[j] < a[i]:
            out[i + j] = b[j]
            j += 1
        else:
            out[i + j] = a[i]
            i += 1
    memcpy(out + i + j, a + i, (n - i) * sizeof(uint64_t))
    memcpy(out + i + j + (n - i), b + j, (k - j) * sizeof(uint64_t))


cdef inline void sort_keys(uint64_t *keys, uint64_t *spare, Py_ssize_t n) noexcept nogil:
    """Sort keys in ascending order, in O(n log n), and O(n) if they are sorted already; `spare` has n places too."""
    cdef Py_ssize_t width = 16, start, middle, end
    cdef uint64_t *source = keys
    cdef uint64_t *target = spare
    start = 1
    while start < n and keys[start - 1] <= keys[start]:
        start += 1
    if start >= n:
        return
    start = 0
    while start < n:
        insertion_sort(keys + start, min(width, n - start))
        start += width
    while width < n:
        start = 0
        while start < n:
            middle, end = min(start + width, n), min(start + 2 * width, n)
            merge(source + start, middle - start, source + middle, end - middle, target + start)
            start = end
        source, target = target, source
        width *= 2
    if source != keys:
        memcpy(keys, source, n * sizeof(uint64_t))
