# cython: language_level=3
"""Serialised markup, as turbohtml writes it: always well-formed, so that a scan needs few rules.

A start tag is `<name a="v" b="w">`: one space before each attribute, values in double quotes. Text and values are
escaped: `&amp;`, `&lt;`, `&gt;`, `&nbsp;`, and in values `&quot;`; names of tags and attributes are as they are. Spans
are offsets in characters. Strings of Python end in a NUL, so the character at the end may be read.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t


cdef struct Attribute:
    int32_t name
    int32_t name_end
    int32_t value
    int32_t value_end


cdef inline int32_t find(const Char *s, int32_t at, int32_t end, int sign) noexcept nogil:
    """Return where an ASCII character next is, `end` if it is nowhere."""
    cdef const uint8_t *found
    while at < end:  # the byte may be a part of another character
        found = <const uint8_t *>memchr(s + at, sign, <size_t>(end - at) * sizeof(Char))
        if found == NULL:
            return end
        at = <int32_t>(<size_t>(found - <const uint8_t *>s) // sizeof(Char))
        if s[at] == <Char>sign:
            return at
        at += 1
    return end


cdef inline int32_t next_attribute(const Char *s, int32_t end, int32_t at, Attribute *found) noexcept nogil:
    """Read an attribute of a start tag.

    Returns the offset after it, where the next attribute is; 0 if there is no more attribute, -1 if this is no markup.

    Args:
        at: where the tag's name or the attribute before ends.
    """
    if at + 1 >= end or s[at] != c" ":
        return 0 if at < end and s[at] == c">" else -1
    found.name = at + 1
    found.name_end = at + 2  # a name may start with the sign of equality, and hold quotes
    while found.name_end < end and s[found.name_end] != c"=":
        found.name_end += 1
    found.value = found.name_end + 2
    if found.value >= end or s[found.name_end + 1] != c'"':
        return -1
    found.value_end = find(s, found.value, end, c'"')
    return found.value_end + 1 if found.value_end < end else -1


cdef inline int32_t name_end(const Char *s, int32_t end, int32_t at) noexcept nogil:
    """Return where the name of a tag ends."""
    while at < end and s[at] != c" " and s[at] != c">":
        at += 1
    return at


cdef inline bint equals(const Char *s, int32_t at, int32_t end, const char *text, int32_t size) noexcept nogil:
    """Return whether a span is a text of ASCII characters."""
    cdef int32_t i
    if end - at != size:
        return False
    for i in range(size):
        if s[at + i] != <Char><uint8_t>text[i]:
            return False
    return True


cdef inline bint starts_with(const Char *s, int32_t at, int32_t end, const char *text, int32_t size) noexcept nogil:
    """Return whether a text of ASCII characters is at a place."""
    return end - at >= size and equals(s, at, at + size, text, size)


cdef inline int32_t unescaped(const Char *s, int32_t end, int32_t *at) noexcept nogil:
    """Return the character at a place of escaped text, and move the place behind it."""
    cdef int32_t i = at[0]
    at[0] = i + 1
    if s[i] != c"&":
        return <int32_t>s[i]
    if starts_with(s, i, end, b"&amp;", 5):
        at[0] = i + 5
        return c"&"
    if starts_with(s, i, end, b"&lt;", 4):
        at[0] = i + 4
        return c"<"
    if starts_with(s, i, end, b"&gt;", 4):
        at[0] = i + 4
        return c">"
    if starts_with(s, i, end, b"&quot;", 6):
        at[0] = i + 6
        return c'"'
    if starts_with(s, i, end, b"&nbsp;", 6):
        at[0] = i + 6
        return 0xA0
    return c"&"


cdef inline uint64_t hash_of(const Char *s, int32_t at, int32_t end, uint64_t seed) noexcept nogil:
    """Return a hash of a span; which values are equal does not depend on the seed."""
    cdef uint64_t key = seed ^ <uint64_t>(end - at), word
    cdef int32_t step = 8 // sizeof(Char)
    while end - at >= step:
        memcpy(&word, s + at, 8)
        key = (key ^ word) * <uint64_t>0x9E3779B97F4A7C15
        key ^= key >> 32
        at += step
    while at < end:
        key = (key ^ <uint64_t>s[at]) * <uint64_t>0x100000001B3
        at += 1
    key ^= key >> 32
    key *= <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 29)


cdef inline uint64_t hash_of_name(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return a hash of a short name; it is the same for characters of all widths."""
    cdef uint64_t key = 0
    while at < end:
        key = key * 31 + <uint64_t>s[at]
        at += 1
    key *= <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 32)
