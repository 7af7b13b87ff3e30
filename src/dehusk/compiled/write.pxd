# cython: language_level=3
"""What other modules use of `write`."""

include "write/emphasis.pxd"
include "write/escapes.pxd"
include "write/markdown_lines.pxd"
