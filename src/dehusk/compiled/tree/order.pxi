"""The tree of a page: depths, and what is around each node."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from dehusk.compiled.arrays cimport as_bool, as_i32, as_i64, as_u16, as_u64, new_array, size_of, values


def depth(object page):
    cdef int32_t *up = as_i32(page.parent)
    cdef int32_t n = <int32_t>size_of(page.parent)
    depths = new_array(n, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(depths)
    cdef int32_t i
    for i in range(n):
        out[i] = out[up[i]] + 1 if 0 <= up[i] < i else 0
    return depths


def nearest(object page, object targets):
    cdef int32_t *up = as_i32(page.parent)
    cdef uint8_t *is_target = as_bool(targets)
    cdef int32_t n = <int32_t>size_of(page.parent)
    if size_of(targets) != n:
        raise ValueError("there is not one truth value for each node")
    found = new_array(n, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(found)
    cdef int32_t i
    for i in range(n):
        out[i] = i if is_target[i] else out[up[i]] if 0 <= up[i] < i else -1
    return found


def above(object page, object bits):
    cdef int32_t *up = as_i32(page.parent)
    cdef uint64_t *own = as_u64(bits)
    cdef int32_t n = <int32_t>size_of(page.parent)
    if size_of(bits) != n:
        raise ValueError("there are not bits for each node")
    joined = new_array(n, cnp.NPY_UINT64)
    cdef uint64_t *out = <uint64_t *>values(joined)
    cdef int32_t i
    for i in range(n):
        out[i] = own[i] | out[up[i]] if 0 <= up[i] < i else own[i]
    return joined


def order_of_tags(object tag, int tags):
    """Return the indices of tag numbers below `tags`, sorted by number, then ascending; and where each starts."""
    cdef uint16_t *number = as_u16(tag)
    cdef int32_t n = <int32_t>size_of(tag), i
    counts, order = new_array(tags + 1, cnp.NPY_INT64), new_array(n, cnp.NPY_INT64)
    cdef int64_t *place = <int64_t *>values(counts)
    cdef int64_t *out = <int64_t *>values(order)
    for i in range(tags + 1):
        place[i] = 0
    for i in range(n):
        if number[i] >= tags:
            raise ValueError(f"tag {number[i]} is not below {tags}")
        place[number[i] + 1] += 1
    for i in range(tags):
        place[i + 1] += place[i]
    starts = counts.tolist()
    for i in range(n):
        out[place[number[i]]] = i
        place[number[i]] += 1
    return order, starts


def nodes_of_tags(object order, list starts, object tags):
    cdef const int64_t *node = as_i64(order)
    cdef const uint16_t *number = as_u16(tags)
    cdef Py_ssize_t i, j, first, kinds = 0, total = 0, size = size_of(tags)
    cdef int64_t *at = <int64_t *>malloc(<size_t>(2 * size + 1) * sizeof(int64_t))
    if at == NULL:
        raise MemoryError
    cdef int64_t *end = at + size
    try:
        for i in range(size):
            at[kinds], end[kinds] = starts[number[i]], starts[number[i] + 1]
            total += end[kinds] - at[kinds]
            kinds += at[kinds] < end[kinds]
        found = new_array(total, cnp.NPY_INT64)
        for i in range(total):
            first = 0
            for j in range(1, kinds):
                if node[at[j]] < node[at[first]]:
                    first = j
            (<int64_t *>values(found))[i] = node[at[first]]
            at[first] += 1
            if at[first] == end[first]:
                kinds -= 1
                at[first], end[first] = at[kinds], end[kinds]
    finally:
        free(at)
    return found


def within(object page, object nodes):
    cdef const int32_t *end = as_i32(page.end)
    cdef Py_ssize_t i, n = size_of(page.end)
    cdef cnp.ndarray rows = _rows_of(nodes, n)
    found = new_array(n, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(found)
    cdef const int64_t *node = <const int64_t *>values(rows)
    memset(out, 0, <size_t>n * sizeof(int32_t))
    for i in range(size_of(rows)):
        out[node[i]] += 1
        if end[node[i]] < n:
            out[end[node[i]]] -= 1
    for i in range(1, n):
        out[i] += out[i - 1]
    return found


def within_at(object page, object nodes, object rows):
    cdef const int32_t *end = as_i32(page.end)
    cdef cnp.ndarray around = _rows_of(nodes, size_of(page.end)), inner = _rows_of(rows, size_of(page.end))
    cdef Py_ssize_t i, k = size_of(around), opened = 0, closed = 0
    cdef const int64_t *node = <const int64_t *>values(around)
    found = new_array(size_of(inner), cnp.NPY_INT64)
    cdef int64_t *ends = <int64_t *>malloc(<size_t>(2 * k + 1) * sizeof(int64_t))
    if ends == NULL:
        raise MemoryError
    _sort_ends(end, node, k, ends, ends + k)
    for i in range(size_of(inner)):
        opened = _count_up_to(node, k, (<const int64_t *>values(inner))[i], opened)
        closed = _count_up_to(ends, k, (<const int64_t *>values(inner))[i], closed)
        (<int64_t *>values(found))[i] = opened - closed
    free(ends)
    return found


cdef cnp.ndarray _rows_of(object nodes, Py_ssize_t n):
    """Return some nodes of a page as an array of the type of indices."""
    cdef cnp.ndarray rows = cnp.PyArray_FROM_OTF(nodes, cnp.NPY_INT64, cnp.NPY_ARRAY_C_CONTIGUOUS)
    cdef const int64_t *row = <const int64_t *>values(rows)
    cdef Py_ssize_t i
    for i in range(size_of(rows)):
        if not 0 <= row[i] < n:
            raise ValueError(f"the page has no node {row[i]}")
    return rows


cdef void _sort_ends(
    const int32_t *end, const int64_t *node, Py_ssize_t k, int64_t *ends, int64_t *opened
) noexcept nogil:
    """Sort where some nodes end, which ascend; `opened` has room for those that are open at a place."""
    cdef Py_ssize_t i, size = 0, done = 0
    for i in range(k):
        while size and opened[size - 1] <= node[i]:
            size -= 1
            ends[done] = opened[size]
            done += 1
        opened[size] = end[node[i]]
        size += 1
    while size:
        size -= 1
        ends[done] = opened[size]
        done += 1


cdef inline Py_ssize_t _count_up_to(
    const int64_t *places, Py_ssize_t k, int64_t place, Py_ssize_t likely
) noexcept nogil:
    """Return how many of some places, which ascend, are at or before one."""
    cdef Py_ssize_t low = 0, high = k, middle
    if (likely == 0 or places[likely - 1] <= place) and (likely == k or place < places[likely]):
        return likely
    while low < high:
        middle = (low + high) // 2
        if places[middle] <= place:
            low = middle + 1
        else:
            high = middle
    return low
