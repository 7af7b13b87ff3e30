"""The typed face of `features_words.pyx`."""

from dehusk.blocks import Blocks
from dehusk.features.family import Columns, FeatureSettings

def document_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the blocks' positions and the size of the page, shape (b,) each."""

def group_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the relative size of each block's div and td groups, and the page's largest, shape (b,) each."""

def link_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return sizes, link densities and the distance from the last heading, shape (b,) each."""

def neighbour_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of each block's neighbours, windows and section, shape (b,) each."""
