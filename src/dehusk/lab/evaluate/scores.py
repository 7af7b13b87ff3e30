"""Score predictions against gold texts, and average the scores by set, page type and site."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dehusk.base.errors import Status, counted
from dehusk.lab.evaluate.block_scores import BlockScores, score_blocks
from dehusk.lab.evaluate.fact_scores import FactRow, FactScore, fact_rows
from dehusk.lab.evaluate.predictions import Prediction
from dehusk.lab.evaluate.sequence import LIMIT, edit_distance, longest_common
from dehusk.lab.evaluate.site_groups import site_of_sample
from dehusk.lab.gold.cleaneval import segments_to_cleaneval
from dehusk.lab.gold.datasets import Sample
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import CleanevalCounts, Overlap, WordBag, cleaneval, word_bag
from dehusk.measures.outcomes import Outcomes, outcome
from dehusk.measures.overlap import RougeL, Shingles, shingles
from dehusk.measures.position import Duplication, Ends, Order, duplication, ends, paragraphs
from dehusk.measures.probabilities import Calibration
from dehusk.measures.tokens import words
from dehusk.sites.wisdom.coverage import Coverage


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
    """None if the texts are too long and too different (`sequence.LIMIT`)."""
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
    """Score one prediction; a failure without a text scores as an empty text."""
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
