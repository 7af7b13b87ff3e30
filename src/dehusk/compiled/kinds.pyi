"""The typed face of `kinds.pyx`."""

from dehusk.blocks import Blocks
from dehusk.features.family import FeatureSettings
from dehusk.methods.kinds import Kinds
from dehusk.page import Bools

def block_kinds(blocks: Blocks, kept: Bools, settings: FeatureSettings) -> Kinds:
    """Return the kind of each block, shape (b,), as an index into `dehusk.labels.KINDS`; dropped blocks are OTHER.

    Args:
        blocks: the blocks of a page.
        kept: (b,) whether the block is content.
        settings: settings of the features, whose words for comments, `lexicon.comment`, identify the elements that
            contain comments. With the settings of the method's own features, nothing is computed twice.
    """
