# cython: language_level=3
"""Texts that grow, as code points."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ


cdef struct Buffer:
    uint32_t *points  # the owner frees them
    Py_ssize_t used
    Py_ssize_t room


cdef inline int reserve(Buffer *out, Py_ssize_t more) except -1:
    """Make room for more characters."""
    cdef Py_ssize_t room
    cdef uint32_t *points
    if out.used + more > out.room:
        room = 2 * out.room + more
        points = <uint32_t *>realloc(out.points, room * sizeof(uint32_t))
        if points == NULL:
            raise MemoryError
        out.points, out.room = points, room
    return 0


cdef inline int repeat(Buffer *out, uint32_t point, Py_ssize_t times) except -1:
    """Append a character several times; a negative number is none."""
    cdef Py_ssize_t i
    if times > 0:
        reserve(out, times)
        for i in range(times):
            out.points[out.used + i] = point
        out.used += times
    return 0


cdef inline int append(Buffer *out, str text, Py_ssize_t start, Py_ssize_t end) except -1:
    """Append a part of a text."""
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t i
    reserve(out, end - start)
    for i in range(start, end):
        out.points[out.used + i - start] = PyUnicode_READ(kind, data, i)
    out.used += end - start
    return 0


cdef inline int append_points(
    Buffer *out, const void *data, unsigned int kind, Py_ssize_t start, Py_ssize_t end
) except -1:
    """Append a part of the characters of a text, which is no part of the buffer."""
    cdef Py_ssize_t i, size = end - start
    cdef uint32_t *points
    reserve(out, size)
    points = out.points + out.used
    if kind == 1:
        for i in range(size):
            points[i] = (<const uint8_t *>data)[start + i]
    elif kind == 2:
        for i in range(size):
            points[i] = (<const uint16_t *>data)[start + i]
    elif size:
        memcpy(points, <const uint32_t *>data + start, size * sizeof(uint32_t))
    out.used += size
    return 0


cdef inline int append_ascii(Buffer *out, const char *text, Py_ssize_t size) except -1:
    """Append a text of ASCII characters."""
    cdef Py_ssize_t i
    reserve(out, size)
    for i in range(size):
        out.points[out.used + i] = <uint8_t>text[i]
    out.used += size
    return 0


cdef inline int append_part(Buffer *out, const Buffer *source, Py_ssize_t start, Py_ssize_t end) except -1:
    """Append a part of a buffer, which may be the same one."""
    if end > start:
        reserve(out, end - start)
        memcpy(out.points + out.used, source.points + start, (end - start) * sizeof(uint32_t))
        out.used += end - start
    return 0
