"""The typed face of `nesting.pyx`."""

from dehusk.read.nesting import Nesting

def estimate(raw: bytes) -> Nesting:
    """Return how deep a source nests, and how many formatting elements it leaves open."""
