"""Longest common subsequence and edit distance of word sequences of any length: exact, and in bounded time.

rapidfuzz takes words times words / 64 steps, ten seconds for two texts of 300,000 words. Two exact shortcuts make that
rare:

* A word that only one side has cannot be in a common subsequence, so such words are dropped first.
* A common subsequence that leaves out k words, counting both sides, lies in a band of width k around the diagonal
  (Ukkonen, *Algorithms for approximate string matching*, 1985). The band is doubled until it contains the result, so
  the time for nearly equal texts, as most long texts are, is proportional to their difference.

Long texts that differ throughout remain. Their band would exceed `LIMIT` cells; they are not compared, and callers
report how many pages that affects.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rapidfuzz.distance import LCSseq, Levenshtein

from dehusk.measures.tokens import as_strings

LIMIT: Final = 4_000_000_000
"""Maximum size of a band in cells (words times words), about three seconds of work: enough for two texts of 60,000
words that share only single words, or of 300,000 words that differ in some 10,000."""
_BAND: Final = 256


def longest_common(first: Sequence[str], second: Sequence[str]) -> int | None:
    """Return the number of words in a longest common subsequence; None if it would take too long.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    in_first, in_second = set(first), set(second)
    a, b = as_strings([word for word in first if word in in_second], [word for word in second if word in in_first])
    size = len(a) + len(b)
    left_out = max(_BAND + abs(len(a) - len(b)), size - 2 * (Counter(a) & Counter(b)).total())
    while left_out < size and left_out * size <= 2 * LIMIT:
        length = LCSseq.similarity(a, b, score_cutoff=(size - left_out + 1) // 2)
        if length:
            return int(length)
        left_out *= 2
    return int(LCSseq.similarity(a, b)) if len(a) * len(b) <= LIMIT else None


def edit_distance(first: Sequence[str], second: Sequence[str]) -> int | None:
    """Return the number of words to insert, delete or replace; None if it would take too long.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    a, b = as_strings(first, second)
    longest, band = max(len(a), len(b)), _BAND + abs(len(a) - len(b))
    while band < longest and band * longest <= LIMIT:
        distance = Levenshtein.distance(a, b, score_cutoff=band)
        if distance <= band:
            return int(distance)
        band *= 2
    return int(Levenshtein.distance(a, b)) if len(a) * len(b) <= LIMIT else None
