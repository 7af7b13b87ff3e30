"""The typed face of `features_names.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.family import Columns, FeatureSettings
from dehusk.features.lexicon import NameParts
from dehusk.page import Page

def parts_of_names(page: Page) -> NameParts:
    """Return the parts of a page's class attributes, then of its id attributes."""

def bits_of_names(page: Page, settings: FeatureSettings) -> npt.NDArray[np.uint64]:
    """Return for each class attribute, then for each id, one bit per set: whether it contains a word of the set."""

def nearby_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of words, shape (b,), over the three innermost elements around a block."""

def lexicon_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of words, shape (b,), over all elements around a block."""
