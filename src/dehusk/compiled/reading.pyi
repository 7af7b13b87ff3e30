"""The typed face of `reading.pyx`."""

from dehusk.read.nodes import NodeColumns

def read_nodes(text: str, *, max_nodes: int, max_depth: int) -> NodeColumns:
    """Parse a page and turn its nodes into columns, as `dehusk.read.nodes.read_nodes`."""
