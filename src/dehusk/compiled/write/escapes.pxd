"""Backslashes before what would be markup, for `markdown_lines`."""

from dehusk.compiled.buffers cimport Buffer

cdef enum:
    ASTERISK = 1
    UNDERSCORE = 2

cdef int escape(Buffer *text, Py_ssize_t start, Py_ssize_t end, int before, int after, int alone) except -1
cdef int guard(const Buffer *text, Py_ssize_t start, Py_ssize_t end, Buffer *out) except -1
cdef int escape_dollars(Buffer *text, Py_ssize_t start) except -1
cdef int balance(Buffer *text, Py_ssize_t start) except -1
cdef int end_label(Buffer *text, Py_ssize_t start) except -1
cdef int end_cell(Buffer *text, Py_ssize_t start) except -1
cdef int end_heading(Buffer *text, Py_ssize_t start) except -1
