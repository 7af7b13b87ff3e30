# cython: language_level=3
"""What other modules use of `net`."""

include "net/inputs.pxd"
