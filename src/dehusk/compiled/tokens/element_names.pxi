"""The name in the output of each kept node: its own, or one that looks the same.

Links around links are `span`, and parts of tables where no parser would put them are `div`.
"""

cimport numpy as cnp
from cpython.ref cimport Py_INCREF, Py_XDECREF, PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

import numpy as np

from dehusk.compiled.arrays cimport as_i64, new_array, size_of, values
from dehusk.compiled.blocks cimport CAPTION, CELL, LINK, ROW, SECTION, TABLE, Page, check_indices, flags_of, read_page
from dehusk.compiled.first_use cimport once

cdef enum:
    PART = CELL | ROW | SECTION | CAPTION
    NO_TEXT = ROW | TABLE | SECTION

cdef int KNOWN
cdef object NAMES, MATH  # the name in the output of each element by its tag number; the names of MathML


cdef bint _element_names_ready = False


cdef int prepare_element_names() except -1:
    """Read the tables of the layer above, at the first use: they cannot be imported before it is."""
    global KNOWN, NAMES, MATH
    from dehusk.base import tags
    from dehusk.write import safety
    KNOWN, NAMES, MATH = tags.KNOWN, np.array(safety.output_names(), dtype=object), safety.MATH
    return 0


cdef struct Columns:
    Page page
    int32_t n
    const uint16_t *tag
    const int32_t *parent
    const int32_t *end
    uint8_t *stays  # (n,) whether each node is kept


cdef object zeros(Py_ssize_t n, int kind):
    cdef cnp.npy_intp size = n
    return cnp.PyArray_ZEROS(1, &size, kind, 0)


cdef void flag_names(Columns *c, uint8_t *renamed, int32_t *table, uint8_t *broken, int32_t *links) noexcept nogil:
    """Mark the elements to rename: 1 for parts of tables that no parser would make, 2 for links around links."""
    cdef int32_t i
    cdef uint32_t own, around
    cdef bint wrong
    broken[c.n] = 1  # for nodes outside of tables
    links[0] = 0
    for i in range(c.n):
        broken[i] = 0
        own = flags_of[c.tag[i]]
        table[i] = i if own & TABLE else table[c.parent[i]] if i else c.n
        links[i + 1] = links[i] + (1 if c.stays[i] and own & LINK else 0)
    for i in range(1, c.n):
        if not c.stays[i]:
            continue
        own, around = flags_of[c.tag[i]], flags_of[c.tag[c.parent[i]]]
        wrong = (around & NO_TEXT) != 0 and (own & PART) == 0
        wrong = wrong or ((own & (SECTION | CAPTION)) != 0 and (around & TABLE) == 0)
        wrong = wrong or ((own & CELL) != 0 and (around & ROW) == 0)
        wrong = wrong or ((own & ROW) != 0 and (around & (TABLE | SECTION)) == 0)
        if wrong:
            broken[table[c.parent[i]]] = 1
    for i in range(c.n):
        own = flags_of[c.tag[i]]
        renamed[i] = 1 if own & (PART | TABLE) and broken[table[i]] else 0
        if own & LINK and c.stays[i] and links[c.end[i]] > links[i + 1]:
            renamed[i] = 2


cdef object named(Columns *c, object page, object nodes):
    """Return the names of the nodes that stay."""
    cdef Py_ssize_t i, count = size_of(nodes)
    cdef int32_t at
    flags, tables = new_array(c.n, cnp.NPY_UINT8), new_array(c.n, cnp.NPY_INT32)
    broken, links = new_array(c.n + 1, cnp.NPY_UINT8), new_array(c.n + 1, cnp.NPY_INT32)
    cdef uint8_t *renamed = <uint8_t *>values(flags)
    flag_names(c, renamed, <int32_t *>values(tables), <uint8_t *>values(broken), <int32_t *>values(links))
    found = np.empty(count, dtype=object)
    cdef const int64_t *node = as_i64(nodes)
    cdef PyObject **out = <PyObject **>values(found)
    cdef PyObject **known = <PyObject **>values(NAMES)
    cdef PyObject *name
    div, span = "div", "span"
    for i in range(count):
        at = <int32_t>node[i]
        name = known[c.tag[at]] if c.tag[at] < KNOWN else <PyObject *>span
        name = <PyObject *>div if renamed[at] == 1 else <PyObject *>span if renamed[at] == 2 else name
        Py_INCREF(<object>name)
        Py_XDECREF(out[i])
        out[i] = name
    if "math" in page.extra_tags:
        name_formulas(c, list(page.extra_tags), nodes, found)
    return found


cdef int name_formulas(Columns *c, list extra_tags, object nodes, object names) except -1:
    """Let the elements of MathML have their own names, in formulas that contain nothing else."""
    cdef int32_t i, root = 0
    cdef int math = KNOWN + <int>extra_tags.index("math")
    own = {KNOWN + number: name for number, name in enumerate(extra_tags) if name in MATH}
    impure, purely = zeros(c.n, cnp.NPY_UINT8), zeros(c.n, cnp.NPY_UINT8)
    cdef uint8_t *is_impure = <uint8_t *>values(impure)
    cdef uint8_t *is_pure = <uint8_t *>values(purely)
    for i in range(c.n - 1, 0, -1):
        if is_impure[i] or (c.tag[i] and c.tag[i] not in own):
            is_impure[c.parent[i]] = 1
    for i in range(1, c.n):
        is_pure[i] = is_pure[c.parent[i]] or (c.tag[i] == math and not is_impure[i])
    for at, node in enumerate(nodes.tolist()):
        if is_pure[<int32_t>node] and c.tag[<int32_t>node]:
            names[at] = own[c.tag[<int32_t>node]]
    return 0


def element_names(object page, object nodes):
    once(&_element_names_ready, prepare_element_names)
    cdef Columns c
    cdef Py_ssize_t i
    read_page(page, &c.page)
    check_indices(nodes, c.page.n)
    c.n, c.tag, c.parent, c.end = c.page.n, c.page.tag, c.page.parent, c.page.end
    cdef const int64_t *node = as_i64(nodes)
    mask = zeros(c.n, cnp.NPY_UINT8)
    c.stays = <uint8_t *>values(mask)
    for i in range(size_of(nodes)):
        c.stays[node[i]] = 1
    return named(&c, page, nodes)
