"""The columns that the net sees: all families at once; each fills the columns that are wanted."""

cimport numpy as cnp
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport new_matrix, values
from dehusk.compiled.facts cimport MOST_COLUMNS, Column, Facts, Family, Fill, open_facts
from dehusk.compiled.first_use cimport once
from dehusk.compiled import (
    features_names, features_page, features_place, features_tags, features_text, features_words,
)

cnp.import_array()

cdef enum: MOST_FAMILIES = 32

cdef struct Wanted:  # of a family
    Fill fill
    int32_t columns
    int32_t[MOST_COLUMNS] row  # of each column in the table, -1 if nobody wants it

cdef Wanted[MOST_FAMILIES] wanted
cdef int32_t families = 0, rows = 0
cdef object settings = None  # of the net, from a module that imports this one


cdef bint _is_ready = False


cdef int prepare() except -1:
    """Read which columns are wanted, and in which order each family fills its own."""
    global families, rows, settings
    from dehusk.methods.united import columns
    chosen, row_of = columns.settings(), {name: row for row, name in enumerate(columns.NAMES)}
    cdef Family family
    cdef int32_t i
    families = 0
    for module in (features_place, features_words, features_page, features_text, features_names, features_tags):
        for family in module.families(chosen):
            if not row_of.keys() & set(family.names):
                continue
            wanted[families].fill, wanted[families].columns = family.fill, <int32_t>len(family.names)
            for i, name in enumerate(family.names):
                wanted[families].row[i] = row_of.pop(name, -1)
            families += 1
    if row_of:
        raise ValueError(f"no family fills {next(iter(row_of))}")
    rows, settings = <int32_t>len(columns.NAMES), chosen
    return 0


def table(object blocks):
    """Return the columns of a page's blocks, shape (len(NAMES), b)."""
    cdef Facts facts
    cdef Column[MOST_COLUMNS] column
    cdef int32_t i, k, row
    cdef float *data
    once(&_is_ready, prepare)
    open_facts(&facts, blocks)
    try:
        found = new_matrix(rows, facts.rows.b, cnp.NPY_FLOAT32)
        data = <float *>values(found)
        for i in range(families):
            for k in range(wanted[i].columns):
                row = wanted[i].row[k]
                column[k].kind = c"f" if row >= 0 else 0
                column[k].data = data + <Py_ssize_t>max(row, 0) * facts.rows.b
            wanted[i].fill(blocks, settings, &facts, column)
    finally:
        free(facts.memory)
    return found
