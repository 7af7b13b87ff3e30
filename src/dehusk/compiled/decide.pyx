"""From probabilities to decisions: records, units, groups, and the kinds of blocks."""

cimport numpy as cnp

from dehusk.compiled.first_use cimport once

cnp.import_array()

cdef bint _is_ready = False


cdef int prepare() except -1:
    """Take the sets of tags, the limits and the functions of the layers above, which import this module."""
    prepare_records()
    prepare_structures()
    prepare_groups()
    prepare_decisions()
    prepare_kinds()
    return 0


include "decide/keys.pxi"
include "decide/completion.pxi"
include "decide/siblings.pxi"
include "decide/segments.pxi"
include "decide/starts.pxi"
include "decide/records.pxi"
include "decide/structures.pxi"
include "decide/groups.pxi"
include "decide/decisions.pxi"
include "decide/kinds.pxi"
include "decide/headings.pxi"
include "decide/alike.pxi"
