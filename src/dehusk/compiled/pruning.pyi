"""The typed face of `pruning.pyx`."""

from dehusk.labels import Labels
from dehusk.layout import Nodes

def kept_nodes(labels: Labels) -> tuple[Nodes, dict[int, str]]:
    """Return the nodes of the cleaned page, shape (m,), and the `seams` of a `dehusk.write.pruning.Pruned`."""
