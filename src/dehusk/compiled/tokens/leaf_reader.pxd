"""What is open at a node of a page, and the line that is being collected; `tokens` reads with it."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t


cdef enum:  # what to do where an element ends
    END_SPACE = 0
    END_BLOCK = 1
    END_STYLE = 2
    END_LINK = 3
    END_CAPTION = 4
    END_LEAF = 5
    END_TABLE = 6
    END_CELL = 7
    END_ITEM = 8
    END_CONTAINER = 9
    END_FORMULAS = 10  # those after an element are due

cdef enum:
    STRONG = 1
    CODE = 8
    WHITE = 4  # of `CharClass`

cdef struct Open:
    int end
    int action
    int saved


cdef struct Table:  # that is open
    int node
    Py_ssize_t start  # of its rows
    Py_ssize_t end
    int grid_row  # of the last cell, if its rows have no elements


cdef class LeafReader:
    cdef object kept, page, inserts
    cdef str text
    cdef const void *characters
    cdef unsigned int kind
    cdef list names
    cdef Stream stream
    cdef dict seams, replaced, alts, spans, counted
    cdef int *linked  # the leaf of each link that has text, counted from 1
    cdef Table *tables
    cdef Py_ssize_t table_count, table_room, table
    cdef int held_kind, held_node, held_level  # the leaf that is read
    cdef object ornaments
    cdef Line line
    cdef OpenContainers containers
    cdef const uint16_t *tag
    cdef const int32_t *parent
    cdef const int32_t *end
    cdef const int32_t *text_start
    cdef const int32_t *text_end
    cdef const int32_t *source
    cdef const uint8_t *char_class
    cdef const int64_t *nodes
    cdef Py_ssize_t count, at, size, place
    cdef Open *open
    cdef Py_ssize_t depth, room
    cdef bint has_pre
    cdef int style, link, holder, in_line, captions, leaves, skip

    cdef int push(self, int end, int action, int saved) except -1
    cdef int seam(self, str seam) except -1
    cdef Py_ssize_t char_at(self, int offset, Py_ssize_t low, Py_ssize_t high) noexcept
    cdef bint is_white(self, Py_ssize_t index, int offset) noexcept
    cdef int write_text(self, int node) except -1
    cdef int link_of(self, bint of_text) except? -1
    cdef int block(self, int node, int end) except -1
    cdef int image(self, int node) except -1
    cdef dict attributes(self, tuple names, str name)
    cdef int leaf(self, int kind, int node, int end, str unless, int level=*) except -1
    cdef int end_leaf(self) except -1
    cdef bint has_image(self) noexcept
    cdef bint is_beside_text(self, Py_ssize_t index) noexcept
    cdef int part_heading(self) except -1
    cdef int trim(self, Py_ssize_t first, Py_ssize_t last) noexcept
    cdef bint contains(self, str what, int end) except -1
    cdef int listing(self, int node, int end) except -1
    cdef bint is_typed_heading(self, int node) except -1
    cdef int write_prose(self, int node, int first, int last, str text) except -1
    cdef int whole_listing(self, int node, int end) except -1
    cdef bint is_listing(self, int node, int end) except -1
    cdef TokenRow *emit(self, int kind, int node) except NULL
    cdef int emit_line(self, int kind, int node, int level) except -1
    cdef int flush(self) except -1
    cdef int end_paragraph(self) except -1
    cdef bint is_number(self) noexcept
    cdef int point(self) except -1
