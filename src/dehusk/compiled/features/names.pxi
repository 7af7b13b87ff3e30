"""The families that look at names of classes and ids, and the words in these names."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from dehusk.compiled.arrays cimport as_i64, as_u64, as_u8, memory, new_array, size_of, values
from dehusk.compiled.first_use cimport once
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, PyUnicode_KIND, PyUnicode_READ,
)

cdef object NameParts = None  # from a module that imports this one
cdef object name_parts, name_bits
cdef int32_t LETTERS, EXACT
cdef enum: OUTSIDE = 0, STARTS = 1, INSIDE = 2  # roles of characters, as in `lexicon._role`
cdef uint8_t[256] CASE
cdef uint8_t[64] ROLE


cdef bint _names_ready = False


cdef int prepare_names() except -1:
    """Read what the Python module defines; it imports this one, so it cannot be read at once."""
    global NameParts, name_parts, name_bits, LETTERS, EXACT
    from dehusk.label.features import lexicon
    LETTERS, EXACT = lexicon._LETTERS, lexicon._EXACT
    name_parts, name_bits = lexicon.name_parts, lexicon.name_bits
    for case in range(256):
        CASE[<int>case] = lexicon._CASE[case]
    for before in range(3):
        for previous in range(3):
            for case in range(3):
                ROLE[<int>(16 * before + 4 * previous + case)] = lexicon._role(before, previous, case)
    NameParts = lexicon.NameParts
    return 0


cdef tuple families_of_names(object settings):
    """Return the families of this module whose columns are truth values."""
    once(&_names_ready, prepare_names)
    cdef Lexicon lexicon = lexicon_of(settings)
    return lexicon.above, lexicon.near


# the parts of names


cdef Py_ssize_t room_for(tuple names) except -1:
    """Return how many bytes `copy_names` needs; raises TypeError if a name is no string."""
    cdef Py_ssize_t size = 0
    cdef str name
    for name in names:
        size += PyUnicode_GET_LENGTH(name) + 1
    return size


cdef uint8_t *copy_names(tuple names, uint8_t *out) except NULL:
    """Copy names in ASCII, with a zero byte after each; return the end."""
    cdef Py_ssize_t length, i
    cdef int kind
    cdef void *data
    cdef str name
    for name in names:
        length, data = PyUnicode_GET_LENGTH(name), PyUnicode_DATA(name)
        if PyUnicode_IS_ASCII(name):
            memcpy(out, data, length)
        else:
            kind = PyUnicode_KIND(name)
            for i in range(length):
                out[i] = <uint8_t>PyUnicode_READ(kind, data, i) if PyUnicode_READ(kind, data, i) < 128 else c"?"
        out[length] = 0
        out += length + 1
    return out


cdef int32_t find_parts(
    const uint8_t *source, int32_t size, int32_t names, int32_t *start, int32_t *end, int64_t *first
) noexcept nogil:
    """Find the parts of names; return how many there are, or -1 if a name contains a zero byte.

    Args:
        source: the names, each with a zero byte after it.
        size: of all.
        names: how many.
        start: receives where each part starts; has room for one more than there are characters.
        end: receives where it ends; has room for as many.
        first: (names + 1,) receives the first part of each name.
    """
    cdef int32_t at = 0, parts = 0, ends = 0, name
    cdef int cases = 0, role = OUTSIDE, before  # two bits for each of the last three characters
    first[0] = 0
    for name in range(names):
        while True:  # no branches: where parts start cannot be predicted
            cases = (cases << 2 | CASE[source[at]]) & 63
            before, role = role, ROLE[cases]
            start[parts] = end[ends] = at
            parts += role == STARTS
            ends += before != OUTSIDE and role != INSIDE
            at += 1
            if not source[at - 1]:
                break
        first[name + 1] = parts
    return parts if at == size else -1


def parts_of_names(object page):
    """Return the parts of a page's class attributes, then of its id attributes."""
    once(&_names_ready, prepare_names)
    cdef tuple classes = page.class_names, ids = page.id_names
    cdef Py_ssize_t size = room_for(classes) + room_for(ids)
    cdef int32_t names = <int32_t>len(classes) + <int32_t>len(ids), i, parts
    if size + LETTERS >= 0x7FFFFFFF:
        raise MemoryError
    source, first = new_array(size + LETTERS, cnp.NPY_UINT8), new_array(names + 1, cnp.NPY_INT64)
    cdef uint8_t *data = <uint8_t *>values(source)
    memset(copy_names(ids, copy_names(classes, data)), 0, LETTERS)
    cdef int32_t *start = <int32_t *>memory(2 * <size_t>(size + 1) * sizeof(int32_t))
    cdef int32_t *end = start + size + 1
    cdef int64_t *starts_out
    cdef int64_t *ends_out
    try:
        parts = find_parts(data, <int32_t>size, names, start, end, <int64_t *>values(first))
        if parts < 0:
            raise ValueError("the name of a class or an id contains a zero character")
        starts, ends = new_array(parts, cnp.NPY_INT64), new_array(parts, cnp.NPY_INT64)
        starts_out, ends_out = <int64_t *>values(starts), <int64_t *>values(ends)
        for i in range(parts):
            starts_out[i], ends_out[i] = start[i], end[i]
    finally:
        free(start)
    made = NameParts.__new__(NameParts)
    made.__dict__.update(source=source, start=starts, end=ends, first=first)
    return made


# words in them


cdef struct Word:
    int32_t start, length, following  # in the bytes of all words; the next word with the same first letters
    uint64_t bits


cdef class Lexicon:
    """The words of the sets of some settings, by their first two letters."""

    cdef object settings
    cdef bytes letters
    cdef Word *words
    cdef int32_t[1024] head
    cdef uint32_t[1024] thirds  # one bit for each third letter of these words
    cdef Family above, near

    def __dealloc__(self):
        free(self.words)


cdef Lexicon latest = None


cdef Lexicon lexicon_of(object settings):
    """Return the words of settings, those of the latest settings at once."""
    global latest
    cdef Lexicon made = latest
    if made is not None and made.settings is settings:
        return made
    cdef dict classes = dict(settings.classes)
    if len(classes) > MOST_COLUMNS or not all(word.isascii() for words in classes.values() for word in words):
        raise ValueError(f"at most {MOST_COLUMNS} sets of ASCII words")
    made = Lexicon()
    made.settings = settings
    made.above = family_of(tuple(f"lexicon.{name}" for name in classes), b"?", fill_lexicon)
    made.near = family_of(tuple(f"nearby.{name}" for name in classes), b"?", fill_nearby)
    made.letters = "".join(word for words in classes.values() for word in words).encode("ascii")
    made.words = <Word *>memory(sum(map(len, classes.values())) * sizeof(Word))
    cdef int32_t row = 0, at = 0, i
    for i in range(1024):
        made.head[i] = -1
    for bit, words in enumerate(classes.values()):
        for word in words:
            i = head_of(<const uint8_t *><const char *>made.letters + at, <int32_t>len(word))
            made.words[row] = Word(at, <int32_t>len(word), made.head[i], <uint64_t>1 << <int>bit)
            made.head[i] = row
            made.thirds[i] |= third_of(<const uint8_t *><const char *>made.letters + at, <int32_t>len(word))
            at, row = at + <int32_t>len(word), row + 1
    latest = made
    return made


cdef inline int32_t head_of(const uint8_t *letters, int32_t length) noexcept nogil:
    """Return the number of the first two letters."""
    return (letters[0] & 31) * 32 + (letters[1] & 31 if length > 1 else 0) if length else 0


cdef inline uint32_t third_of(const uint8_t *letters, int32_t length) noexcept nogil:
    """Return the bit of the third letter."""
    return <uint32_t>1 << (letters[2] & 31 if length > 2 else 0)


cdef uint64_t bits_of(Lexicon lexicon, const uint8_t *part, int32_t length) noexcept:
    """Return the bits of the sets that have a word of a part."""
    cdef int32_t row = head_of(part, length), i
    cdef uint64_t bits = 0
    cdef const uint8_t *letters
    cdef Word *word
    if not lexicon.thirds[row] & third_of(part, length):
        return 0
    row = lexicon.head[row]
    while row >= 0:
        word = lexicon.words + row
        row = word.following
        if word.length > length or (word.length <= EXACT and word.length != length):
            continue
        letters = <const uint8_t *><const char *>lexicon.letters + word.start
        for i in range(word.length):
            if letters[i] != (part[i] | 32):
                break
        else:
            bits |= word.bits
    return bits


def bits_of_names(object page, object settings):
    """Return for each class attribute, then for each id, one bit per set: whether it contains a word of the set."""
    once(&_names_ready, prepare_names)
    cdef Lexicon lexicon = lexicon_of(settings)
    parts = name_parts(page)
    cdef uint8_t *source = as_u8(parts.source)
    cdef int64_t *start = as_i64(parts.start)
    cdef int64_t *end = as_i64(parts.end)
    cdef int64_t *first = as_i64(parts.first)
    cdef int32_t names = <int32_t>size_of(parts.first) - 1, i, part
    found = new_array(names, cnp.NPY_UINT64)
    cdef uint64_t *out = <uint64_t *>values(found)
    for i in range(names):
        out[i] = 0
        for part in range(first[i], first[i + 1]):
            out[i] |= bits_of(lexicon, source + start[part], <int32_t>(end[part] - start[part]))
    return found


cdef int fill_own_bits(object blocks, object settings, Facts *facts, uint64_t *bits) except -1:
    """Fill the bits of the class and the id of each element, except the body."""
    names = name_bits(blocks.page, settings)
    cdef const uint64_t *of_name = as_u64(names)
    cdef int32_t i, node, classes = facts.page.classes
    if size_of(names) != classes + facts.page.ids:
        raise ValueError("there are not bits for each name of the page")
    bits[0] = 0  # the body's class describes the whole page
    for i in range(1, <int32_t>facts.tree.m):
        node = <int32_t>facts.tree.node[i]
        bits[i] = of_name[facts.page.class_code[node]] | of_name[classes + facts.page.id_code[node]]
    return 0


cdef void fill_bits(const Facts *facts, const uint64_t *bits, int32_t sets, const Column *column) noexcept nogil:
    """Fill a column for each bit of the elements of the blocks."""
    cdef uint64_t *own = facts.spare_keys + facts.most
    cdef int32_t i
    for i in range(facts.rows.b):
        own[i] = bits[facts.tree.innermost[i]]
    for i in range(sets):
        emit_bit(column + i, own, i, facts.rows.b)


cdef void pass_down(const Facts *facts, uint64_t *bits) noexcept nogil:
    """Add to the bits of each element those of the elements around it."""
    cdef int32_t i
    for i in range(1, <int32_t>facts.tree.m):
        bits[i] |= bits[facts.tree.parent[i]]


def lexicon_features(object blocks, object settings):
    """Return a 0/1 column for each set of words, shape (b,), over all elements around a block."""
    once(&_names_ready, prepare_names)
    cdef Lexicon lexicon = lexicon_of(settings)
    return columns_of(blocks, settings, lexicon.above)


cdef int fill_lexicon(object blocks, object settings, Facts *facts, const Column *column) except -1:
    once(&_names_ready, prepare_names)
    fill_own_bits(blocks, settings, facts, facts.spare_keys)
    pass_down(facts, facts.spare_keys)
    fill_bits(facts, facts.spare_keys, <int32_t>len(settings.classes), column)
    return 0


def nearby_features(object blocks, object settings):
    """Return a 0/1 column for each set of words, shape (b,), over the three innermost elements around a block."""
    once(&_names_ready, prepare_names)
    cdef Lexicon lexicon = lexicon_of(settings)
    return columns_of(blocks, settings, lexicon.near)


cdef int fill_nearby(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef uint64_t *bits = facts.spare_keys
    cdef int32_t level, i
    once(&_names_ready, prepare_names)
    fill_own_bits(blocks, settings, facts, bits)
    for level in range(2):  # from the last one up, so that each element gets those of its parent alone
        for i in range(<int32_t>facts.tree.m - 1, 0, -1):
            bits[i] |= bits[facts.tree.parent[i]]
    fill_bits(facts, bits, <int32_t>len(settings.classes), column)
    return 0
