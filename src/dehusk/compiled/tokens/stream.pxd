"""The tokens of a page in C, as `dehusk.write.tokens` has them: columns of structures that refer to each other.

Texts are parts of one text that grows. Its end may be used for what is written, which is cut off again.
"""

from libc.stdint cimport int64_t

from dehusk.compiled.buffers cimport Buffer

cdef enum:  # kinds of tokens, in the order of `TokenKind`
    HEADING_TOKEN = 0
    PARAGRAPH_TOKEN = 1
    TERM_TOKEN = 2
    CAPTION_TOKEN = 3
    CODE_TOKEN = 4
    TABLE_TOKEN = 5
    RULE_TOKEN = 6
    QUOTE_TOKEN = 7
    LIST_TOKEN = 8
    ITEM_TOKEN = 9
    DEFINITIONS_TOKEN = 10
    DESCRIPTION_TOKEN = 11
    NOTE_TOKEN = 13

cdef enum:  # kinds of runs, in the order of `RunKind`
    TEXT_RUN = 0
    BREAK_RUN = 1
    IMAGE_RUN = 2
    FORMULA_RUN = 3
    REFERENCE_RUN = 4

cdef enum:
    OPENS = 1
    IS_LEAF = 0
    CLOSES = -1


cdef struct RunRow:
    int kind
    int style
    int link
    int node
    bint is_display
    Py_ssize_t start  # of its text
    Py_ssize_t end


cdef struct CellRow:
    int node
    bint is_header
    int columns
    int rows
    int first
    int last
    Py_ssize_t start  # of its runs
    Py_ssize_t end


cdef struct TableRowRow:
    int node
    bint in_head
    Py_ssize_t start  # of its cells
    Py_ssize_t end


cdef struct TokenRow:
    int kind
    int edge
    int node
    int level
    int first
    int last
    bint is_ordered
    int64_t number  # of the first item of an ordered list
    Py_ssize_t start  # of its runs; of the rows of a table; of the text of code, or of the label of a note
    Py_ssize_t end
    Py_ssize_t outer  # the start of the container around that of a container, -1 for none
    bint is_tight  # of the start of a list: whether each of its items is one leaf and lists
    bint is_cards  # of the start of a list: whether nearly all items start with a heading, one at least with text below
    int items, headed  # of the start of a list: its items that are not empty, and those that start with a heading
    bint has_text  # of the start of an item: whether anything but pictures is directly in it
    bint is_headed  # of the start of an item: whether the first of this is a heading
    int headings  # of the start of an item: directly in it; of a list: what is in its items after their first parts


cdef class Stream:
    cdef TokenRow *tokens
    cdef RunRow *runs
    cdef CellRow *cells
    cdef TableRowRow *rows
    cdef Py_ssize_t token_count, run_count, cell_count, row_count
    cdef Py_ssize_t token_room, run_room, cell_room, row_room
    cdef Buffer text
    cdef dict languages  # index of a token of code -> its language

    cdef TokenRow *add_token(self, int kind, int edge, int node) except NULL
    cdef RunRow *add_run(self, int kind, int style, int link, int node) except NULL
    cdef Py_ssize_t add_text_run(self, str text, int style) except -1
    cdef CellRow *add_cell(self, int node) except NULL
    cdef TableRowRow *add_row(self, int node) except NULL
    cdef int add_text(self, str text) except -1
    cdef str text_at(self, Py_ssize_t start, Py_ssize_t end)
    cdef list token_objects(self)
    cdef object table_object(self, TokenRow *token, bint by_index)
    cdef int load(self, list tokens) except -1


cdef int grow(void **data, Py_ssize_t *room, Py_ssize_t count, size_t size) except -1
