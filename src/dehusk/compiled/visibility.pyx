"""Twins of `dehusk.visibility`: which texts and elements of a page are worth a closer look."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free

from dehusk.compiled.arrays cimport as_i32, as_i64, as_u8, new_array, size_of, values
from dehusk.compiled.attributes cimport Source, source_of
from dehusk.compiled.characters cimport WHITE
from dehusk.compiled.layout cimport BUTTON, LINK, PRE, Rows, Tree, are_indices, flags_of, read_blocks, read_page
from dehusk.compiled.markup cimport Attribute, Char, name_end, next_attribute
from dehusk.compiled.spans cimport string

cnp.import_array()

cdef extern from "Python.h":
    unsigned int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(unsigned int kind, const void *data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISSPACE(uint32_t point) nogil
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)

cdef enum: FIRST_ZERO_WIDTH = 0x200B, ZERO_WIDTHS = 5, FIRST_OVERRIDE = 0x202D, OVERRIDES = 2, FIRST_TAG = 0xE0000
cdef enum: LONG_RUN = 8
cdef enum: MAX_LABEL = 60
cdef enum: NEAR = 30  # nodes between a listing and its button
cdef enum: LONGEST_NUMBER = 8


cdef enum: AT_ONCE = 64


cdef bint _may_be_invisible(const Char *s, Py_ssize_t n) noexcept nogil:
    """Return whether one of some characters is worth counting; without branches, many are compared at once."""
    cdef Py_ssize_t i
    cdef uint8_t found = 0
    for i in range(n):
        found |= <Char>(s[i] - FIRST_ZERO_WIDTH) < ZERO_WIDTHS
        found |= <Char>(s[i] - FIRST_OVERRIDE) < OVERRIDES
        found |= s[i] >= FIRST_TAG if Char is uint32_t else False
    return found


cdef void _count_invisible(const Char *s, Py_ssize_t n, Py_ssize_t *zero_widths, bint *overrides, bint *tags) noexcept nogil:
    cdef Py_ssize_t i, start = 0, stop
    cdef uint32_t point
    while start < n:
        stop = min(n, start + AT_ONCE)
        if _may_be_invisible(s + start, stop - start):
            for i in range(start, stop):
                point = s[i]
                zero_widths[0] += point - FIRST_ZERO_WIDTH < ZERO_WIDTHS
                overrides[0] |= point - FIRST_OVERRIDE < OVERRIDES
                tags[0] |= point >= FIRST_TAG
        start = stop


def suspicions(object page):
    cdef str text = page.text
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), zero_widths = 0
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef bint overrides = False, tags = False
    with nogil:
        if kind == 2:
            _count_invisible(<const uint16_t *>data, n, &zero_widths, &overrides, &tags)
        elif kind == 4:
            _count_invisible(<const uint32_t *>data, n, &zero_widths, &overrides, &tags)
    return tags, zero_widths >= LONG_RUN, overrides


cdef Py_ssize_t _find_ink(
    const Tree *tree, const Rows *rows, const uint8_t *classes, int64_t block, uint8_t *is_chosen
) noexcept nogil:
    """Choose the text nodes of a block that have ink, and none that is an image's text; 2 marks such texts."""
    cdef int32_t node, at = rows.start[block], end = rows.end[block]
    cdef Py_ssize_t found = 0
    if is_chosen[rows.first[block]] == 2:
        is_chosen[rows.first[block]] = 3
        found += 1
    for node in range(rows.first[block], rows.last[block] + 1):
        if tree.tag[node] or is_chosen[node] > 1:
            continue
        while at < end and rows.source[at] < tree.start[node]:
            at += 1
        while at < end and rows.source[at] < tree.stop[node] and not is_chosen[node]:
            is_chosen[node] = classes[at] != WHITE
            at += 1
        found += is_chosen[node]
    return found


def inked_text(object blocks, object chosen):
    cdef Tree tree
    cdef Rows rows
    cdef Py_ssize_t i, found = 0
    classes = blocks.char_class
    cdef const uint8_t *kinds = as_u8(classes)
    if not read_blocks(blocks, &tree, &rows) or not are_indices(chosen, rows.b) or size_of(classes) != rows.chars:
        return NotImplemented
    alts = blocks.page.alt_nodes
    cdef const int32_t *alt = as_i32(alts)
    cdef const int64_t *block = as_i64(chosen)
    cdef uint8_t *is_chosen = <uint8_t *>calloc(tree.n + 1, 1)
    if is_chosen == NULL:
        raise MemoryError
    try:
        for i in range(size_of(alts)):
            if not 0 <= alt[i] < tree.n:
                return NotImplemented
            is_chosen[alt[i]] = 2
        for i in range(size_of(chosen)):
            found += _find_ink(&tree, &rows, kinds, block[i], is_chosen)
        return _nodes_with(&tree, is_chosen, found)
    finally:
        free(is_chosen)


cdef object _nodes_with(const Tree *tree, const uint8_t *is_chosen, Py_ssize_t found):
    """Return the nodes marked 1 or 3."""
    nodes = new_array(found, cnp.NPY_INT64)
    cdef int64_t *out = <int64_t *>values(nodes)
    cdef int32_t i
    cdef Py_ssize_t k = 0
    for i in range(tree.n):
        if is_chosen[i] & 1:
            out[k] = i
            k += 1
    return nodes


cdef int32_t *_counts_before(const Tree *tree, object text) except NULL:
    """Return how many of some nodes come before each node, n + 1 numbers, which the caller frees."""
    cdef const int64_t *node = as_i64(text)
    cdef Py_ssize_t i
    cdef int32_t *before = <int32_t *>calloc(tree.n + 1, sizeof(int32_t))
    if before == NULL:
        raise MemoryError
    for i in range(size_of(text)):
        before[node[i] + 1] = 1
    for i in range(tree.n):
        before[i + 1] += before[i]
    return before


cdef inline bint _is_stripped(uint32_t point) noexcept nogil:
    """Return whether labels are stripped of a character: " \\t\\r\\n\\u200b\\ufeff\\xa0"."""
    return point in (0x20, 0x09, 0x0D, 0x0A, 0x200B, 0xFEFF, 0xA0)


cdef bint _is_label(str text, Py_ssize_t start, Py_ssize_t end, object labels, Py_ssize_t longest) except -1:
    """Return whether a part of a text is one of some labels, without the spaces around it and in lower case."""
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    while start < end and _is_stripped(PyUnicode_READ(kind, data, start)):
        start += 1
    while start < end and _is_stripped(PyUnicode_READ(kind, data, end - 1)):
        end -= 1
    if end == start or end - start > longest:  # lower case is never shorter
        return False
    return PyUnicode_Substring(text, start, end).lower() in labels


cdef bint _has_bracket(str text, Py_ssize_t end) except -1:
    """Return whether an opening bracket is among the characters before a place."""
    cdef Py_ssize_t i
    for i in range(max(0, end - MAX_LABEL), end):
        if PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), i) == c"[":
            return True
    return False


cdef Py_ssize_t _longest(object labels) except -1:
    return max(map(len, labels), default=0)


cdef tuple _candidates(const Tree *tree, const int32_t *before, object page, object signs):
    """Return the links and buttons, and how many preformatted elements have a text."""
    cdef str text = page.text
    cdef bint edits = "editsection" in "\n".join(page.class_names)
    cdef Py_ssize_t longest = _longest(signs), pres = 0
    cdef int32_t i
    cdef uint32_t flags
    signed, bracketed, buttons = [], [], []
    for i in range(tree.n):
        flags = flags_of[tree.tag[i]]
        if not flags & (LINK | BUTTON | PRE) or before[tree.end[i]] == before[i]:
            continue
        if flags & PRE:
            pres += 1
        elif tree.stop[i] - tree.start[i] <= MAX_LABEL:
            if _is_label(text, tree.start[i], tree.stop[i], signs, longest):
                (signed if flags & LINK else buttons).append(i)
            if flags & LINK and (edits or _has_bracket(text, tree.stop[i])):
                bracketed.append(i)
    return signed, bracketed, buttons, pres


cdef list _copying(const Tree *tree, const int32_t *before, object page, object nodes, object labels):
    """Return the texts in or near preformatted elements that are one of some labels."""
    cdef str text = page.text
    cdef const int64_t *node = as_i64(nodes)
    cdef Py_ssize_t longest = _longest(labels), k
    cdef int32_t i, pre = -1, ahead = 0  # the last listing before a text, and the first after it
    found = []
    for k in range(size_of(nodes)):
        i = <int32_t>node[k]
        while ahead < i or (ahead < tree.n and not (flags_of[tree.tag[ahead]] & PRE and before[tree.end[ahead]] > before[ahead])):
            if ahead < i and flags_of[tree.tag[ahead]] & PRE and before[tree.end[ahead]] > before[ahead]:
                pre = ahead
            ahead += 1
        if not (ahead < tree.n and ahead - i <= NEAR) and not (pre >= 0 and i - tree.end[pre] <= NEAR):
            continue
        if tree.stop[i] - tree.start[i] <= MAX_LABEL and _is_label(text, tree.start[i], tree.stop[i], labels, longest):
            found.append(i)
    return found


def candidates(object page, object text, object signs, object copying):
    cdef Tree tree
    if not read_page(page, &tree) or not are_indices(text, tree.n):
        return NotImplemented
    cdef int32_t *before = _counts_before(&tree, text)
    try:
        signed, bracketed, buttons, pres = _candidates(&tree, before, page, signs)
        return signed, bracketed, buttons, _copying(&tree, before, page, text, copying) if pres else []
    finally:
        free(before)


cdef str _digits(str text, Py_ssize_t start, Py_ssize_t end):
    """Return a part of a text without white space around it if it is a number in ASCII, else None."""
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t i
    while start < end and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)):
        start += 1
    while start < end and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1)):
        end -= 1
    for i in range(start, end):
        if not c"0" <= PyUnicode_READ(kind, data, i) <= c"9":
            return None
    return PyUnicode_Substring(text, start, end) if end > start else None


def numbers(object page, object text):
    cdef Tree tree
    if not read_page(page, &tree) or not are_indices(text, tree.n):
        return NotImplemented
    cdef const int64_t *node = as_i64(text)
    cdef Py_ssize_t i
    found = []
    for i in range(size_of(text)):
        if tree.stop[node[i]] - tree.start[node[i]] <= LONGEST_NUMBER:
            digits = _digits(page.text, tree.start[node[i]], tree.stop[node[i]])
            if digits is not None:
                found.append((node[i], int(digits)))
    return found


cdef bint _is_word(const Char *s, int32_t at, int32_t end, const char *word, bint folds) noexcept nogil:
    """Return whether a word is at a place; if `folds`, in any case."""
    cdef int32_t i = 0
    cdef uint32_t point
    while word[i]:
        if at + i >= end:
            return False
        point = s[at + i]
        if folds and c"A" <= point <= c"Z":
            point += 32
        if point != <uint8_t>word[i]:
            return False
        i += 1
    return True


cdef bint _matters(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return whether a style may conceal or colour text: `may_conceal` or `may_colour`."""
    cdef int32_t i
    cdef uint32_t point
    for i in range(at, end):
        point = s[i] | 32 if c"A" <= s[i] <= c"Z" else s[i]
        if point == c"o":
            if _is_word(s, i, end, b"olor", False) or _is_word(s, i, end, b"opacity", True):
                return True
            if _is_word(s, i, end, b"overflow", True):
                return True
        elif point == c":":
            if _is_word(s, i, end, b":-", True) or _is_word(s, i, end, b": -", True):
                return True
        elif point == c"a" and _is_word(s, i, end, b"ackground", False):
            return True
        elif point == c"c" and _is_word(s, i, end, b"clip", True):
            return True
        elif point == c"f" and _is_word(s, i, end, b"font", True):
            return True
        elif point == c"i" and _is_word(s, i, end, b"indent", True):
            return True
        elif point == c"t" and _is_word(s, i, end, b"transform", True):
            return True
        elif point == c"v" and _is_word(s, i, end, b"visibility", True):
            return True
    return False


cdef object _style_at(const Char *s, int32_t end, int32_t at):
    """Return the style of the start tag at a place if it may conceal or colour text, else None."""
    cdef Attribute found
    at = name_end(s, end, at + 1)
    while True:
        at = next_attribute(s, end, at, &found)
        if at <= 0:
            return None
        if found.name_end - found.name == 5 and _is_word(s, found.name, found.name_end, b"style", False):
            return string(s, found.value, found.value_end) if _matters(s, found.value, found.value_end) else None


cdef dict _styles(const Char *s, Source source, const uint8_t *is_above, Py_ssize_t n):
    cdef int32_t i
    styles = {}
    for i in range(source.n):
        if 0 <= source.rows[i] < n and is_above[source.rows[i]]:
            style = _style_at(s, source.end, source.places[i])
            if style is not None:
                styles[source.rows[i]] = style
    return styles


def styles_above(object page, object text):
    cdef Tree tree
    cdef Source source = source_of(page.elements, False)
    if source is None or not read_page(page, &tree) or not are_indices(text, tree.n):
        return NotImplemented
    cdef int32_t *before = _counts_before(&tree, text)
    mask = new_array(tree.n, cnp.NPY_BOOL)
    cdef uint8_t *is_above = <uint8_t *>values(mask)
    cdef int32_t i
    for i in range(tree.n):
        is_above[i] = tree.tag[i] != 0 and before[tree.end[i]] > before[i]
    free(before)
    if source.kind == 1:
        return mask, _styles(<const uint8_t *>source.units, source, is_above, tree.n)
    if source.kind == 2:
        return mask, _styles(<const uint16_t *>source.units, source, is_above, tree.n)
    return mask, _styles(<const uint32_t *>source.units, source, is_above, tree.n)
