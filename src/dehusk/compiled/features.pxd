# cython: language_level=3
"""What other modules use of `features`."""

include "features/facts.pxd"
include "features/names.pxd"
include "features/page.pxd"
include "features/place.pxd"
include "features/text.pxd"
include "features/words.pxd"
