# cython: language_level=3
"""What other modules use of `text`."""

include "text/characters.pxd"
