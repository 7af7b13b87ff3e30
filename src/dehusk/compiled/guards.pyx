"""Twins of `dehusk.read.guards` and of the test for self-closed elements in `dehusk.read.self_closed`."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from dehusk.compiled.markup cimport Char

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    object PyUnicode_FromKindAndData(int kind, const void *units, Py_ssize_t size)
    const char *PyBytes_AS_STRING(object data)
    Py_ssize_t PyBytes_GET_SIZE(object data)

cdef enum:
    SLOTS = 1024
    WIDTH = 8  # letters of a name that are compared

cdef uint64_t[SLOTS] EXPANDED  # the names of `self_closed._EXPANDED`, by their hash; 0 for a free slot
cdef uint64_t[16] FORMATTING  # the names of `guards._PACKED`; 0 behind them
cdef bint _is_set = False


cdef inline uint32_t slot_of(uint64_t name) noexcept nogil:
    return <uint32_t>((name * <uint64_t>0x9E3779B97F4A7C15) >> 54)


cdef int set_names() except -1:
    """Fill the tables of names; the modules that have them import this one."""
    global _is_set
    from dehusk.read import guards, self_closed
    cdef uint64_t name
    cdef uint32_t slot
    cdef int i = 0
    for packed in self_closed._EXPANDED.tolist():
        name = packed
        slot = slot_of(name)
        while EXPANDED[slot]:
            slot = (slot + 1) % SLOTS
        EXPANDED[slot] = name
    for packed in guards._PACKED.tolist()[:15]:
        FORMATTING[i] = packed
        i += 1
    _is_set = True
    return 0


cdef inline bint is_expanded(uint64_t name) noexcept nogil:
    cdef uint32_t slot = slot_of(name)
    while EXPANDED[slot]:
        if EXPANDED[slot] == name:
            return 1
        slot = (slot + 1) % SLOTS
    return 0


cdef inline uint64_t name_at(const uint8_t *s, Py_ssize_t n, Py_ssize_t at, int *size) noexcept nogil:
    """Return the first letters of the name at a place as a number; behind the source its last byte is repeated."""
    cdef uint8_t[WIDTH] letters
    cdef uint64_t name
    cdef int i
    cdef bint ended = 0
    cdef uint8_t sign
    size[0] = 0
    for i in range(WIDTH):
        sign = s[at + i if at + i < n else n - 1]
        ended = ended or sign == c">" or sign == c"/" or sign <= c" "
        letters[i] = 0 if ended else sign | 32
        size[0] += not ended
    memcpy(&name, letters, WIDTH)
    return name


def has_self_closed(bytes raw):
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(raw)
    cdef bint found
    if not _is_set:
        set_names()
    with nogil:
        found = closes_one(s, n)
    return found


cdef bint closes_one(const uint8_t *s, Py_ssize_t n) noexcept nogil:
    """Return whether "/>" stands behind the name of an element to expand, and no "<" between them."""
    cdef const uint8_t *end = s + n
    cdef const uint8_t *tag = <const uint8_t *>memchr(s, c"<", <size_t>n)
    cdef const uint8_t *after
    cdef const uint8_t *from_ = s  # what stands before all tags counts as part of the first
    cdef int size
    while tag != NULL:
        after = <const uint8_t *>memchr(tag + 1, c"<", <size_t>(end - tag - 1))
        if is_expanded(name_at(s, n, tag - s + 1, &size)) and has_close(from_, after if after != NULL else end, end):
            return 1
        tag = from_ = after
    return 0


cdef inline bint has_close(const uint8_t *at, const uint8_t *stop, const uint8_t *end) noexcept nogil:
    """Return whether "/>" starts between two places."""
    while at < stop:
        at = <const uint8_t *>memchr(at, c"/", <size_t>(stop - at))
        if at == NULL:
            return 0
        at += 1
        if at < end and at[0] == c">":
            return 1
    return 0


def may_multiply(bytes raw, object most):
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(raw)
    cdef int64_t limit = min(most, 1 << 60), tags = 0, unclosed = 0
    if not _is_set:
        set_names()
    with nogil:
        count_tags(s, n, &tags, &unclosed)
    if tags * 2 < limit // 512:
        return False
    return tags * min(max(unclosed, 0), 512) > limit


cdef void count_tags(const uint8_t *s, Py_ssize_t n, int64_t *tags, int64_t *unclosed) noexcept nogil:
    """Count the tags of a source, and how many more formatting elements it opens than it closes."""
    cdef const uint8_t *end = s + max(n - 2, 0)
    cdef const uint8_t *tag = s
    cdef bint closes
    while tag < end:
        tag = <const uint8_t *>memchr(tag, c"<", <size_t>(end - tag))
        if tag == NULL:
            return
        tags[0] += 1
        closes = tag[1] == c"/"
        if is_formatting(s, n, tag - s + 1 + closes):
            unclosed[0] += -1 if closes else 1
        tag += 1


cdef inline bint is_formatting(const uint8_t *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return whether the name of a formatting element is at a place."""
    cdef uint8_t first = s[at] | 32, second = s[at + 1 if at + 1 < n else n - 1] | 32
    if first != c"b" and first != c"c" and first != c"e" and first != c"f" and first != c"i" and first != c"n":
        if first != c"s" and first != c"t" and first != c"u":
            return 0
    cdef int size, i = 0
    cdef uint64_t name = name_at(s, n, at, &size)
    while FORMATTING[i] and FORMATTING[i] != name:
        i += 1
    if FORMATTING[i] == 0 or size > 1:
        return FORMATTING[i] != 0
    # behind one letter, characters count that look like an end of a name in small letters
    return second == 0x20 or second == 0x3E or second == 0x2F or 0x29 <= second <= 0x2D and second != 0x2B


def without_controls(str text):
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
    cdef void *units = PyUnicode_DATA(text)
    if kind == 1:
        return replaced(<const uint8_t *>units, n, text)
    if kind == 2:
        return replaced(<const uint16_t *>units, n, text)
    return replaced(<const uint32_t *>units, n, text)


cdef inline bint is_control(Char sign) noexcept nogil:
    return (sign < 9) | (sign == 11) | ((sign > 13) & (sign < 32))


cdef object replaced(const Char *s, Py_ssize_t n, str text):
    """Return a text with spaces in place of control characters; the same object if it has none."""
    cdef Py_ssize_t i
    cdef bint found = 0
    for i in range(n):
        found |= is_control(s[i])
    if not found:
        return text
    cdef Char *out = <Char *>PyMem_RawMalloc(<size_t>n * sizeof(Char))
    if out == NULL:
        raise MemoryError
    for i in range(n):
        out[i] = c" " if is_control(s[i]) else s[i]
    try:
        return PyUnicode_FromKindAndData(sizeof(Char), out, n)
    finally:
        PyMem_RawFree(out)
