"""The tree of a page: depths, and what is around each node."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from dehusk.compiled.arrays cimport as_bool, as_i32, as_u16, as_u64, new_array, size_of, values


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
