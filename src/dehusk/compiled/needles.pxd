# cython: language_level=3
"""Fixed strings of ASCII characters in long texts: many characters are compared at once."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from dehusk.compiled.markup cimport Char

cdef extern from "needles.h" nogil:
    enum: AT_ONCE
    enum: AHEAD
    Py_ssize_t source_block_uint8_t_any(const uint8_t *s, Py_ssize_t at, Py_ssize_t n)
    Py_ssize_t source_block_uint16_t_any(const uint16_t *s, Py_ssize_t at, Py_ssize_t n)
    Py_ssize_t source_block_uint32_t_any(const uint32_t *s, Py_ssize_t at, Py_ssize_t n)
    Py_ssize_t style_block_uint8_t_any(const uint8_t *s, Py_ssize_t at, Py_ssize_t n)
    Py_ssize_t style_block_uint16_t_any(const uint16_t *s, Py_ssize_t at, Py_ssize_t n)
    Py_ssize_t style_block_uint32_t_any(const uint32_t *s, Py_ssize_t at, Py_ssize_t n)
    Py_ssize_t invisible_block_uint16_t_any(const uint16_t *s, Py_ssize_t at, Py_ssize_t n)
    Py_ssize_t invisible_block_uint32_t_any(const uint32_t *s, Py_ssize_t at, Py_ssize_t n)


cdef inline Py_ssize_t block_end(Py_ssize_t at, Py_ssize_t n) noexcept nogil:
    """Return where a block ends that a search returned: the last one has all that is left."""
    return at + AT_ONCE if at + AT_ONCE + AHEAD <= n else n


cdef inline Py_ssize_t source_block(const Char *s, Py_ssize_t at, Py_ssize_t n) noexcept nogil:
    """Return where the next block is that may have the start of a style element or the type of MathJax's scripts."""
    if Char is uint8_t:
        return source_block_uint8_t_any(s, at, n)
    elif Char is uint16_t:
        return source_block_uint16_t_any(s, at, n)
    else:
        return source_block_uint32_t_any(s, at, n)


cdef inline Py_ssize_t style_block(const Char *s, Py_ssize_t at, Py_ssize_t n) noexcept nogil:
    """Return where the next block is that may have a sign of a rule that conceals text."""
    if Char is uint8_t:
        return style_block_uint8_t_any(s, at, n)
    elif Char is uint16_t:
        return style_block_uint16_t_any(s, at, n)
    else:
        return style_block_uint32_t_any(s, at, n)


cdef inline bint is_at(const Char *s, Py_ssize_t n, Py_ssize_t at, const char *text, Py_ssize_t size) noexcept nogil:
    """Return whether a text is at a place."""
    cdef Py_ssize_t i
    if at + size > n:
        return False
    for i in range(size):
        if s[at + i] != <Char><uint8_t>text[i]:
            return False
    return True


cdef inline Py_ssize_t find_text(
    const Char *s, Py_ssize_t n, Py_ssize_t at, const char *text, Py_ssize_t size, Py_ssize_t one, Py_ssize_t other
) noexcept nogil:
    """Return where a text is next, -1 if it is nowhere.

    Args:
        one: index of a character of the text that is rare beside the one at `other`.
        other: index of another one.
    """
    cdef Char first = <Char><uint8_t>text[one], second = <Char><uint8_t>text[other]
    cdef Char found
    cdef Py_ssize_t i
    cdef const Char *p
    cdef const Char *q
    while at + AT_ONCE + size <= n:
        found = 0
        p, q = s + at + one, s + at + other
        for i in range(AT_ONCE):
            found |= <Char>((p[i] == first) & (q[i] == second))
        if found:
            for i in range(at, at + AT_ONCE):
                if s[i + one] == first and is_at(s, n, i, text, size):
                    return i
        at += AT_ONCE
    while at + size <= n:
        if is_at(s, n, at, text, size):
            return at
        at += 1
    return -1
