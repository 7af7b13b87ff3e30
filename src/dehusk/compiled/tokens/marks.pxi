"""What a page may hold besides words: one pass over the tags, and over the start tags of links and images."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free

cimport numpy as cnp

from dehusk.compiled.arrays cimport as_i32, size_of
from dehusk.compiled.blocks cimport IMAGE, LINK, LOWERED, RAISED, Page, flags_of, read_page
from dehusk.compiled.first_use cimport once
from dehusk.compiled.markup cimport Attribute, Char, equals, find, name_end, next_attribute
from dehusk.compiled.spans cimport string
from dehusk.compiled.tree cimport Source, source_of
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring,
)

cdef enum:  # `dehusk.blocks.units.footnotes`, `dehusk.write.content.ornaments`
    MAX_LABEL = 30
    MAX_ADDRESS = 4096
    LONG_ADDRESS = 1000
    MAX_CLASS = 500

# of the layer above, found when the first page needs them
cdef object _footnotes = None, _ornaments = None, _source_signs = None, _class_signs = None


cdef bint _knows_footnotes = False, _knows_ornaments = False, _knows_signs = False


cdef int prepare_footnotes() except -1:
    global _footnotes
    from dehusk.blocks.units import footnotes
    _footnotes = footnotes
    return 0


cdef int prepare_ornaments() except -1:
    global _ornaments
    from dehusk.write.content import ornaments
    _ornaments = ornaments
    return 0


cdef int prepare_signs() except -1:
    global _source_signs, _class_signs
    from dehusk.read import signs
    _source_signs, _class_signs = signs.source_signs, signs.class_signs
    return 0


cdef object _of_footnotes():
    """Return the module of footnotes."""
    once(&_knows_footnotes, prepare_footnotes)
    return _footnotes


cdef object _of_ornaments():
    """Return the module of images that stand for signs."""
    once(&_knows_ornaments, prepare_ornaments)
    return _ornaments


cdef inline bint _find_attribute(
    const Char *s, int32_t end, int32_t at, const char *name, int32_t size, Attribute *found
) noexcept nogil:
    """Return whether the start tag at a place has the attribute of a name, which is read."""
    at = name_end(s, end, at + 1)
    while True:
        at = next_attribute(s, end, at, found)
        if at <= 0:
            return False
        if equals(s, found.name, found.name_end, name, size):
            return True


cdef inline bint _has_hash(const Char *s, int32_t end, int32_t at) noexcept nogil:
    """Return whether the start tag at a place, which has no `>` in its values, has a `#`."""
    cdef int32_t stop = find(s, at, end, c">")
    return find(s, at, stop, c"#") < stop


cdef inline bint _is_emoji_word(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return whether a word of emoji starts at a place: smil, emoji, emoticon."""
    cdef int32_t i
    cdef const char *word
    if at + 4 > end:
        return False
    if s[at] | 32 == c"s":
        return s[at + 1] | 32 == c"m" and s[at + 2] | 32 == c"i" and s[at + 3] | 32 == c"l"
    if s[at + 1] | 32 != c"m" or s[at + 2] | 32 != c"o":
        return False
    word = b"emoji" if s[at + 3] | 32 == c"j" else b"emoticon"
    for i in range(5 if s[at + 3] | 32 == c"j" else 8):
        if at + i >= end or s[at + i] | 32 != <uint8_t>word[i]:
            return False
    return True


cdef bint _names_emoji(const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return whether an address in markup has a word of emoji or a character that is not of ASCII."""
    cdef int32_t i
    for i in range(at, end):
        if s[i] >= 128 or ((s[i] | 32 == c"s" or s[i] | 32 == c"e") and _is_emoji_word(s, i, end)):
            return True
        if s[i] == c"&" and equals(s, i, min(i + 6, end), b"&nbsp;", 6):
            return True
    return False


cdef bint _may_name_emoji(str names) except -1:
    if not names.isascii():
        return True
    lower = names.lower()
    for word in _of_ornaments()._EMOJI_WORDS:
        if word in lower:
            return True
    return False


cdef class _Look:
    """A page while it is looked at."""

    cdef Page tree
    cdef Source source
    cdef object page
    cdef tuple class_names
    cdef const int32_t *class_code
    cdef uint8_t *is_known  # (classes,) 1 for classes of images and 2 for classes of links that are not looked at again
    cdef bint has_references  # whether names of classes may mark references

    def __dealloc__(self):
        free(self.is_known)

    cdef str label(self, int32_t node):
        """Return the text of a link with its white space folded, "" if it is too long for a label."""
        cdef int32_t start = self.tree.start[node], end = self.tree.stop[node]
        if end - start > 4 * MAX_LABEL:
            return ""
        text = " ".join(PyUnicode_Substring(self.page.text, start, end).split())
        return text if len(text) <= MAX_LABEL else ""

    cdef bint is_marked(self, int32_t node) except -1:
        """Return whether the class or the role of a node is that of a reference."""
        cdef int32_t code = self.class_code[node]
        if self.has_references and not self.is_known[code] & 2:
            self.is_known[code] |= 2
            if _of_footnotes()._REFERENCE_CLASS.search(self.class_names[code][:1000]):
                return True
        cdef int32_t index = self.source.index_of(node)
        if index < 0:
            return False
        role, kind = self.source.value(index, "role"), self.source.value(index, "epub:type")
        if not role and not kind:
            return False
        return _of_footnotes()._ROLE.search(f"{(role or '')[:100]} {(kind or '')[:100]}") is not None

    cdef bint is_class_of_emoji(self, int32_t image) except -1:
        cdef int32_t code = self.class_code[image]
        if code == 0 or self.is_known[code] & 1:
            return False
        self.is_known[code] |= 1
        return _may_name_emoji(self.class_names[code][:MAX_CLASS])

    cdef bint is_first_mark(self, int32_t raised) except -1:
        """Return whether a raised text may be the mark of the first footnote, as of those that are no links."""
        cdef int32_t size = self.tree.stop[raised] - self.tree.start[raised]
        return 0 < size <= 6 and self.label(raised).strip("[]().:") == "1"

    cdef bint refers(self, int32_t link, bint is_raised) except -1:
        """Return whether a link to a place may be a reference."""
        cdef str label = self.label(link)
        if not label:
            return False
        if is_raised or (_may_be_label(label) and _of_footnotes()._LABEL.fullmatch(label)):
            return True
        return self.is_marked(link) or self.is_marked(self.tree.parent[link])


cdef bint _may_be_label(str label) except -1:
    """Return whether `footnotes._LABEL` may match: a longer one does not start with most letters."""
    cdef uint32_t first = PyUnicode_READ(PyUnicode_KIND(label), PyUnicode_DATA(label), 0)
    if PyUnicode_GET_LENGTH(label) < 4 or first >= 128 or not (c"a" <= first | 32 <= c"z"):
        return True
    return chr(first | 32) in "nfivxlc"


cdef tuple _read_starts(const Char *s, _Look look):
    """Return whether links may refer to footnotes, and images may name emoji or have TeX."""
    cdef const Page *tree = &look.tree
    cdef bint refers = False, has_signs = False, has_tex = False
    cdef bint has_backslash = find(s, 0, look.source.end, c"\\") < look.source.end  # most pages have none
    cdef int32_t i, node, at, raised_end = 0, end = look.source.end
    cdef uint32_t flags
    cdef Attribute found
    for i in range(look.source.n):
        node = <int32_t>look.source.rows[i]
        flags = flags_of[tree.tag[node]]
        if flags & RAISED:
            raised_end = max(raised_end, tree.end[node])
            if not refers:
                refers = look.is_first_mark(node)
        elif flags & LINK and not refers:
            at = look.source.places[i]
            if _has_hash(s, end, at) and _find_attribute(s, end, at, b"href", 4, &found) and _has_fragment(s, &found):
                refers = look.refers(node, node < raised_end)
        elif flags & IMAGE:
            if has_backslash and not has_tex and _find_attribute(s, end, look.source.places[i], b"alt", 3, &found):
                has_tex = _has_tex(s, &found)
            has_signs = has_signs or look.is_class_of_emoji(node)
            if not (has_tex and has_signs) and _find_attribute(s, end, look.source.places[i], b"src", 3, &found):
                has_tex = has_tex or _has_tex(s, &found)
                has_signs = has_signs or _is_address_of_emoji(s, &found)
    return refers, has_signs, has_tex


cdef inline bint _has_tex(const Char *s, const Attribute *given) noexcept nogil:
    """Return whether an attribute may have TeX: a backslash, which addresses write as %5C."""
    cdef int32_t i, stop = given.value_end
    if find(s, given.value, stop, c"\\") < stop:
        return True
    for i in range(given.value, stop - 2):
        if s[i] == c"%" and s[i + 1] == c"5" and s[i + 2] | 32 == c"c":
            return True
    return False


cdef bint _is_address_of_emoji(const Char *s, const Attribute *address) except -1:
    """Return whether the address of an image may name emoji."""
    if address.value_end - address.value < LONG_ADDRESS:
        return _names_emoji(s, address.value, address.value_end)
    value = string(s, address.value, address.value_end)
    return _may_name_emoji(value if len(value) < LONG_ADDRESS else _of_ornaments()._path(value))


cdef bint _has_fragment(const Char *s, const Attribute *address) except -1:
    """Return whether an address that is not too long has something after a `#`."""
    if find(s, address.value, address.value_end, c"#") + 1 >= address.value_end:
        return False
    if address.value_end - address.value < MAX_ADDRESS:
        return True
    return len(string(s, address.value, address.value_end)) < MAX_ADDRESS


cdef bint _has_raised(const Page *tree) noexcept nogil:
    cdef int32_t i
    for i in range(tree.n):
        if flags_of[tree.tag[i]] & (RAISED | LOWERED):
            return True
    return False


cdef bint _may_have_tex(str text) except -1:
    """Return whether a text has a backslash or two dollar signs; single signs are found many characters at a time."""
    cdef Py_ssize_t at = text.find("$")
    while at >= 0:
        if text.startswith("$", at + 1):
            return True
        at = text.find("$", at + 1)
    return "\\" in text


cdef bint _has_formulas(object page) except -1:
    """Return what `may_have_formulas` does; most pages have neither such tags nor such classes."""
    cdef str name
    if not any(["math" in name for name in page.extra_tags]) and not _class_signs(page).formulas:
        return _source_signs(page).formulas or _may_have_tex(page.text)
    from dehusk.base.lazy import IMPORTING
    with IMPORTING:
        from dehusk.write.content.formulas import may_have_formulas

    return may_have_formulas(page)


def marks_of(object page):
    cdef _Look look = _Look()
    cdef int32_t i
    once(&_knows_signs, prepare_signs)
    codes = page.class_code
    look.page, look.class_names, look.class_code = page, page.class_names, as_i32(codes)
    look.source = source_of(page.elements, False)
    read_page(page, &look.tree)
    if size_of(codes) != look.tree.n:
        raise ValueError("the columns of the page do not fit together")
    for i in range(look.tree.n):
        if not 0 <= look.class_code[i] < len(look.class_names):
            raise ValueError("the columns of the page do not fit together")
    for i in range(look.source.n):
        if not 0 <= look.source.rows[i] < look.tree.n:
            raise ValueError("the columns of the page do not fit together")
    look.is_known = <uint8_t *>calloc(len(look.class_names) + 1, 1)
    if look.is_known == NULL:
        raise MemoryError
    look.has_references = _class_signs(page).references
    if look.source.kind == 1:
        refers, has_signs, has_tex = _read_starts(<const uint8_t *>look.source.units, look)
    elif look.source.kind == 2:
        refers, has_signs, has_tex = _read_starts(<const uint16_t *>look.source.units, look)
    else:
        refers, has_signs, has_tex = _read_starts(<const uint32_t *>look.source.units, look)
    if look.has_references and not refers:
        refers = _of_footnotes().has_asides(page)
    return _has_raised(&look.tree), has_tex or _has_formulas(page), refers, has_signs
