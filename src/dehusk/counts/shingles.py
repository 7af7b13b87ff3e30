"""Shingles, the word n-grams of a page: text that other pages of a site repeat word for word is likely template.

The name is from Broder, Glassman, Manasse & Zweig, *Syntactic clustering of the web*, 1997. Shingles cross the
boundaries of blocks, so that a menu of short entries has some as well.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys, span_keys
from dehusk.counts.terms import Terms
from dehusk.read.page import Bools

N = 4
"""Number of words in a shingle."""
PROSE_WORDS = 20
PROSE_DENSITY = 0.3
"""A block is running text if it has at least `PROSE_WORDS` words, less than `PROSE_DENSITY` of them in links."""


def shingle_keys(words: Terms) -> Keys:
    """Return the key of the `N` words that start at each word, shape (max(0, w - N + 1),)."""
    start = np.arange(max(0, len(words) - N + 1))
    return span_keys(words.key, start, start + N)


def covered(starts: Bools, words: int) -> Bools:
    """Return which of `words` words, shape (words,), are in a shingle selected by the mask `starts` over shingles."""
    change = np.zeros(words + N, dtype=np.int32)
    change[: len(starts)] = starts
    change[N : N + len(starts)] -= starts
    return np.cumsum(change[:words]) > 0


def prose(words: Terms, keys: Keys) -> Keys:
    """Return those of a page's shingles that lie within a block of running text; they identify copies."""
    blocks, size = words.blocks, np.bincount(words.block, minlength=len(words.blocks))
    running = (size >= PROSE_WORDS) & (blocks.link_words < PROSE_DENSITY * blocks.words)
    first, last = words.block[: len(keys)], words.block[N - 1 :]
    return keys.take(np.flatnonzero((first == last[: len(keys)]) & running.take(first)))


def share_by_block(mask: Bools, words: Terms) -> npt.NDArray[np.float64]:
    """Return the share of each block's words that a mask over words selects, shape (b,); 0 for blocks without words."""
    b = len(words.blocks)
    size = np.bincount(words.block, minlength=b)
    share: npt.NDArray[np.float64] = np.bincount(words.block, weights=mask, minlength=b) / np.maximum(size, 1)
    return share
