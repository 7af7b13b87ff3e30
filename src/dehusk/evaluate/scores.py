"""Predictions on pages with gold, as rows of figures: by set, page type and site, with intervals over sites."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dehusk.evaluate.intervals import by_site
from dehusk.evaluate.metrics import WordBag, word_bag
from dehusk.evaluate.overlap import Shingles, shingles
from dehusk.evaluate.position import Ends, ends, paragraphs
from dehusk.evaluate.predictions import Prediction
from dehusk.gold.datasets import Sample
from dehusk.site.grouping import site_name


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
    ends: Ends
    """Whether the first and the last block of the gold text were found."""
    failed: bool
    ms: float | None


def score(sample: Sample, prediction: Prediction) -> Score:
    """Judge one prediction; a failure scores as what text it gave, which is none as a rule."""
    site = site_name(sample.site or sample.url or "", "domain") or f"{sample.set}/{sample.id}"
    gold = sample.gold_text
    return Score(
        tool=prediction.tool,
        set=sample.set,
        id=sample.id,
        site=site,
        type=sample.type or "",
        words=word_bag(prediction.text, gold),
        runs=shingles(prediction.text, gold),
        ends=ends(prediction.text, paragraphs(gold)),
        failed=bool(prediction.error),
        ms=prediction.ms,
    )


@dataclass(frozen=True)
class Row:
    """Figures of one tool on a group of pages."""

    tool: str
    group: str
    pages: int
    failures: int
    precision: float
    recall: float
    f1: float
    """Mean over pages."""
    low: float
    """Ends of the 95 % interval of the mean F1, by drawing sites."""
    high: float
    shingle_f1: float
    """Mean F1 of runs of four words: unlike bags of words it sees their order."""
    first: float
    """Share of pages whose first gold block was found."""
    last: float
    """Share of pages whose last gold block was found."""
    ms: float | None
    """Mean CPU milliseconds a page."""


def rows(scores: Sequence[Score], group: Callable[[Score], str]) -> list[Row]:
    """Return a row for each tool and group, tools in the order of their first score, groups by name."""
    tools = list(dict.fromkeys(one.tool for one in scores))
    found = []
    for name in sorted({group(one) for one in scores}):
        for tool in tools:
            own = [one for one in scores if one.tool == tool and group(one) == name]
            if own:
                found.append(_row(tool, name, own))
    return found


def _row(tool: str, group: str, own: Sequence[Score]) -> Row:
    f1 = np.array([one.words.f1 for one in own])
    low, high = by_site(f1, [one.site for one in own])
    times = [one.ms for one in own if one.ms is not None]
    return Row(
        tool=tool,
        group=group,
        pages=len(own),
        failures=sum(one.failed for one in own),
        precision=float(np.mean([one.words.precision for one in own])),
        recall=float(np.mean([one.words.recall for one in own])),
        f1=float(f1.mean()),
        low=low,
        high=high,
        shingle_f1=float(np.mean([one.runs.f1 for one in own])),
        first=sum((one.ends for one in own), Ends()).first.recall,
        last=sum((one.ends for one in own), Ends()).last.recall,
        ms=float(np.mean(times)) if times else None,
    )
