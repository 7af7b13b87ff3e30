"""Attributes of a page's elements, read from the markup of its document."""

from libc.stdint cimport int32_t, int64_t


cdef class Source:
    cdef str markup
    cdef int kind
    cdef void *units
    cdef int32_t end
    cdef object arrays
    cdef const int64_t *rows
    cdef const int32_t *places  # where the start tag of each element is
    cdef int32_t n

    cdef int32_t index_of(self, int64_t node) noexcept
    cdef object value(self, int32_t index, str name)
    cdef list several(self, int32_t index, tuple names)
    cdef tuple pairs(self, int32_t index)


cdef Source source_of(object elements, bint keep)
