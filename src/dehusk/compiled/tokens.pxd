# cython: language_level=3
"""What other modules use of `tokens`."""

include "tokens/stream.pxd"
include "tokens/containers.pxd"
include "tokens/runs.pxd"
include "tokens/leaf_reader.pxd"
include "tokens/reader.pxd"
