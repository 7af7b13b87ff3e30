# cython: language_level=3
from dehusk.compiled.facts cimport Column, Facts

cdef bint fill_lexicon(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef bint fill_nearby(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef bint fill_containers(object blocks, object settings, Facts *facts, const Column *column) except -1
