"""What a site's other pages say: words, slots and evidence."""

cimport numpy as cnp

cnp.import_array()

include "site/words.pxi"
include "site/evidence.pxi"
