
cdef int fill_paths(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef int fill_page(object blocks, object settings, Facts *facts, const Column *column) except -1
