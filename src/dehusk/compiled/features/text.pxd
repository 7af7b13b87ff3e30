
cdef int fill_title(object blocks, object settings, Facts *facts, const Column *column) except -1
cdef int fill_sentence_end(object blocks, object settings, Facts *facts, const Column *column) except -1
