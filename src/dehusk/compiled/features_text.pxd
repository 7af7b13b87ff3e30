# cython: language_level=3
from dehusk.compiled.facts cimport Column, Facts

cdef bint fill_title(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef bint fill_sentence_end(object blocks, object settings, Facts *facts, const Column *column) except -1
