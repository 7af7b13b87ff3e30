# cython: language_level=3
"""Sorting keys and numbering equal ones, in linear time whatever the keys are."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset


cdef struct Pair:
    uint64_t key
    int32_t row


cdef inline void sort_pairs(Pair *pairs, Pair *spare, int32_t n) noexcept nogil:
    """Sort pairs by key, stable: by insertion if they are few, else byte by byte, leaving out bytes that are equal.

    Args:
        pairs: (n,) the pairs.
        spare: (n,) memory for as many.
    """
    cdef int32_t i, j, before, count
    cdef int32_t[256] start
    cdef uint64_t differs = 0
    cdef int shift
    cdef Pair pair
    if n <= 24:
        for i in range(1, n):
            pair = pairs[i]
            j = i
            while j > 0 and pairs[j - 1].key > pair.key:
                pairs[j] = pairs[j - 1]
                j -= 1
            pairs[j] = pair
        return
    for i in range(1, n):
        differs |= pairs[i].key ^ pairs[0].key
    for shift in range(0, 64, 8):
        if not (differs >> shift) & 255:
            continue
        memset(start, 0, sizeof(start))
        for i in range(n):
            start[(pairs[i].key >> shift) & 255] += 1
        before = 0
        for i in range(256):
            count = start[i]
            start[i] = before
            before += count
        for i in range(n):
            j = <int32_t>((pairs[i].key >> shift) & 255)
            spare[start[j]] = pairs[i]
            start[j] += 1
        memcpy(pairs, spare, n * sizeof(Pair))


cdef inline uint64_t scrambled(uint64_t key) noexcept nogil:
    """Return a key whose low bits depend on all bits."""
    key = (key ^ (key >> 32)) * <uint64_t>0xD6E8FEB86659FD93
    key = (key ^ (key >> 32)) * <uint64_t>0xD6E8FEB86659FD93
    return key ^ (key >> 32)


cdef inline int32_t table_size(int32_t n) noexcept nogil:
    """Return the size of a hash table for n keys, a power of two."""
    cdef int32_t size = 16
    while size < 2 * n:
        size *= 2
    return size


cdef inline int32_t number_keys(const uint64_t *keys, int32_t n, uint64_t seed, int32_t *number) noexcept nogil:
    """Number the distinct keys in order of their first occurrence.

    Args:
        keys: (n,) keys.
        n: how many.
        seed: a number that nobody knows beforehand, so that no page can be made of keys that collide.
        number: (n,) receives the number of each key.

    Returns:
        How many keys are distinct; -1 without memory.
    """
    cdef int32_t size = table_size(n), mask = size - 1, i, slot, found = 0
    cdef int32_t *table = <int32_t *>malloc(size * sizeof(int32_t))  # rows: small, so that it stays in the cache
    if table == NULL:
        return -1
    memset(table, 255, size * sizeof(int32_t))
    for i in range(n):
        slot = <int32_t>(scrambled(keys[i] ^ seed) & mask)
        while table[slot] >= 0 and keys[table[slot]] != keys[i]:
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot], number[i] = i, found
            found += 1
        else:
            number[i] = number[table[slot]]
    free(table)
    return found


cdef inline int32_t rank_keys(const uint64_t *keys, int32_t n, uint64_t seed, int32_t *number) noexcept nogil:
    """As `number_keys`, but in ascending order of the keys."""
    cdef int32_t found = number_keys(keys, n, seed, number), i, seen = 0
    if found < 0:
        return -1
    cdef Pair *pairs = <Pair *>malloc((2 * found + 1) * sizeof(Pair))
    cdef int32_t *rank = <int32_t *>malloc((found + 1) * sizeof(int32_t))
    if pairs == NULL or rank == NULL:
        free(pairs)
        free(rank)
        return -1
    for i in range(n):
        if number[i] == seen:
            pairs[seen].key, pairs[seen].row = keys[i], seen
            seen += 1
    sort_pairs(pairs, pairs + found, found)
    for i in range(found):
        rank[pairs[i].row] = i
    for i in range(n):
        number[i] = rank[number[i]]
    free(pairs)
    free(rank)
    return found


cdef inline uint64_t text_hash(const uint32_t *points, int32_t n, uint64_t seed) noexcept nogil:
    """Return a hash of code points; without the seed, nobody can find texts with equal hashes."""
    cdef uint64_t first = seed ^ <uint64_t>n, second = ~seed
    cdef int32_t i = 0
    while i + 4 <= n:
        first = (first ^ (points[i] | <uint64_t>points[i + 1] << 32)) * <uint64_t>0x9E3779B97F4A7C15
        second = (second ^ (points[i + 2] | <uint64_t>points[i + 3] << 32)) * <uint64_t>0xC2B2AE3D27D4EB4F
        first ^= first >> 29
        second ^= second >> 31
        i += 4
    while i < n:
        first = (first ^ points[i]) * <uint64_t>0x9E3779B97F4A7C15
        first ^= first >> 29
        i += 1
    return scrambled(first ^ scrambled(second))
