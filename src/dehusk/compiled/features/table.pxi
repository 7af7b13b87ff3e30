"""The columns that the net sees: all families at once; each fills the columns that are wanted."""

cimport numpy as cnp
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport new_matrix, values
from dehusk.compiled.first_use cimport once

cdef enum: MOST_FAMILIES = 32

cdef struct Wanted:  # of a family
    Fill fill
    int32_t columns
    int32_t[MOST_COLUMNS] row  # of each column in the table, -1 if nobody wants it

cdef Wanted[MOST_FAMILIES] wanted
cdef int32_t family_count = 0, row_count = 0
cdef object settings = None  # of the net, from a module that imports this one


cdef bint _table_ready = False


cdef int prepare_table() except -1:
    """Read which columns are wanted, and in which order each family fills its own."""
    global family_count, row_count, settings
    from dehusk.label.united import columns
    chosen, row_of = columns.settings(), {name: row for row, name in enumerate(columns.NAMES)}
    cdef Family family
    cdef int32_t i
    family_count = 0
    declared = families_of_place(chosen) + families_of_words(chosen) + families_of_page(chosen)
    declared += families_of_text(chosen) + families_of_names(chosen) + families_of_tags(chosen)
    for family in declared:
        if not row_of.keys() & set(family.names):
            continue
        wanted[family_count].fill, wanted[family_count].columns = family.fill, <int32_t>len(family.names)
        for i, name in enumerate(family.names):
            wanted[family_count].row[i] = row_of.pop(name, -1)
        family_count += 1
    if row_of:
        raise ValueError(f"no family fills {next(iter(row_of))}")
    row_count, settings = <int32_t>len(columns.NAMES), chosen
    return 0


def table(object blocks):
    """Return the columns of a page's blocks, shape (len(NAMES), b)."""
    cdef Facts facts
    cdef Column[MOST_COLUMNS] column
    cdef int32_t i, k, row
    cdef float *data
    once(&_table_ready, prepare_table)
    open_facts(&facts, blocks)
    try:
        found = new_matrix(row_count, facts.rows.b, cnp.NPY_FLOAT32)
        data = <float *>values(found)
        for i in range(family_count):
            for k in range(wanted[i].columns):
                row = wanted[i].row[k]
                column[k].kind = c"f" if row >= 0 else 0
                column[k].data = data + <Py_ssize_t>max(row, 0) * facts.rows.b
            wanted[i].fill(blocks, settings, &facts, column)
    finally:
        free(facts.memory)
    return found
