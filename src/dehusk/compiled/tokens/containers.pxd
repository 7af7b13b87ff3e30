"""The containers that are open while tokens are read."""

from libc.stdint cimport int64_t


cdef struct Container:  # an element whose tokens are around what follows
    int kind
    int node
    bint is_written  # whether its start is among the tokens; a list starts with its first item
    bint is_over  # of an item: its element has ended, its token ends when something follows that is not part of it
    bint is_implied  # a list of items that the page has outside of lists
    bint is_ordered
    int64_t start  # number of the next item of an ordered list


cdef class OpenContainers:
    cdef Stream stream
    cdef Container *open
    cdef Py_ssize_t room
    cdef int depth

    cdef int enter(self, Container container) except -1
    cdef int leave(self, int depth) except -1
    cdef bint is_in_list(self) except -1
    cdef int start_item(self, int node) except -1
    cdef int end_list(self) except -1
    cdef int end_implied_list(self) except -1
