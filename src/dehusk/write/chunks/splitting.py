"""Split text that is longer than a chunk: at the ends of sentences, else between words, else inside a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import CharClass
from dehusk.write.chunks.kept_text import KeptText
from dehusk.write.chunks.measuring import Measure

Slice = tuple[int, int]
Starts = npt.NDArray[np.intp]

_SENTENCE_END = re.compile(
    r"""(?:(?<![^\W\d_])[^\W\d_])?      # an initial such as the J. of J. Doe, which ends no sentence
        (?:(?P<end>(?<![.!?…])[.!?…‽؟۔։।॥။።៕](?>[.!?…]*)["'”’»)\]]*(?=\s+[^\s a-zà-ÿ]))
        |(?P<cjk>[。！？｡．…]+[”’」』）】》"]*))""",
    re.VERBOSE,
)
_INITIAL = re.compile(r"[^\W\d_]\.")


def sentence_starts(text: str, start: int, end: int) -> list[int]:
    """Return the offsets in a slice at which sentences start, by punctuation; without that of the slice.

    A full stop ends a sentence if white space and something other than a lower-case letter follow, and if it is not
    that of an initial. Chinese and Japanese punctuation needs no white space.
    """
    starts = []
    for match in _SENTENCE_END.finditer(text, start, end):
        if match["end"] and _INITIAL.fullmatch(match[0]):
            continue
        at = match.end()
        while at < end and text[at].isspace():
            at += 1
        if at < end:
            starts.append(at)
    return starts


class TextSplitter:
    """Splits slices of the kept text of a page.

    Args:
        kept: the text.
        measure: measures slices.
        limit: the size of a part, unless a single character is larger.
    """

    def __init__(self, kept: KeptText, measure: Measure, limit: int) -> None:
        self._kept, self._measure, self._limit = kept, measure, limit
        words = np.flatnonzero(kept.word_starts)
        after_white = np.append(True, kept.classes[:-1] >= CharClass.WHITE)
        self._tokens: Starts = words[after_white[words]]
        self._words: Starts = words

    def split(self, start: int, end: int) -> list[Slice]:
        """Return the parts of a slice: sentences, and the parts of sentences that are too long."""
        cuts = sentence_starts(self._kept.text, start, end)
        return [part for sentence in self._slices(start, end, cuts) for part in self._within(*sentence)]

    def tail(self, start: int, end: int, limit: int) -> int:
        """Return where the last sentences, or else words, of a slice start that fit a limit; `end` if none do."""
        text = self._kept.text
        for cuts in (sentence_starts(text, start, end), self._between(self._tokens, start, end)):
            low, high = 0, len(cuts)
            while low < high:
                middle = (low + high) // 2
                if self._measure.size(cuts[middle], end) <= limit:
                    high = middle
                else:
                    low = middle + 1
            if low < len(cuts):
                return cuts[low]
        return end

    def _within(self, start: int, end: int) -> list[Slice]:
        """Return the parts of a sentence: itself, or as many words as fit, or as many characters of one."""
        parts = [(start, end)]
        for starts in (self._tokens, self._words, None):
            parts = [each for part in parts for each in self._cut(part, starts)]
        return parts

    def _cut(self, part: Slice, starts: Starts | None) -> list[Slice]:
        if self._measure.size(*part) <= self._limit:
            return [part]
        return self._filled(*part, range(part[0] + 1, part[1]) if starts is None else self._between(starts, *part))

    def _between(self, starts: Starts, start: int, end: int) -> list[int]:
        low, high = np.searchsorted(starts, (start + 1, end)).tolist()
        cuts: list[int] = starts[low:high].tolist()
        return cuts

    def _filled(self, start: int, end: int, cuts: Sequence[int]) -> list[Slice]:
        """Return parts that end at cuts, each as long as the limit allows; one at least to the next cut."""
        parts: list[Slice] = []
        ends = [*cuts, end]
        at = 0
        while at < len(ends):
            last = _last_that(partial(self._fits, start, ends), at, len(ends))
            parts.append(self._trimmed(start, ends[last]))
            start, at = ends[last], last + 1
        return parts

    def _fits(self, start: int, ends: Sequence[int], index: int) -> bool:
        return self._measure.size(*self._trimmed(start, ends[index])) <= self._limit

    def _slices(self, start: int, end: int, cuts: Sequence[int]) -> list[Slice]:
        bounds = [start, *cuts, end]
        return [self._trimmed(*each) for each in pairwise(bounds)]

    def _trimmed(self, start: int, end: int) -> Slice:
        """Return a slice without white space at its end."""
        while end > start + 1 and self._kept.text[end - 1].isspace():
            end -= 1
        return start, end


def _last_that(fits: Callable[[int], bool], first: int, end: int) -> int:
    """Return the last index from `first` on that fits, at least `first`, if all that follow a misfit are misfits.

    The steps double until one does not fit, so that short parts of long texts are found without reading the texts.
    """
    step, low = 1, first
    while low + step < end and fits(low + step):
        low, step = low + step, 2 * step
    high = min(low + step, end)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
