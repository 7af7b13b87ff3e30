"""Styled pieces of a line, and how their styles are fitted to Markdown."""

from dehusk.compiled.buffers cimport Buffer

cdef enum:
    STRONG = 1
    EMPHASIS = 2
    STRIKE = 4
    CODE = 8
    STARS = 3
    OUTER = 7


cdef struct Piece:  # of a line, that is written as one: raw text, or Markdown; it is not empty
    Py_ssize_t start
    Py_ssize_t end
    int style
    bint is_written


cdef struct Pieces:
    const Buffer *text  # of all pieces
    Piece *rows  # the owner frees them
    Py_ssize_t count
    Py_ssize_t room


cdef struct Opened:  # the styles that are open
    int count
    int[3] styles


cdef int add_piece(Pieces *pieces, Py_ssize_t start, Py_ssize_t end, int style, bint is_written) except -1
cdef int fit(Pieces *pieces) except -1
cdef int start_styles(const Pieces *pieces, Py_ssize_t index, Opened *opened) noexcept
cdef bint is_space(int char) noexcept


cdef inline int edge(const Pieces *pieces, Py_ssize_t index, bint is_end) noexcept:
    """Return the first or last character of a piece."""
    cdef const Piece *piece = &pieces.rows[index]
    return <int>pieces.text.points[piece.end - 1 if is_end else piece.start]
