"""The typed face of `features_tags.pyx`."""

from dehusk.blocks import Blocks
from dehusk.features.family import Columns, FeatureSettings

def split_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a column of counts for each set of tags, shape (b,)."""

def container_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of tags, shape (b,)."""
