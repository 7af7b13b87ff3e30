"""Pairs of characters in names: a name without all pairs of a word does not have the word."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from dehusk.compiled.markup cimport Char
from dehusk.compiled.unicode cimport (
    PyBytes_AS_STRING, PyBytes_GET_SIZE, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND,
)

cdef extern from "Python.h":
    bytes PyBytes_FromStringAndSize(const char *data, Py_ssize_t size)

cdef enum:
    SPREAD = 0x9E3779B1  # 2^32 by the golden ratio, whose products have well-mixed high bits


cdef uint64_t _pairs_in(const Char *s, Py_ssize_t n) noexcept nogil:
    """Return a bit for each pair of characters that stand side by side; several pairs share a bit."""
    cdef Py_ssize_t i
    cdef uint64_t pairs = 0
    for i in range(n - 1):
        pairs |= <uint64_t>1 << ((<uint32_t>SPREAD * ((<uint32_t>s[i] << 5) ^ <uint32_t>s[i + 1])) >> 26)
    return pairs


def pairs_of_characters(names):
    cdef Py_ssize_t i = 0
    cdef bytes found = PyBytes_FromStringAndSize(NULL, 8 * <Py_ssize_t>len(names))
    cdef uint64_t *pairs = <uint64_t *>PyBytes_AS_STRING(found)
    cdef str name
    for i in range(len(names)):
        name = names[i]
        if PyUnicode_KIND(name) == 1:
            pairs[i] = _pairs_in(<const uint8_t *>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name))
        elif PyUnicode_KIND(name) == 2:
            pairs[i] = _pairs_in(<const uint16_t *>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name))
        else:
            pairs[i] = _pairs_in(<const uint32_t *>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name))
    return found


def names_having(list names not None, bytes pairs not None, tuple words not None, bytes wanted not None):
    cdef const uint64_t *own = <const uint64_t *>PyBytes_AS_STRING(pairs)
    cdef const uint64_t *needed = <const uint64_t *>PyBytes_AS_STRING(wanted)
    cdef Py_ssize_t i, j, m = len(names), w = len(words)
    cdef list found = []
    if PyBytes_GET_SIZE(pairs) != 8 * m or PyBytes_GET_SIZE(wanted) != 8 * w:
        raise ValueError("pairs of other names or words")
    for i in range(m):
        for j in range(w):
            if own[i] & needed[j] == needed[j] and <str>words[j] in <str>names[i]:
                found.append(i)
                break
    return found
