"""Looks at a source before it is parsed: tags, self-closed elements, control characters, templates."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from dehusk.compiled.first_use cimport once
from dehusk.compiled.markup cimport Char
from dehusk.compiled.unicode cimport (
    PyBytes_AS_STRING, PyBytes_GET_SIZE, PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)

cdef enum:
    NAME_SLOTS = 1024
    WIDTH = 8  # letters of a name that are compared
    CHARS_AT_ONCE = 64
    SMALL_PART = 240  # bytes among which a number of one byte counts

cdef uint64_t[NAME_SLOTS] EXPANDED  # the names of `self_closed._EXPANDED`, by their hash; 0 for a free slot
cdef Names NAMES_OF_XML


cdef inline uint32_t name_slot(uint64_t name) noexcept nogil:
    return <uint32_t>((name * <uint64_t>0x9E3779B97F4A7C15) >> 54)


cdef bint _guards_ready = False


cdef int prepare_guards() except -1:
    """Fill the tables of names; the modules that have them import this one."""
    from dehusk.read import self_closed
    cdef uint64_t name
    cdef uint32_t slot
    for packed in self_closed._EXPANDED.tolist():
        name = packed
        slot = name_slot(name)
        while EXPANDED[slot] and EXPANDED[slot] != name:  # it is there if an earlier attempt failed later
            slot = (slot + 1) % NAME_SLOTS
        EXPANDED[slot] = name
    set_kind(NAMES_OF_XML.void, self_closed._VOID)
    set_kind(NAMES_OF_XML.raw, self_closed._RAW)
    set_kind(NAMES_OF_XML.drawing, self_closed._DRAWING)
    return 0


cdef int set_kind(uint64_t *kind, object names) except -1:
    cdef int i = 0
    for name in sorted(names):
        if len(name) > WIDTH or i == MOST_NAMES - 1:
            raise ValueError(name)
        kind[i], i = int.from_bytes(name.encode(), "little"), i + 1
    return 0


cdef inline bint is_expanded(uint64_t name) noexcept nogil:
    cdef uint32_t slot = name_slot(name)
    while EXPANDED[slot]:
        if EXPANDED[slot] == name:
            return 1
        slot = (slot + 1) % NAME_SLOTS
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
    """Return whether an element of HTML that is not void seems to end in `/>`."""
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(raw)
    cdef bint found
    once(&_guards_ready, prepare_guards)
    with nogil:
        found = closes_one(s, n)
    return found


cdef bint closes_one(const uint8_t *s, Py_ssize_t n) noexcept nogil:
    """Return whether a "/>" stands in the tag of an element to expand: the last tag that starts before it."""
    cdef Py_ssize_t at = next_pair(s, n, 0, c"/", c">"), done = 0, tag = -1, last
    cdef const uint8_t *first
    cdef int size
    while at < n:
        last = last_bracket(s, done, at)
        if last < done and tag < 0:  # what stands before all tags counts as part of the first
            first = <const uint8_t *>memchr(s, c"<", <size_t>n)
            if first == NULL:
                return 0
            last = first - s
        if last >= done and last != tag:
            tag = last
            if is_expanded(name_at(s, n, tag + 1, &size)):
                return 1
        done, at = at, next_pair(s, n, at + 1, c"/", c">")
    return 0


cdef inline Py_ssize_t last_bracket(const uint8_t *s, Py_ssize_t start, Py_ssize_t at) noexcept nogil:
    """Return where the last "<" from a start to a place is; less than the start if there is none."""
    while at >= start and s[at] != c"<":
        at -= 1
    return at


def has_text(bytes raw, bytes text, Py_ssize_t rare):
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef const uint8_t *wanted = <const uint8_t *>PyBytes_AS_STRING(text)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(raw), size = PyBytes_GET_SIZE(text), at
    if not 0 <= rare < size - 1:
        raise ValueError("two bytes of the text are needed")
    with nogil:
        at = next_pair(s, n, rare, wanted[rare], wanted[rare + 1])
        while at - rare + size <= n and memcmp(s + at - rare, wanted, <size_t>size) != 0:
            at = next_pair(s, n, at + 1, wanted[rare], wanted[rare + 1])
    return at - rare + size <= n


cdef inline Py_ssize_t next_pair(
    const uint8_t *s, Py_ssize_t n, Py_ssize_t at, uint8_t one, uint8_t other
) noexcept nogil:
    """Return where two bytes are next side by side, the number of bytes if they are nowhere."""
    cdef uint8_t found
    cdef int i
    while at + CHARS_AT_ONCE < n:
        found = 0
        for i in range(CHARS_AT_ONCE):
            found |= (s[at + i] == one) & (s[at + i + 1] == other)
        if found:
            break
        at += CHARS_AT_ONCE
    while at + 1 < n:
        if s[at] == one and s[at + 1] == other:
            return at
        at += 1
    return n


def count_tags(bytes raw):
    """Return the number of "<" in a source."""
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(raw)
    cdef int64_t found
    with nogil:
        found = count_brackets(s, n)
    return found


def ends_template(bytes raw):
    """Return whether a source has the end tag of a template, in letters of any case."""
    cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef const uint8_t *end = at + PyBytes_GET_SIZE(raw)
    cdef bint found = False
    cdef int i
    with nogil:
        while not found:
            at = <const uint8_t *>memchr(at, c"<", end - at)
            if at == NULL or end - at < 10:
                break
            at += 1
            if at[0] == c"/":
                i = 0
                while i < 8 and at[i + 1] | 32 == (<const uint8_t *>b"template")[i]:
                    i += 1
                found = i == 8
    return found


cdef int64_t count_brackets(const uint8_t *s, Py_ssize_t n) noexcept nogil:
    """Count the "<" among n bytes."""
    cdef int64_t found = 0
    cdef uint8_t part
    cdef Py_ssize_t at = 0
    cdef int i
    while at + SMALL_PART <= n:
        part = 0
        for i in range(SMALL_PART):
            part += <uint8_t>(s[at + i] == c"<")
        found, at = found + part, at + SMALL_PART
    while at < n:
        found += s[at] == c"<"
        at += 1
    return found


def without_controls(str text):
    """Replace control characters by spaces."""
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


cdef inline bint has_control(const Char *s, Py_ssize_t n) noexcept nogil:
    """Return whether a text has a control character."""
    cdef Py_ssize_t at = 0
    cdef Char found
    cdef int i
    while at + CHARS_AT_ONCE <= n:
        found = 0
        for i in range(CHARS_AT_ONCE):
            found |= <Char>((s[at + i] < 9) | (s[at + i] == 11) | (<Char>(s[at + i] - 14) < 18))
        if found:
            return 1
        at += CHARS_AT_ONCE
    while at < n:
        if is_control(s[at]):
            return 1
        at += 1
    return 0


cdef object replaced(const Char *s, Py_ssize_t n, str text):
    """Return a text with spaces in place of control characters; the same object if it has none."""
    cdef Py_ssize_t i
    if not has_control(s, n):
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


def starts_as_xml(str text):
    """Return whether the start of the page could be XML, which few pages' starts could."""
    cdef int kind = PyUnicode_KIND(text), answer
    cdef int32_t n = <int32_t>min(PyUnicode_GET_LENGTH(text), MOST_OPEN)
    cdef void *units = PyUnicode_DATA(text)
    cdef XmlScan scan
    once(&_guards_ready, prepare_guards)
    scan.size, scan.drawings, scan.names = 0, 0, &NAMES_OF_XML
    if kind == 1:
        answer = is_xml(<const uint8_t *>units, n, &scan)
    elif kind == 2:
        answer = is_xml(<const uint16_t *>units, n, &scan)
    else:
        answer = is_xml(<const uint32_t *>units, n, &scan)
    return answer == 1
