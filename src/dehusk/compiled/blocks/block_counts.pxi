"""Words, words in links, characters in links and digits of each block."""

from sys import byteorder

cimport numpy as cnp
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from dehusk.compiled.arrays cimport as_bool, as_i32, as_u32, as_u8, new_array, size_of, values
from dehusk.compiled.text cimport ALPHA, DIGIT, WHITE

cdef enum: PIECE = 5  # letters of a word in a script without spaces
cdef uint64_t ONES = 0x0101010101010101
cdef bint IS_LITTLE = byteorder == "little"  # the first of eight bytes is the lowest


cdef inline bint _is_spaceless(uint32_t point) noexcept nogil:
    """Return whether a character is a letter of Thai, Lao, Burmese or Khmer."""
    return (
        0x0E01 <= point <= 0x0E4E or 0x0E81 <= point <= 0x0ECD or 0x1000 <= point <= 0x109D or 0x1780 <= point <= 0x17D3
    )


cdef bint _has_other_scripts(const uint32_t *points, Py_ssize_t m) noexcept nogil:
    """Return whether there may be characters that are words of their own, or letters of a script without spaces."""
    cdef Py_ssize_t i
    cdef uint8_t found = 0
    for i in range(m):
        found |= (points[i] - 0x0E01 <= 0x17D3 - 0x0E01) | (points[i] - 0x3040 < 0xA000 - 0x3040)
    return found


cdef struct Text:
    Py_ssize_t m
    const uint32_t *points
    const uint8_t *classes
    const uint8_t *linked


cdef inline uint64_t _eight(const uint8_t *bytes) noexcept nogil:
    cdef uint64_t found
    memcpy(&found, bytes, 8)
    return found


cdef inline int32_t _sum(uint64_t eight) noexcept nogil:
    """Return the sum of eight bytes, each 0 or 1."""
    return <int32_t>((eight * ONES) >> 56)


cdef void _count_tokens(const Text *text, int32_t start, int32_t end, int32_t *out) noexcept nogil:
    """Count the tokens of a block, those that start in a link, and the characters in links: eight at a time."""
    cdef int32_t at = start
    cdef uint64_t before = 0, ink, linked, starts, rest
    out[0] = out[1] = out[2] = 0
    while at < end and at + 8 <= text.m:
        rest = ONES if at + 8 <= end else ONES >> (8 * (8 - (end - at)))
        ink = _eight(text.classes + at) ^ (ONES * WHITE)  # a class is below 8, so that three bits tell
        ink = (ink | ink >> 1 | ink >> 2) & rest
        linked = _eight(text.linked + at) & rest
        starts = ink & ~(ink << 8 | before)
        before = ink >> 56
        out[0] += _sum(starts)
        out[1] += _sum(starts & linked)
        out[2] += _sum(linked)
        at += 8
    _count_words(text, at, end, before, out)


cdef void _count_words(const Text *text, int32_t start, int32_t end, bint after_ink, int32_t *out) noexcept nogil:
    """Add the words from a character of a block on, one at a time, also those of scripts without spaces."""
    cdef int32_t at, letters = 0
    cdef bint is_ink
    cdef uint32_t point
    for at in range(start, end):
        point, is_ink = text.points[at], text.classes[at] != WHITE
        letters = letters + 1 if _is_spaceless(point) else 0
        if (
            (is_ink and not after_ink)
            or (0x3040 <= point < 0xA000 and text.classes[at] == ALPHA)
            or (letters > 1 and (letters - 1) % PIECE == 0)
        ):
            out[0] += 1
            out[1] += text.linked[at]
        out[2] += text.linked[at]
        after_ink = is_ink


cdef inline int32_t _count_digits(const uint8_t *classes, int32_t start, int32_t end) noexcept nogil:
    cdef int32_t at, found = 0
    for at in range(start, end):
        found += classes[at] == DIGIT
    return found


def counts(object blocks):
    points_, classes_, linked_ = blocks.code_points, blocks.char_class, blocks.linked
    start_, end_ = blocks.start, blocks.end
    cdef const uint32_t *points = as_u32(points_)
    cdef const uint8_t *classes = as_u8(classes_)
    cdef const uint8_t *linked = as_bool(linked_)
    cdef const int32_t *start = as_i32(start_)
    cdef const int32_t *end = as_i32(end_)
    cdef Py_ssize_t b = size_of(start_), m = size_of(points_), i
    cdef bint is_simple
    if size_of(end_) != b or size_of(classes_) != m or size_of(linked_) != m or not are_tiles(start, end, b, m):
        raise ValueError("the columns of the blocks do not fit their page")
    words_, link_words_ = new_array(b, cnp.NPY_INT32), new_array(b, cnp.NPY_INT32)
    link_chars_, digits_ = new_array(b, cnp.NPY_INT32), new_array(b, cnp.NPY_INT32)
    cdef int32_t *words = <int32_t *>values(words_)
    cdef int32_t *link_words = <int32_t *>values(link_words_)
    cdef int32_t *link_chars = <int32_t *>values(link_chars_)
    cdef int32_t *digits = <int32_t *>values(digits_)
    cdef int32_t[3] found
    cdef Text text = Text(m, points, classes, linked)
    with nogil:
        is_simple = IS_LITTLE and not _has_other_scripts(points, m)
        for i in range(b):
            if is_simple:
                _count_tokens(&text, start[i], end[i], found)
            else:
                found[0] = found[1] = found[2] = 0
                _count_words(&text, start[i], end[i], False, found)
            words[i], link_words[i], link_chars[i] = found[0], found[1], found[2]
            digits[i] = _count_digits(classes, start[i], end[i])
    return words_, link_words_, link_chars_, digits_
