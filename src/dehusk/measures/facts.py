r"""Facts kept: whether the texts that belong to a page's content, such as the steps of a recipe, are in a prediction.

Some sets state facts instead of a gold text: strings that are on the page and belong to its content, while the rest of
the page may belong to it too. Precision cannot be measured there, so the number of words kept stands beside the facts:
whoever keeps everything keeps all facts.

A fact is kept if its words occur in the prediction one after the other. Case and punctuation do not count. Words are
matches of ``\w+`` in lower-cased text, but every Han or kana character is a word by itself, since Chinese and Japanese
do not put spaces between words. Pages often put the number of a step right before its text ("1Preheat the oven"), so
the first and the last word of a fact of three or more words may be the end and the start of a longer word. Facts
without a word do not count.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dehusk.measures.metrics import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHORT: Final = 2
"""Most words of a short fact, such as "2 eggs" or a price: all of its words must match exactly."""

_WORD: Final = re.compile("[^\\W\\0-\u303f\ua000-\U0010ffff]|[^\\W\u3040-\u9fff]+")


def fact_words(text: str) -> list[str]:
    """Return the lower-cased words of a text, in order; each Han or kana character is a word."""
    return _WORD.findall(text.lower())


class WordIndex:
    """The words of a text, for finding facts in it in about the time of their occurrences."""

    def __init__(self, words: Sequence[str]) -> None:
        """Index words by their positions."""
        self._words = list(words)
        self._positions: defaultdict[str, list[int]] = defaultdict(list)
        for position, word in enumerate(self._words):
            self._positions[word].append(position)

    def find(self, fact: Sequence[str]) -> list[int]:
        """Return the positions of the first words of a fact's occurrences, ascending; none for a fact without words."""
        is_short = len(fact) <= SHORT
        skipped = 0 if is_short else 1
        inner = list(fact) if is_short else list(fact[1:-1])
        if not inner:
            return []
        rarest = min(range(len(inner)), key=lambda at: len(self._positions.get(inner[at], ())))
        starts = [position - rarest for position in self._positions.get(inner[rarest], ())]
        same = [start - skipped for start in starts if start >= 0 and self._words[start : start + len(inner)] == inner]
        return same if is_short else [start for start in same if self._has_ends(start, fact)]

    def _has_ends(self, start: int, fact: Sequence[str]) -> bool:
        """Return whether the first and the last word of a fact are the end and the start of the words at its place."""
        last = start + len(fact) - 1
        if start < 0 or last >= len(self._words):
            return False
        return self._words[start].endswith(fact[0]) and self._words[last].startswith(fact[-1])


@dataclass(frozen=True, slots=True)
class FactCounts(Counts):
    """Counts of facts in predictions; see `facts_kept`.

    Attributes:
        kept: facts in the prediction.
        facts: all facts with a word.
        whole: pages with all of their facts in the prediction.
        pages: pages with facts.
        words: words of the predictions for those pages.
    """

    kept: int = 0
    facts: int = 0
    whole: int = 0
    pages: int = 0
    words: int = 0

    @property
    def recall(self) -> float:
        """Share of the facts that were kept; 1 if there are no facts."""
        return self.kept / self.facts if self.facts else 1.0

    @property
    def whole_share(self) -> float:
        """Share of the pages with all of their facts; 1 if there are no pages."""
        return self.whole / self.pages if self.pages else 1.0

    @property
    def words_per_page(self) -> float:
        """Mean number of words kept; 0 if there are no pages."""
        return self.words / self.pages if self.pages else 0.0


def facts_kept(predicted: str, facts: Iterable[str]) -> FactCounts:
    """Count the facts of a page that a prediction contains; a page without facts counts nothing.

    Args:
        predicted: plain text that was kept of the page.
        facts: texts that belong to the content of the page.
    """
    stated = [words for words in map(fact_words, facts) if words]
    if not stated:
        return FactCounts()
    words = fact_words(predicted)
    index = WordIndex(words)
    kept = sum(bool(index.find(fact)) for fact in stated)
    return FactCounts(kept, len(stated), int(kept == len(stated)), 1, len(words))
