"""Score what is kept of pages with facts: facts kept, pages with all of them, words kept (`dehusk.measures.facts`)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dehusk.base.errors import counted
from dehusk.blocks import segment
from dehusk.lab.evaluate.predictions import Prediction
from dehusk.lab.evaluate.site_groups import site_of_sample
from dehusk.lab.gold.datasets import Sample
from dehusk.label.base import PageMethod
from dehusk.measures.facts import FactCounts, facts_kept
from dehusk.measures.intervals import bootstrap_interval
from dehusk.read import parse


@dataclass(frozen=True)
class FactScore:
    """The score of one tool, or of one model of dehusk, on one page with facts."""

    tool: str
    set: str
    site: str
    type: str
    facts: FactCounts
    failed: bool = False
    ms: float | None = None
    mb: float | None = None


@dataclass(frozen=True)
class FactRow:
    """Figures of one tool on the pages with facts of a group."""

    tool: str
    group: str
    pages: int
    sites: int
    failures: int
    kept: float
    """Mean over pages of the share of the facts that were kept."""
    low: float | None
    """Lower end of the 95 % bootstrap interval of `kept` over sites; None for a single site."""
    high: float | None
    """Upper end of the interval."""
    whole: float
    """Share of the pages with all of their facts."""
    words: float
    """Mean number of words kept."""
    ms: float | None
    """CPU milliseconds per page."""
    mb: float | None
    """Peak resident memory in MB."""


def score_facts(pairs: Iterable[tuple[Sample, Prediction]]) -> list[FactScore]:
    """Score predictions for pages with facts, in order; other pages are skipped. A failure keeps none."""
    return [
        FactScore(
            tool=prediction.tool,
            set=sample.set,
            site=site_of_sample(sample),
            type=sample.type or "",
            facts=counts,
            failed=bool(prediction.error),
            ms=prediction.ms,
            mb=prediction.mb,
        )
        for sample, prediction in pairs
        if (counts := facts_kept(prediction.scored.text, sample.facts)).pages
    ]


def judge_facts(name: str, method: PageMethod, samples: Iterable[Sample]) -> list[FactScore]:
    """Label pages by a method and score what it keeps; pages without facts are skipped.

    Args:
        name: how the rows name the method.
        method: labels the pages.
        samples: the pages.
    """
    scores = []
    for sample in samples:
        if not sample.facts:
            continue
        labels = method.label(method.segment(parse(sample.bare, url=sample.url)))
        kept = " ".join(text for text, keep in zip(labels.blocks.texts, labels.kept.tolist(), strict=True) if keep)
        prediction = Prediction(sample.set, sample.id, name, kept)
        scores += score_facts([(sample, prediction)])
    return scores


def fact_rows(scores: Sequence[FactScore], group: Callable[[FactScore], str]) -> list[FactRow]:
    """Return a row for each group and tool: groups by name, tools in the order of their first score."""
    grouped: dict[tuple[str, str], list[FactScore]] = {}
    for page in scores:
        grouped.setdefault((group(page), page.tool), []).append(page)
    tools = list(dict.fromkeys(page.tool for page in scores))
    order = sorted(grouped, key=lambda key: (key[0], tools.index(key[1])))
    return [_row(tool, name, grouped[name, tool]) for name, tool in order]


def facts_not_on_page_notes(samples: Iterable[Sample]) -> list[str]:
    """Return one line for each set that states facts which its pages do not contain, so that no tool can keep them."""
    counts: dict[str, FactCounts] = {}
    for sample in samples:
        if sample.facts:
            text = " ".join(segment(parse(sample.bare)).texts)
            counts[sample.set] = counts.get(sample.set, FactCounts()) + facts_kept(text, sample.facts)
    return [
        f"{name}: {of_set.facts - of_set.kept} of {counted(of_set.facts, 'fact')} not on their page as dehusk reads it "
        f"({counted(of_set.pages - of_set.whole, 'page')})"
        for name, of_set in counts.items()
        if of_set.kept < of_set.facts
    ]


def _row(tool: str, group: str, pages: Sequence[FactScore]) -> FactRow:
    total = sum((page.facts for page in pages), FactCounts())
    kept = np.array([page.facts.recall for page in pages])
    sites = [page.site for page in pages]
    low, high = bootstrap_interval(kept, sites) if len(set(sites)) > 1 else (None, None)
    times = [page.ms for page in pages if page.ms is not None]
    return FactRow(
        tool=tool,
        group=group,
        pages=len(pages),
        sites=len(set(sites)),
        failures=sum(page.failed for page in pages),
        kept=float(kept.mean()),
        low=low,
        high=high,
        whole=total.whole_share,
        words=total.words_per_page,
        ms=float(np.mean(times)) if times else None,
        mb=max((page.mb for page in pages if page.mb is not None), default=None),
    )
