
cdef int fill_groups(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef int fill_document(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef int fill_links(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef int fill_neighbours(object blocks, object settings, Facts *facts, const Column *column) except -1
