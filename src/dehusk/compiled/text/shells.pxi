"""How much text of a page is in its long text nodes."""

cimport numpy as cnp
from libc.stdint cimport int32_t, uint16_t

from dehusk.compiled.arrays cimport as_i32, as_u16, size_of
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, Py_UNICODE_ISSPACE,
)


def chars_of_texts(object columns, object shortest, object enough):
    """Return the number of characters in texts without white space around them; counting stops when there are `enough`.

    Args:
        columns: those of a page.
        shortest: characters, with white space, of a text that counts.
        enough: how many to count.
    """
    cdef str text = columns.text
    cdef object tags = columns.tag, starts = columns.text_start, ends = columns.text_end
    cdef const uint16_t *tag = as_u16(tags)
    cdef const int32_t *start = as_i32(starts)
    cdef const int32_t *end = as_i32(ends)
    cdef Py_ssize_t n = size_of(tags), size = PyUnicode_GET_LENGTH(text), i, chars = 0, least = shortest, most = enough
    cdef int32_t first, last
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *units = PyUnicode_DATA(text)
    if size_of(starts) != n or size_of(ends) != n:
        raise ValueError("the columns of the page do not fit together")
    for i in range(n):
        first, last = start[i], end[i]
        if tag[i] or last - first < least or first < 0 or last > size:
            continue
        while first < last and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, units, first)):
            first += 1
        while first < last and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, units, last - 1)):
            last -= 1
        chars += last - first
        if chars >= most:
            break
    return chars
