"""One pass over the markup of a document: its nodes become rows of a page, and what else is declared is noted."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from dehusk.compiled.markup cimport (
    Attribute, Char, equals, find, hash_of_name, name_end, next_attribute, starts_with, unescaped,
)
from dehusk.compiled.spans cimport Span, add_span, number_of, same
from dehusk.compiled.unicode cimport Py_UNICODE_ISSPACE


cdef inline int32_t tag_of(Scan *z, const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return the number of a tag, less than 0 without memory."""
    cdef const Tags *tags = z.tags
    cdef uint64_t key = hash_of_name(s, at, end)
    cdef int32_t place = <int32_t>(key & <uint64_t>tags.table.mask), i, number
    cdef Span *span
    while tags.table.numbers[place]:
        number = tags.table.numbers[place]
        span = tags.table.found.items + number - 1
        if tags.table.keys[place] == key and span.end - span.at == end - at:
            i = 0
            while at + i < end and s[at + i] == <Char>tags.names[span.at + i]:
                i += 1
            if at + i == end:
                return number  # the table has all tags but "#text", whose number is 0
        place = (place + 1) & tags.table.mask
    number = number_of(&z.unknown, s, at, end)
    if number == 0:
        return NO_MEMORY
    return min(tags.known + number - 1, 0xFFFF)


cdef inline int32_t space_of(Scan *z, const Char *s, Open *inner) noexcept nogil:
    """Return the namespace of an element within the innermost open one; less than 0 if the markup does not tell it.

    In exact markup, all elements are read as those of drawings are: none is void, and all texts are escaped.
    """
    cdef int32_t at = inner.name, end = inner.name_end
    cdef Open *top = &z.stack[z.open - 1] if z.open else NULL
    if z.is_exact:
        return SVG
    if equals(s, at, end, b"mglyph", 6) or equals(s, at, end, b"malignmark", 10):
        return DECLINED
    if top == NULL or top.space == HTML or top.holds_html:
        if equals(s, at, end, b"annotation-xml", 14):
            return DECLINED
        return SVG if inner.tag == z.tags.svg else MATH if equals(s, at, end, b"math", 4) else HTML
    if top.space == MATH and inner.tag == z.tags.svg and equals(s, top.name, top.name_end, b"annotation-xml", 14):
        return SVG
    return top.space


cdef inline bint may_hold_html(const Char *s, Open *top) noexcept nogil:
    """Return whether elements in an element of a drawing or formula are HTML; `annotation-xml` aside."""
    cdef int32_t at = top.name, end = top.name_end
    if top.space == SVG:
        return (
            equals(s, at, end, b"foreignObject", 13)
            or equals(s, at, end, b"desc", 4)
            or equals(s, at, end, b"title", 5)
        )
    if top.space == HTML or s[at] != c"m" or end - at > 5:
        return 0
    return (
        equals(s, at, end, b"mi", 2) or equals(s, at, end, b"mo", 2) or equals(s, at, end, b"mn", 2)
        or equals(s, at, end, b"ms", 2) or equals(s, at, end, b"mtext", 5)
    )


cdef inline bint has_html_encoding(const Char *s, Attribute *found) noexcept nogil:
    """Return whether an attribute of `annotation-xml` says that its content is HTML."""
    return equals(s, found.name, found.name_end, b"encoding", 8) and (
        is_word(s, found.value, found.value_end, b"text/html", 9)
        or is_word(s, found.value, found.value_end, b"application/xhtml+xml", 21)
    )


cdef inline bint is_word(const Char *s, int32_t at, int32_t end, const char *word, int32_t size) noexcept nogil:
    """Return whether a span is a word of small ASCII letters and signs; capitals count as small letters."""
    cdef int32_t i
    cdef Char sign
    if end - at != size:
        return 0
    for i in range(size):
        sign = s[at + i]
        if c"A" <= sign <= c"Z":
            sign |= 32
        if sign != <Char>word[i]:
            return 0
    return 1


cdef inline int32_t read_attribute(Scan *z, const Char *s, Attribute *found, int32_t row) noexcept nogil:
    """Store an attribute of a row; 0 without memory."""
    cdef int32_t at = found.name, size = found.name_end - found.name, value = found.value, end = found.value_end
    if size == 2 and s[at] == c"i" and s[at + 1] == c"d":
        if value < end:
            z.id[row] = number_of(&z.ids, s, value, end)
            return z.id[row]
    elif size == 5 and s[at] == c"c" and equals(s, at, at + 5, b"class", 5):
        if value < end:
            z.cls[row] = number_of(&z.classes, s, value, end)
            return z.cls[row]
    elif size == 5 and s[at] == c"s" and equals(s, at, at + 5, b"style", 5):
        return may_hide(z, s, value, end, row)
    elif size == 6 and s[at] == c"h" and equals(s, at, at + 6, b"hidden", 6):
        z.mark[row] |= HIDDEN
    elif size == 11 and s[at] == c"a" and equals(s, at, at + 11, b"aria-hidden", 11):
        if equals(s, value, end, b"true", 4):
            z.mark[row] |= HIDDEN
    return 1


cdef inline int32_t may_hide(Scan *z, const Char *s, int32_t at, int32_t end, int32_t row) noexcept nogil:
    """Mark a row that its style hides; note a style that needs Python's rules for letters; 0 without memory."""
    cdef bint may = 0, hides = 0, is_plain = 1
    cdef int32_t i
    for i in range(at, end):
        if s[i] == c":":
            if has_hiding_value(s, i + 1, end):
                may, hides = 1, hides or declares_hiding(s, at, i, end)
        elif s[i] >= 128 or (s[i] == c"&" and s[i + 1] == c"n"):  # a space that does not break is white space, too
            may, is_plain = 1, 0
    if may and not is_plain:
        return add_span(&z.notes, at, end, STYLE, row)
    if hides:
        z.mark[row] |= HIDDEN
    return 1


cdef inline bint declares_hiding(const Char *s, int32_t first, int32_t colon, int32_t end) noexcept nogil:
    """Return whether the property before a colon hides an element by the value behind it, which is one that may."""
    cdef int32_t at = colon
    while at > first and s[at - 1] < 128 and Py_UNICODE_ISSPACE(s[at - 1]):
        at -= 1
    colon += 1
    while s[colon] < 128 and Py_UNICODE_ISSPACE(s[colon]):
        colon += 1
    if is_word(s, colon, min(colon + 4, end), b"none", 4):
        return at - first >= 7 and is_word(s, at - 7, at, b"display", 7)
    return at - first >= 10 and is_word(s, at - 10, at, b"visibility", 10)


cdef inline bint has_hiding_value(const Char *s, int32_t at, int32_t end) noexcept nogil:
    while at < end and s[at] < 128 and Py_UNICODE_ISSPACE(s[at]):
        at += 1
    return is_word(s, at, min(at + 4, end), b"none", 4) or is_word(s, at, min(at + 6, end), b"hidden", 6)


cdef inline int32_t add_alt(Scan *z, const Char *s, Attribute *alt, int32_t image) noexcept nogil:
    """Add the row of an image's alternative text, without white space around it; less than 0 on failure."""
    cdef Char *out = <Char *>z.text + z.used
    cdef int32_t n = 0, first = 0, at = alt.value, row
    while at < alt.value_end:
        out[n] = <Char>unescaped(s, alt.value_end, &at)
        n += 1
    while n and Py_UNICODE_ISSPACE(out[n - 1]):
        n -= 1
    while first < n and Py_UNICODE_ISSPACE(out[first]):
        first += 1
    if first == n:
        return 0
    row = new_row(z, 0, image, alt.value)
    if row < 0:
        return 0 if row == FULL else row
    for at in range(n - first):
        out[at] = out[first + at]
    z.used += n - first
    z.stop[row], z.mark[row] = z.used, ALT
    return 0


cdef inline int kinds_of(Scan *z, int32_t tag) noexcept nogil:
    return z.tags.kinds[tag] if tag < z.tags.known else 0


cdef inline int32_t read_element(Scan *z, Open *top, int32_t place) noexcept nogil:
    """Note what an element is, and give it a row if it is one of the page; return less than 0 on failure."""
    cdef int kinds = kinds_of(z, top.tag)
    if z.templates:
        z.has_templates = 1
    else:
        z.elements += 1
    z.most_level = max(z.most_level, z.level + 1)
    if kinds & ROOT and not z.had_root:
        z.root, z.had_root = z.open + 1, 1
    if kinds & DROPPED and not z.dropped:
        z.dropped = z.open + 1
    if top.tag == z.tags.title and not z.had_title and not z.drawings:
        z.title, z.had_title = z.open + 1, 1
    if kinds & RAW:
        z.last_raw, z.raw_tag = z.nodes - 1, top.tag
    if kinds & DECLARING and not add_span(&z.notes, place, top.name_end, DECLARATION, top.tag):
        return NO_MEMORY
    top.row, top.holder = -1, z.stack[z.open - 1].holder if 0 < z.root <= z.open else -1
    if not z.root or z.dropped:
        return 0
    if z.level >= z.deepest and z.root <= z.open:
        z.flattened += 1
        return 0
    top.row = new_row(z, top.tag, top.holder, place)
    top.holder = max(top.row, top.holder)
    return NO_MEMORY if top.row == NO_MEMORY else 0


cdef inline int32_t read_start(Scan *z, const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Read a start tag and, if it is not escaped, its content; return the place after it, or less than 0 on failure."""
    if not counted(z):
        return FULL
    if not nests(z):
        return NO_MEMORY
    cdef Open *top = &z.stack[z.open]
    cdef Attribute found, alt
    cdef int32_t row, space, stop, status
    top.name, top.name_end = at + 1, name_end(s, end, at + 1)
    top.tag = tag_of(z, s, top.name, top.name_end)
    if top.tag < 0:
        return top.tag
    space = space_of(z, s, top)
    if space < 0:
        return space
    top.space = <uint8_t>space
    top.holds_html = may_hold_html(s, top)
    status = read_element(z, top, at)
    if status < 0:
        return status
    row = top.row
    alt.value = alt.value_end = 0
    at = top.name_end
    while True:
        stop = next_attribute(s, end, at, &found)
        if stop <= 0:
            break
        at = stop
        if row >= 0:
            if not read_attribute(z, s, &found, row):
                return NO_MEMORY
            if top.tag == z.tags.img and equals(s, found.name, found.name_end, b"alt", 3):
                alt = found
        if space == MATH and top.name_end - top.name == 14 and has_html_encoding(s, &found):
            top.holds_html = 1
    if stop < 0:
        return DECLINED
    if row >= 0:
        z.stop[row] = z.used
        status = add_alt(z, s, &alt, row) if alt.value_end > alt.value else 0
        if status < 0:
            return status
    return read_inside(z, s, at + 1, end, top)


cdef inline int32_t read_inside(Scan *z, const Char *s, int32_t at, int32_t end, Open *top) noexcept nogil:
    """Open an element after its start tag and read content that is not escaped; return as `read_start`."""
    cdef int kinds = kinds_of(z, top.tag)
    cdef int32_t stop
    if kinds & VOID and top.space == HTML:
        if top.row >= 0:
            z.end[top.row], z.stop[top.row] = z.n, z.used
        if z.dropped > z.open:
            z.dropped = 0
        return at
    z.open += 1
    z.level += 1
    z.pre += (kinds & PRE) != 0 and top.row >= 0
    z.drawings += (kinds & DRAWING) != 0
    z.iframes += top.tag == z.tags.iframe
    z.frames_open += top.tag == z.tags.noframes
    z.foreign |= top.space != HTML
    if top.tag == z.tags.template:
        z.foreign = 1
        z.templates += 1
    if top.space != HTML:
        return at
    if top.tag == z.tags.template and not read_fragment(z):
        return FULL
    if top.tag == z.tags.plaintext:
        return DECLINED
    if kinds & VERBATIM:
        stop = end_of_raw(z, s, at, end, top)
        if stop >= end:
            return DECLINED
        if z.word != NULL and kinds & LONG and number_of_mark(s, at, stop, z.word) == z.marks:
            z.marks += 1
        return stop if stop == at else min(read_text(z, s, at, stop, 0), 0) or stop
    return at + 1 if kinds & PRE and s[at] == c"\n" else at  # the markup has one line end more


cdef inline bint read_fragment(Scan *z) noexcept nogil:
    """Count the content of the template that was opened last, a document of its own; return whether it is read."""
    z.level += 1
    z.stack[z.open - 1].space = HTML
    return counted(z)


cdef inline int32_t read_end(Scan *z, const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Read an end tag; return the place after it, or less than 0 on failure."""
    if z.open == 0:
        return DECLINED
    cdef Open *top = &z.stack[z.open - 1]
    cdef int32_t stop = at + 2 + top.name_end - top.name, kinds = kinds_of(z, top.tag)
    if stop >= end or s[stop] != c">" or not same(s, top.name, top.name_end, at + 2, stop):
        return DECLINED
    if top.row >= 0:
        z.end[top.row], z.stop[top.row] = z.n, z.used
        z.pre -= (kinds & PRE) != 0
    z.drawings -= (kinds & DRAWING) != 0
    z.iframes -= top.tag == z.tags.iframe
    z.frames_open -= top.tag == z.tags.noframes
    if top.tag == z.tags.template:
        z.templates -= 1
        z.level -= top.space == HTML
    if z.title == z.open:
        z.title = 0
    if z.dropped == z.open:
        z.dropped = 0
    if z.root == z.open:
        z.root = 0
    z.open -= 1
    z.level -= 1
    return stop + 1


cdef inline int32_t read_declaration(Scan *z, const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Read a comment or the type of the document; return the place after it, or less than 0 on failure."""
    if z.is_exact and s[at + 2] == c">" and z.open:
        return at + 3 if read_fragment(z) else FULL
    if not counted(z):
        return FULL
    if s[at + 1] == c"!" and s[at + 2] == c"[":
        return DECLINED
    if not starts_with(s, at, end, b"<!--", 4):
        at = find(s, at, end, c">")
        return at + 1 if at < end else DECLINED
    at = find(s, at + 4, end, c">")
    while at < end and not (s[at - 1] == c"-" and s[at - 2] == c"-"):
        at = find(s, at + 1, end, c">")
    return at + 1 if at < end else DECLINED


cdef inline void cut_off(Scan *z) noexcept nogil:
    """End all open elements before the node that was counted last."""
    cdef int32_t i
    for i in range(z.open):
        if z.stack[i].row >= 0:
            z.end[z.stack[i].row], z.stop[z.stack[i].row] = z.n, z.used
    z.nodes, z.open, z.is_cut = z.most_nodes, 0, 1


cdef inline int32_t scan_markup(Scan *z, const Char *s, int32_t end) noexcept nogil:
    """Read all of a document, or as many nodes as may be read; return less than 0 on failure."""
    cdef int32_t at = 0, stop
    while at < end:
        if s[at] != c"<":
            stop = find(s, at, end, c"<")
            at = min(read_text(z, s, at, stop, 1), 0) or stop
        elif s[at + 1] == c"/":
            at = read_end(z, s, at, end)
        elif s[at + 1] == c"!" or s[at + 1] == c"?":
            at = read_declaration(z, s, at, end)
        else:
            at = read_start(z, s, at, end)
        if at == FULL:
            cut_off(z)
            break
        if at < 0:
            return at
    return DECLINED if z.open or (z.foreign and z.most_level >= NESTED and not z.is_exact) else 0
