"""`duplicate-count` and `first-duplicate`: texts that a page repeats (thesis, section 4.2)."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.characters import CharClass, lower
from dehusk.features.family import Columns, Family, FeatureSettings

_BASE = 0x9E3779B97F4A7C15  # odd, so it has an inverse modulo 2^64
_SCATTER = 0xBF58476D1CE4E5B9


@kernel("features_text.duplicate_features")
def duplicate_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return how many duplicates each block has and which block is the first of them, shape (b,) each."""
    keys, letters = hash_letters(blocks)
    _, first, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    count = np.where(letters > 0, counts[inverse], 1)
    is_first = first[inverse] == np.arange(len(blocks))
    return {"duplicate-count": count.astype(np.int32), "first-duplicate": is_first & (count > 1)}


def hash_letters(blocks: Blocks) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Return a hash of each block's letters in lower case, and the number of letters, shape (b,) each.

    The hash is a polynomial modulo 2^64: the sum of f(letter) B^index. One running sum over the page contains the
    hashes of all blocks; dividing by B to the power of a block's first index makes them comparable.
    """
    is_letter = blocks.char_class == CharClass.ALPHA
    before = np.zeros(len(is_letter) + 1, dtype=np.intp)
    is_letter.cumsum(out=before[1:])
    first, last = before.take(blocks.start), before.take(blocks.end)
    letters = lower(blocks.code_points.compress(is_letter)).astype(np.uint64)
    letters = (letters ^ (letters << np.uint64(17))) * np.uint64(_SCATTER)
    powers, inverses = _powers(1 << len(letters).bit_length())
    sums = np.zeros(len(letters) + 1, dtype=np.uint64)
    ((letters ^ (letters >> np.uint64(29))) * powers[: len(letters)]).cumsum(out=sums[1:])
    return (sums.take(last) - sums.take(first)) * inverses.take(first), (last - first).astype(np.int32)


@lru_cache(maxsize=8)
def _powers(size: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return B and its inverse to the powers 0, 1, … modulo 2^64, shape (size,) each."""
    bases = _BASE, pow(_BASE, -1, 1 << 64)
    first, second = (np.multiply.accumulate(np.full(size, base, dtype=np.uint64)) for base in bases)
    unit = np.ones(1, dtype=np.uint64)
    return np.append(unit, first)[:size], np.append(unit, second)[:size]


FAMILIES = (
    Family(
        duplicate_features,
        {
            "duplicate-count": "Number of blocks on the page with the same letters; case and all other characters are "
            "ignored.",
            "first-duplicate": "1 for the first of two or more duplicates, else 0.",
        },
    ),
)
