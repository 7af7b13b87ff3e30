"""Measures of cleaned pages, as counts that add up over pages.

Every measure is a pure function of the output for one document and its gold text, and returns a small frozen class of
counts. Counts of several documents are added with ``+``. Figures are properties of the counts, so the same property
gives the figure of one document and the pooled figure of a collection. A class of counts called without arguments is
zero: ``sum(counts, WordBag())``.

Precision, recall, F1 and accuracies are fractions from 0 to 1. CLEANEVAL's scores are percentages from 0 to 100, as the
contest and Marek's thesis print them.

If both sides are empty, a measure is perfect; if one side is empty, it is 0.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, fields
from functools import reduce
from operator import add
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self, TypeVar

from dehusk.blocks.labels import LABELS
from dehusk.measures.tokens import as_strings, distances, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


class Addable(Protocol):
    """A type whose values can be added to each other."""

    def __add__(self, other: Self, /) -> Self: ...


C = TypeVar("C", bound=Addable)


@dataclass(frozen=True, slots=True)
class Counts:
    """Base of the classes of counts; addition adds each field.

    Addition is associative and commutative because the fields are integers or Counts.
    """

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):  # counts of different measures have no sum
            return NotImplemented
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Overlap(Counts):
    """Counts of predicted items, gold items, and items that are both.

    Attributes:
        tp: items on both sides (true positives); never more than `predicted` or `gold`.
        predicted: items in the prediction.
        gold: items in the gold standard.
    """

    tp: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """``tp / predicted``; for an empty prediction 1 if the gold side is empty too, else 0."""
        return self.tp / self.predicted if self.predicted else float(not self.gold)

    @property
    def recall(self) -> float:
        """``tp / gold``; for an empty gold side 1 if the prediction is empty too, else 0."""
        return self.tp / self.gold if self.gold else float(not self.predicted)

    @property
    def f1(self) -> float:
        """``2 tp / (predicted + gold)``, the harmonic mean of precision and recall; 1 if both are empty."""
        size = self.predicted + self.gold
        return 2 * self.tp / size if size else 1.0


@dataclass(frozen=True, slots=True)
class WordBag(Overlap):
    """Counts of common words, regardless of order; see `word_bag`."""


def word_bag(predicted: str, gold: str) -> WordBag:
    r"""Count the words that two texts have in common, regardless of order.

    Source: the word-level F1 of WCXB (Web Content Extraction Benchmark, arXiv 2605.21097): both texts are
    lower-cased, words are the matches of ``\w+``, and a word counts as often as it occurs on both sides.

    Args:
        predicted: plain text that was kept of a page.
        gold: plain text that should have been kept.

    Returns:
        Counts in words.
    """
    predicted_words, gold_words = (Counter(words(text)) for text in (predicted, gold))
    return WordBag((predicted_words & gold_words).total(), predicted_words.total(), gold_words.total())


_NO_LABELS: Final = ((0,) * len(LABELS),) * len(LABELS)


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Numbers of blocks by gold and predicted label.

    Attributes:
        confusion: shape (5, 5), ``[g][p]``: blocks with gold label ``LABELS[g]`` and predicted label ``LABELS[p]``.
    """

    confusion: tuple[tuple[int, ...], ...] = _NO_LABELS

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        rows = zip(self.confusion, other.confusion, strict=True)
        return type(self)(tuple(tuple(map(add, row, other_row)) for row, other_row in rows))

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return sum(map(sum, self.confusion))

    @property
    def accuracy(self) -> float:
        """Share of blocks with the right one of five labels; 1 if there are no blocks."""
        return self._share(sum(row[g] for g, row in enumerate(self.confusion)))

    @property
    def content_accuracy(self) -> float:
        """Share of blocks correctly classified as content or noise (``other``); 1 if there are no blocks."""
        noise = LABELS.index("other")
        cells = ((g, p, n) for g, row in enumerate(self.confusion) for p, n in enumerate(row))
        return self._share(sum(n for g, p, n in cells if (g == noise) == (p == noise)))

    def _share(self, right: int) -> float:
        return right / self.blocks if self.blocks else 1.0


def label_counts(predicted: Sequence[str], gold: Sequence[str]) -> LabelCounts:
    """Count blocks by gold and predicted label.

    Source: labeling accuracy in Marek, *Automatic cleaning of HTML documents* (2007), chapter 5: "the ratio
    of correctly assigned block labels (1) from the full label set and (2) distinguishing only between
    content and noisy blocks".

    Args:
        predicted: one of ``LABELS`` for each block of a document.
        gold: the gold label of each block.

    Raises:
        ValueError: the two differ in length, or a value is not a label.
    """
    if len(predicted) != len(gold):
        raise ValueError(f"each block needs a predicted and a gold label, not {len(predicted)} and {len(gold)}")
    pairs = Counter(zip(gold, predicted, strict=True))
    unknown = sorted({label for pair in pairs for label in pair} - set(LABELS))
    if unknown:
        raise ValueError(f"unknown labels: {', '.join(map(repr, unknown))}. Known: {', '.join(LABELS)}")
    return LabelCounts(tuple(tuple(pairs[g, p] for p in LABELS) for g in LABELS))


_URL_LINE = re.compile(r"\A[\s\ufeff]*URL:[^\r\n]*")
_TAG = re.compile(r"<([hpl])>", re.IGNORECASE)
_TAG_MARK: Final = (
    "\n"  # first character of a tag's token; no word starts with it, because words contain no white space
)


class _Segment(NamedTuple):
    tag: str  # "h", "p", "l", or "" for text before the first tag
    words: list[str]


class _Block(NamedTuple):
    tag: str
    first: int  # indices of words in the whole text
    last: int


def _segments(text: str) -> Iterator[_Segment]:
    """Split a text in CLEANEVAL format at its tags.

    Entities are resolved after the split: an escaped ``&lt;p&gt;`` is text and starts no segment.
    """
    pieces = ["", *_TAG.split(_URL_LINE.sub("", text))]
    for tag, body in zip(pieces[::2], pieces[1::2], strict=True):
        yield _Segment(tag.lower(), html.unescape(body).split())


def _words_and_blocks(text: str) -> tuple[list[str], list[_Block]]:
    """Return all words of a text, and the first and last word of each tagged segment that has words."""
    words: list[str] = []
    blocks: list[_Block] = []
    for segment in _segments(text):
        if segment.tag and segment.words:
            blocks.append(_Block(segment.tag, len(words), len(words) + len(segment.words) - 1))
        words += segment.words
    return words, blocks


@dataclass(frozen=True, slots=True)
class CleanevalCounts(Counts):
    """The counts behind CLEANEVAL's scores, which are percentages; see `cleaneval`.

    Attributes:
        distance: edit distance of the two texts in words.
        longest: words in the longer text, the largest possible ``distance``.
        boundaries: first and last words of tagged blocks.
    """

    distance: int = 0
    longest: int = 0
    boundaries: Overlap = Overlap()

    @property
    def text_only(self) -> float:
        """``100 (1 - distance / longest)``; 100 for two empty texts."""
        return 100 * (1 - self.distance / self.longest) if self.longest else 100.0

    @property
    def markup_only(self) -> float:
        """F-measure of the block boundaries; 100 for two texts without tagged blocks."""
        return 100 * self.boundaries.f1

    @property
    def total(self) -> float:
        """Mean of ``text_only`` and ``markup_only``."""
        return (self.text_only + self.markup_only) / 2


def cleaneval(predicted: str, gold: str, *, labelled: bool = False) -> CleanevalCounts:
    """Score one cleaned text as CLEANEVAL 2007 did, as far as the definition is known.

    Both texts are in CLEANEVAL format: ``<h>``, ``<p>`` or ``<l>`` (in either case) before each segment. A first line
    ``URL: ...`` is ignored, entities are resolved. Words are separated by white space and keep case and punctuation.

    *text-only* aligns the words without tags. With d the Levenshtein distance in words (insertion, deletion and
    substitution cost 1 each) and n the number of words of the longer text, its score is 100 (1 - d / n).

    *markup-only* compares the blocks that the tags mark, from the first word after a tag to the last word before the
    next one. A tag without words marks nothing, and words before the first tag are in no block. Each block has two
    boundaries, its first and its last word. A boundary agrees if the same alignment matches its word (equal, not
    substituted) with the word at a gold boundary of the same side. The score is the F-measure over all boundaries.
    If several alignments are equally short, rapidfuzz chooses one. *total* is the mean of the two scores.

    Source: the description of Francis Chantree's ``cleaneval_scorer`` (2007) on sigwac.org.uk/cleaneval,
    "calculates scores based on (1) the edit distance between the two and the extent to which
    contestant-inserted markup tags indicate blocks of text starting and ending in the same places; and (2)
    based on alignment of text alone, ignoring the contestant-inserted markup tags"; Marek 2007, chapter 5
    and table 6.1, where the total is the mean of the two to within .01. He took the mean of each
    score over documents (the ``xcheck.pl`` of his Victor), which is `MeanAndPooled.mean` here.

    Not verified, because the perl script is not available: its definition of a word, the cost of a substitution, the
    divisor of the distance, whether (1), printed as "Text and Markup", includes the edits of the text, and whether the
    type of a tag matters (the description mentions only positions). Therefore these figures can be compared with each
    other, but only roughly with those printed in 2007 and 2008.

    Args:
        predicted: the cleaned text.
        gold: the gold text.
        labelled: count a boundary only if both blocks have the same tag.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    words, blocks = _words_and_blocks(predicted)
    gold_words, gold_blocks = _words_and_blocks(gold)
    edits = distances().Levenshtein.editops(*as_strings(words, gold_words))
    matched = {m.a + i: m.b + i for m in edits.as_matching_blocks() for i in range(m.size)}
    aligned = {(side, matched[i], tag) for side, i, tag in _boundaries(blocks, labelled) if i in matched}
    agreed = len(aligned.intersection(_boundaries(gold_blocks, labelled)))
    boundaries = Overlap(agreed, 2 * len(blocks), 2 * len(gold_blocks))
    return CleanevalCounts(len(edits), max(len(words), len(gold_words)), boundaries)


def _boundaries(blocks: Iterable[_Block], labelled: bool) -> Iterator[tuple[str, int, str]]:
    """Yield side, word index and tag ("" unless labelled) of both boundaries of each block."""
    for block in blocks:
        tag = block.tag if labelled else ""
        yield "first", block.first, tag
        yield "last", block.last, tag


@dataclass(frozen=True, slots=True)
class EvertCounts(Counts):
    """Aligned words and aligned tags; see `evert`.

    Attributes:
        words: overlap of the tokens of the cleaned text and the gold text; tags are included if requested.
        tags: overlap of the tags alone; zero if tags were not requested.
    """

    words: Overlap = Overlap()
    tags: Overlap = Overlap()


def evert(predicted: str, gold: str, *, tags: bool = True) -> EvertCounts:
    """Score one cleaned text by precision, recall and F-measure of its aligned words.

    Source: Stefan Evert's ``cleaneval.py`` 1.0 (2008): words are separated by white space, with case and punctuation;
    the tags ``<h>``, ``<p>`` and ``<l>`` are words too, and are also counted separately as segmentation accuracy (with
    their types). His script prints percentages; these are fractions.

    Differences from the script: the alignment is a longest common subsequence, whereas the script's difflib may find a
    shorter one and ignores frequent words in texts of 200 words and more, so word figures tend to be higher here.
    Entities are resolved. Only a first line ``URL:`` is dropped; the script drops all lines that start with URL. Empty
    words at the ends are not counted. Tags that both sides lack score 1; in the script, 0.

    Args:
        predicted: the cleaned text in CLEANEVAL format, or plain text.
        gold: the gold text in CLEANEVAL format.
        tags: count tags as words, as the script does.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    predicted_tokens, gold_tokens = (list(_tokens(text, tags=tags)) for text in (predicted, gold))
    matches = distances().LCSseq.editops(*as_strings(predicted_tokens, gold_tokens)).as_matching_blocks()
    common = [token for m in matches for token in predicted_tokens[m.a : m.a + m.size]]
    return EvertCounts(
        Overlap(len(common), len(predicted_tokens), len(gold_tokens)),
        Overlap(*(sum(t.startswith(_TAG_MARK) for t in tokens) for tokens in (common, predicted_tokens, gold_tokens))),
    )


def _tokens(text: str, *, tags: bool) -> Iterator[str]:
    """Yield the words of a text, with each tag before the words of its segment if `tags` is true."""
    for segment in _segments(text):
        if tags and segment.tag:
            yield _TAG_MARK + segment.tag
        yield from segment.words


@dataclass(frozen=True, slots=True)
class MeanAndPooled:
    """One figure over a collection, as the mean over documents and pooled.

    The two differ if long documents are cleaned better or worse than short ones: in the mean all documents have equal
    weight, in the pooled figure all words, blocks or boundaries do.

    Attributes:
        values: the figure of each document, in order.
        pooled: the figure of the added counts.
    """

    values: tuple[float, ...]
    pooled: float

    @property
    def mean(self) -> float:
        """Mean of the documents' figures."""
        return fmean(self.values)


def summarise(counts: Iterable[C], figure: Callable[[C], float]) -> MeanAndPooled:
    """Return one figure as the mean over documents and pooled.

    Args:
        counts: the counts of each document, all from the same measure.
        figure: reads the figure from counts, for example ``lambda counts: counts.f1``.

    Raises:
        ValueError: there are no documents, so the mean is undefined.
    """
    documents = list(counts)
    if not documents:
        raise ValueError("there are no documents to summarise")
    return MeanAndPooled(tuple(map(figure, documents)), figure(reduce(add, documents)))
