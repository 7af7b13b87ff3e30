"""The blocks of a page: how they are made, what is between them, and what nobody sees."""

cimport numpy as cnp

cnp.import_array()

include "blocks/layout.pxi"
include "blocks/block_counts.pxi"
include "blocks/folding.pxi"
include "blocks/skeleton.pxi"
include "blocks/visibility.pxi"
include "blocks/suspects.pxi"
