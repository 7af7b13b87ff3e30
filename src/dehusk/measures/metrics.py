"""The figures by which cleaned pages are judged, as counts that add up over pages.

Every measure is a pure function of one document's output and its gold text, and returns a small frozen
count class. Counts of several documents are added with ``+``; the figures are properties of the counts,
so one property gives the figure of a document and the pooled figure of a collection. A count class
called without arguments is the zero of the addition: ``sum(counts, WordBag())``.

Precision, recall, F1 and accuracies are fractions from 0 to 1. CLEANEVAL's scores are percentages from 0
to 100, because that is how the contest and Marek's thesis print them.

What does not exist cannot be missed: a measure of two empty sides is perfect, of one empty side is 0.
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

from rapidfuzz.distance import LCSseq, Levenshtein

from dehusk.labels import LABELS
from dehusk.measures.tokens import as_strings, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


class Addable(Protocol):
    """Anything with an addition that stays within its own type."""

    def __add__(self, other: Self, /) -> Self: ...


C = TypeVar("C", bound=Addable)


@dataclass(frozen=True, slots=True)
class Counts:
    """Base of the count classes: the sum of two has the sum of each field.

    Addition is associative and commutative because the fields are integers or Counts themselves.
    """

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):  # counts of different things have no sum
            return NotImplemented
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Overlap(Counts):
    """How much of what was predicted and of what is gold is the same.

    Attributes:
        tp: items found on both sides, never more than either of the other two.
        predicted: items predicted.
        gold: items of the gold standard.
    """

    tp: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """``tp / predicted``; with nothing predicted 1 if there is no gold either, else 0."""
        return self.tp / self.predicted if self.predicted else float(not self.gold)

    @property
    def recall(self) -> float:
        """``tp / gold``; with no gold 1 if nothing was predicted either, else 0."""
        return self.tp / self.gold if self.gold else float(not self.predicted)

    @property
    def f1(self) -> float:
        """``2 tp / (predicted + gold)``, the harmonic mean of precision and recall; 1 if both are empty."""
        size = self.predicted + self.gold
        return 2 * self.tp / size if size else 1.0


@dataclass(frozen=True, slots=True)
class WordBag(Overlap):
    """Words in common when their order is ignored; see `word_bag`."""


def word_bag(predicted: str, gold: str) -> WordBag:
    r"""Count the words two texts have in common, whatever their order.

    Source: the word-level F1 of WCXB (Web Content Extraction Benchmark, arXiv 2605.21097): both texts are
    lower-cased, words are the matches of ``\w+``, and a word counts as often as it is on both sides.

    Args:
        predicted: plain text that was kept of a page.
        gold: plain text that should have been kept.

    Returns:
        Counts in words.
    """
    found, wanted = (Counter(words(text)) for text in (predicted, gold))
    return WordBag((found & wanted).total(), found.total(), wanted.total())


_NO_LABELS: Final = ((0,) * len(LABELS),) * len(LABELS)


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Confusion of block labels, in blocks.

    Attributes:
        confusion: 5 x 5, ``[g][p]``: blocks of gold label ``LABELS[g]`` that were given ``LABELS[p]``.
    """

    confusion: tuple[tuple[int, ...], ...] = _NO_LABELS

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        rows = zip(self.confusion, other.confusion, strict=True)
        return type(self)(tuple(tuple(map(add, mine, theirs)) for mine, theirs in rows))

    @property
    def blocks(self) -> int:
        """All blocks counted."""
        return sum(map(sum, self.confusion))

    @property
    def accuracy(self) -> float:
        """Share of blocks with the right one of the five labels; 1 if there are no blocks."""
        return self._share(sum(row[g] for g, row in enumerate(self.confusion)))

    @property
    def content_accuracy(self) -> float:
        """Share of blocks rightly told as content or noise (``other``); 1 if there are no blocks."""
        noise = LABELS.index("other")
        cells = ((g, p, n) for g, row in enumerate(self.confusion) for p, n in enumerate(row))
        return self._share(sum(n for g, p, n in cells if (g == noise) == (p == noise)))

    def _share(self, right: int) -> float:
        return right / self.blocks if self.blocks else 1.0


def label_counts(predicted: Sequence[str], gold: Sequence[str]) -> LabelCounts:
    """Count how the labels given to blocks agree with the gold labels.

    Source: labeling accuracy in Marek, *Automatic cleaning of HTML documents* (2007), chapter 5: "the ratio
    of correctly assigned block labels (1) from the full label set and (2) distinguishing only between
    content and noisy blocks".

    Args:
        predicted: one of ``LABELS`` for each block of a document.
        gold: the right label of each block, as long as ``predicted``.

    Raises:
        ValueError: if the two differ in length or hold anything that is no label.
    """
    if len(predicted) != len(gold):
        raise ValueError(f"{len(predicted)} predicted labels for {len(gold)} gold labels")
    pairs = Counter(zip(gold, predicted, strict=True))
    unknown = sorted({label for pair in pairs for label in pair} - set(LABELS))
    if unknown:
        raise ValueError(f"not a block label: {', '.join(map(repr, unknown))}; known are {', '.join(LABELS)}")
    return LabelCounts(tuple(tuple(pairs[g, p] for p in LABELS) for g in LABELS))


_URL_LINE = re.compile(r"\A[\s\ufeff]*URL:[^\r\n]*")
_TAG = re.compile(r"<([hpl])>", re.IGNORECASE)
_TAG_MARK: Final = "\n"  # begins the token of a tag: words hold no white space, so none looks like a tag


class _Segment(NamedTuple):
    tag: str  # "h", "p", "l", or "" for text before the first tag
    words: list[str]


class _Block(NamedTuple):
    tag: str
    first: int  # indexes of words in the whole text
    last: int


def _segments(text: str) -> Iterator[_Segment]:
    """Cut a text in CLEANEVAL format at its tags.

    Entities are resolved after the cut: an escaped ``&lt;p&gt;`` is text and opens nothing.
    """
    pieces = ["", *_TAG.split(_URL_LINE.sub("", text))]
    for tag, body in zip(pieces[::2], pieces[1::2], strict=True):
        yield _Segment(tag.lower(), html.unescape(body).split())


def _words_and_blocks(text: str) -> tuple[list[str], list[_Block]]:
    """All words of a text, and where each tagged segment with at least one word begins and ends."""
    words: list[str] = []
    blocks: list[_Block] = []
    for segment in _segments(text):
        if segment.tag and segment.words:
            blocks.append(_Block(segment.tag, len(words), len(words) + len(segment.words) - 1))
        words += segment.words
    return words, blocks


@dataclass(frozen=True, slots=True)
class CleanevalCounts(Counts):
    """What CLEANEVAL's scores are made of; see `cleaneval`. All scores are percentages.

    Attributes:
        distance: word edits between the two texts.
        longest: words of the longer text, the most that ``distance`` can be.
        boundaries: where tagged blocks begin and end.
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
        """F-measure of the block boundaries; 100 for two texts without any tagged block."""
        return 100 * self.boundaries.f1

    @property
    def total(self) -> float:
        """Mean of ``text_only`` and ``markup_only``."""
        return (self.text_only + self.markup_only) / 2


def cleaneval(predicted: str, gold: str, *, labelled: bool = False) -> CleanevalCounts:
    """Score one cleaned text as CLEANEVAL 2007 did, as far as its definition is known.

    Both texts are in CLEANEVAL format: ``<h>``, ``<p>`` or ``<l>`` (either case) before each segment. A
    first line ``URL: ...`` is ignored, entities are resolved, and words are what white space separates,
    case and punctuation included.

    *text-only* aligns the words alone. Its score is the Levenshtein distance in words (insertion, deletion
    and substitution cost 1 each), subtracted from and divided by the words of the longer text.

    *markup-only* takes the blocks that the tags mark: from the first word after a tag to the last word
    before the next one; a tag without words marks nothing, words before the first tag are in no block. Each
    block has two boundaries, its first and its last word. A boundary agrees if that very word is matched
    (equal, not substituted) in the same alignment with the word at a gold boundary of the same kind. The
    score is the F-measure over all boundaries. Where several alignments are equally short, rapidfuzz's
    choice decides. *total* is the mean of the two.

    Source: the description of Francis Chantree's ``cleaneval_scorer`` (2007) on sigwac.org.uk/cleaneval,
    "calculates scores based on (1) the edit distance between the two and the extent to which
    contestant-inserted markup tags indicate blocks of text starting and ending in the same places; and (2)
    based on alignment of text alone, ignoring the contestant-inserted markup tags"; Marek 2007, chapter 5
    and table 6.1, where the total is the mean of the two to within .01. He took the mean of each
    score over documents (the ``xcheck.pl`` of his Victor), which is `MeanAndPooled.mean` here.

    Not verified, because the perl script itself could not be read: what it takes as a word, the cost of a
    substitution, the divisor of the distance, whether (1), printed as "Text and Markup", also holds the
    text's edits, and whether a tag's type matters (the description speaks of places only). So figures are
    comparable with each other, and only roughly with those printed in 2007 and 2008.

    Args:
        predicted: the cleaned text.
        gold: the gold standard's text.
        labelled: count a boundary only if both blocks have the same tag.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    words, blocks = _words_and_blocks(predicted)
    gold_words, gold_blocks = _words_and_blocks(gold)
    edits = Levenshtein.editops(*as_strings(words, gold_words))
    matched = {m.a + i: m.b + i for m in edits.as_matching_blocks() for i in range(m.size)}
    found = {(side, matched[i], tag) for side, i, tag in _boundaries(blocks, labelled) if i in matched}
    agreed = len(found.intersection(_boundaries(gold_blocks, labelled)))
    boundaries = Overlap(agreed, 2 * len(blocks), 2 * len(gold_blocks))
    return CleanevalCounts(len(edits), max(len(words), len(gold_words)), boundaries)


def _boundaries(blocks: Iterable[_Block], labelled: bool) -> Iterator[tuple[str, int, str]]:
    """Side, word index and (if asked for) tag of both boundaries of each block."""
    for block in blocks:
        tag = block.tag if labelled else ""
        yield "first", block.first, tag
        yield "last", block.last, tag


@dataclass(frozen=True, slots=True)
class EvertCounts(Counts):
    """Aligned words and aligned tags; see `evert`.

    Attributes:
        words: tokens matched, of the cleaned text and of the gold text; tags are among them if asked for.
        tags: the matched tokens that are tags, all zero if tags were not asked for.
    """

    words: Overlap = Overlap()
    tags: Overlap = Overlap()


def evert(predicted: str, gold: str, *, tags: bool = True) -> EvertCounts:
    """Score one cleaned text by precision, recall and F-measure of the words that can be aligned.

    Source: Stefan Evert's ``cleaneval.py`` 1.0 (2008): words are what white space separates, case and
    punctuation included; the tags ``<h>``, ``<p>`` and ``<l>`` are words too, and are also counted apart as
    segmentation accuracy (with their types). His script prints percentages; these are fractions.

    Differences from the script: the alignment is a longest common subsequence, where the script's difflib
    may find a shorter one and overlooks frequent words in texts of 200 words and more, so word figures tend
    to be higher here. Entities are resolved, only a first line ``URL:`` is dropped (the script: all lines
    that begin with URL), no empty word is counted at the ends, and tags that both sides lack score 1 (0).

    Args:
        predicted: the cleaned text in CLEANEVAL format, or plain text.
        gold: the gold standard's text in CLEANEVAL format.
        tags: take tags as words, as the script does; otherwise only the words of the text count.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    found, wanted = (list(_tokens(text, tags=tags)) for text in (predicted, gold))
    matches = LCSseq.editops(*as_strings(found, wanted)).as_matching_blocks()
    common = [token for m in matches for token in found[m.a : m.a + m.size]]
    return EvertCounts(
        Overlap(len(common), len(found), len(wanted)),
        Overlap(*(sum(t.startswith(_TAG_MARK) for t in tokens) for tokens in (common, found, wanted))),
    )


def _tokens(text: str, *, tags: bool) -> Iterator[str]:
    """Words of a text, each tag before its segment's words if asked for."""
    for segment in _segments(text):
        if tags and segment.tag:
            yield _TAG_MARK + segment.tag
        yield from segment.words


@dataclass(frozen=True, slots=True)
class MeanAndPooled:
    """One figure over a collection, seen two ways.

    They differ when long documents are cleaned better or worse than short ones: in the mean every document
    weighs the same, in the pooled figure every word, block or boundary does.

    Attributes:
        values: the figure of each document, in their order.
        pooled: the figure of the documents' added counts.
    """

    values: tuple[float, ...]
    pooled: float

    @property
    def mean(self) -> float:
        """Mean of the documents' figures."""
        return fmean(self.values)


def summarise(counts: Iterable[C], figure: Callable[[C], float]) -> MeanAndPooled:
    """Take one figure of every document and of all of them together.

    Args:
        counts: the counts of each document, all from one measure.
        figure: what to read from counts, for example ``lambda c: c.f1``.

    Raises:
        ValueError: if there is no document, because a mean of nothing would be made up.
    """
    documents = list(counts)
    if not documents:
        raise ValueError("no documents to summarise")
    return MeanAndPooled(tuple(map(figure, documents)), figure(reduce(add, documents)))
