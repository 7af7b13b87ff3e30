from libc.stdint cimport int32_t


cdef inline bint are_tiles(const int32_t *start, const int32_t *end, Py_ssize_t b, Py_ssize_t m) noexcept nogil:
    """Return whether blocks follow each other without a gap from the start to the end of their text."""
    cdef Py_ssize_t i
    cdef int32_t place = 0
    for i in range(b):
        if start[i] != place or end[i] < place:
            return False
        place = end[i]
    return place == m
