"""The runs of a line while it is read: the last ones of a stream."""


cdef class Line:
    cdef Stream stream
    cdef Py_ssize_t start  # index of its first run
    cdef bint is_spaced
    cdef int first
    cdef int last

    cdef int text(self, int style, int link, int node) except -1
    cdef int end_text(self) noexcept
    cdef RunRow *atom(self, int kind, str text, int style, int link, int node, int text_node) except NULL
    cdef bint line_end(self) except -1
    cdef bint ends_in_image(self) noexcept
    cdef bint is_only_images(self) noexcept
    cdef Py_ssize_t take(self) except -1
    cdef int separate(self, int style, int link) except -1


cdef inline bint is_empty(Line line) noexcept:
    return line.stream.run_count == line.start
