"""Links with something after a `#` in their address: most have nothing, and their addresses are not copied."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

from dehusk.compiled.arrays cimport as_i64, size_of
from dehusk.compiled.markup cimport Attribute, Char, equals, find, name_end, next_attribute
from dehusk.compiled.spans cimport string

cdef enum: MAX_ADDRESS = 4096


cdef str _fragment_at(const Char *s, int32_t end, int32_t at):
    """Return the address of the start tag at a place if something follows a `#` in it, else None."""
    cdef Attribute found
    at = name_end(s, end, at + 1)
    while True:
        at = next_attribute(s, end, at, &found)
        if at <= 0:
            return None
        if equals(s, found.name, found.name_end, b"href", 4):
            if find(s, found.value, found.value_end, c"#") + 1 >= found.value_end:
                return None
            return string(s, found.value, found.value_end)


def with_fragment(object page, object links):
    cdef Source source
    cdef const int64_t *link = as_i64(links)
    cdef Py_ssize_t i
    cdef int32_t index
    cdef str address
    found = []
    if size_of(links) == 0:  # the page need not be read again
        return found
    source = source_of(page.elements, False)
    for i in range(size_of(links)):
        index = source.index_of(link[i])
        if index < 0:
            continue
        if source.kind == 1:
            address = _fragment_at(<const uint8_t *>source.units, source.end, source.places[index])
        elif source.kind == 2:
            address = _fragment_at(<const uint16_t *>source.units, source.end, source.places[index])
        else:
            address = _fragment_at(<const uint32_t *>source.units, source.end, source.places[index])
        if address is not None and len(address) < MAX_ADDRESS:
            found.append((link[i], address))
    return found
