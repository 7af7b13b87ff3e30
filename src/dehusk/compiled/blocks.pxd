# cython: language_level=3
"""What other modules use of `blocks`."""

include "blocks/layout.pxd"
include "blocks/block_counts.pxd"
