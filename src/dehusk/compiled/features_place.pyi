"""The typed face of `features_place.pyx`."""

from dehusk.blocks import Blocks
from dehusk.features.family import Columns, FeatureSettings

def candidate_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return each block's position relative to the candidates, shape (b,) each."""

def holder_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the elements around each block, shape (b,) each."""

def main_text_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return each block's position relative to the candidates for the main text, shape (b,) each."""
