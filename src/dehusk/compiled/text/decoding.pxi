"""The strict decoder of UTF-8: one pass over the bytes counts, a second one writes."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from dehusk.compiled.markup cimport Char
from dehusk.compiled.unicode cimport (
    PyBytes_AS_STRING, PyBytes_GET_SIZE, PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_KIND, PyUnicode_New,
)

cdef enum: BYTES_AT_ONCE = 32
cdef uint64_t HIGH = 0x8080808080808080

cdef struct Counts:
    Py_ssize_t points
    Py_ssize_t replaced  # of them U+FFFD
    uint32_t largest  # as many bits as the largest has, or more


cdef inline bint is_ascii(const uint8_t *s) noexcept nogil:
    """Return whether the next bytes, `AT_ONCE` of them, are ASCII."""
    cdef uint64_t[4] words
    memcpy(words, s, BYTES_AT_ONCE)
    return ((words[0] | words[1] | words[2] | words[3]) & HIGH) == 0


cdef inline uint32_t tail(const uint8_t *s, int size) noexcept nogil:
    """Return the bits of the bytes after the first one of a character, which have two bits of their own each."""
    cdef uint32_t bits = s[1] & 63
    if size > 2:
        bits = bits << 6 | (s[2] & 63)
    if size > 3:
        bits = bits << 6 | (s[3] & 63)
    return bits


cdef inline int size_at(const uint8_t *s, const uint8_t *end) noexcept nogil:
    """Return the number of bytes of the character at a place that is not ASCII; 0 if there is none."""
    cdef uint8_t first = s[0]
    cdef Py_ssize_t left = end - s
    if first < 0xC2 or first > 0xF4 or left < 2 or s[1] & 0xC0 != 0x80:
        return 0
    if first < 0xE0:
        return 2
    if left < 3 or s[2] & 0xC0 != 0x80:
        return 0
    if first < 0xF0:  # neither too long, nor half of a pair
        return 0 if (first == 0xE0 and s[1] < 0xA0) or (first == 0xED and s[1] > 0x9F) else 3
    if left < 4 or s[3] & 0xC0 != 0x80 or (first == 0xF0 and s[1] < 0x90) or (first == 0xF4 and s[1] > 0x8F):
        return 0
    return 4


cdef bint count(const uint8_t *s, const uint8_t *end, Counts *counts) noexcept nogil:
    """Count the characters; return whether all bytes are valid."""
    cdef int size
    cdef Py_ssize_t more = 0
    cdef const uint8_t *start = s
    while s < end:
        if end - s >= BYTES_AT_ONCE and is_ascii(s):
            s += BYTES_AT_ONCE
            continue
        if s[0] < 128:
            s += 1
            continue
        size = size_at(s, end)
        if size == 0:
            return 0
        more += size - 1
        if size == 2:
            counts.largest |= 0xFF if s[0] < 0xC4 else 0xFFFF
        else:
            counts.largest |= 0xFFFF if size == 3 else 0x10FFFF
            counts.replaced += s[0] == 0xEF and s[1] == 0xBF and s[2] == 0xBD
        s += size
    counts.points = end - start - more
    return 1


cdef void write(const uint8_t *s, const uint8_t *end, Char *out) noexcept nogil:
    """Write the characters of valid bytes."""
    cdef int i, size
    while s < end:
        if end - s >= BYTES_AT_ONCE and is_ascii(s):
            for i in range(BYTES_AT_ONCE):
                out[i] = s[i]
            s += BYTES_AT_ONCE
            out += BYTES_AT_ONCE
            continue
        if s[0] < 128:
            out[0] = s[0]
            s += 1
        else:
            size = 2 if s[0] < 0xE0 else 3 if s[0] < 0xF0 else 4
            out[0] = <Char>((<uint32_t>(s[0] & (0xFF >> (size + 1))) << (6 * (size - 1))) | tail(s, size))
            s += size
        out += 1


def strict_utf8(bytes data):
    """Return the text of valid UTF-8 and how often it has U+FFFD; None if the bytes are not valid."""
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(data)
    cdef const uint8_t *end = s + PyBytes_GET_SIZE(data)
    cdef Counts counts
    cdef bint is_valid
    counts.points = counts.replaced = 0
    counts.largest = 127
    with nogil:
        is_valid = count(s, end, &counts)
    if not is_valid:
        return None
    text = PyUnicode_New(counts.points, min(counts.largest, 0x10FFFF))
    cdef void *units = PyUnicode_DATA(text)
    if counts.largest == 127:
        memcpy(units, s, <size_t>counts.points)
    elif PyUnicode_KIND(text) == 1:
        write(s, end, <uint8_t *>units)
    elif PyUnicode_KIND(text) == 2:
        write(s, end, <uint16_t *>units)
    else:
        write(s, end, <uint32_t *>units)
    return text, counts.replaced


def decoded_again(str text):
    """Return the text of valid UTF-8 whose bytes a text has as characters; None for others, and for ASCII."""
    if PyUnicode_KIND(text) != 1 or PyUnicode_IS_ASCII(text):
        return None
    found = strict_utf8(text.encode("latin-1"))
    return None if found is None else found[0]
