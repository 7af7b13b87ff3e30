"""Score predictions against gold texts, and average the scores by set, page type and site."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import CharClass
from dehusk.base.errors import Status, counted
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import OTHER
from dehusk.lab.evaluate.fact_scores import FactRow, FactScore, fact_rows
from dehusk.lab.evaluate.predictions import BlockMark, Prediction
from dehusk.lab.evaluate.site_groups import site_of_sample
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.cleaneval import segments_to_cleaneval
from dehusk.lab.gold.datasets import Sample
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import CleanevalCounts, Overlap, WordBag, cleaneval, word_bag
from dehusk.measures.outcomes import Outcomes, outcome
from dehusk.measures.overlap import RougeL, Shingles, shingles
from dehusk.measures.position import Duplication, Ends, Order, duplication, ends, paragraphs
from dehusk.measures.probabilities import Calibration, calibration
from dehusk.measures.tokens import as_strings, distances, words
from dehusk.read import decode, parse
from dehusk.read.page import Bools
from dehusk.sites.wisdom.coverage import Coverage, ic, snc

# ---------------------------------------------------------------- sequence
# Longest common subsequence and edit distance of word sequences of any length: exact, and in bounded time.
#
# rapidfuzz takes words times words / 64 steps, ten seconds for two texts of 300,000 words. Two exact shortcuts make
# that rare:
#
# * A word that only one side has cannot be in a common subsequence, so such words are dropped first.
# * A common subsequence that leaves out k words, counting both sides, lies in a band of width k around the diagonal
#   (Ukkonen, *Algorithms for approximate string matching*, 1985). The band is doubled until it contains the result, so
#   the time for nearly equal texts, as most long texts are, is proportional to their difference.
#
# Long texts that differ throughout remain. Their band would exceed `LIMIT` cells; they are not compared, and callers
# report how many pages that affects.

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
        length = distances().LCSseq.similarity(a, b, score_cutoff=(size - left_out + 1) // 2)
        if length:
            return int(length)
        left_out *= 2
    return int(distances().LCSseq.similarity(a, b)) if len(a) * len(b) <= LIMIT else None


def edit_distance(first: Sequence[str], second: Sequence[str]) -> int | None:
    """Return the number of words to insert, delete or replace; None if it would take too long.

    Raises:
        ValueError: for more than 1.1 million distinct words.
    """
    a, b = as_strings(first, second)
    longest, band = max(len(a), len(b)), _BAND + abs(len(a) - len(b))
    while band < longest and band * longest <= LIMIT:
        distance = distances().Levenshtein.distance(a, b, score_cutoff=band)
        if distance <= band:
            return int(distance)
        band *= 2
    return int(distances().Levenshtein.distance(a, b)) if len(a) * len(b) <= LIMIT else None


# ---------------------------------------------------------------- block scores
# Score a tool's blocks against the gold text: calibration of probabilities, coverage of nodes and characters.
#
# Gold texts do not mark blocks. Therefore the page is cut into dehusk's own blocks; a block is content if at least
# half of its words align with the gold text (`dehusk.lab.gold.alignment`), and the characters of content blocks are
# gold.
#
# * **Calibration**: each block of the tool is an event, which happens if at least half of the block's characters, white
#   space excluded, are gold.
# * **SNC and IC** (Kao, Ho & Chen, section 4.1): nodes and characters below marked nodes. A node is marked if all its
#   text is gold, or all of it is kept. An element with both kept and dropped text is not marked; its children may be.


@dataclass(frozen=True)
class BlockScores:
    """The counts of one page."""

    calibration: Calibration | None
    """None if any block has no probability."""
    snc: Coverage
    ic: Coverage


@dataclass(frozen=True, eq=False)
class _GoldPage:
    """A page with its gold characters marked."""

    blocks: Blocks
    words: Bools
    """(len(page.text),) whether a character is in a block and not white space."""
    gold: Bools
    """(len(page.text),) whether such a character is in a content block."""


def score_blocks(sample: Sample, marks: Sequence[BlockMark]) -> BlockScores | None:
    """Score the blocks that a tool reports for a page; None if a block extends beyond the page's text."""
    page = _gold_page(sample)
    size = len(page.words)
    if max((mark.end for mark in marks), default=0) > size:
        return None
    kept = np.zeros(size, dtype=np.bool_)
    for mark in marks:
        if mark.kept:
            kept[mark.start : mark.end] = True
    gold_nodes, kept_nodes = _marked(page, page.gold), _marked(page, kept & page.words)
    return BlockScores(
        _calibration(page, marks),
        snc(page.blocks, gold_nodes, kept_nodes, "article"),
        ic(page.blocks, gold_nodes, kept_nodes, "article"),
    )


@lru_cache(maxsize=2)
def _gold_page(sample: Sample) -> _GoldPage:
    page = parse(decode(sample.bare).text, url=sample.url)
    blocks = segment(page)
    codes, _ = label_blocks(blocks, sample.segments)
    words, gold = (np.zeros(len(page.text), dtype=np.bool_) for _ in range(2))
    black = blocks.char_class < CharClass.WHITE
    words[blocks.source[black]] = True
    gold[blocks.source[black & (codes != OTHER)[blocks.block_of]]] = True
    return _GoldPage(blocks, words, gold)


def _marked(page: _GoldPage, chosen: Bools) -> list[int]:
    """Return the nodes that have text, all of which is chosen."""
    total, selected = (_count_below(page.blocks, mask) for mask in (page.words, chosen))
    return [int(node) for node in np.flatnonzero((total > 0) & (selected == total))]


def _count_below(blocks: Blocks, mask: Bools) -> npt.NDArray[np.int64]:
    """Return how many of the masked characters are below each node, shape (n,)."""
    page = blocks.page
    texts = np.flatnonzero(page.is_text)
    index = np.searchsorted(page.text_start.take(texts), np.flatnonzero(mask), side="right") - 1
    counts = np.bincount(texts.take(index), minlength=len(page))
    sums = np.concatenate([[0], np.cumsum(counts)])
    below: npt.NDArray[np.int64] = sums[page.end] - sums[:-1]
    return below


def _calibration(page: _GoldPage, marks: Sequence[BlockMark]) -> Calibration | None:
    probabilities = [mark.probability for mark in marks if mark.probability is not None]
    if not marks or len(probabilities) < len(marks):
        return None
    start, end = (np.array(column) for column in list(zip(*marks, strict=True))[:2])
    total, gold = (
        np.concatenate([[0], np.cumsum(mask)])[end] - np.concatenate([[0], np.cumsum(mask)])[start]
        for mask in (page.words, page.gold)
    )
    return calibration(probabilities, (total > 0) & (2 * gold >= total))


# ---------------------------------------------------------------- scores


@dataclass(frozen=True)
class PageScore:
    """The score of one tool on one page."""

    tool: str
    set: str
    id: str
    site: str
    type: str
    words: WordBag
    runs: Shingles
    """Overlap of runs of four words."""
    rouge: RougeL | None
    """None if the texts are too long and too different (`LIMIT`)."""
    order: Order | None
    """None if `rouge` is None."""
    repeated: Duplication
    ends: Ends
    """Whether the first and the last block of the gold text were kept."""
    edits: CleanevalCounts | None
    """CLEANEVAL's text-only score; None if the texts are too long and too different."""
    markup: CleanevalCounts | None
    """CLEANEVAL's scores; None unless both the gold text and the prediction have tags."""
    blocks: BlockScores | None
    """None if the prediction reports no blocks, or blocks that extend beyond the page."""
    outcome: Outcomes
    ms: float | None
    mb: float | None
    misfit: bool = False
    """Whether the prediction reports blocks that extend beyond the page."""

    @property
    def failed(self) -> bool:
        """Whether the tool failed on the page."""
        return bool(self.outcome.failed)


def score_all(pairs: Sequence[tuple[Sample, Prediction]]) -> list[PageScore]:
    """Score predictions for pages with gold texts and return the scores in the same order; other pages are skipped.

    All predictions for a page are scored together, because they share its cached gold text and blocks.
    """
    pairs = [pair for pair in pairs if pair[0].gold is not None]
    first_seen = {name: n for n, name in enumerate(dict.fromkeys((sample.set, sample.id) for sample, _ in pairs))}
    by_page = sorted(range(len(pairs)), key=lambda index: first_seen[pairs[index][0].set, pairs[index][0].id])
    scores = {index: score(*pairs[index]) for index in by_page}
    return [scores[index] for index in range(len(pairs))]


def score(sample: Sample, prediction: Prediction) -> PageScore:
    """Score one prediction; a failure scores as an empty text."""
    prediction = prediction.scored
    gold, text = _gold_text(sample), prediction.text
    bag, in_order = word_bag(text, gold), longest_common(words(text), words(gold))
    blocks = score_blocks(sample, prediction.blocks) if prediction.blocks else None
    return PageScore(
        tool=prediction.tool,
        set=sample.set,
        id=sample.id,
        site=site_of_sample(sample),
        type=sample.type or "",
        words=bag,
        runs=shingles(text, gold),
        rouge=None if in_order is None else RougeL(in_order, bag.predicted, bag.gold),
        order=None if in_order is None else Order(in_order, bag.tp),
        repeated=duplication(text, gold),
        ends=ends(text, paragraphs(gold)),
        edits=_text_only(text, gold),
        markup=_markup(sample, prediction),
        blocks=blocks,
        outcome=outcome(Status.ERROR if prediction.error else Status.OK, text, gold),
        ms=prediction.ms,
        mb=prediction.mb,
        misfit=bool(prediction.blocks) and blocks is None,
    )


@lru_cache(maxsize=2)
def _gold_text(sample: Sample) -> str:
    return sample.gold_text


@lru_cache(maxsize=2)
def _gold_cleaneval(sample: Sample) -> str:
    return segments_to_cleaneval(sample.segments)


def _text_only(text: str, gold: str) -> CleanevalCounts | None:
    predicted_words, gold_words = text.split(), gold.split()
    distance = edit_distance(predicted_words, gold_words)
    longest = max(len(predicted_words), len(gold_words))
    return None if distance is None else CleanevalCounts(distance, longest, Overlap())


def _markup(sample: Sample, prediction: Prediction) -> CleanevalCounts | None:
    if not sample.structured or not (prediction.cleaneval or prediction.blocks):
        return None  # a tool that reports blocks but no text can write the format, and kept nothing
    gold = _gold_cleaneval(sample)
    if len(prediction.cleaneval.split()) * len(gold.split()) > LIMIT:
        return None
    return cleaneval(prediction.cleaneval, gold)


def unmeasured_notes(scores: Iterable[PageScore]) -> list[str]:
    """Return one line for each tool and group of measures that could not be computed on some pages."""
    too_long: Counter[str] = Counter()
    misfits: Counter[str] = Counter()
    for page in scores:
        too_long[page.tool] += page.rouge is None or page.edits is None
        misfits[page.tool] += page.misfit
    lines = [
        f"{tool}: {counted(n, 'page')} without measures of order, because the texts are too long and too different"
        for tool, n in too_long.items()
        if n
    ]
    return lines + [
        f"{tool}: ignored the blocks of {counted(n, 'page')}: they extend beyond the page"
        for tool, n in misfits.items()
        if n
    ]


@dataclass(frozen=True)
class FigureRow:
    """Figures of one tool on a group of pages: means over the pages that have the figure, None if no page has it."""

    tool: str
    group: str
    pages: int
    sites: int
    failures: int
    lost: int
    """Number of pages, except failures, with gold text of which no word was kept."""
    precision: float
    recall: float
    f1: float
    low: float | None
    """Lower end of the 95 % bootstrap interval of the mean F1 over sites; None for a single site."""
    high: float | None
    """Upper end of the interval."""
    shingle_f1: float
    """F1 of runs of four words; unlike bags of words it depends on their order."""
    rouge_l: float | None
    order: float | None
    """Share of the common words that are in the same order."""
    duplicated: float
    """Share of predicted runs that repeat an earlier one more often than the gold text does."""
    first: float
    """Share of pages whose first gold block was kept."""
    last: float
    """Share of pages whose last gold block was kept."""
    text_only: float | None
    """CLEANEVAL's text score in percent."""
    markup_only: float | None
    """CLEANEVAL's markup score in percent."""
    total: float | None
    """Mean of the two, over the same pages."""
    snc: float | None
    """F of significant node coverage, pooled over pages."""
    ic: float | None
    """F of information coverage, pooled over pages."""
    brier: float | None
    """Brier score of the blocks' probabilities, pooled over pages."""
    ece: float | None
    """Expected calibration error of the blocks' probabilities, pooled over pages."""
    ms: float | None
    """CPU milliseconds per page."""
    mb: float | None
    """Peak resident memory in MB."""


def figure_rows(scores: Sequence[PageScore], group: Callable[[PageScore], str]) -> list[FigureRow]:
    """Return a row for each group and tool: groups by name, tools in the order of their first score."""
    grouped: dict[str, dict[str, list[PageScore]]] = {}
    tools = dict.fromkeys(page.tool for page in scores)
    for page in scores:
        grouped.setdefault(group(page), {}).setdefault(page.tool, []).append(page)
    return [
        _row(tool, name, grouped[name][tool]) for name in sorted(grouped) for tool in tools if tool in grouped[name]
    ]


@dataclass(frozen=True)
class FigureTables:
    """All rows of a run, by set, page type and site."""

    sets: list[FigureRow]
    types: list[FigureRow]
    """One group per page type, "set: type", for sets that have types."""
    sites: list[FigureRow]
    """One group per site with more than one page, "set: site"."""
    facts: list[FactRow]
    """One group per set with facts."""


def tabulate(scores: Sequence[PageScore], facts: Sequence[FactScore] = ()) -> FigureTables:
    """Return the rows of each set, page type and site.

    Args:
        scores: the scores of pages with gold texts.
        facts: the scores of pages with facts.
    """
    pages = Counter((page.set, page.site, page.tool) for page in scores)
    with_company = [page for page in scores if pages[page.set, page.site, page.tool] > 1]
    return FigureTables(
        sets=figure_rows(scores, lambda page: page.set),
        types=figure_rows([page for page in scores if page.type], lambda page: f"{page.set}: {page.type}"),
        sites=figure_rows(with_company, lambda page: f"{page.set}: {page.site}"),
        facts=fact_rows(facts, lambda page: page.set),
    )


def lowest_groups(rows: Sequence[FigureRow], count: int) -> list[FigureRow]:
    """Return the rows of the `count` groups with the lowest mean F1 over tools, lowest first."""
    values: dict[str, list[float]] = {}
    for row in rows:
        values.setdefault(row.group, []).append(row.f1)
    means = {group: float(np.mean(f1)) for group, f1 in values.items()}
    chosen = sorted(means, key=lambda group: (means[group], group))[:count]
    return sorted((row for row in rows if row.group in chosen), key=lambda row: chosen.index(row.group))


def _row(tool: str, group: str, pages: Sequence[PageScore]) -> FigureRow:
    f1 = np.array([page.words.f1 for page in pages])
    sites = [page.site for page in pages]
    low, high = bootstrap_interval(f1, sites) if len(set(sites)) > 1 else (None, None)
    outcomes = sum((page.outcome for page in pages), Outcomes())
    both_ends = sum((page.ends for page in pages), Ends())
    peaks = [page.mb for page in pages if page.mb is not None]
    row = FigureRow(
        tool=tool,
        group=group,
        pages=len(pages),
        sites=len(set(sites)),
        failures=outcomes.failed,
        lost=outcomes.lost,
        precision=float(np.mean([page.words.precision for page in pages])),
        recall=float(np.mean([page.words.recall for page in pages])),
        f1=float(f1.mean()),
        low=low,
        high=high,
        shingle_f1=float(np.mean([page.runs.f1 for page in pages])),
        rouge_l=_mean(page.rouge.f1 for page in pages if page.rouge),
        order=_mean(page.order.share for page in pages if page.order),
        duplicated=float(np.mean([page.repeated.share for page in pages])),
        first=both_ends.first.recall,
        last=both_ends.last.recall,
        text_only=_mean(page.edits.text_only for page in pages if page.edits),
        markup_only=_mean(page.markup.markup_only for page in pages if page.markup),
        total=_mean(page.markup.total for page in pages if page.markup),
        snc=None,
        ic=None,
        brier=None,
        ece=None,
        ms=_mean(page.ms for page in pages if page.ms is not None),
        mb=max(peaks, default=None),
    )
    return _with_blocks(row, [page.blocks for page in pages if page.blocks])


def _with_blocks(row: FigureRow, blocks: Sequence[BlockScores]) -> FigureRow:
    if not blocks:
        return row
    nodes = sum((page.snc for page in blocks), Coverage())
    characters = sum((page.ic for page in blocks), Coverage())
    row = replace(row, snc=nodes.f, ic=characters.f)
    calibrations = [page.calibration for page in blocks if page.calibration is not None]
    if not calibrations:
        return row
    pooled = Calibration.total(calibrations)
    return replace(row, brier=pooled.brier, ece=pooled.ece())


def _mean(values: Iterable[float]) -> float | None:
    numbers = list(values)
    return float(np.mean(numbers)) if numbers else None
