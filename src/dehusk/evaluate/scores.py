"""Predictions on pages with gold, as rows of figures: by set, page type and site, with intervals over sites."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dehusk.errors import Status
from dehusk.evaluate.block_scores import BlockScores, score_blocks
from dehusk.evaluate.predictions import Prediction
from dehusk.evaluate.sequence import LIMIT, edits, longest_common
from dehusk.evaluate.site_groups import site
from dehusk.gold.cleaneval import to_cleaneval
from dehusk.gold.datasets import Sample
from dehusk.measures.intervals import by_site
from dehusk.measures.metrics import CleanevalCounts, Overlap, WordBag, cleaneval, word_bag
from dehusk.measures.outcomes import Outcomes, outcome
from dehusk.measures.overlap import RougeL, Shingles, shingles
from dehusk.measures.position import Duplication, Ends, Order, duplication, ends, paragraphs
from dehusk.measures.probabilities import Calibration
from dehusk.measures.tokens import words
from dehusk.methods.wisdom.coverage import Coverage


@dataclass(frozen=True)
class Score:
    """One tool on one page."""

    tool: str
    set: str
    id: str
    site: str
    type: str
    words: WordBag
    runs: Shingles
    """Of four words."""
    rouge: RougeL | None
    """None where the texts are too long and too different (`sequence.LIMIT`), as the next."""
    order: Order | None
    repeated: Duplication
    ends: Ends
    """Whether the first and the last block of the gold text were found."""
    edits: CleanevalCounts | None
    """CLEANEVAL's text-only score."""
    markup: CleanevalCounts | None
    """CLEANEVAL's scores, where both the gold and the prediction have tags."""
    blocks: BlockScores | None
    """None where the prediction tells nothing of blocks."""
    outcome: Outcomes
    ms: float | None
    mb: float | None
    misfit: bool = False
    """Whether blocks were told that do not lie within the page."""

    @property
    def failed(self) -> bool:
        """Whether the tool failed on the page."""
        return bool(self.outcome.failed)


def score_all(pairs: Sequence[tuple[Sample, Prediction]]) -> list[Score]:
    """Judge predictions, in their order; page by page, because what is known of a page serves all its predictions."""
    order = {name: number for number, name in enumerate(dict.fromkeys((s.set, s.id) for s, _ in pairs))}
    turns = sorted(range(len(pairs)), key=lambda at: order[pairs[at][0].set, pairs[at][0].id])
    made = {at: score(*pairs[at]) for at in turns}
    return [made[at] for at in range(len(pairs))]


def score(sample: Sample, prediction: Prediction) -> Score:
    """Judge one prediction; a failure scores as what text it gave, which is none as a rule."""
    gold, text = _gold_text(sample), prediction.text
    bag, in_order = word_bag(text, gold), longest_common(words(text), words(gold))
    blocks = score_blocks(sample, prediction.blocks) if prediction.blocks else None
    return Score(
        tool=prediction.tool,
        set=sample.set,
        id=sample.id,
        site=site(sample),
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
    return to_cleaneval(sample.segments)


def _text_only(text: str, gold: str) -> CleanevalCounts | None:
    found, wanted = text.split(), gold.split()
    distance = edits(found, wanted)
    return None if distance is None else CleanevalCounts(distance, max(len(found), len(wanted)), Overlap())


def _markup(sample: Sample, prediction: Prediction) -> CleanevalCounts | None:
    if not sample.structured or not (prediction.cleaneval or prediction.blocks):
        return None  # (blocks without a text: the tool has the format, and kept nothing)
    gold = _gold_cleaneval(sample)
    if len(prediction.cleaneval.split()) * len(gold.split()) > LIMIT:
        return None
    return cleaneval(prediction.cleaneval, gold)


def notes(scores: Iterable[Score]) -> list[str]:
    """Return one line for each tool with pages that a measure could not be taken of."""
    long: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    for one in scores:
        long[one.tool] += one.rouge is None or one.edits is None
        outside[one.tool] += one.misfit
    said = [f"{tool}: {n} pages are too long for the measures of order" for tool, n in long.items() if n]
    return said + [f"{tool}: on {n} pages its blocks are not of the page, left out" for tool, n in outside.items() if n]


@dataclass(frozen=True)
class Row:
    """Figures of one tool on a group of pages; means over pages, None where there is nothing to take a mean of."""

    tool: str
    group: str
    pages: int
    sites: int
    failures: int
    lost: int
    """Pages with gold of which no word was kept, failures not among them."""
    precision: float
    recall: float
    f1: float
    low: float | None
    """Ends of the 95 % interval of the mean F1, by drawing sites; one site gives none."""
    high: float | None
    shingle_f1: float
    """F1 of runs of four words: unlike bags of words it sees their order."""
    rouge_l: float | None
    order: float | None
    """Of the words in common, the share in the same order."""
    duplicated: float
    """Share of predicted runs that were written before and are not in the gold so often."""
    first: float
    """Share of pages whose first gold block was found."""
    last: float
    """Share of pages whose last gold block was found."""
    text_only: float | None
    """CLEANEVAL's, in percent, as the next two."""
    markup_only: float | None
    total: float | None
    snc: float | None
    """F of significant node coverage, pooled, as the next."""
    ic: float | None
    brier: float | None
    """Of the probabilities of blocks, pooled, as the next."""
    ece: float | None
    ms: float | None
    """CPU milliseconds a page."""
    mb: float | None
    """Highest resident memory in MB."""


def rows(scores: Sequence[Score], group: Callable[[Score], str]) -> list[Row]:
    """Return a row for each tool and group, tools in the order of their first score, groups by name."""
    found: dict[str, dict[str, list[Score]]] = {}
    tools = dict.fromkeys(one.tool for one in scores)
    for one in scores:
        found.setdefault(group(one), {}).setdefault(one.tool, []).append(one)
    return [_row(tool, name, found[name][tool]) for name in sorted(found) for tool in tools if tool in found[name]]


@dataclass(frozen=True)
class Tables:
    """All rows of a run."""

    sets: list[Row]
    types: list[Row]
    """Page types of sets that have them, as "set: type"."""
    sites: list[Row]
    """Sites with more than one page, as "set: site"; one page alone is no figure."""


def tabulate(scores: Sequence[Score]) -> Tables:
    """Return the rows of each set, of its page types and of its sites."""
    pages = Counter((one.set, one.site, one.tool) for one in scores)
    several = [one for one in scores if pages[one.set, one.site, one.tool] > 1]
    return Tables(
        sets=rows(scores, lambda one: one.set),
        types=rows([one for one in scores if one.type], lambda one: f"{one.set}: {one.type}"),
        sites=rows(several, lambda one: f"{one.set}: {one.site}"),
    )


def lowest(found: Sequence[Row], count: int) -> list[Row]:
    """Return the rows of so many groups: those whose mean F1 over tools is lowest, the lowest first."""
    values: dict[str, list[float]] = {}
    for row in found:
        values.setdefault(row.group, []).append(row.f1)
    means = {name: float(np.mean(own)) for name, own in values.items()}
    chosen = sorted(means, key=lambda name: (means[name], name))[:count]
    return sorted((row for row in found if row.group in chosen), key=lambda row: chosen.index(row.group))


def _row(tool: str, group: str, own: Sequence[Score]) -> Row:
    f1 = np.array([one.words.f1 for one in own])
    sites = [one.site for one in own]
    low, high = by_site(f1, sites) if len(set(sites)) > 1 else (None, None)
    done = sum((one.outcome for one in own), Outcomes())
    both = sum((one.ends for one in own), Ends())
    peaks = [one.mb for one in own if one.mb is not None]
    empty = Row(
        tool=tool,
        group=group,
        pages=len(own),
        sites=len(set(sites)),
        failures=done.failed,
        lost=done.lost,
        precision=float(np.mean([one.words.precision for one in own])),
        recall=float(np.mean([one.words.recall for one in own])),
        f1=float(f1.mean()),
        low=low,
        high=high,
        shingle_f1=float(np.mean([one.runs.f1 for one in own])),
        rouge_l=_mean(one.rouge.f1 for one in own if one.rouge),
        order=_mean(one.order.share for one in own if one.order),
        duplicated=float(np.mean([one.repeated.share for one in own])),
        first=both.first.recall,
        last=both.last.recall,
        text_only=_mean(one.edits.text_only for one in own if one.edits),
        markup_only=_mean(one.markup.markup_only for one in own if one.markup),
        total=_mean(one.markup.total for one in own if one.markup),
        snc=None,
        ic=None,
        brier=None,
        ece=None,
        ms=_mean(one.ms for one in own if one.ms is not None),
        mb=max(peaks, default=None),
    )
    return _with_blocks(empty, [one.blocks for one in own if one.blocks])


def _with_blocks(row: Row, blocks: Sequence[BlockScores]) -> Row:
    if not blocks:
        return row
    nodes, characters = sum((one.snc for one in blocks), Coverage()), sum((one.ic for one in blocks), Coverage())
    row = replace(row, snc=nodes.f, ic=characters.f)
    known = [one.calibration for one in blocks if one.calibration is not None]
    if not known:
        return row
    pooled = Calibration.total(known)
    return replace(row, brier=pooled.brier, ece=pooled.ece())


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return float(np.mean(found)) if found else None
