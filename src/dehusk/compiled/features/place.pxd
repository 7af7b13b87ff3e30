
cdef int fill_candidates(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef int fill_holders(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef int fill_main_text(object blocks, object settings, Facts *facts, const Column *column) except -1
