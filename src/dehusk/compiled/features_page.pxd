# cython: language_level=3
from dehusk.compiled.facts cimport Column, Facts

cdef bint fill_paths(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef bint fill_page(object blocks, object settings, Facts *facts, const Column *column) except -1
