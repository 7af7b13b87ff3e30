# cython: language_level=3
"""Styled pieces of a line, and how their styles are fitted to Markdown: twins of `dehusk.write.emphasis`."""

cdef enum:
    STRONG = 1
    EMPHASIS = 2
    STRIKE = 4
    CODE = 8
    STARS = 3
    OUTER = 7


cdef class Piece:
    """A piece of a line that is written as one: raw text, or Markdown."""

    cdef str text
    cdef int style
    cdef bint is_written


cdef Piece new_piece(str text, int style, bint is_written)
cdef int edge(Piece piece, bint is_end)
cdef list fitted(list pieces)
cdef list starting(list pieces, Py_ssize_t index, list opened)
cdef bint is_space(int char) noexcept
