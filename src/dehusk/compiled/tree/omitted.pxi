"""Contents of scripts and styles, which are left out of a source before it is parsed.

They are half of a large page, and nothing of the page depends on them but the elements that they are in. Each is
replaced by a mark. Where they are is only guessed, by the tags that seem to be around them. The guess was right if the
parser's scripts and styles have all marks as their contents, in order: up to the first content, the parser reads the
same as in the whole source; it then reads on at the same end tag in the same state, and so on up to the next one.

Left in are contents that could end elsewhere, and those that hold what looks like a part of the page.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy

from dehusk.compiled.markup cimport Char, find, starts_with
from dehusk.compiled.spans cimport Spans, add_span

cdef enum:
    MARK_SIZE = 24  # characters: a word that no page can know, and the number of the content
    DIGITS = 8
    MIN_CONTENT = 256  # characters of a content that is left out
    MIN_OMITTED = 4096  # characters of all contents, from which on it pays
    SHARE = 8  # of the source; less does not pay


cdef inline bint is_name(const Char *s, int32_t at, int32_t end, const char *name, int32_t size) noexcept nogil:
    """Return whether the name of a tag is some small letters; capitals count as small letters."""
    cdef int32_t i
    if end - at <= size:
        return 0
    for i in range(size):
        if s[at + i] >= 128 or (s[at + i] | 32) != <Char>name[i]:
            return 0
    cdef Char sign = s[at + size]
    return sign == c">" or sign == c"/" or sign == c" " or sign == c"\n" or sign == c"\t" or sign == c"\r"


cdef inline int32_t end_of_tag(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return where a start tag ends, most probably."""
    cdef Char quote = 0, before = 0
    while at < end and (quote or s[at] != c">"):
        if quote:
            quote = 0 if s[at] == quote else quote
        elif before == c"=" and (s[at] == c'"' or s[at] == c"'"):
            quote = s[at]
        before = s[at]
        at += 1
    return at


cdef inline int32_t end_of_content(
    const Char *s, int32_t at, int32_t end, const char *name, int32_t size, bint *must_stay
) noexcept nogil:
    """Return where the content of an element ends, most probably; and whether it must stay in the source."""
    must_stay[0] = 0
    at = find(s, at, end, c"<")
    while at < end:
        if s[at + 1] == c"/":
            if is_name(s, at + 2, end, name, size):
                must_stay[0] |= s[at + 2 + size] != c">"
                return at
            must_stay[0] |= starts_word(s, at + 2, end, name, size) or ends_block(s + at + 2, end - at - 2)
        elif s[at + 1] == c"!" and starts_with(s, at, end, b"<!--", 4):
            must_stay[0] = 1
        at = find(s, at + 1, end, c"<")
    must_stay[0] = 1
    return end


cdef inline bint starts_word(const Char *s, int32_t at, int32_t end, const char *name, int32_t size) noexcept nogil:
    """Return whether some small letters are at a place; capitals count as small letters."""
    cdef int32_t i
    if end - at < size:
        return 0
    for i in range(size):
        if s[at + i] >= 128 or (s[at + i] | 32) != <Char>name[i]:
            return 0
    return 1


cdef inline int32_t behind_comment(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return where a comment ends, most probably."""
    at = find(s, at + 4, end, c">")
    while at < end and not (s[at - 1] == c"-" and s[at - 2] == c"-"):
        at = find(s, at + 1, end, c">")
    return at


cdef inline int32_t find_contents(const Char *s, int32_t end, Spans *found) noexcept nogil:
    """Find the contents to leave out; return the number of their characters, less than 0 without memory."""
    cdef int32_t at = find(s, 0, end, c"<"), start, stop, omitted = 0
    cdef bint is_script, must_stay, in_drawing = 0
    while at < end:
        is_script = is_name(s, at + 1, end, b"script", 6)
        if is_script or is_name(s, at + 1, end, b"style", 5):
            start = min(end_of_tag(s, at + 1, end) + 1, end)
            stop = end_of_content(
                s, start, end, b"script" if is_script else b"style", 6 if is_script else 5, &must_stay
            )
            if stop - start >= MIN_CONTENT and not must_stay and not in_drawing:
                if not add_span(found, start, stop, 0, 0):
                    return -1
                omitted += stop - start
            if stop == end:  # it is never closed, so that all the rest is in it; looking on would take quadratic time
                break
            at = stop
        elif s[at + 1] == c"!" and starts_with(s, at, end, b"<!--", 4):
            at = behind_comment(s, at, end)
        elif starts_word(s, at + 1, end, b"svg", 3):
            in_drawing = 1
        elif in_drawing and s[at + 1] == c"/" and starts_word(s, at + 2, end, b"svg", 3):
            in_drawing = 0
        at = find(s, at + 1, end, c"<")
    return omitted


cdef inline void put_mark(Char *out, const uint8_t *word, int32_t number) noexcept nogil:
    """Write the mark of a content."""
    cdef int32_t i
    for i in range(MARK_SIZE - DIGITS):
        out[i] = <Char>word[i]
    for i in range(DIGITS):
        out[MARK_SIZE - 1 - i] = <Char>(c"0" + number % 10)
        number //= 10


cdef inline int32_t number_of_mark(const Char *s, int32_t at, int32_t end, const uint8_t *word) noexcept nogil:
    """Return the number of the mark that a content is, less than 0 if it is none."""
    cdef int32_t i, number = 0
    if end - at != MARK_SIZE:
        return -1
    for i in range(MARK_SIZE - DIGITS):
        if s[at + i] != <Char>word[i]:
            return -1
    for i in range(MARK_SIZE - DIGITS, MARK_SIZE):
        number = number * 10 + <int32_t>(s[at + i] - c"0")
    return number


cdef inline void put_rest(
    const Char *s, int32_t end, const Spans *omitted, const uint8_t *word, Char *out
) noexcept nogil:
    """Write a source with a mark in place of each content."""
    cdef int32_t i, at = 0
    for i in range(omitted.n):
        memcpy(out, s + at, <size_t>(omitted.items[i].at - at) * sizeof(Char))
        out += omitted.items[i].at - at
        put_mark(out, word, i)
        out += MARK_SIZE
        at = omitted.items[i].end
    memcpy(out, s + at, <size_t>(end - at) * sizeof(Char))


cdef inline bint stays_wide(const Char *s, int32_t end, const Spans *omitted) noexcept nogil:
    """Return whether what is left has a character that needs the width of those of the source; it is looked for."""
    cdef int32_t i, at = 0, stop
    cdef uint32_t least = 128 if sizeof(Char) == 1 else 256 if sizeof(Char) == 2 else 65536
    for i in range(omitted.n + 1):
        stop = omitted.items[i].at if i < omitted.n else end
        while at < stop:
            if s[at] >= least:
                return 1
            at += 1
        at = omitted.items[i].end if i < omitted.n else end
    return 0
