"""The columns that say what a block is like."""

cimport numpy as cnp

cnp.import_array()

include "features/facts.pxi"
include "features/subtrees.pxi"
include "features/names.pxi"
include "features/page.pxi"
include "features/place.pxi"
include "features/tags.pxi"
include "features/text.pxi"
include "features/words.pxi"
include "features/table.pxi"
