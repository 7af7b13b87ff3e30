# cython: language_level=3
"""Writes the runs of a line as inline Markdown, for `markdown`."""


cdef class LineWriter:
    """Looks up addresses and writes lines; keeps count of what the addresses cost."""

    cdef object references
    cdef dict addresses
    cdef dict images
    cdef Py_ssize_t spent

    cdef tuple link(self, object node)
    cdef tuple image(self, object node)
    cdef str line(self, object runs, int add, int drop)
    cdef list shown(self, object runs, int add, int drop)
    cdef list pieces(self, list parts)
    cdef object group(self, list parts, Py_ssize_t start, Py_ssize_t end, int around)
    cdef object piece(self, object part)


cdef str guarded(str line)
cdef str cell_line(str text)
cdef str heading_line(str text)
