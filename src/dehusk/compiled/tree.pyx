"""Markup: guards before the parser, and the columns of a page from the parser's tree."""

cimport numpy as cnp

cnp.import_array()

include "tree/scan_state.pxi"
include "tree/omitted.pxi"
include "tree/tree_scan.pxi"
include "tree/xml_tags.pxi"
include "tree/guards.pxi"
include "tree/nesting.pxi"
include "tree/reading.pxi"
include "tree/attributes.pxi"
include "tree/fragments.pxi"
include "tree/order.pxi"
