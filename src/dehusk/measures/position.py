r"""Lost, repeated and moved text: first and last block, duplication, order.

Word bags detect none of this. Lost first paragraphs and repeated text are the faults that users of page cleaners report
most; trafilatura's documentation says that its benchmark checks neither duplicates nor order. We know of no benchmark
that does, so these definitions are dehusk's own:

* A **block is kept** if the prediction contains at least half of the block's runs of 4 words, each counted as often as
  the block contains it (a shorter block is a single run). `dehusk.lab.gold.alignment` also classifies a block as
  content if at least half of its words match.
* A run of 4 words is **duplicated** each time that the prediction repeats it more often than the gold text:
  sum over runs s of max(0, predicted(s) − max(1, gold(s))).
* **Order** is LCS / common: the share of the common words (word bag) that belong to a longest common subsequence.

Words are lower-cased matches of ``\w+``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dehusk.measures.metrics import Counts
from dehusk.measures.tokens import WORD, as_strings, distances, grams, words

if TYPE_CHECKING:
    from collections.abc import Sequence

_RUN: Final = 4


@dataclass(frozen=True, slots=True)
class BlockRecall(Counts):
    """Counts of gold blocks that predictions contain.

    Attributes:
        kept: blocks of which the prediction contains at least half of the runs.
        blocks: all blocks; a page without gold text has none.
        runs_kept: runs of words that the prediction contains.
        runs: all runs of words.
    """

    kept: int = 0
    blocks: int = 0
    runs_kept: int = 0
    runs: int = 0

    @property
    def recall(self) -> float:
        """Share of the blocks that were kept; 1 if there are no blocks."""
        return self.kept / self.blocks if self.blocks else 1.0


@dataclass(frozen=True, slots=True)
class Ends(Counts):
    """The first and the last block of gold texts; see `ends`."""

    first: BlockRecall = BlockRecall()
    last: BlockRecall = BlockRecall()


def paragraphs(text: str) -> list[str]:
    """Return the lines of a plain text that contain a word; they are its blocks if no tags mark blocks."""
    return [line for line in text.splitlines() if WORD.search(line)]


def ends(predicted: str, gold: Sequence[str]) -> Ends:
    """Count whether the prediction contains the first and the last block of the gold text.

    An empty prediction contains neither; an empty gold text has no block and counts nothing.

    Args:
        predicted: plain text that was kept of a page.
        gold: the gold blocks in order (`paragraphs`, or the segments of a gold text with structure). Blocks without a
            word are ignored.
    """
    with_words = [block for block in gold if WORD.search(block)]
    if not with_words:
        return Ends()
    predicted_words = words(predicted)
    return Ends(_block_recall(with_words[0], predicted_words), _block_recall(with_words[-1], predicted_words))


def _block_recall(block: str, predicted: list[str]) -> BlockRecall:
    block_words = words(block)
    n = min(_RUN, len(block_words))
    available = Counter(grams(predicted, n)) if len(predicted) >= n else Counter[tuple[str, ...]]()
    runs = Counter(grams(block_words, n))
    hits, size = (runs & available).total(), runs.total()
    return BlockRecall(int(2 * hits >= size), 1, hits, size)


@dataclass(frozen=True, slots=True)
class Duplication(Counts):
    """Counts of duplicated runs of words; see `duplication`.

    Attributes:
        duplicated: repetitions of runs beyond those in the gold text.
        predicted: all runs predicted.
    """

    duplicated: int = 0
    predicted: int = 0

    @property
    def share(self) -> float:
        """``duplicated / predicted``, below 1; 0 for an empty prediction."""
        return self.duplicated / self.predicted if self.predicted else 0.0


def duplication(predicted: str, gold: str) -> Duplication:
    """Count the runs of 4 words that a prediction repeats more often than the gold text.

    An empty prediction duplicates nothing. With an empty gold text, every repetition of a run counts.
    """
    runs, gold_runs = (Counter(grams(words(text), _RUN)) for text in (predicted, gold))
    extra = sum(count - max(1, gold_runs[run]) for run, count in runs.items() if count > max(1, gold_runs[run]))
    return Duplication(extra, runs.total())


@dataclass(frozen=True, slots=True)
class Order(Counts):
    """Counts of common words, and of those in the same order; see `order`.

    Attributes:
        in_order: words of a longest common subsequence.
        common: words in common, regardless of order; never fewer than `in_order`.
    """

    in_order: int = 0
    common: int = 0

    @property
    def share(self) -> float:
        """``in_order / common``; 1 without common words, since nothing is out of order."""
        return self.in_order / self.common if self.common else 1.0


def order(predicted: str, gold: str) -> Order:
    """Count the words that two texts have in common, and how many of them are in the same order.

    Takes as long as `dehusk.measures.overlap.rouge_l`.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    predicted_words, gold_words = words(predicted), words(gold)
    common = (Counter(predicted_words) & Counter(gold_words)).total()
    return Order(distances().LCSseq.similarity(*as_strings(predicted_words, gold_words)), common)
