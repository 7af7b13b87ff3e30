"""The typed face of `skeleton.pyx`."""

from dehusk.blocks import Blocks
from dehusk.units.skeleton import Skeleton

def skeleton_of(blocks: Blocks) -> Skeleton:
    """Return the elements in which blocks start."""
