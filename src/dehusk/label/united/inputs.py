"""What the net sees of a page: columns, tags, words of names and texts, and groups of blocks.

Words enter as numbers of rows of an embedding table: the key of a word modulo the size of the table, so that no list of
words is stored. Words that share a row are told apart by the words around them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import mix
from dehusk.base.store import feature_hash
from dehusk.base.tags import KNOWN, TAG_NUMBER
from dehusk.blocks import Blocks
from dehusk.compiled.features import table
from dehusk.compiled.net import groups_of as _groups
from dehusk.compiled.net import innermost_levels as _levels
from dehusk.compiled.net import innermost_tags as _tags
from dehusk.compiled.net import name_bags as _names
from dehusk.compiled.net import text_bags as _texts
from dehusk.label.united.columns import columns_signature

Floats = npt.NDArray[np.float32]

VERSION = 1
"""Increase this whenever the values of tags, names, texts or groups change, and retrain the model."""

NAME_ROWS, TEXT_ROWS = 1 << 12, 1 << 13
"""Rows of the embedding tables for words of names (class and id attributes) and for words of texts."""
TAG_ROWS = KNOWN + 1
"""Rows of the embedding table for tags; the last is for tags that are not in `dehusk.base.tags`."""
NO_TAG = 0
"""Row for a tag that is left out, and for what is above the root."""
TAGS = 3
"""How many of the innermost elements around a block give their tags."""
CONTAINERS = 3
"""How many of the enclosing containers form groups."""
GROUP_COUNT = 1 + CONTAINERS + 1
"""Number of partitions of the blocks into groups: by path, by each enclosing container, and the page."""
_NEAR, _LEVELS = 3, 10  # levels of elements whose names count as near, and at all
_FIRST_WORDS, _LAST_WORDS = 8, 2
_MOST_PARTS = 2_000_000  # words of all chains of names; pages of the open sets have at most a few hundred thousand
_LONG = 80  # characters of a block whose last words count
_BUCKET, _BUCKETS = 10, 12  # characters per bucket of lengths, and the last bucket
_CHAIN_WEIGHTS = mix(np.arange(1, 2 * _LEVELS + 1, dtype=np.uint64)) | np.uint64(1)
_SALT = {name: np.uint64(number) for number, name in enumerate(("far", "start", "end", "pair", "length"), start=1)}


@dataclass(frozen=True, eq=False)
class Bags:
    """Bags of words as one flat column: bag i is `row[start[i]:start[i + 1]]`."""

    row: npt.NDArray[np.int32]
    """(w,) rows of an embedding table."""
    start: npt.NDArray[np.intp]
    """(bags + 1,)"""


@dataclass(frozen=True, eq=False)
class NetInputs:
    """The inputs of a page of b blocks."""

    columns: Floats
    """(k, b) features, unscaled."""
    tags: npt.NDArray[np.int32]
    """(b, TAGS) rows of the tags of the innermost elements."""
    names: Bags
    """Words of the names of the elements around a block, a bag for each distinct chain of names."""
    chain: npt.NDArray[np.intp]
    """(b,) the bag of each block in `names`."""
    texts: Bags
    """First and last words of each block, its length, and pairs of words: one bag per block."""
    groups: tuple[npt.NDArray[np.intp], ...]
    """Each (b,): numbers of groups of blocks, from 0: of the same path, of the enclosing containers, of the page."""

    def __len__(self) -> int:
        return len(self.chain)


def inputs_hash() -> str:
    """Return the hash of everything that the inputs depend on.

    A model whose card has a different hash is refused: its net was trained on different inputs.
    """
    shape = f"inputs {VERSION}: {NAME_ROWS} {TEXT_ROWS} {TAGS} {CONTAINERS}"
    return feature_hash([*columns_signature(), *TAG_NUMBER, shape])


def net_inputs(blocks: Blocks) -> NetInputs:
    """Return the inputs of a page with at least one block."""
    levels = _levels(blocks)
    names, chain = _names(blocks.page, levels)
    return NetInputs(table(blocks), _tags(blocks), names, chain, _texts(blocks), _groups(blocks))
