# cython: language_level=3
from dehusk.compiled.facts cimport Column, Facts

cdef bint fill_groups(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef bint fill_document(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef bint fill_links(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef bint fill_neighbours(object blocks, object settings, Facts *facts, const Column *column) except -1
