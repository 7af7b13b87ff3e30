"""Characters and words: their classes, searches through texts, addresses and data."""

cimport numpy as cnp

cnp.import_array()

include "text/json_escapes.pxi"
include "text/characters.pxi"
include "text/decoding.pxi"
include "text/searching.pxi"
include "text/wording.pxi"
include "text/literals.pxi"
include "text/shown_data.pxi"
include "text/shells.pxi"
include "text/addresses.pxi"
