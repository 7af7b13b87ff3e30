"""The kept content of a page as tokens."""

cimport numpy as cnp

cnp.import_array()

include "tokens/marks.pxi"
include "tokens/element_names.pxi"
include "tokens/stream.pxi"
include "tokens/containers.pxi"
include "tokens/lifting.pxi"
include "tokens/runs.pxi"
include "tokens/leaf_reader.pxi"
include "tokens/reader.pxi"
