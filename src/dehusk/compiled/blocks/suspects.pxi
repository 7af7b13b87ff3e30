"""One look at the kept texts of a page and the elements around them, for `dehusk.visible.suspects`."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport strlen

from dehusk.compiled.arrays cimport as_bool, as_i32, as_i64, as_u8, new_array, size_of, values
from dehusk.compiled.first_use cimport once
from dehusk.compiled.markup cimport Attribute, Char, find, name_end, next_attribute
from dehusk.compiled.spans cimport string
from dehusk.compiled.text cimport WHITE
from dehusk.compiled.tree cimport Source, source_of
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_FindChar, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring,
)

from dehusk.base.tags import TAG_NUMBER

cdef object _class_signs = None
cdef enum: MAX_LABEL = 60
cdef enum: NEAR = 30  # nodes between a listing and its button
cdef enum: UNSOUND = -2
cdef uint16_t FONT = TAG_NUMBER["font"]


cdef Py_ssize_t _find_ink(
    const Page *tree, const Blocks *rows, const uint8_t *classes, int64_t block, uint8_t *is_chosen
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


cdef object _nodes_with(const Page *tree, const uint8_t *is_chosen, Py_ssize_t found):
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
    cdef Py_ssize_t found = PyUnicode_FindChar(text, c"[", max(0, end - MAX_LABEL), end, 1)
    if found == -2:
        raise MemoryError
    return found >= 0


cdef Py_ssize_t _longest(object labels) except -1:
    return max(map(len, labels), default=0)


cdef void _mark_above(const Page *tree, const uint8_t *is_chosen, uint8_t *is_above) noexcept nogil:
    """Mark the elements around the chosen texts."""
    cdef int32_t i, up
    for i in range(tree.n):
        if is_chosen[i] & 1:
            up = tree.parent[i]
            while up >= 0 and not is_above[up]:
                is_above[up] = 1
                up = tree.parent[up]


cdef bint _has_listings(const Page *tree, object page) except -1:
    cdef int32_t i
    for i in range(tree.n):
        if flags_of[tree.tag[i]] & PRE:
            return True
    return _class_signs(page).listings


cdef class _Found:
    """What is found of a page: the fields of `Suspects`."""

    cdef Page tree
    cdef Blocks rows
    cdef object page
    cdef object blocks
    cdef str text
    cdef list signed, bracketed, buttons, fonts
    cdef uint8_t *is_chosen  # 1 or 3 for the texts
    cdef uint8_t *is_above

    def __dealloc__(self):
        free(self.is_chosen)

    cdef int allocate(self) except -1:
        self.is_chosen = <uint8_t *>calloc(2 * self.tree.n + 1, 1)
        if self.is_chosen == NULL:
            raise MemoryError
        self.is_above = self.is_chosen + self.tree.n
        return 0

    cdef Py_ssize_t find_texts(self, object alts, object kept) except -1:
        """Find the texts with ink of the blocks; returns how many they are, `UNSOUND` if the columns do not fit."""
        cdef const int32_t *alt = as_i32(alts)
        cdef const uint8_t *is_kept = as_bool(kept)
        classes = self.blocks.char_class
        cdef const uint8_t *kinds = as_u8(classes)
        cdef Py_ssize_t i, found = 0
        if size_of(kept) != self.rows.b or size_of(classes) != self.rows.chars:
            return UNSOUND
        for i in range(size_of(alts)):
            if not 0 <= alt[i] < self.tree.n:
                return UNSOUND
            self.is_chosen[alt[i]] = 2
        for i in range(self.rows.b):
            if is_kept[i]:
                found += _find_ink(&self.tree, &self.rows, kinds, i, self.is_chosen)
        return found

    cdef int find_candidates(self, object signs) except -1:
        """Find the links, buttons and fonts that are worth a closer look."""
        cdef const Page *tree = &self.tree
        cdef Py_ssize_t longest = _longest(signs)
        cdef int32_t i
        cdef int edits = -1
        cdef uint32_t flags
        for i in range(tree.n):
            if not self.is_above[i]:
                continue
            flags = flags_of[tree.tag[i]]
            if tree.tag[i] == FONT:
                self.fonts.append(i)
            if not flags & (LINK | BUTTON) or tree.stop[i] - tree.start[i] > MAX_LABEL:
                continue
            if flags & BUTTON:
                self.buttons.append(i)
            if flags & LINK:
                if _is_label(self.text, tree.start[i], tree.stop[i], signs, longest):
                    self.signed.append(i)
                if edits < 0:
                    edits = _class_signs(self.page).edits
                if edits or _has_bracket(self.text, tree.stop[i]):
                    self.bracketed.append(i)
        return 0


cdef list _copying(const Page *tree, const uint8_t *is_above, object page, object nodes, object labels):
    """Return the texts in or near preformatted elements that are one of some labels."""
    cdef str text = page.text
    cdef const int64_t *node = as_i64(nodes)
    cdef Py_ssize_t longest = _longest(labels), k
    cdef int32_t i, pre = -1, ahead = 0  # the last listing before a text, and the first after it
    found = []
    for k in range(size_of(nodes)):
        i = <int32_t>node[k]
        while ahead < i or (ahead < tree.n and not (flags_of[tree.tag[ahead]] & PRE and is_above[ahead])):
            if ahead < i and flags_of[tree.tag[ahead]] & PRE and is_above[ahead]:
                pre = ahead
            ahead += 1
        if not (ahead < tree.n and ahead - i <= NEAR) and not (pre >= 0 and i - tree.end[pre] <= NEAR):
            continue
        if tree.stop[i] - tree.start[i] <= MAX_LABEL and _is_label(text, tree.start[i], tree.stop[i], labels, longest):
            found.append(i)
    return found


cdef list _hidden(object nodes, const uint8_t *is_above, int32_t n):
    cdef const int32_t *node = as_i32(nodes)
    cdef Py_ssize_t i
    found = []
    for i in range(size_of(nodes)):
        if 0 <= node[i] < n and is_above[node[i]]:
            found.append(node[i])
    return found


cdef Py_ssize_t _count(const uint8_t *marks, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, found = 0
    for i in range(n):
        found += marks[i]
    return found


cdef bint _is_word(const Char *s, int32_t at, int32_t end, const char *word) noexcept nogil:
    """Return whether a word is at a place, in any case."""
    cdef int32_t i = 0
    cdef uint32_t point
    while word[i]:
        if at + i >= end:
            return False
        point = s[at + i]
        if c"A" <= point <= c"Z":
            point += 32
        if point != <uint8_t>word[i]:
            return False
        i += 1
    return True


cdef bint _matters(const Char *s, int32_t at, int32_t end, const char *signs) noexcept nogil:
    """Return whether a style may conceal or colour text: has one of the words that `dehusk.visible.suspects` packs."""
    cdef int32_t i
    cdef uint32_t point
    cdef const char *word
    for i in range(at, end):
        point = s[i] | 32 if c"A" <= s[i] <= c"Z" else s[i]
        word = signs + 127 + (<uint8_t>signs[point] if point < 128 else 0)  # the letter 127 has no words
        while word[0] and <uint8_t>word[0] == point:
            if _is_word(s, i, end, word):
                return True
            word += strlen(word) + 1
    return False


cdef bint _names_style(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return whether the rest of a start tag, which has no `>` in its values, may have a style."""
    cdef int32_t i
    for i in range(at + 3, end - 2):
        if s[i] == c"y" and s[i - 1] == c"t" and s[i - 2] == c"s" and s[i - 3] == c" " and s[i + 1] == c"l":
            return True
    return False


cdef object _style_at(const Char *s, int32_t end, int32_t at, const char *signs):
    """Return the style of the start tag at a place if it may conceal or colour text, else None."""
    cdef Attribute found
    at = name_end(s, end, at + 1)
    if not _names_style(s, at, find(s, at, end, c">")):
        return None
    while True:
        at = next_attribute(s, end, at, &found)
        if at <= 0:
            return None
        if found.name_end - found.name == 5 and _is_word(s, found.name, found.name_end, b"style"):
            at, end = found.value, found.value_end
            return string(s, at, end) if _matters(s, at, end, signs) else None


cdef dict _styles(const Char *s, Source source, const uint8_t *is_above, Py_ssize_t n, const char *signs):
    cdef int32_t i
    styles = {}
    for i in range(source.n):
        if 0 <= source.rows[i] < n and is_above[source.rows[i]]:
            style = _style_at(s, source.end, source.places[i], signs)
            if style is not None:
                styles[source.rows[i]] = style
    return styles


cdef dict styles_of(Source source, const uint8_t *is_above, int32_t n, const char *signs):
    """Return element -> its style if it may conceal or colour text, of the elements above texts."""
    if source.kind == 1:
        return _styles(<const uint8_t *>source.units, source, is_above, n, signs)
    if source.kind == 2:
        return _styles(<const uint16_t *>source.units, source, is_above, n, signs)
    return _styles(<const uint32_t *>source.units, source, is_above, n, signs)


cdef bint _suspects_ready = False


cdef int prepare_suspects() except -1:
    """Find the function of a module that imports kernels itself."""
    global _class_signs
    from dehusk.read.signs import class_signs
    _class_signs = class_signs
    return 0


def suspects_in(object blocks, object kept, object signs, object copying, bytes styling):
    cdef _Found found = _Found()
    cdef Source source
    once(&_suspects_ready, prepare_suspects)
    page = blocks.page
    read_blocks(blocks, &found.tree, &found.rows)
    cdef int32_t n = found.tree.n
    found.allocate()
    found.page, found.blocks, found.text = page, blocks, page.text
    found.signed, found.bracketed, found.buttons, found.fonts = [], [], [], []
    cdef Py_ssize_t texts = found.find_texts(page.alt_nodes, kept)
    if texts == UNSOUND:
        raise ValueError("the columns of the page do not fit together")
    cdef bint has_listings = _has_listings(&found.tree, page)
    text = _nodes_with(&found.tree, found.is_chosen, texts)
    if texts == 0:
        return text, text, [], [], [], [], has_listings, [], [], {}
    source = source_of(page.elements, False)
    _mark_above(&found.tree, found.is_chosen, found.is_above)
    found.find_candidates(signs)
    return (
        text,
        _nodes_with(&found.tree, found.is_above, _count(found.is_above, n)),
        found.signed,
        found.bracketed,
        found.buttons,
        _copying(&found.tree, found.is_above, page, text, copying) if has_listings else [],
        has_listings,
        _hidden(page.hidden_nodes, found.is_above, n),
        found.fonts,
        styles_of(source, found.is_above, n, styling),
    )
