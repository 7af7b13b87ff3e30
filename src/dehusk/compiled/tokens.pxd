# cython: language_level=3
"""The kept content of a page as a stream of tokens in C."""

from dehusk.compiled.stream cimport Stream

cdef Stream stream_of(object kept)
