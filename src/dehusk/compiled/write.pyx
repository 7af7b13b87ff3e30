"""Outputs: plain text, Markdown, and the nodes of cleaned HTML."""

cimport numpy as cnp

cnp.import_array()

include "write/lines.pxi"
include "write/markdown_frames.pxi"
include "write/plain_text.pxi"
include "write/pruning.pxi"
include "write/touching.pxi"
include "write/emphasis.pxi"
include "write/escapes.pxi"
include "write/typed_lists.pxi"
include "write/markdown_lines.pxi"
include "write/markdown_images.pxi"
include "write/markdown_pairs.pxi"
include "write/markdown_posts.pxi"
include "write/markdown.pxi"
