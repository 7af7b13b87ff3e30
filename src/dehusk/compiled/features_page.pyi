"""The typed face of `features_page.pyx`."""

from dehusk.blocks import Blocks
from dehusk.features.family import Columns, FeatureSettings

def page_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the page, shape (b,) each."""

def path_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the blocks with the same path, and with the same parent path, shape (b,) each."""
