r"""Where text was lost, repeated or moved: first and last block, duplicated text, order.

Word bags see none of this. Lost leads and repeated text are the faults that users of page cleaners report most, and
trafilatura's documentation of its own benchmark says that it checks neither duplicates nor order. No benchmark was
found that does, so the definitions are dehusk's own:

* a block's runs of 4 words (all its words, if it has fewer) are looked for in the whole prediction, each as often as
  the block has it; a **block is found** when at least half of its runs are. Half is also the share of matched words
  from which `dehusk.gold.alignment` takes a block for content.
* **duplicated** is every run of 4 words beyond the first that the gold does not have as often:
  sum over runs s of max(0, predicted(s) − max(1, gold(s))).
* **order** is LCS / common: of the words in common (word bag), the share in a longest common subsequence.

Words are lower-cased matches of ``\w+``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rapidfuzz.distance import LCSseq

from dehusk.measures.metrics import Counts
from dehusk.measures.tokens import WORD, as_strings, grams, words

if TYPE_CHECKING:
    from collections.abc import Sequence

_RUN: Final = 4


@dataclass(frozen=True, slots=True)
class BlockRecall(Counts):
    """Blocks looked for in predictions.

    Attributes:
        found: blocks of which at least half of the runs were found.
        blocks: blocks looked for; a page without gold has none.
        runs_found: runs of words found.
        runs: runs of words looked for.
    """

    found: int = 0
    blocks: int = 0
    runs_found: int = 0
    runs: int = 0

    @property
    def recall(self) -> float:
        """Share of the blocks that were found; 1 if there are none."""
        return self.found / self.blocks if self.blocks else 1.0

    @property
    def run_recall(self) -> float:
        """Share of the runs that were found; 1 if there are none."""
        return self.runs_found / self.runs if self.runs else 1.0


@dataclass(frozen=True, slots=True)
class Ends(Counts):
    """The first and the last block of gold texts; see `ends`."""

    first: BlockRecall = BlockRecall()
    last: BlockRecall = BlockRecall()


def paragraphs(text: str) -> list[str]:
    """Return the lines of a plain text that hold a word: its blocks, where nothing else marks them."""
    return [line for line in text.splitlines() if WORD.search(line)]


def ends(predicted: str, gold: Sequence[str]) -> Ends:
    """Tell whether the first and the last block of the gold text are in the prediction.

    With an empty prediction neither is found; an empty gold has no block and counts nothing.

    Args:
        predicted: plain text that was kept of a page.
        gold: texts of the gold's blocks in order (`paragraphs`, or the segments of a gold text with structure). Blocks
            without a word are passed over.
    """
    with_words = [block for block in gold if WORD.search(block)]
    if not with_words:
        return Ends()
    found = words(predicted)
    return Ends(_look_for(with_words[0], found), _look_for(with_words[-1], found))


def _look_for(block: str, found: list[str]) -> BlockRecall:
    wanted = words(block)
    n = min(_RUN, len(wanted))
    there = Counter(grams(found, n)) if len(found) >= n else Counter[tuple[str, ...]]()
    runs = Counter(grams(wanted, n))
    hits, size = (runs & there).total(), runs.total()
    return BlockRecall(int(2 * hits >= size), 1, hits, size)


@dataclass(frozen=True, slots=True)
class Duplication(Counts):
    """Runs of words that were written too often; see `duplication`.

    Attributes:
        duplicated: runs beyond the first that gold does not have as often.
        predicted: all runs predicted.
    """

    duplicated: int = 0
    predicted: int = 0

    @property
    def share(self) -> float:
        """``duplicated / predicted``, below 1; 0 if nothing was predicted."""
        return self.duplicated / self.predicted if self.predicted else 0.0


def duplication(predicted: str, gold: str) -> Duplication:
    """Count the runs of 4 words that a prediction holds more often than once and than gold.

    An empty prediction duplicates nothing; with an empty gold everything but the first of each run counts.
    """
    found, wanted = (Counter(grams(words(text), _RUN)) for text in (predicted, gold))
    extra = sum(count - max(1, wanted[run]) for run, count in found.items() if count > max(1, wanted[run]))
    return Duplication(extra, found.total())


@dataclass(frozen=True, slots=True)
class Order(Counts):
    """Words in common, and those of them in the same order; see `order`.

    Attributes:
        in_order: words of a longest common subsequence.
        common: words in common whatever their order, never fewer.
    """

    in_order: int = 0
    common: int = 0

    @property
    def share(self) -> float:
        """``in_order / common``; 1 without words in common, since nothing is out of order."""
        return self.in_order / self.common if self.common else 1.0


def order(predicted: str, gold: str) -> Order:
    """Count the words two texts have in common, and how many of them stand in the same order.

    Takes as long as `dehusk.measures.overlap.rouge_l`.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    found, wanted = words(predicted), words(gold)
    common = (Counter(found) & Counter(wanted)).total()
    return Order(LCSseq.similarity(*as_strings(found, wanted)), common)
