"""The inputs of the net and the net."""

cimport numpy as cnp

cnp.import_array()

include "net/words.pxi"
include "net/page_words.pxi"
include "net/input_words.pxi"
include "net/inputs.pxi"
include "net/loops.pxi"
