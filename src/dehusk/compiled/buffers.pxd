# cython: language_level=3
"""Texts that grow, as code points."""

from libc.stdint cimport uint32_t
from libc.stdlib cimport realloc

cdef extern from "Python.h":
    unsigned int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    uint32_t PyUnicode_READ(unsigned int kind, const void *data, Py_ssize_t index) nogil


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
