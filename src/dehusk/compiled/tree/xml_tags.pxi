"""The tags at the start of a page, read as the expression of `dehusk.read.self_closed` does: are they those of XML?"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from dehusk.compiled.markup cimport Char, find
from dehusk.compiled.unicode cimport Py_UNICODE_ISSPACE

cdef enum:
    MOST_OPEN = 2048  # elements, and characters that are read
    MOST_NAMES = 32
    MOST_LETTERS = 8


cdef struct Names:  # of some elements as numbers, with 0 behind them
    uint64_t[MOST_NAMES] void
    uint64_t[MOST_NAMES] raw
    uint64_t[MOST_NAMES] drawing


cdef struct XmlScan:  # the elements that are open, and where their names are
    const Names *names
    int32_t size
    int32_t drawings
    int32_t[MOST_OPEN] start
    int32_t[MOST_OPEN] end


cdef inline bint is_letter(Char sign) noexcept nogil:
    return c"a" <= sign <= c"z" or c"A" <= sign <= c"Z"


cdef inline bint is_blank(Char sign) noexcept nogil:
    return (sign <= c" " or sign >= 128) and Py_UNICODE_ISSPACE(sign)


cdef inline int32_t behind_spaces(const Char *s, int32_t n, int32_t at) noexcept nogil:
    while at < n and is_blank(s[at]):
        at += 1
    return at


cdef inline int32_t xml_name_end(const Char *s, int32_t n, int32_t at) noexcept nogil:
    while at < n and s[at] != c"/" and s[at] != c">" and not is_blank(s[at]):
        at += 1
    return at


cdef inline Char small(Char sign) noexcept nogil:
    return sign + 32 if c"A" <= sign <= c"Z" else sign


cdef inline uint64_t small_letters(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return a name of up to eight characters of ASCII as a number, 0 for others."""
    cdef uint64_t name = 0
    cdef int32_t i
    for i in range(at, end):
        if s[i] >= 128:
            return 0
        if i < at + MOST_LETTERS:
            name |= <uint64_t>small(s[i]) << 8 * (i - at)
    return name if end - at <= MOST_LETTERS else 0


cdef inline bint is_among(const uint64_t *kind, uint64_t name) noexcept nogil:
    cdef int i = 0
    while kind[i] and kind[i] != name:
        i += 1
    return name != 0 and kind[i] == name


cdef inline bint is_sign(Char sign) noexcept nogil:
    return sign == c'"' or sign == c"'" or sign == c"/" or sign == c">"


cdef inline int32_t behind_declaration(const Char *s, int32_t n, int32_t at) noexcept nogil:
    """Return the place behind a comment, CDATA section or declaration."""
    cdef int32_t i = at + 4
    cdef bint is_data = 1
    if at + 4 <= n and s[at + 1] == c"!" and s[at + 2] == c"-" and s[at + 3] == c"-":
        if i < n and s[i] == c"-" and i + 1 < n and s[i + 1] == c">":
            return i + 2
        if i < n and s[i] == c">":
            return i + 1
        while i + 2 < n:
            if s[i] == c"-" and s[i + 1] == c"-":
                if s[i + 2] == c">":
                    return i + 3
                if s[i + 2] == c"!" and i + 3 < n and s[i + 3] == c">":
                    return i + 4
            i += 1
        return n
    for i in range(9):
        is_data = is_data and at + i < n and s[at + i] == <Char><uint8_t>(b"<![CDATA["[i])
    if not is_data:
        return find(s, at + 2, n, c">") + 1
    i = at + 9
    while i + 2 < n and not (s[i] == c"]" and s[i + 1] == c"]" and s[i + 2] == c">"):
        i += 1
    return i + 3


cdef inline int32_t behind_attributes(const Char *s, int32_t n, int32_t at) noexcept nogil:
    """Return the place behind attributes with values in quotes, and the white space after them."""
    cdef int32_t name, i
    while True:
        name = i = behind_spaces(s, n, at)
        if i == at:
            return i
        while i < n and not is_blank(s[i]) and not is_sign(s[i]) and s[i] != c"<" and s[i] != c"=":
            i += 1
        if i == name:
            return name
        i = behind_spaces(s, n, i)
        if i == n or s[i] != c"=":
            return name
        i = behind_spaces(s, n, i + 1)
        if i == n or s[i] != c'"' and s[i] != c"'":
            return name
        i = find(s, i + 1, n, <int>s[i])
        if i == n:
            return name
        at = i + 1


cdef inline int32_t behind_odd(const Char *s, int32_t n, int32_t at) noexcept nogil:
    """Return where a tag is closed, or where a quote is opened in it that is never closed."""
    cdef int32_t end
    while at < n and s[at] != c">":
        if s[at] == c"/" and at + 1 < n and s[at + 1] == c">":
            return at
        if s[at] == c'"' or s[at] == c"'":
            end = find(s, at + 1, n, <int>s[at])
            if end == n:
                return at
            at = end
        at += 1
    return at


cdef inline bint is_end_tag(
    const Char *s, int32_t n, int32_t at, const Char *text, int32_t first, int32_t end
) noexcept nogil:
    """Return whether the end tag of a name, in small letters, is at a place."""
    cdef int32_t i
    if at + 2 + end - first > n or s[at] != c"<" or s[at + 1] != c"/":
        return 0
    for i in range(end - first):
        if s[at + 2 + i] != small(text[first + i]):
            return 0
    return 1


cdef inline int32_t xml_raw_end(
    const Char *s, int32_t n, int32_t at, int32_t first, int32_t end
) noexcept nogil:
    """Return where the end tag of a name is, in letters of any case."""
    cdef int32_t size = end - first, i
    while True:
        at = find(s, at, n, c"<")
        if at + 2 + size >= n:
            return n
        i = 0
        while s[at + 1] == c"/" and i < size and small(s[at + 2 + i]) == small(s[first + i]):
            i += 1
        if i == size and (is_blank(s[at + 2 + i]) or s[at + 2 + i] == c"/" or s[at + 2 + i] == c">"):
            return at
        at += 1


cdef inline int32_t behind_start_tag(const Char *s, int32_t n, int32_t at, XmlScan *scan, int *answer) noexcept nogil:
    """Return where the next tag may be; an answer of 0 says that the tag is none of XML."""
    cdef int32_t behind_name = xml_name_end(s, n, at), attributes = behind_attributes(s, n, behind_name)
    cdef int32_t close_at = behind_odd(s, n, attributes), end = n
    cdef bint is_closed = close_at < n and s[close_at] == c"/"
    if close_at < n and (is_closed or s[close_at] == c">"):
        end = close_at + 1 + is_closed
    if s[end - 1] != c">":  # the page is cut within the tag
        return n
    cdef uint64_t name = small_letters(s, at, behind_name)
    if close_at > attributes:
        answer[0] = 0
        return n
    if is_closed:
        return end
    if is_among(scan.names.void, name) and not scan.drawings and not is_end_tag(s, n, end, s, at, behind_name):
        answer[0] = 0
        return n
    scan.start[scan.size], scan.end[scan.size] = at, behind_name
    scan.size += 1
    scan.drawings += is_among(scan.names.drawing, name)
    if scan.drawings or not is_among(scan.names.raw, name):
        return end
    return xml_raw_end(s, n, end, at, behind_name)


cdef inline int close(const Char *s, int32_t n, int32_t at, XmlScan *scan) noexcept nogil:
    """Close the element that is open; return 0 if it has another name."""
    cdef int32_t end = xml_name_end(s, n, at), first, i
    cdef uint64_t name = small_letters(s, at, end)
    if scan.size == 0:
        return 0
    scan.size -= 1
    first = scan.start[scan.size]
    if scan.end[scan.size] - first != end - at:
        return 0
    for i in range(end - at):
        if small(s[at + i]) != small(s[first + i]):
            return 0
    scan.drawings -= is_among(scan.names.drawing, name)
    return 1


cdef inline int is_xml(const Char *s, int32_t n, XmlScan *scan) noexcept nogil:
    """Return whether all tags are as in XML."""
    cdef int32_t at = find(s, 0, n, c"<"), end
    cdef int answer = 1
    while at + 1 < n and answer == 1:
        if s[at + 1] == c"!" or s[at + 1] == c"?":
            end = behind_declaration(s, n, at)
        elif is_letter(s[at + 1]):
            end = behind_start_tag(s, n, at + 1, scan, &answer)
        elif s[at + 1] == c"/" and at + 2 < n and is_letter(s[at + 2]):
            end = find(s, xml_name_end(s, n, at + 2), n, c">") + 1
            answer = close(s, n, at + 2, scan) if end <= n else 1
        else:
            end = at + 1
        at = find(s, end, n, c"<") if end < n else n
    return answer
