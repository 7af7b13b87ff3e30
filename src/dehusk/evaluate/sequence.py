"""Order of words in texts of any length: longest common subsequence and edit distance, exact and in bounded time.

rapidfuzz takes words times words / 64 steps, ten seconds for two texts of 300,000 words. Two things make that rare
without changing any figure:

* a word that only one side has is in no common subsequence, so such words are left out before;
* a common subsequence that leaves out k words of both sides together is found in a band of width k around the diagonal
  (Ukkonen, *Algorithms for approximate string matching*, 1985). The band is doubled until the result is inside it, so
  texts that are nearly the same, the usual case of long pages, take time in proportion to their difference.

What is left are long texts that differ throughout. For them the band would pass `LIMIT` cells; the page is then not
measured, which callers say in a column of its own.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rapidfuzz.distance import LCSseq, Levenshtein

from dehusk.measures.tokens import as_strings

LIMIT: Final = 4_000_000_000
"""Cells of a band, words times words, that a comparison may take: some three seconds in all, two texts of 60,000 words
without anything in common but single words, or of 300,000 that differ in some 10,000."""
_BAND: Final = 256


def longest_common(first: Sequence[str], second: Sequence[str]) -> int | None:
    """Return the words of a longest common subsequence; None where it would take too long.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    there, here = set(second), set(first)
    a, b = as_strings([word for word in first if word in there], [word for word in second if word in here])
    size = len(a) + len(b)
    left_out = max(_BAND + abs(len(a) - len(b)), size - 2 * (Counter(a) & Counter(b)).total())
    while left_out < size and left_out * size <= 2 * LIMIT:
        found = LCSseq.similarity(a, b, score_cutoff=(size - left_out + 1) // 2)
        if found:
            return int(found)
        left_out *= 2
    return int(LCSseq.similarity(a, b)) if len(a) * len(b) <= LIMIT else None


def edits(first: Sequence[str], second: Sequence[str]) -> int | None:
    """Return how many words must be put in, left out or changed; None where it would take too long.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    a, b = as_strings(first, second)
    longest, band = max(len(a), len(b)), _BAND + abs(len(a) - len(b))
    while band < longest and band * longest <= LIMIT:
        found = Levenshtein.distance(a, b, score_cutoff=band)
        if found <= band:
            return int(found)
        band *= 2
    return int(Levenshtein.distance(a, b)) if len(a) * len(b) <= LIMIT else None
