"""How deep a source nests its elements: `dehusk.read.nesting` has the rules."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memmove

from dehusk.compiled.first_use cimport once

cdef extern from "Python.h":
    const char *PyBytes_AS_STRING(object data)
    Py_ssize_t PyBytes_GET_SIZE(object data)

cdef enum:
    SLOTS = 1024
    ROOM = 1024  # for the stack
    VOID = 1
    RAW = 2
    FORMATTING = 4
    INLINE = 8
    PART = 16
    FENCE = 32
    SCOPED = 64
    AGAIN = 128
    TABLE = 256  # what holds the end tags of parts

cdef struct Name:
    uint64_t code  # a hash of the letters, 0 for a free slot
    uint32_t kinds

cdef Name[SLOTS] NAMES
cdef int32_t MOST = 0
cdef uint64_t ROW = 0, CELL = 0
cdef object _result = None  # the class of it
cdef bint _is_ready = False


cdef int prepare() except -1:
    """Read the sets of names; the module that has them imports this one."""
    global MOST, ROW, CELL, _result
    cdef Py_ssize_t end = 0
    from dehusk.read import nesting as module
    if module.MOST > ROOM:
        raise ValueError(module.MOST)
    for names, kind in (
        (module.VOID, VOID), (module.RAW, RAW), (module.FORMATTING, FORMATTING), (module.INLINE, INLINE),
        (module.PARTS, PART), (module.FENCES, FENCE), (module.SCOPED, SCOPED), (module.AGAIN, AGAIN),
        (module.HOLDING, TABLE),
    ):
        for name in names:
            add_name(name, kind)
    ROW, CELL = name_code(b"tr", 2, 0, &end), name_code(b"td", 2, 0, &end)
    MOST, _result = module.MOST, module.Nesting
    return 0


cdef int add_name(bytes name, uint32_t kind) except -1:
    cdef Py_ssize_t end = 0
    cdef Name *slot = slot_of(name_code(<const uint8_t *>PyBytes_AS_STRING(name), len(name), 0, &end))
    if slot.code == 0:
        slot.code = name_code(<const uint8_t *>PyBytes_AS_STRING(name), len(name), 0, &end)
    slot.kinds |= kind
    return 0


cdef inline Name *slot_of(uint64_t code) noexcept nogil:
    """Return the slot of a name: its own, or the free one where it would be."""
    cdef uint32_t at = <uint32_t>(code >> 54)
    while NAMES[at].code and NAMES[at].code != code:
        at = (at + 1) % SLOTS
    return &NAMES[at]


cdef inline bint is_space(uint8_t sign) noexcept nogil:
    return sign == c" " or sign == c"\n" or sign == c"\t" or sign == c"\r" or sign == c"\f"


cdef inline uint64_t name_code(const uint8_t *s, Py_ssize_t n, Py_ssize_t at, Py_ssize_t *end) noexcept nogil:
    """Return the hash of the name at a place, and where it ends."""
    cdef uint64_t code = 0xCBF29CE484222325
    cdef uint8_t sign
    while at < n:
        sign = s[at]
        if sign == c">" or sign == c"/" or is_space(sign):
            break
        if c"A" <= sign <= c"Z":
            sign |= 32
        code = (code ^ sign) * <uint64_t>0x9E3779B97F4A7C15
        code ^= code >> 29
        at += 1
    end[0] = at
    return code | 1


cdef Py_ssize_t tag_end(const uint8_t *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return the offset behind the ">" of the tag whose attributes are at a place; -1 if it has none."""
    cdef const uint8_t *found
    cdef uint8_t quote
    while at < n:
        while at < n and (is_space(s[at]) or s[at] == c"/"):
            at += 1
        if at >= n:
            return -1
        if s[at] == c">":
            return at + 1
        at += 1
        while at < n and not is_space(s[at]) and s[at] != c"/" and s[at] != c">" and s[at] != c"=":
            at += 1
        while at < n and is_space(s[at]):
            at += 1
        if at >= n or s[at] != c"=":
            continue
        at += 1
        while at < n and is_space(s[at]):
            at += 1
        if at >= n:
            return -1
        quote = s[at]
        if quote == c'"' or quote == c"'":
            found = <const uint8_t *>memchr(s + at + 1, quote, <size_t>(n - at - 1))
            if found == NULL:
                return -1
            at = found - s + 1
        else:
            while at < n and not is_space(s[at]) and s[at] != c">":
                at += 1
    return -1


cdef Py_ssize_t comment_end(const uint8_t *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return where the comment whose "<!--" ends at a place ends."""
    cdef const uint8_t *found
    cdef Py_ssize_t after = at
    if at < n and s[at] == c">":
        return at + 1
    if at + 1 < n and s[at] == c"-" and s[at + 1] == c">":
        return at + 2
    while True:
        found = <const uint8_t *>memchr(s + after, c">", <size_t>(n - after))
        if found == NULL:
            return n
        after = found - s + 1
        if after - at >= 3 and s[after - 2] == c"-" and s[after - 3] == c"-":
            return after
        if after - at >= 4 and s[after - 2] == c"!" and s[after - 3] == c"-" and s[after - 4] == c"-":
            return after


cdef Py_ssize_t raw_end(const uint8_t *s, Py_ssize_t n, Py_ssize_t at, uint64_t code) noexcept nogil:
    """Return where the end tag of an element of raw text has its name's end; the end of the source if it has none."""
    cdef const uint8_t *found
    cdef Py_ssize_t end = 0
    while at < n:
        found = <const uint8_t *>memchr(s + at, c"<", <size_t>(n - at))
        if found == NULL:
            return n
        at = found - s + 1
        if at < n and s[at] == c"/" and name_code(s, n, at + 1, &end) == code and end < n:
            return end
    return n


def estimate(bytes raw):
    """Return how deep a source nests, and how many formatting elements it leaves open."""
    once(&_is_ready, prepare)
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(raw)
    cdef int64_t depth = 0, unclosed = 0
    with nogil:
        walk(s, n, &depth, &unclosed)
    return _result(depth, unclosed)


cdef void walk(const uint8_t *s, Py_ssize_t n, int64_t *deepest, int64_t *most) noexcept nogil:
    cdef Name[ROOM] stack
    cdef Name name
    cdef Name *slot
    cdef int32_t size = 0
    cdef int64_t unclosed = 0
    cdef Py_ssize_t at = 0, end = 0, stop
    cdef const uint8_t *found
    cdef uint8_t letter
    cdef bint closes
    while at < n:
        found = <const uint8_t *>memchr(s + at, c"<", <size_t>(n - at))
        if found == NULL:
            return
        at = found - s + 1
        if at + 2 < n and s[at] == c"!" and s[at + 1] == c"-" and s[at + 2] == c"-":
            at = comment_end(s, n, at + 3)
            continue
        closes = at < n and s[at] == c"/"
        letter = s[at + closes] | 32 if at + closes < n else 0
        if not c"a" <= letter <= c"z":
            continue
        name.code = name_code(s, n, at + closes, &end)
        stop = tag_end(s, n, end)
        if stop < 0:
            continue
        at = stop
        slot = slot_of(name.code)
        name.kinds = slot.kinds if slot.code else 0
        if closes:
            deepest[0] = max(deepest[0], size + unclosed)
            unclosed -= close_element(stack, &size, &name) and (name.kinds & FORMATTING) != 0
        elif name.kinds & RAW:
            deepest[0] = max(deepest[0], size + unclosed)
            at = raw_end(s, n, at, name.code)
        elif not name.kinds & VOID:
            open_element(stack, &size, &name)
            unclosed += (name.kinds & FORMATTING) != 0
        most[0], deepest[0] = max(most[0], unclosed), max(deepest[0], size + unclosed)


cdef inline void open_element(Name *stack, int32_t *size, const Name *name) noexcept nogil:
    """Push an element, and pop the one of its name that its start tag closes; a row closes the cells before it."""
    cdef int32_t k = size[0]
    if name.kinds & AGAIN:
        while k and (stack[k - 1].kinds & INLINE or (name.code == ROW and stack[k - 1].code == CELL)):
            k -= 1
        if k and stack[k - 1].code == name.code:
            size[0] = k - 1
    if size[0] < MOST:
        stack[size[0]], size[0] = name[0], size[0] + 1


cdef inline bint close_element(Name *stack, int32_t *size, const Name *name) noexcept nogil:
    """Pop the nearest element of a name and what is open in it; return whether there is one that can be reached."""
    cdef int32_t k = size[0] - 1
    cdef uint32_t kinds
    while k >= 0:
        if stack[k].code == name.code:
            if name.kinds & INLINE:
                memmove(&stack[k], &stack[k + 1], <size_t>(size[0] - 1 - k) * sizeof(Name))
                size[0] -= 1
            else:
                size[0] = k
            return True
        kinds = stack[k].kinds
        if name.kinds & PART:
            if kinds & TABLE:
                return False
        elif name.kinds & (SCOPED | INLINE):
            if kinds & FENCE:
                return False
        elif not kinds & INLINE:
            return False
        k -= 1
    return False
