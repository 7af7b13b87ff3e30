"""`first-duplicate` and `duplicate-count`: texts that a page repeats (thesis, section 4.2)."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.characters import CharClass, lower
from dehusk.features.settings import Columns, FeatureSettings

DOC = {
    "duplicate-count": "Blocks of the page with the same letters (case, white space and all else ignored).",
    "first-duplicate": "1 for the first block of a group of two or more duplicates.",
}

_BASE = 0x9E3779B97F4A7C15  # odd, and so it has an inverse
_SCATTER = 0xBF58476D1CE4E5B9


def duplicates(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the size of each block's group of duplicates and which block is the group's first, shape (b,) each."""
    keys, letters = letter_keys(blocks)
    _, first, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    count = np.where(letters > 0, counts[inverse], 1)
    is_first = first[inverse] == np.arange(len(blocks))
    return {"duplicate-count": count.astype(np.int32), "first-duplicate": is_first & (count > 1)}


def letter_keys(blocks: Blocks) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Return a hash of each block's letters in lower case and how many there are, shape (b,) each.

    The hash is a polynomial modulo 2^64, sum of f(letter) B^place: one running sum over the page gives those of all
    blocks, divided by B to the place of their first letter.
    """
    is_letter = blocks.char_class == CharClass.ALPHA
    before = np.zeros(len(is_letter) + 1, dtype=np.intp)
    np.cumsum(is_letter, out=before[1:])
    first, last = before.take(blocks.start), before.take(blocks.end)
    letters = lower(np.compress(is_letter, blocks.points)).astype(np.uint64)
    letters = (letters ^ (letters << np.uint64(17))) * np.uint64(_SCATTER)
    powers, inverses = _powers(1 << len(letters).bit_length())
    sums = np.zeros(len(letters) + 1, dtype=np.uint64)
    np.cumsum((letters ^ (letters >> np.uint64(29))) * powers[: len(letters)], out=sums[1:])
    return (sums.take(last) - sums.take(first)) * inverses.take(first), (last - first).astype(np.int32)


@lru_cache(maxsize=8)
def _powers(size: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return B and its inverse to the powers 0, 1, … modulo 2^64, shape (size,) each."""
    bases = _BASE, pow(_BASE, -1, 1 << 64)
    first, second = (np.multiply.accumulate(np.full(size, base, dtype=np.uint64)) for base in bases)
    one = np.ones(1, dtype=np.uint64)
    return np.append(one, first)[:size], np.append(one, second)[:size]
