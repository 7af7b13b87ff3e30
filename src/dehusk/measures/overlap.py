"""Overlap of two texts, depending on the order of words: longest common subsequence and shingles.

ROUGE-L (Lin, *ROUGE: A Package for Automatic Evaluation of Summaries*, 2004), with LCS the length in words of a longest
common subsequence, m the number of gold words and n the number of predicted words:

    R_lcs = LCS / m,  P_lcs = LCS / n,  F_lcs = (1 + β²) R P / (R + β² P),  here β = 1.

Differences from ROUGE: words are those of the word bag (lower-cased, no stemming), so that the two figures can be
compared and work in any script; the text is one sequence (sentence-level ROUGE-L), since main text has no fixed
sentences.

Shingles (*Article Extraction Benchmark*, Scrapinghub, 2019, ``evaluate.py``) are runs of 4 words, each counted as often
as both sides contain it. Words keep their case, as in that benchmark. A text of fewer than 4 words is one shingle. The
benchmark divides a page's counts by their sum, which does not change the page's precision and recall; its F1 of a
collection is not a mean of F1, see `mean_of_pages`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from dehusk.base.errors import ConfigError
from dehusk.measures.metrics import Overlap
from dehusk.measures.tokens import WORD, as_strings, distances, grams, words

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class RougeL(Overlap):
    """Counts of words in a longest common subsequence; see `rouge_l`."""


@dataclass(frozen=True, slots=True)
class Shingles(Overlap):
    """Counts of runs of words in common; see `shingles`."""


def rouge_l(predicted: str, gold: str) -> RougeL:
    """Count the words of a longest common subsequence of two texts.

    Two empty texts score 1; if only one is empty, they score 0. Takes words times words / 64 steps (rapidfuzz's
    bit-parallel LCS); no exact algorithm is faster than quadratic.

    Args:
        predicted: plain text that was kept of a page.
        gold: plain text that should have been kept.

    Returns:
        Counts in words; `RougeL.f1` is ROUGE-L.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    predicted_words, gold_words = words(predicted), words(gold)
    return RougeL(
        distances().LCSseq.similarity(*as_strings(predicted_words, gold_words)), len(predicted_words), len(gold_words)
    )


def shingles(predicted: str, gold: str, *, n: int = 4) -> Shingles:
    """Count the runs of n words that two texts have in common, in any position.

    Two texts without words score 1; if only one of them has no words, they score 0.

    Args:
        predicted: plain text that was kept of a page.
        gold: plain text that should have been kept.
        n: number of words in a run.

    Returns:
        Counts in runs.

    Raises:
        ConfigError: n is less than 1.
    """
    if n < 1:
        raise ConfigError(f"n must be a positive number of words, not {n}")
    predicted_runs, gold_runs = (Counter(grams(WORD.findall(text), n)) for text in (predicted, gold))
    return Shingles((predicted_runs & gold_runs).total(), predicted_runs.total(), gold_runs.total())


@dataclass(frozen=True, slots=True)
class MeanOverlap:
    """Precision, recall and F1 of a collection, from means over pages.

    Attributes:
        precision: mean over the pages with a prediction.
        recall: mean over the pages with gold text.
    """

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of the two means; 0 if both are 0."""
        size = self.precision + self.recall
        return 2 * self.precision * self.recall / size if size else 0.0


def mean_of_pages(pages: Iterable[Overlap]) -> MeanOverlap:
    """Return the figures of a collection as Scrapinghub's benchmark computes them (``metrics_from_tp_fp_fns``).

    Precision is averaged over pages with a prediction, recall over pages with gold text. If no page remains for a mean,
    the script fails; here the mean is 1 if the other side is empty too, else 0.

    Args:
        pages: the counts of each page; those of `shingles` give the benchmark's figure.

    Raises:
        ValueError: there are no pages.
    """
    counts = list(pages)
    if not counts:
        raise ValueError("there are no pages to average over")
    predicted, gold = [c for c in counts if c.predicted], [c for c in counts if c.gold]
    return MeanOverlap(
        fmean(c.precision for c in predicted) if predicted else float(not gold),
        fmean(c.recall for c in gold) if gold else float(not predicted),
    )
