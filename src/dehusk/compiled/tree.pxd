# cython: language_level=3
"""What other modules use of `tree`."""

include "tree/attributes.pxd"
