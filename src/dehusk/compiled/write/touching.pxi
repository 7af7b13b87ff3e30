"""Texts that touch: in one line, one after the other, no white space or sign of punctuation between them."""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport memory
from dehusk.compiled.blocks cimport BR, HOLDER, HR, Page, flags_of, read_page
from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, Py_UNICODE_ISALNUM


cdef inline bint _is_currency(uint32_t point) noexcept:
    """Return whether a character is the sign of a currency: $, £, ¥ or of the block of the others."""
    return point in (36, 0xA3, 0xA5) or 0x20A0 <= point < 0x20D0


cdef inline bint _ends_word(uint32_t point) noexcept:
    """Return whether a word, an amount, a label or a sentence may end with a character."""
    if point in (33, 37, 41, 46, 58, 63, 0xFF1A):  # ! % ) . : ? and the wide colon
        return True
    return Py_UNICODE_ISALNUM(point) or _is_currency(point)


cdef inline bint _starts_word(uint32_t point) noexcept:
    """Return whether a word or an amount may start with a character."""
    return Py_UNICODE_ISALNUM(point) or _is_currency(point)


def touching_texts(object page):
    cdef Page tree
    cdef int32_t i, last = -1
    cdef str text = page.text
    read_page(page, &tree)
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef int32_t *holder = <int32_t *>memory(tree.n * sizeof(int32_t))
    cdef list found = []
    try:
        for i in range(tree.n):
            if tree.tag[i]:
                holder[i] = i if i == 0 or flags_of[tree.tag[i]] & HOLDER else holder[tree.parent[i]]
                if flags_of[tree.tag[i]] & (BR | HR):
                    last = -1
                continue
            if tree.stop[i] == tree.start[i]:
                continue
            if last >= 0 and holder[tree.parent[last]] == holder[tree.parent[i]] and (
                tree.stop[i] - tree.start[i] > 1 or tree.stop[last] - tree.start[last] > 1
            ):
                if _ends_word(PyUnicode_READ(kind, data, tree.stop[last] - 1)):
                    if _starts_word(PyUnicode_READ(kind, data, tree.start[i])):
                        found.append((last, i, holder[tree.parent[i]]))
            last = i
    finally:
        free(holder)
    return found
