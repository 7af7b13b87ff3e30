# cython: language_level=3
"""The runs of a line while it is read: `dehusk.write.runs` in C, with objects only for what is taken."""

cdef enum:
    TEXT = 0
    BREAK = 1
    IMAGE = 2


cdef struct Row:
    int kind
    int style
    int link
    int node
    bint ends_in_space


cdef class Line:
    cdef Row *rows
    cdef Py_ssize_t count
    cdef Py_ssize_t room
    cdef list texts  # of all runs but the last
    cdef list parts  # of the text of the last run
    cdef bint is_spaced
    cdef int first
    cdef int last

    cdef int text(self, str text, int style, int link, int node) except -1
    cdef int image(self, str alt, int style, int link, int node) except -1
    cdef bint line_end(self) except -1
    cdef bint ends_in_image(self) noexcept
    cdef bint is_only_images(self) noexcept
    cdef list take(self)
    cdef int add(self, int kind, str text, int style, int link, int node) except -1
    cdef int separate(self, int style, int link) except -1
