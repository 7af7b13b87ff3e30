"""Texts that touch: in one line, one after the other, letter to letter."""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport memory
from dehusk.compiled.blocks cimport BR, HOLDER, HR, Page, flags_of, read_page
from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, Py_UNICODE_ISALNUM


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
                if Py_UNICODE_ISALNUM(PyUnicode_READ(kind, data, tree.stop[last] - 1)):
                    if Py_UNICODE_ISALNUM(PyUnicode_READ(kind, data, tree.start[i])):
                        found.append((last, i, holder[tree.parent[i]]))
            last = i
    finally:
        free(holder)
    return found
