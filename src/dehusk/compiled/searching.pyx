"""Twins of functions that look for fixed strings in a page's source, which is long: 16 characters are compared at once."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef extern from "Python.h":
    unsigned int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t

cdef enum: AT_ONCE = 64
cdef enum: MAX_SOURCE = 32000  # `dehusk.visibility.stylesheets._MAX_SOURCE`


cdef bint _is_at(const Char *s, Py_ssize_t n, Py_ssize_t at, const char *text, Py_ssize_t size) noexcept nogil:
    """Return whether a text of ASCII characters is at a place."""
    cdef Py_ssize_t i
    if at + size > n:
        return False
    for i in range(size):
        if s[at + i] != <Char><uint8_t>text[i]:
            return False
    return True


cdef Py_ssize_t _find(
    const Char *s, Py_ssize_t n, Py_ssize_t at, const char *text, Py_ssize_t size, Py_ssize_t one, Py_ssize_t other
) noexcept nogil:
    """Return where a text of ASCII characters is next, -1 if it is nowhere.

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
                if s[i + one] == first and _is_at(s, n, i, text, size):
                    return i
        at += AT_ONCE
    while at + size <= n:
        if _is_at(s, n, at, text, size):
            return at
        at += 1
    return -1


cdef bint _names_scripts(const Char *s, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t at = _find(s, n, 0, b"math/", 5, 0, 4)
    while at >= 0:
        if _is_at(s, n, at + 5, b"tex", 3) or _is_at(s, n, at + 5, b"TeX", 3):
            return True
        at = _find(s, n, at + 1, b"math/", 5, 0, 4)
    return False


def names_scripts(str source):
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(source)
    cdef unsigned int kind = PyUnicode_KIND(source)
    cdef const void *data = PyUnicode_DATA(source)
    cdef bint found
    with nogil:
        if kind == 1:
            found = _names_scripts(<const uint8_t *>data, n)
        elif kind == 2:
            found = _names_scripts(<const uint16_t *>data, n)
        else:
            found = _names_scripts(<const uint32_t *>data, n)
    return found


cdef bint _is_suspicious(const Char *s, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return whether a style element has a sign that it conceals text."""
    cdef Py_ssize_t i
    for i in range(start, end):
        if s[i] == c"-":
            if _is_at(s, end, i, b"-999", 4) or _is_at(s, end, i, b"-1000", 5):
                return True
        elif s[i] == c"c":
            if _is_at(s, end, i, b"clip", 4):
                return True
        elif s[i] == c":" and i >= start + 9:
            if _is_at(s, end, i - 9, b"font-size:0", 11):
                return True
    return False


cdef list _sheets(const Char *s, Py_ssize_t n, str source):
    cdef Py_ssize_t position, start, end, stop, left = MAX_SOURCE
    sheets = []
    with nogil:
        position = _find(s, n, 0, b"<style", 6, 0, 3)
    while position >= 0 and left > 0:
        start = _find(s, n, position, b">", 1, 0, 0) + 1
        end = _find(s, n, start, b"</style", 7, 1, 4)
        end = n if end < 0 else end
        stop = min(end, start + left)
        left -= max(stop - start, 0)
        if _is_suspicious(s, start, stop):
            sheets.append(PyUnicode_Substring(source, start, stop))
        with nogil:
            position = _find(s, n, end, b"<style", 6, 0, 3)
    return sheets


def suspicious_sheets(str source):
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(source)
    cdef unsigned int kind = PyUnicode_KIND(source)
    cdef const void *data = PyUnicode_DATA(source)
    if kind == 1:
        return _sheets(<const uint8_t *>data, n, source)
    if kind == 2:
        return _sheets(<const uint16_t *>data, n, source)
    return _sheets(<const uint32_t *>data, n, source)
