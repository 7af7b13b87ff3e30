"""How much text two texts share when the order of words counts: longest common subsequence, shingles.

ROUGE-L (Lin, *ROUGE: A Package for Automatic Evaluation of Summaries*, 2004): with LCS the length in words
of a longest common subsequence, m words of gold and n words predicted,

    R_lcs = LCS / m,  P_lcs = LCS / n,  F_lcs = (1 + β²) R P / (R + β² P),  here β = 1.

Departures: words are those of the word bag (lower-cased, no stemming), so both figures are of the same words and work
in any script; the text is one sequence (sentence-level ROUGE-L), since main text has no fixed sentences.

Shingles (*Article Extraction Benchmark*, Scrapinghub, 2019, ``evaluate.py``): runs of 4 words, counted as often as both
sides have them. Words keep their case there, so they do here. A text of fewer than 4 words is one shingle of all its
words. The benchmark divides a page's counts by their sum, which leaves precision and recall of a page as they are; its
F1 of a collection is not a mean of F1, see `mean_of_pages`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from rapidfuzz.distance import LCSseq

from dehusk.errors import ConfigError
from dehusk.measures.metrics import Overlap
from dehusk.measures.tokens import WORD, as_strings, grams, words

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class RougeL(Overlap):
    """Words of a longest common subsequence; see `rouge_l`."""


@dataclass(frozen=True, slots=True)
class Shingles(Overlap):
    """Runs of words in common; see `shingles`."""


def rouge_l(predicted: str, gold: str) -> RougeL:
    """Count the words of a longest common subsequence of two texts.

    Two empty texts score 1, one empty text 0. Time is words times words / 64 (rapidfuzz's bit-parallel LCS); exact LCS
    has no algorithm that is not quadratic.

    Args:
        predicted: plain text that was kept of a page.
        gold: plain text that should have been kept.

    Returns:
        Counts in words; `RougeL.f1` is ROUGE-L.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    found, wanted = words(predicted), words(gold)
    return RougeL(LCSseq.similarity(*as_strings(found, wanted)), len(found), len(wanted))


def shingles(predicted: str, gold: str, *, n: int = 4) -> Shingles:
    """Count the runs of n words that two texts have in common, wherever they stand.

    Two texts without words score 1, one without words 0.

    Args:
        predicted: plain text that was kept of a page.
        gold: plain text that should have been kept.
        n: words of a run.

    Returns:
        Counts in runs.

    Raises:
        ConfigError: n is less than 1.
    """
    if n < 1:
        raise ConfigError(f"a shingle has at least one word, not {n}")
    found, wanted = (Counter(grams(WORD.findall(text), n)) for text in (predicted, gold))
    return Shingles((found & wanted).total(), found.total(), wanted.total())


@dataclass(frozen=True, slots=True)
class MeanOverlap:
    """Means over pages.

    Attributes:
        precision: mean over the pages with a prediction.
        recall: mean over the pages with gold.
    """

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of the two means; 0 if both are 0."""
        size = self.precision + self.recall
        return 2 * self.precision * self.recall / size if size else 0.0


def mean_of_pages(pages: Iterable[Overlap]) -> MeanOverlap:
    """Return the figures of a collection as Scrapinghub's benchmark prints them (``metrics_from_tp_fp_fns``).

    A page without a prediction has no say in the precision, one without gold none in the recall. The script fails where
    no page is left for a mean; here the mean is then 1 if there is nothing on the other side either, else 0.

    Args:
        pages: counts of each page, of `shingles` for the benchmark's own figure.

    Raises:
        ValueError: if there is no page.
    """
    counts = list(pages)
    if not counts:
        raise ValueError("no pages to take a mean of")
    predicted, gold = [c for c in counts if c.predicted], [c for c in counts if c.gold]
    return MeanOverlap(
        fmean(c.precision for c in predicted) if predicted else float(not gold),
        fmean(c.recall for c in gold) if gold else float(not predicted),
    )
