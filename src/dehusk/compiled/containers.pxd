# cython: language_level=3
"""The containers that are open while tokens are read."""

from libc.stdint cimport int64_t

from dehusk.compiled.stream cimport Stream

cdef enum:
    MOST = 64  # `token_reader.MAX_DEPTH` and what an item may add


cdef struct Container:
    int kind
    int node
    bint is_written
    bint is_over
    bint is_implied
    bint is_ordered
    int64_t start


cdef class OpenContainers:
    cdef Stream stream
    cdef Container[MOST] open
    cdef int depth

    cdef int enter(self, Container container) except -1
    cdef int leave(self, int depth) except -1
    cdef bint is_in_list(self) except -1
    cdef int start_item(self, int node) except -1
    cdef int end_list(self) except -1
    cdef int end_implied_list(self) except -1
