"""Strings of JSON and JavaScript, whose characters may be escaped."""

from libc.stdint cimport int64_t, uint32_t

from dehusk.compiled.markup cimport Char


cdef inline int hex_of(Char sign) noexcept nogil:
    if c"0" <= sign <= c"9":
        return <int>sign - c"0"
    if c"a" <= sign <= c"f" or c"A" <= sign <= c"F":
        return (<int>sign | 32) - c"a" + 10
    return -1


cdef inline int64_t code_at(const Char *s, Py_ssize_t at, Py_ssize_t end) noexcept nogil:
    """Return the number that four hexadecimal digits at a place are; -1 if they are none."""
    cdef int64_t code = 0
    cdef int i, digit
    if end - at < 4:
        return -1
    for i in range(4):
        digit = hex_of(s[at + i])
        if digit < 0:
            return -1
        code = code * 16 + digit
    return code


cdef inline Py_ssize_t decode(const Char *s, Py_ssize_t at, Py_ssize_t end, uint32_t *out) noexcept nogil:
    """Decode a string as JSON; return the number of its characters, -1 if Python must decode it."""
    cdef Py_ssize_t n = 0
    cdef int64_t code, low
    cdef Char sign
    while at < end:
        sign = s[at]
        if sign == c'"' or 0xD800 <= <uint32_t>sign <= 0xDFFF:
            return -1
        at += 1
        code = sign
        if sign == c"\\":
            sign = s[at]
            at += 1
            if sign == c'"' or sign == c"\\" or sign == c"/":
                code = sign
            elif sign == c"n":
                code = c"\n"
            elif sign == c"t":
                code = c"\t"
            elif sign == c"r":
                code = c"\r"
            elif sign == c"b":
                code = 8
            elif sign == c"f":
                code = 12
            elif sign == c"u":
                code = code_at(s, at, end)
                at += 4
                if 0xD800 <= code < 0xDC00 and end - at >= 6 and s[at] == c"\\" and s[at + 1] == c"u":
                    low = code_at(s, at + 2, end)
                    if not 0xDC00 <= low < 0xE000:
                        return -1
                    code, at = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), at + 6
                elif code < 0 or 0xD800 <= code < 0xE000:
                    return -1
            else:
                return -1
        out[n] = <uint32_t>code
        n += 1
    return n
