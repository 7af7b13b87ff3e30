"""The columns that say what a block is like."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.label.features.family import Columns, FeatureSettings
from dehusk.label.features.lexicon import NameParts
from dehusk.label.features.place import SubtreeCounts
from dehusk.read.page import Page

def topmost(blocks: Blocks) -> npt.NDArray[np.intp]:
    """Return for each node, shape (n,), the outermost element around it (or itself) with the same number of blocks."""

def count_subtrees(blocks: Blocks) -> SubtreeCounts:
    """Count the blocks and words in each subtree of the page."""

def running_words(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the unlinked words of each block of running text, 0 for other blocks, shape (b,).

    Running text has at least `MIN_RUNNING_WORDS` words, half of them or more outside links.
    """

def parts_of_names(page: Page) -> NameParts:
    """Return the parts of a page's class attributes, then of its id attributes."""

def bits_of_names(page: Page, settings: FeatureSettings) -> npt.NDArray[np.uint64]:
    """Return for each class attribute, then for each id, one bit per set: whether it contains a word of the set."""

def nearby_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of words, shape (b,), over the three innermost elements around a block."""

def lexicon_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of words, shape (b,), over all elements around a block."""

def page_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the page, shape (b,) each."""

def path_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the blocks with the same path, and with the same parent path, shape (b,) each."""

def candidate_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return each block's position relative to the candidates, shape (b,) each."""

def holder_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the elements around each block, shape (b,) each."""

def main_text_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return each block's position relative to the candidates for the main text, shape (b,) each."""

def split_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a column of counts for each set of tags, shape (b,)."""

def container_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of tags, shape (b,)."""

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

def document_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the blocks' positions and the size of the page, shape (b,) each."""

def group_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the relative size of each block's div and td groups, and the page's largest, shape (b,) each."""

def link_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return sizes, link densities and the distance from the last heading, shape (b,) each."""

def neighbour_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of each block's neighbours, windows and section, shape (b,) each."""

def table(blocks: Blocks) -> npt.NDArray[np.float32]:
    """Return the columns of a page's blocks, shape (len(NAMES), b)."""
