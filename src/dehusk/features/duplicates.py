"""`first-duplicate` and `duplicate-count`: texts that a page repeats (thesis, section 4.2)."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.characters import CharClass
from dehusk.features.settings import Columns, FeatureSettings

DOC = {
    "duplicate-count": "Blocks of the page with the same letters (case, white space and all else ignored).",
    "first-duplicate": "1 for the first block of a group of two or more duplicates.",
}

_BASE = 0x9E3779B97F4A7C15  # odd, so that a position's weight never loses low bits


def duplicates(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the size of each block's group of duplicates and which block is the group's first, shape (b,) each."""
    keys, letters = letter_keys(blocks)
    _, first, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    count = np.where(letters > 0, counts[inverse], 1)
    is_first = first[inverse] == np.arange(len(blocks))
    return {"duplicate-count": count.astype(np.int32), "first-duplicate": is_first & (count > 1)}


def letter_keys(blocks: Blocks) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Return a hash of each block's letters in lower case and how many there are, shape (b,) each."""
    text = blocks.text.lower()
    if len(text) != len(blocks.text):  # a letter like İ, whose lower case is two characters, keeps its own
        text = "".join(low if len(low := character.lower()) == 1 else character for character in blocks.text)
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    is_letter = blocks.char_class == CharClass.ALPHA
    count = blocks.sums(is_letter)
    letters, block = points[is_letter].astype(np.uint64), blocks.block_of[is_letter]
    keys = np.zeros(len(blocks), dtype=np.uint64)
    if not len(letters):
        return keys, count
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    place = np.arange(len(letters)) - np.repeat(starts, count[block[starts]])
    mixed = (letters + np.uint64(1)) * _powers(int(place.max()) + 1)[place]
    mixed ^= mixed >> np.uint64(29)
    keys[block[starts]] = np.add.reduceat(mixed, starts)
    return keys, count


def _powers(size: int) -> npt.NDArray[np.uint64]:
    """Return the base to the powers 1 … size modulo 2^64."""
    return np.multiply.accumulate(np.full(size, _BASE, dtype=np.uint64))
