"""Where the facts of a page are, as positive labels of its blocks.

The words of a fact must be consecutive words of the page (`dehusk.measures.facts`); they may span blocks. A fact can
occur outside of the content too, as the title of a recipe does in a list of other recipes. Therefore each of its k
places has the weight 1/k. A fact of one or two words, such as "2 eggs" or a price, occurs by chance; its places are
only those that fill whole blocks but for one word, such as a label ("ISBN") or a currency, or its only occurrence on
the page.

Blocks without a fact are unlabelled, not noise.
"""

import html
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.lab.gold.datasets import Sample
from dehusk.measures.facts import SHORT, WordIndex, fact_words
from dehusk.read.page import Ints

Ints64 = npt.NDArray[np.int64]

_LABEL = 1
"""Words that may stand beside a short fact in its blocks."""


@dataclass(frozen=True, eq=False)
class FactPlaces:
    """The places of facts among the b blocks of a page: m places, by fact and then in the order of the page."""

    fact: Ints
    """(m,) index of the fact; of equal facts, the first."""
    first: Ints
    """(m,) first block of each place."""
    last: Ints
    """(m,) last block of each place (inclusive)."""
    weight: npt.NDArray[np.float64]
    """(m,) 1/k for a fact with k places; if a page states a fact n times, n/k, but at most 1."""
    b: int
    """Number of blocks."""

    def block_weights(self) -> npt.NDArray[np.float64]:
        """Return the highest weight of a place in each block, shape (b,); 0 in blocks without a fact."""
        lengths = (self.last - self.first + 1).astype(np.int64)
        skipped = np.cumsum(lengths) - lengths
        block = np.repeat(self.first - skipped, lengths) + np.arange(int(lengths.sum()))
        weights = np.zeros(self.b)
        np.maximum.at(weights, block, np.repeat(self.weight, lengths))
        return weights


def find_facts(blocks: Blocks, facts: Iterable[str]) -> FactPlaces:
    """Find the places of facts among the blocks of a page; facts that are not on it have no place.

    Args:
        blocks: the blocks of the page, in any segmentation.
        facts: texts that belong to the content of the page.
    """
    words = [fact_words(text) for text in blocks.texts]
    index = WordIndex([word for of_block in words for word in of_block])
    ends = np.cumsum([len(of_block) for of_block in words], dtype=np.int64)
    numbers, copies = _distinct_runs(facts)
    found = [(run, _spans(ends, np.array(index.find(run), dtype=np.int64), len(run))) for run in numbers]
    places = np.array([len(spans) for _, spans in found], dtype=np.int64)
    weight = [min(1.0, copies[run] / max(1, len(spans))) for run, spans in found]
    first_last = np.concatenate([np.zeros((0, 2), dtype=np.int32), *(spans for _, spans in found)])
    return FactPlaces(
        fact=np.repeat(np.array(list(numbers.values()), dtype=np.int32), places),
        first=first_last[:, 0],
        last=first_last[:, 1],
        weight=np.repeat(np.array(weight, dtype=np.float64), places),
        b=len(blocks),
    )


def with_gold_lines_as_facts(sample: Sample) -> Sample:
    """Return a page whose gold text lists facts, one a line, with these facts and without a gold text."""
    lines = [html.unescape(line).strip() for line in (sample.gold or "").splitlines()]
    return replace(sample, gold=None, facts=(*sample.facts, *filter(None, lines)))


def _distinct_runs(facts: Iterable[str]) -> tuple[dict[tuple[str, ...], int], Counter[tuple[str, ...]]]:
    """Return the distinct facts as words, with the number of the first such fact, and how often each is stated."""
    runs = [tuple(fact_words(fact)) for fact in facts]
    numbers: dict[tuple[str, ...], int] = {}
    for number, run in enumerate(runs):
        if run:
            numbers.setdefault(run, number)
    return numbers, Counter(runs)


def _spans(ends: Ints64, start: Ints64, size: int) -> Ints:
    """Return the first and last block of each place of a fact, shape (k, 2).

    Args:
        ends: (b,) number of words up to the end of each block.
        start: (k,) positions where the fact occurs.
        size: words of the fact.
    """
    first, last = (np.searchsorted(ends, at, side="right") for at in (start, start + size - 1))
    if size <= SHORT and len(start) > 1:
        fills = ends[last] - np.append(0, ends)[first] <= size + _LABEL
        first, last = first[fills], last[fills]
    return np.stack((first, last), axis=1).astype(np.int32)
