"""Characters nobody sees, and texts that are numbers."""

cimport numpy as cnp
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

from dehusk.compiled.arrays cimport as_i64, size_of
from dehusk.compiled.markup cimport Char
from dehusk.compiled.needles cimport block_end, invisible_block_uint16_t_any, invisible_block_uint32_t_any
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring, Py_UNICODE_ISSPACE,
)

cdef enum: FIRST_ZERO_WIDTH = 0x200B, FIRST_JOINER = 0x2060, ZERO_WIDTHS = 5, BYTE_ORDER_MARK = 0xFEFF
cdef enum: FIRST_OVERRIDE = 0x202D, OVERRIDES = 2, FIRST_SELECTOR = 0xFE00, SELECTORS = 16, FIRST_TAG = 0xE0000
cdef enum: LONG_RUN = 8  # of zero-width characters
cdef enum: LONGEST_NUMBER = 8


cdef void _count_invisible(
    const Char *s, Py_ssize_t n, Py_ssize_t *zero_widths, bint *overrides, bint *tags
) noexcept nogil:
    cdef Py_ssize_t i, at = 0, stop
    cdef uint32_t point
    while at < n:
        if Char is uint16_t:
            at = invisible_block_uint16_t_any(s, at, n)
        elif Char is uint32_t:
            at = invisible_block_uint32_t_any(s, at, n)
        stop = block_end(at, n)
        for i in range(at, stop):
            point = s[i]
            zero_widths[0] += (
                (point - FIRST_ZERO_WIDTH < ZERO_WIDTHS)
                | (point - FIRST_JOINER < ZERO_WIDTHS)
                | (point == BYTE_ORDER_MARK)
            )
            overrides[0] |= point - FIRST_OVERRIDE < OVERRIDES
            tags[0] |= point >= FIRST_TAG
            if point - FIRST_SELECTOR < SELECTORS and i > 1:  # emoji have one each, messages runs
                tags[0] |= (<uint32_t>s[i - 1] - FIRST_SELECTOR < SELECTORS) & (
                    <uint32_t>s[i - 2] - FIRST_SELECTOR < SELECTORS
                )
        at = stop


def suspicions(object page):
    """Return which of the searches may find something, by a quick look at all characters."""
    cdef str text = page.text
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), zero_widths = 0
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef bint overrides = False, tags = False
    with nogil:
        if kind == 2:
            _count_invisible(<const uint16_t *>data, n, &zero_widths, &overrides, &tags)
        elif kind == 4:
            _count_invisible(<const uint32_t *>data, n, &zero_widths, &overrides, &tags)
    return tags, zero_widths >= LONG_RUN, overrides


cdef str _digits(str text, Py_ssize_t start, Py_ssize_t end):
    """Return a part of a text without white space around it if it is a number in ASCII, else None."""
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t i
    while start < end and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)):
        start += 1
    while start < end and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1)):
        end -= 1
    for i in range(start, end):
        if not c"0" <= PyUnicode_READ(kind, data, i) <= c"9":
            return None
    return PyUnicode_Substring(text, start, end) if end > start else None


def line_numbers(object page, object text):
    """Return the short text nodes that are a number, and it."""
    cdef Page tree
    read_page(page, &tree)
    check_indices(text, tree.n)
    cdef const int64_t *node = as_i64(text)
    cdef Py_ssize_t i
    found = []
    for i in range(size_of(text)):
        if tree.stop[node[i]] - tree.start[node[i]] <= LONGEST_NUMBER:
            digits = _digits(page.text, tree.start[node[i]], tree.stop[node[i]])
            if digits is not None:
                found.append((node[i], int(digits)))
    return found
