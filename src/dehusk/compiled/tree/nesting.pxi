"""How deep a source nests its elements: `dehusk.read.guards` has the rules."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memmove

from dehusk.compiled.first_use cimport once
from dehusk.compiled.unicode cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

cdef extern from "Python.h":
    void *PyMem_RawRealloc(void *memory, size_t size) nogil
    void PyMem_RawFree(void *memory) nogil

cdef enum:
    SLOTS = 1024
    ROOM = 1024  # for the stack
    MOST_VERBATIM = 4
    VOID_NAME = 1
    RAW_NAME = 2
    FORMATTING = 4
    INLINE = 8
    PART = 16
    FENCE = 32
    SCOPED = 64
    AGAIN = 128
    TABLE = 256  # what holds the end tags of parts
    STRANGE = 512  # in which an element of raw text may be none
    DRAWS = 1024
    TEXT_ALONE = 2048  # whose raw text may hold the tags of drawings
    LETTERS = 8  # of a name that is its own code
    RAW_LETTERS = 16  # more than a name has that is looked for
    WHITE = 1
    SLASH = 2
    CLOSE = 4
    EQUALS = 8

cdef struct Name:
    uint64_t code  # the letters, or a hash of more than `LETTERS`; 0 for a free slot
    uint32_t kinds

cdef Name[SLOTS] KNOWN_NAMES
cdef uint8_t[256] SIGNS  # character -> what it ends
cdef uint8_t[256] LOWERED  # character -> it in lower case
cdef int32_t MOST = 0, DEEP = 0
cdef uint64_t ROW = 0, CELL = 0, TEMPLATE = 0
cdef bint _nesting_ready = False


cdef int prepare_nesting() except -1:
    """Read the sets of names; the module that has them imports this one."""
    global MOST, DEEP, ROW, CELL, TEMPLATE
    cdef Py_ssize_t end = 0
    from dehusk.read import guards as module
    if module.MOST > ROOM or len(module.VERBATIM) > MOST_VERBATIM:
        raise ValueError((module.MOST, module.VERBATIM))
    for sign in range(256):
        LOWERED[sign] = sign | 32 if c"A" <= sign <= c"Z" else sign
    for signs, kind in ((b" \n\t\r\f", WHITE), (b"/", SLASH), (b">", CLOSE), (b"=", EQUALS)):
        for sign in signs:
            SIGNS[sign] = kind
    for names, kind in (
        (module.VOID, VOID_NAME), (module.RAW, RAW_NAME), (module.FORMATTING, FORMATTING), (module.INLINE, INLINE),
        (module.PARTS, PART), (module.FENCES, FENCE), (module.SCOPED, SCOPED), (module.AGAIN, AGAIN),
        (module.HOLDING, TABLE), (module.STRANGE, STRANGE), (module.DRAWINGS, DRAWS), (module.VERBATIM, TEXT_ALONE),
    ):
        for name in names:
            add_name(name, kind)
    ROW, CELL = name_code(b"tr", 2, 0, &end), name_code(b"td", 2, 0, &end)
    TEMPLATE = name_code(b"template", 8, 0, &end)
    MOST, DEEP = module.MOST, module.DEEP
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
    cdef uint32_t at = <uint32_t>(code * <uint64_t>0x9E3779B97F4A7C15 >> 54)
    while KNOWN_NAMES[at].code and KNOWN_NAMES[at].code != code:
        at = (at + 1) % SLOTS
    return &KNOWN_NAMES[at]


cdef inline uint64_t name_code(const uint8_t *s, Py_ssize_t n, Py_ssize_t at, Py_ssize_t *end) noexcept nogil:
    """Return the code of the name at a place, and where it ends."""
    cdef uint64_t code = 0
    cdef Py_ssize_t start = at
    while at < n and at < start + LETTERS and not SIGNS[s[at]] & (WHITE | SLASH | CLOSE):
        code, at = code << 8 | LOWERED[s[at]], at + 1
    while at < n and not SIGNS[s[at]] & (WHITE | SLASH | CLOSE):
        code = (code ^ LOWERED[s[at]]) * <uint64_t>0x9E3779B97F4A7C15
        code, at = code ^ code >> 29, at + 1
    end[0] = at
    return code


cdef Py_ssize_t tag_end(const uint8_t *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return the offset behind the ">" of the tag whose attributes are at a place; -1 if it has none."""
    cdef const uint8_t *found
    cdef uint8_t quote
    while at < n:
        at = past_signs(s, n, at, WHITE | SLASH)
        if at >= n:
            return -1
        if s[at] == c">":
            return at + 1
        at = next_sign(s, n, at + 1, WHITE | SLASH | CLOSE | EQUALS)
        at = past_signs(s, n, at, WHITE)
        if at >= n or s[at] != c"=":
            continue
        at = past_signs(s, n, at + 1, WHITE)
        if at >= n:
            return -1
        quote = s[at]
        if quote == c'"' or quote == c"'":
            found = <const uint8_t *>memchr(s + at + 1, quote, <size_t>(n - at - 1))
            if found == NULL:
                return -1
            at = found - s + 1
        else:
            at = next_sign(s, n, at, WHITE | CLOSE)
    return -1


cdef inline Py_ssize_t past_signs(const uint8_t *s, Py_ssize_t n, Py_ssize_t at, uint8_t kinds) noexcept nogil:
    """Return where what begins at a place has no more signs of some kinds."""
    while at < n and SIGNS[s[at]] & kinds:
        at += 1
    return at


cdef inline Py_ssize_t next_sign(const uint8_t *s, Py_ssize_t n, Py_ssize_t at, uint8_t kinds) noexcept nogil:
    """Return where the next sign of some kinds is."""
    while at < n and not SIGNS[s[at]] & kinds:
        at += 1
    return at


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
        if at < n and s[at] == c"/" and name_code(s, min(n, at + RAW_LETTERS), at + 1, &end) == code and end < n:
            return end
    return n


def draws_template(bytes raw):
    """Return whether a template starts between the tags of a drawing or a formula."""
    once(&_nesting_ready, prepare_nesting)
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(raw)
    cdef bint found
    with nogil:
        found = is_template_drawn(s, n)
    return found


cdef bint is_template_drawn(const uint8_t *s, Py_ssize_t n) noexcept nogil:
    """Look at the names of tags alone: attributes may hold what seems to be a tag, which errs to the safe side."""
    cdef int64_t drawings = 0
    cdef Py_ssize_t at = 0, stop
    cdef const uint8_t *found
    cdef uint64_t code
    cdef uint64_t[MOST_VERBATIM] endless  # names whose end tag is missing from here on, so that each is searched once
    cdef uint32_t kinds
    cdef int k, known = 0
    cdef bint closes
    while at < n:
        found = <const uint8_t *>memchr(s + at, c"<", <size_t>(n - at))
        if found == NULL:
            return False
        at = found - s + 1
        if at + 2 < n and s[at] == c"!" and s[at + 1] == c"-" and s[at + 2] == c"-":
            at = comment_end(s, n, at + 3)
            continue
        closes = at < n and s[at] == c"/"
        code = name_code(s, min(n, at + RAW_LETTERS), at + closes, &stop)
        if stop == n:
            continue
        kinds = slot_of(code).kinds
        if code == TEMPLATE and drawings and not closes:
            return True
        if kinds & DRAWS:
            drawings = max(drawings - 1, 0) if closes else drawings + 1
        elif kinds & TEXT_ALONE and not (drawings or closes):
            k = 0
            while k < known and endless[k] != code:
                k += 1
            if k < known:
                continue
            stop = raw_end(s, n, stop, code)
            if stop < n:
                at = stop
            else:
                endless[known], known = code, known + 1
    return False


cdef struct Walk:
    int64_t depth  # elements that are open at once
    int64_t unclosed  # formatting elements that are to be reopened at once
    uint8_t *ends  # whether a tag whose name begins at an offset ends; NULL as long as all do
    bint is_unclear  # whether what is taken for raw text may be none
    bint collects
    Py_ssize_t *parts  # offsets of the names of the parts of tables from `DEEP` on, and of their ends
    int64_t n
    int64_t room


def estimate(bytes raw):
    """Return how deep a source nests, and how many formatting elements it leaves open."""
    cdef Walk walk
    walk_twice(raw, &walk, False)
    return walk.depth, walk.unclosed


def deep_parts(bytes raw):
    """Return (start, end) of the names of the parts of tables that a source nests at least `DEEP` deep, in order."""
    cdef Walk walk
    cdef int64_t i
    walk.parts = NULL
    try:
        walk_twice(raw, &walk, True)
        return sorted({(walk.parts[i], walk.parts[i + 1]) for i in range(0, walk.n, 2)})
    finally:
        PyMem_RawFree(walk.parts)


cdef int walk_twice(bytes raw, Walk *walk, bint collects) except -1:
    """Walk over the tags of a source; where raw text is unclear, also as if there were none, for what is more."""
    once(&_nesting_ready, prepare_nesting)
    cdef const uint8_t *s = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(raw)
    cdef bint is_done
    walk.depth = walk.unclosed = walk.n = walk.room = 0
    walk.parts, walk.ends, walk.is_unclear, walk.collects = NULL, NULL, 0, collects
    with nogil:
        is_done = walk_tags(s, n, walk, True) and (not walk.is_unclear or walk_tags(s, n, walk, False))
        PyMem_RawFree(walk.ends)
    if not is_done:
        raise MemoryError
    return 0


cdef bint walk_tags(const uint8_t *s, Py_ssize_t n, Walk *walk, bint has_raw) noexcept nogil:
    """Return whether the memory sufficed. Without `has_raw`, comments and raw text are read as everything else."""
    cdef Name[ROOM] stack
    cdef Name name
    cdef Name *slot
    cdef int32_t size = 0
    cdef int64_t unclosed = 0, depth
    cdef Py_ssize_t at = 0, end = 0, stop
    cdef const uint8_t *found
    cdef bint closes
    while at < n:
        found = <const uint8_t *>memchr(s + at, c"<", <size_t>(n - at))
        if found == NULL:
            return True
        at = found - s + 1
        if at < n and (s[at] == c"!" or s[at] == c"?"):
            at = declaration_end(s, n, at, walk) if has_raw else at
            continue
        closes = at < n and s[at] == c"/"
        if at + closes >= n or not c"a" <= (s[at + closes] | 32) <= c"z":
            continue
        if walk.ends != NULL and not walk.ends[at + closes]:
            continue
        name.code = name_code(s, n, at + closes, &end)
        stop = tag_end(s, n, end)
        if stop < 0:
            if not find_ends(s, n, walk):
                return False
            continue
        slot = slot_of(name.code)
        name.kinds = slot.kinds if slot.code else 0
        depth = size + unclosed
        if closes:
            unclosed -= close_element(stack, &size, &name) and (name.kinds & FORMATTING) != 0
        elif name.kinds & RAW_NAME:
            stop = raw_text_end(s, n, stop, &name, stack, size, walk) if has_raw else stop
        elif not name.kinds & VOID_NAME:
            open_element(stack, &size, &name)
            unclosed += (name.kinds & FORMATTING) != 0
            depth = size + unclosed
        if walk.collects and name.kinds & PART and depth >= DEEP and not add_part(walk, at + closes, end):
            return False
        walk.depth, walk.unclosed, at = max(walk.depth, depth), max(walk.unclosed, unclosed), stop
    return True


cdef bint find_ends(const uint8_t *s, Py_ssize_t n, Walk *walk) noexcept nogil:
    """Note for all names which tags end, once one does not, so that no other is read in vain to the end of the source.

    Each flag tells whether a tag ends that is, at a character, in its name, between its attributes, and so on: what
    `tag_end` finds, from the last character to the first. Returns whether the memory sufficed.
    """
    cdef bint own = 0, between = 0, was_between, name = 0, after_name = 0
    cdef bint before_value = 0, bare = 0, single = 0, double = 0
    cdef Py_ssize_t at
    cdef uint8_t kind
    walk.ends = <uint8_t *>PyMem_RawRealloc(walk.ends, <size_t>n)
    if walk.ends == NULL:
        return False
    for at in range(n - 1, -1, -1):
        kind, was_between = SIGNS[s[at]], between
        if kind & CLOSE:
            between = 1
        elif not kind & (WHITE | SLASH):
            between = name
        if kind & EQUALS:
            after_name = before_value
        elif not kind & WHITE:
            after_name = between
        if kind & (WHITE | SLASH | CLOSE | EQUALS):
            name = after_name
        if kind & (WHITE | CLOSE):
            bare = between
        if not kind & WHITE:
            before_value = double if s[at] == c'"' else single if s[at] == c"'" else bare
        if s[at] == c'"':
            double = was_between
        elif s[at] == c"'":
            single = was_between
        if kind & (WHITE | SLASH | CLOSE):
            own = between
        walk.ends[at] = own
    return True


cdef Py_ssize_t declaration_end(const uint8_t *s, Py_ssize_t n, Py_ssize_t at, Walk *walk) noexcept nogil:
    """Return where a comment, a declaration or an instruction ends, whose "!" or "?" is at a place."""
    cdef const uint8_t *found
    if at + 2 < n and s[at] == c"!" and s[at + 1] == c"-" and s[at + 2] == c"-":
        return comment_end(s, n, at + 3)
    walk.is_unclear |= at + 1 < n and s[at + 1] == c"["  # in a drawing, a section of text
    found = <const uint8_t *>memchr(s + at, c">", <size_t>(n - at))
    return n if found == NULL else found - s + 1


cdef Py_ssize_t raw_text_end(
    const uint8_t *s, Py_ssize_t n, Py_ssize_t at, const Name *name, const Name *stack, int32_t size, Walk *walk
) noexcept nogil:
    """Return where an element of raw text ends, whose start tag ends at a place.

    It is unclear whether it is one in a drawing, a formula or a select; and where it has no end tag, dehusk ends it.
    """
    cdef Py_ssize_t stop = raw_end(s, n, at, name.code)
    cdef int32_t k
    walk.is_unclear |= stop == n
    for k in range(size):
        walk.is_unclear |= (stack[k].kinds & STRANGE) != 0
    return stop


cdef bint add_part(Walk *walk, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t *parts
    if walk.n + 2 > walk.room:
        walk.room = 2 * walk.room + 64
        parts = <Py_ssize_t *>PyMem_RawRealloc(walk.parts, <size_t>walk.room * sizeof(Py_ssize_t))
        if parts == NULL:
            return False
        walk.parts = parts
    walk.parts[walk.n], walk.parts[walk.n + 1] = start, end
    walk.n += 2
    return True


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
