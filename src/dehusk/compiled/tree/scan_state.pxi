"""The state of a scan over the markup of a document, its rows and its texts.

A row is a node of the page; a node is one of the document, which has more: the head, comments, what is dropped.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawRealloc
from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.string cimport memcmp, memcpy

from dehusk.compiled.markup cimport Char, find, starts_with, unescaped
from dehusk.compiled.spans cimport SpanTable, Spans, add_span, free_table, same

cdef enum:  # what is wrong
    DECLINED = -1  # the markup does not tell the tree
    NO_MEMORY = -2
    FULL = -3  # the document has more nodes, or the page more rows, than are read

cdef enum:  # marks of rows
    ALT = 1
    LINE = 2
    HIDDEN = 4

cdef enum:  # kinds of tags
    DROPPED = 1
    ROOT = 2
    PRE = 4
    DRAWING = 8
    DECLARING = 16  # html, base, link, meta
    LONG = 32  # script, style
    RAW = 64  # its content is searched for markup
    VOID = 128  # it has no end tag
    VERBATIM = 256  # its content is not escaped

cdef enum:  # kinds of notes
    DECLARATION
    TITLE
    FRAME
    FRAMES
    SWALLOWING
    SWALLOWING_ESCAPED
    STYLE

cdef enum:  # namespaces
    HTML
    SVG
    MATH

cdef enum:
    NESTED = 512  # where the parser stops nesting


cdef struct Tags:
    SpanTable table
    const uint8_t *names
    const uint16_t *kinds
    int32_t known
    int32_t img, title, iframe, noframes, template, svg, script, plaintext


cdef struct Open:
    int32_t row  # less than 0 if it is no row
    int32_t holder  # row of the innermost element that is a row: this one, or one around it
    int32_t name, name_end
    int32_t tag
    uint8_t space
    uint8_t holds_html


cdef struct Scan:
    const Tags *tags
    SpanTable unknown
    SpanTable classes
    SpanTable ids
    Spans notes
    int32_t n, room  # rows
    uint16_t *tag
    int32_t *parent
    int32_t *end
    int32_t *start
    int32_t *stop
    int32_t *cls
    int32_t *id
    int32_t *node
    int32_t *number
    int32_t *place
    uint8_t *mark
    void *text
    int32_t used
    int32_t nodes, elements, most_nodes, most_rows, most_level
    int32_t open, level, deepest, flattened
    int32_t root, dropped  # number of open elements up to these, 0 if they are not open
    int32_t pre, templates, drawings, frames_open, iframes, title
    int32_t last_raw, raw_tag
    bint had_root, had_title, ends_line, foreign, has_templates
    bint is_exact  # whether the markup is that of `dehusk.read.exact_markup`
    bint is_cut  # whether nodes or rows were not read
    bint may_swallow  # of the content that is not escaped
    const uint8_t *word  # of the marks of contents that were left out; NULL if none were
    int32_t marks  # number of marks so far
    Open *stack
    int32_t levels  # room of the stack


cdef inline int32_t grown(Scan *z, int32_t room) noexcept nogil:
    """Make room for rows; 0 without memory."""
    cdef void *moved
    cdef int i
    cdef void **columns[10]
    columns[0], columns[1], columns[2] = <void **>&z.parent, <void **>&z.end, <void **>&z.start
    columns[3], columns[4], columns[5] = <void **>&z.stop, <void **>&z.cls, <void **>&z.id
    columns[6], columns[7], columns[8] = <void **>&z.node, <void **>&z.number, <void **>&z.place
    for i in range(9):
        moved = PyMem_RawRealloc(columns[i][0], <size_t>room * sizeof(int32_t))
        if moved == NULL:
            return 0
        columns[i][0] = moved
    moved = PyMem_RawRealloc(z.tag, <size_t>room * sizeof(uint16_t))
    if moved == NULL:
        return 0
    z.tag = <uint16_t *>moved
    moved = PyMem_RawRealloc(z.mark, <size_t>room)
    if moved == NULL:
        return 0
    z.mark = <uint8_t *>moved
    z.room = room
    return 1


cdef inline bint nests(Scan *z) noexcept nogil:
    """Make room for one more open element; return whether there was memory."""
    cdef int32_t levels = 2 * z.levels + 64
    if z.open < z.levels:
        return 1
    cdef Open *moved = <Open *>PyMem_RawRealloc(z.stack, <size_t>levels * sizeof(Open))
    if moved == NULL:
        return 0
    z.stack, z.levels = moved, levels
    return 1


cdef inline bint counted(Scan *z) noexcept nogil:
    """Count a node of the document; return whether it is read."""
    z.nodes += 1
    return z.nodes <= z.most_nodes


cdef inline int32_t new_row(Scan *z, int32_t tag, int32_t parent, int32_t place) noexcept nogil:
    """Add a row for the node that was counted last; return it, or less than 0 if there is no more."""
    cdef int32_t row = z.n
    if row >= z.most_rows:
        z.is_cut = 1
        return FULL
    if row == z.room and not grown(z, 2 * z.room + 64):
        return NO_MEMORY
    z.tag[row], z.parent[row], z.end[row] = <uint16_t>tag, parent, row + 1
    z.start[row] = z.stop[row] = z.used
    z.cls[row] = z.id[row] = z.mark[row] = 0
    z.node[row], z.number[row], z.place[row] = z.nodes - 1, z.elements, place
    z.n = row + 1
    return row


cdef inline void free_scan(Scan *z) noexcept nogil:
    free_table(&z.unknown)
    free_table(&z.classes)
    free_table(&z.ids)
    PyMem_RawFree(z.notes.items)
    PyMem_RawFree(z.tag)
    PyMem_RawFree(z.parent)
    PyMem_RawFree(z.end)
    PyMem_RawFree(z.start)
    PyMem_RawFree(z.stop)
    PyMem_RawFree(z.cls)
    PyMem_RawFree(z.id)
    PyMem_RawFree(z.node)
    PyMem_RawFree(z.number)
    PyMem_RawFree(z.place)
    PyMem_RawFree(z.mark)
    PyMem_RawFree(z.text)
    PyMem_RawFree(z.stack)
    PyMem_RawFree(z)


cdef inline bint ends_block(const Char *s, int32_t left) noexcept nogil:
    """Return whether the name of an element that has blocks' ends may be among some characters.

    Other scripts' letters may fold to those of a name, so they count as one.
    """
    cdef uint8_t[8] name
    cdef int32_t i, size = 0
    for i in range(min(left, 8)):
        if s[i] >= 128:
            return 1
        if s[i] == c">" or s[i] <= c" ":
            break
        name[i] = <uint8_t>(s[i] | 32)
        size = i + 1
    if size == left or size == 0 or size == 8:
        return 0
    if size == 1:
        return name[0] == c"p"
    if size == 2:
        return (
            name[0] == c"t" and (name[1] == c"d" or name[1] == c"r") or name[0] == c"l" and name[1] == c"i"
            or name[0] == c"h" and c"1" <= name[1] <= c"6" or name[0] == c"u" and name[1] == c"l"
        )
    if size == 3:
        return memcmp(name, b"div", 3) == 0
    if size == 4:
        return memcmp(name, b"body", 4) == 0
    if size == 5:
        return memcmp(name, b"table", 5) == 0
    return size == 7 and (memcmp(name, b"article", 7) == 0 or memcmp(name, b"section", 7) == 0)


cdef inline int32_t end_of_raw(Scan *z, const Char *s, int32_t at, int32_t end, Open *top) noexcept nogil:
    """Return where content that is not escaped ends; `end` if it does not."""
    cdef int32_t size = top.name_end - top.name
    cdef bint is_script = top.tag == z.tags.script, escaped = 0, doubly = 0
    z.may_swallow = 0
    while True:
        if escaped:
            at = end_of_escape(s, at, end)
        else:
            at = find(s, at, end, c"<")
        if at >= end:
            return end
        if s[at] == c"-":  # the end of what was written like a comment
            escaped = doubly = 0
        elif s[at + 1] == c"/":
            if doubly:
                doubly = not is_tag_of_script(s, at + 2, end)
            elif at + size + 2 < end and same(s, top.name, top.name_end, at + 2, at + 2 + size):
                if s[at + size + 2] == c">":
                    return at
            if ends_block(s + at + 2, end - at - 2):
                z.may_swallow = 1
        elif is_script and not escaped:
            if starts_with(s, at, end, b"<!--", 4):
                escaped, at = 1, at + 1  # "<!-->" is both its start and its end
        elif is_script and is_tag_of_script(s, at + 1, end):
            doubly = 1
        at += 1


cdef inline int32_t end_of_escape(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return where the next "<" or "-->" is; `end` if it is nowhere."""
    while at < end:
        if s[at] == c"<" or (s[at] == c"-" and starts_with(s, at, end, b"-->", 3)):
            return at
        at += 1
    return end


cdef inline bint is_tag_of_script(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return whether the name of a tag is "script"; capitals count as small letters."""
    cdef int32_t i
    cdef const char *name = b"script"
    if end - at < 7:
        return 0
    for i in range(6):
        if s[at + i] >= 128 or (s[at + i] | 32) != <Char>name[i]:
            return 0
    cdef Char sign = s[at + 6]
    return sign == c">" or sign == c"/" or sign == c" " or sign == c"\n" or sign == c"\t" or sign == c"\f"


cdef inline int32_t copy_part(Scan *z, const Char *s, int32_t at, int32_t end, bint escaped) noexcept nogil:
    """Add a span to the text of the page; return its last character, 0 if it is empty."""
    cdef Char *out = <Char *>z.text + z.used
    cdef int32_t n = 0, plain
    if at == end:
        return 0
    while at < end:
        plain = find(s, at, end, c"&") if escaped else end
        memcpy(out + n, s + at, <size_t>(plain - at) * sizeof(Char))
        n, at = n + plain - at, plain
        if at < end:
            out[n] = <Char>unescaped(s, end, &at)
            n += 1
    z.used += n
    return <int32_t>out[n - 1]


cdef inline int32_t add_text(Scan *z, const Char *s, int32_t at, int32_t end, bint escaped) noexcept nogil:
    """Add the rows of a text node: one, or one for each line of preformatted text; return less than 0 on failure."""
    cdef int32_t stop = end, row
    while at < end:
        if z.pre:
            stop = find(s, at, end, c"\n")
            stop += stop < end
        row = new_row(z, 0, z.stack[z.open - 1].holder, at)
        if row < 0:
            return 0 if row == FULL else row
        if z.pre and z.ends_line:
            z.mark[row] = LINE
        z.ends_line = copy_part(z, s, at, stop, escaped) == c"\n"
        z.stop[row] = z.used
        at = stop
    return 0


cdef inline int32_t read_text(Scan *z, const Char *s, int32_t at, int32_t end, bint escaped) noexcept nogil:
    """Read a text node; return less than 0 on failure."""
    cdef int32_t i
    if z.open == 0:
        return DECLINED
    if not counted(z):
        return FULL
    if z.title and not add_span(&z.notes, at, end, TITLE, escaped):
        return NO_MEMORY
    if z.iframes and not add_span(&z.notes, at, end, FRAME, escaped):
        return NO_MEMORY
    if z.frames_open and not add_span(&z.notes, at, end, FRAMES, escaped):
        return NO_MEMORY
    if z.last_raw == z.nodes - 2 and end - at >= 100:
        if escaped:
            z.may_swallow, i = 0, find(s, at, end, c"&")
            while i < end and not z.may_swallow:
                z.may_swallow = starts_with(s, i, end, b"&lt;/", 5)
                i = find(s, i + 1, end, c"&")
        if z.may_swallow:
            i = (SWALLOWING_ESCAPED if escaped else SWALLOWING) | (z.raw_tag << 8)
            if not add_span(&z.notes, at, end, i, z.last_raw):
                return NO_MEMORY
    if not z.root or z.dropped:
        return 0
    return add_text(z, s, at, end, escaped)
