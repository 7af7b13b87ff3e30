"""Classes and lower case of characters, for kernels that read texts; `dehusk.base.characters` defines both."""

from libc.stdint cimport uint8_t, uint32_t


cdef extern from *:
    """
    #define DEHUSK_LAST_POINT 0x10FFFF
    """
    enum: LAST_POINT "DEHUSK_LAST_POINT"

cdef enum: OTHER, ALPHA, DIGIT, PUNCT, WHITE, INVISIBLE

cdef const uint8_t *classes_for(const uint32_t *points, Py_ssize_t n) except NULL
cdef const uint8_t *classes_for_text(str text) except NULL
cdef const uint32_t *lower_for(const uint32_t *points, Py_ssize_t n) except NULL
cdef str text_of_points(const uint32_t *points, Py_ssize_t n)
