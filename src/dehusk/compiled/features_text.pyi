"""The typed face of `features_text.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.family import Columns, FeatureSettings

def duplicate_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return how many duplicates each block has and which block is the first of them, shape (b,) each."""

def match_title(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return 2 for blocks that are part of the page's title, 1 for blocks that contain it, else 0, shape (b,)."""

def title_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return how each block matches the page's title, shape (b,) each."""

def sentence_end_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return `sentence-end`, shape (b,): a separate family because it costs almost nothing."""

def token_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the counts and shares of the token classes, shape (b,) each."""

def character_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the shares of the character classes and the number of characters, shape (b,) each."""

def sentence_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return the number and length of sentences, without those of a language, and whether the block starts one."""
