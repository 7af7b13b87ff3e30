# cython: language_level=3
"""What Python tells of strings and bytes in C."""

from libc.stdint cimport uint8_t, uint32_t

cdef extern from "Python.h":
    unsigned int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    const uint8_t *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(unsigned int kind, const void *data, Py_ssize_t index) nogil
    bint PyUnicode_IS_ASCII(object text)
    object PyUnicode_New(Py_ssize_t size, uint32_t largest)
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)
    object PyUnicode_FromKindAndData(int kind, const void *units, Py_ssize_t size)
    Py_ssize_t PyUnicode_FindChar(object text, uint32_t point, Py_ssize_t start, Py_ssize_t end, int direction)
    const char *PyBytes_AS_STRING(object data)
    Py_ssize_t PyBytes_GET_SIZE(object data)
    bint Py_UNICODE_ISSPACE(uint32_t point) nogil
    bint Py_UNICODE_ISALNUM(uint32_t point) nogil
    bint Py_UNICODE_ISDECIMAL(uint32_t point) nogil
    bint Py_UNICODE_ISLOWER(uint32_t point) nogil
    uint32_t Py_UNICODE_TOLOWER(uint32_t point) nogil
