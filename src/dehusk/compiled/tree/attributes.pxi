"""Attributes of a page's elements, from the markup of the document: the parser's objects would take longer."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

from dehusk.compiled.arrays cimport as_i32, as_i64, new_array, size_of, values
from dehusk.compiled.markup cimport Attribute, Char, name_end, next_attribute
from dehusk.compiled.spans cimport raw_string, string
from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ


cdef class Source:
    """The markup of a page's elements."""

    cdef int32_t index_of(self, int64_t node) noexcept:
        """Return which element a node is, -1 if it is none."""
        cdef int32_t low = 0, high = self.n, middle
        while low < high:
            middle = (low + high) // 2
            if self.rows[middle] < node:
                low = middle + 1
            else:
                high = middle
        return low if low < self.n and self.rows[low] == node else -1

    cdef object value(self, int32_t index, str name):
        if self.kind == 1:
            return value_at(<const uint8_t *>self.units, self.end, self.places[index], name)
        if self.kind == 2:
            return value_at(<const uint16_t *>self.units, self.end, self.places[index], name)
        return value_at(<const uint32_t *>self.units, self.end, self.places[index], name)

    cdef list several(self, int32_t index, tuple names):
        if self.kind == 1:
            return several_at(<const uint8_t *>self.units, self.end, self.places[index], names)
        if self.kind == 2:
            return several_at(<const uint16_t *>self.units, self.end, self.places[index], names)
        return several_at(<const uint32_t *>self.units, self.end, self.places[index], names)

    cdef tuple pairs(self, int32_t index):
        if self.kind == 1:
            return pairs_at(<const uint8_t *>self.units, self.end, self.places[index])
        if self.kind == 2:
            return pairs_at(<const uint16_t *>self.units, self.end, self.places[index])
        return pairs_at(<const uint32_t *>self.units, self.end, self.places[index])


cdef Source source_of(object elements, bint keep):
    """Return the markup of elements.

    Args:
        keep: whether the markup may stay in memory if the parser's tree was freed.
    """
    cdef Source source = Source()
    if not size_of(elements.rows):
        source.kind = 1
        return source
    markup, place = elements.markup, elements.place
    if markup is None:
        was_released = elements.document is None
        read = read_nodes(elements.text, max_nodes=1 << 28, max_depth=1 << 28).elements
        markup, place = read.markup, places_of_elements(elements.document_index, read)
        if keep or not was_released:
            elements.markup, elements.place = markup, place
    source.markup, source.arrays = markup, (elements.rows, place)
    source.kind, source.units = PyUnicode_KIND(markup), PyUnicode_DATA(markup)
    source.end, source.n = <int32_t>PyUnicode_GET_LENGTH(markup), <int32_t>size_of(elements.rows)
    source.rows, source.places = as_i64(elements.rows), as_i32(place)
    return source


cdef object places_of_elements(object wanted, object read):
    """Return the places of the elements that have some numbers in the document."""
    cdef const int64_t *number = as_i64(wanted)
    cdef const int64_t *known = as_i64(read.document_index)
    cdef const int32_t *place = as_i32(read.place)
    cdef Py_ssize_t i, j = 0, n = size_of(wanted), m = size_of(read.document_index)
    found = new_array(n, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(found)
    for i in range(n):
        while j < m and known[j] < number[i]:
            j += 1
        if j == m or known[j] != number[i]:
            raise ValueError("the elements are not those of the page")
        out[i] = place[j]
    return found


cdef inline uint32_t folded(uint32_t point) noexcept nogil:
    return point | 32 if c"A" <= point <= c"Z" else point


cdef inline bint has_name(const Char *s, const Attribute *found, str name):
    """Return whether an attribute has a name; capitals of ASCII count as small letters."""
    cdef int32_t i, size = <int32_t>PyUnicode_GET_LENGTH(name)
    cdef int kind = PyUnicode_KIND(name)
    cdef const void *signs = PyUnicode_DATA(name)
    if found.name_end - found.name != size:
        return False
    for i in range(size):
        if folded(s[found.name + i]) != folded(PyUnicode_READ(kind, signs, i)):
            return False
    return True


cdef object value_at(const Char *s, int32_t end, int32_t at, str name):
    """Return an attribute's value of the start tag at a place; None if it has no such attribute."""
    cdef Attribute found
    at = name_end(s, end, at + 1)
    while True:
        at = next_attribute(s, end, at, &found)
        if at <= 0:
            return None
        if has_name(s, &found, name):
            return string(s, found.value, found.value_end)


cdef list several_at(const Char *s, int32_t end, int32_t at, tuple names):
    """Return some attributes of the start tag at a place, None for those that it does not have."""
    cdef Attribute attribute
    cdef Py_ssize_t place
    cdef list found = [None] * len(names)
    at = name_end(s, end, at + 1)
    while True:
        at = next_attribute(s, end, at, &attribute)
        if at <= 0:
            return found
        for place in range(len(names)):
            if found[place] is None and has_name(s, &attribute, <str>names[place]):
                found[place] = string(s, attribute.value, attribute.value_end)


cdef tuple pairs_at(const Char *s, int32_t end, int32_t at):
    """Return the (name, value) pairs of the start tag at a place."""
    cdef Attribute found
    pairs = []
    at = name_end(s, end, at + 1)
    while True:
        at = next_attribute(s, end, at, &found)
        if at <= 0:
            return tuple(pairs)
        pairs.append((raw_string(s, found.name, found.name_end), string(s, found.value, found.value_end)))


def attribute(object elements, object node, str name):
    cdef Source source = source_of(elements, True)
    cdef int32_t index = source.index_of(node)
    return None if index < 0 else source.value(index, name)


def markup_of(object elements, object nodes, object ends, Py_ssize_t longest):
    cdef Source source = source_of(elements, True)
    cdef Py_ssize_t start, end
    cdef list found = []
    for node, after in zip(nodes.tolist(), ends.tolist()):
        start = source.places[source.index_of(node)]
        end = int(elements.rows.searchsorted(after))
        end = source.places[end] if end < source.n else source.end
        found.append(source.markup[start : min(end, start + longest)])
    return found


def attribute_values(object elements, object nodes, str name):
    return attribute_columns(elements, nodes, (name,))[0]


def attribute_columns(object elements, object nodes, tuple names):
    cdef Source source = source_of(elements, False)
    cdef int32_t index
    cdef Py_ssize_t place
    found = [[] for _ in names]
    for node in nodes.tolist():
        index = source.index_of(node)
        given = source.several(index, names) if index >= 0 else [None] * len(names)
        for place in range(len(names)):
            (<list>found[place]).append(given[place])
    return found


def attributes_of(object elements, object nodes):
    cdef Source source = source_of(elements, True)
    cdef int32_t index
    found = []
    for node in nodes.tolist():
        index = source.index_of(node)
        found.append(source.pairs(index) if index >= 0 else ())
    return found


def attributes(object elements):
    cdef Source source = source_of(elements, False)
    cdef int32_t index
    known, found = {}, {}  # equal attributes are one object: pages repeat them
    for index in range(source.n):
        pairs = source.pairs(index)
        if pairs:
            found[source.rows[index]] = known.setdefault(pairs, pairs)
    return found
