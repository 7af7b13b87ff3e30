# cython: language_level=3
"""Growing lists of spans, tables that number equal spans, and strings from spans.

Functions that need memory return 0 if there is none.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc, PyMem_RawCalloc
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp

from dehusk.compiled.markup cimport Char, find, hash_of, unescaped
from dehusk.compiled.unicode cimport PyUnicode_FromKindAndData


cdef struct Span:
    int32_t at
    int32_t end
    int32_t kind
    int32_t node


cdef struct Spans:
    Span *items
    int32_t n
    int32_t room


cdef struct SpanTable:
    Spans found  # the distinct spans, in order
    uint64_t *keys
    int32_t *numbers  # of the span with each key, from 1; 0 for no span
    int32_t mask
    uint64_t seed


cdef inline bint add_span(Spans *spans, int32_t at, int32_t end, int32_t kind, int32_t node) noexcept nogil:
    cdef int32_t room
    cdef Span *items
    if spans.n == spans.room:
        room = 2 * spans.room + 16
        items = <Span *>PyMem_RawRealloc(spans.items, <size_t>room * sizeof(Span))
        if items == NULL:
            return 0
        spans.items, spans.room = items, room
    cdef Span *item = spans.items + spans.n
    item.at, item.end, item.kind, item.node = at, end, kind, node
    spans.n += 1
    return 1


cdef inline bint resize(SpanTable *table, int32_t size) noexcept nogil:
    """Give a table another number of places, a power of two."""
    cdef uint64_t *keys = <uint64_t *>PyMem_RawMalloc(<size_t>size * sizeof(uint64_t))
    cdef int32_t *numbers = <int32_t *>PyMem_RawCalloc(<size_t>size, sizeof(int32_t))
    cdef int32_t i, place
    if keys == NULL or numbers == NULL:
        PyMem_RawFree(keys)
        PyMem_RawFree(numbers)
        return 0
    for i in range(table.mask + 1 if table.numbers != NULL else 0):
        if table.numbers[i]:
            place = <int32_t>(table.keys[i] & <uint64_t>(size - 1))
            while numbers[place]:
                place = (place + 1) & (size - 1)
            keys[place], numbers[place] = table.keys[i], table.numbers[i]
    PyMem_RawFree(table.keys)
    PyMem_RawFree(table.numbers)
    table.keys, table.numbers, table.mask = keys, numbers, size - 1
    return 1


cdef inline int32_t number_of(SpanTable *table, const Char *s, int32_t at, int32_t end) noexcept nogil:
    """Return the number of a span among the distinct ones, from 1; 0 without memory."""
    return number_with(table, s, at, end, hash_of(s, at, end, table.seed))


cdef inline int32_t number_with(SpanTable *table, const Char *s, int32_t at, int32_t end, uint64_t key) noexcept nogil:
    """Return the number of a span with a hash, as `number_of` does."""
    if table.numbers == NULL or 2 * table.found.n > table.mask:
        if not resize(table, 4 * (table.mask + 1) if table.numbers != NULL else 64):
            return 0
    cdef int32_t place = <int32_t>(key & <uint64_t>table.mask)
    cdef Span *span
    while table.numbers[place]:
        span = table.found.items + table.numbers[place] - 1
        if table.keys[place] == key and same(s, span.at, span.end, at, end):
            return table.numbers[place]
        place = (place + 1) & table.mask
    if not add_span(&table.found, at, end, 0, 0):
        return 0
    table.keys[place], table.numbers[place] = key, table.found.n
    return table.found.n


cdef inline bint same(const Char *s, int32_t at, int32_t end, int32_t other, int32_t other_end) noexcept nogil:
    """Return whether two spans are equal texts."""
    return end - at == other_end - other and memcmp(s + at, s + other, <size_t>(end - at) * sizeof(Char)) == 0


cdef inline void free_table(SpanTable *table) noexcept nogil:
    PyMem_RawFree(table.found.items)
    PyMem_RawFree(table.keys)
    PyMem_RawFree(table.numbers)


cdef inline str raw_string(const Char *s, int32_t at, int32_t end):
    """Return a span as it is."""
    return PyUnicode_FromKindAndData(sizeof(Char), s + at, end - at)


cdef inline str string(const Char *s, int32_t at, int32_t end):
    """Return the text of a span of escaped text."""
    cdef int32_t i, n = 0
    if find(s, at, end, c"&") == end:
        return PyUnicode_FromKindAndData(sizeof(Char), s + at, end - at)
    cdef Char *units = <Char *>PyMem_RawMalloc(<size_t>(end - at) * sizeof(Char))
    if units == NULL:
        raise MemoryError
    i = at
    while i < end:
        units[n] = <Char>unescaped(s, end, &i)
        n += 1
    try:
        return PyUnicode_FromKindAndData(sizeof(Char), units, n)
    finally:
        PyMem_RawFree(units)
