"""Writes the runs of a line as inline Markdown, for `markdown`."""

from libc.stdint cimport int64_t

from dehusk.compiled.buffers cimport Buffer
from dehusk.compiled.tokens cimport Stream


cdef struct Part:  # a run that is shown
    int kind
    int style
    int link  # -1 for none, and for one without an address
    int node
    bint is_display
    Py_ssize_t start
    Py_ssize_t end


cdef class LineWriter:
    """Looks up addresses and writes lines; keeps count of what the addresses cost."""

    cdef Stream stream
    cdef object references
    cdef dict addresses  # node of a link or image -> its destination, and what its address costs
    cdef Py_ssize_t spent, room  # characters of addresses
    cdef bint has_formulas  # whether a dollar sign could be taken for the start of a formula
    cdef bint is_within_line  # whether it is written behind the sign of a heading or cell, where no mark can start
    cdef bint may_list, is_item  # whether lines may be items that the author typed, and the current one is
    cdef int64_t number, sign  # marks of the last items of lists that are open, as `typed_lists` has them
    cdef int64_t last_item, next_mark  # marks of the last item of the leaf, and of the line after it
    cdef int alone  # the marks of emphasis that need no backslash
    cdef bint in_notes  # whether the addresses of links are in footnotes
    cdef Part *parts
    cdef Py_ssize_t part_count, part_room
    cdef Pieces outer  # of a line
    cdef Pieces inner  # of a link

    cdef str destination(self, object node, bint is_image)
    cdef str spend(self, object node)
    cdef int line(self, Py_ssize_t start, Py_ssize_t end, int add, int drop, Buffer *out) except -1
    cdef int look_at_mark(self, Py_ssize_t first, Py_ssize_t last) noexcept
    cdef int add_line(self, Py_ssize_t first, Py_ssize_t last, bint is_later, Buffer *out) except -1
    cdef int show(self, Py_ssize_t start, Py_ssize_t end, int add, int drop) except -1
    cdef int lone_marks(self) noexcept
    cdef int add_part(self, int kind, int style, int link, int node) except -1
    cdef bint joins(self, Part *before, int kind, int style, int link) noexcept
    cdef int group(self, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int refer(self, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int piece(self, const Part *part, Pieces *pieces, int without) except -1
    cdef int join(self, Pieces *pieces, int before, int after, bint in_link) except -1
    cdef Py_ssize_t end_of_link(self, Py_ssize_t start) noexcept
    cdef int break_lines(self, Py_ssize_t start, Buffer *out) except -1


cdef Py_ssize_t longest_ticks(const Buffer *text, Py_ssize_t start, Py_ssize_t end) noexcept
