"""Judge a method on labelled pages: the five measures of Marek's thesis and word-bag F1, as counts that add up."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dehusk import write
from dehusk.base.errors import GoldError
from dehusk.blocks.labels import LABELS, OTHER, Labels, as_labels
from dehusk.lab.gold import splits
from dehusk.lab.gold.cleaneval import segments_to_cleaneval
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.lab.train.victor import train_victor
from dehusk.label.base import PageMethod
from dehusk.label.victor.config import VictorConfig
from dehusk.measures.metrics import (
    CleanevalCounts,
    LabelCounts,
    MeanAndPooled,
    WordBag,
    cleaneval,
    label_counts,
    summarise,
    word_bag,
)


@dataclass(frozen=True)
class Verdict:
    """The counts of one page."""

    set: str
    site: str
    type: str | None
    words: WordBag
    labels: LabelCounts | None
    """None if the gold text has no structure."""
    cleaneval: CleanevalCounts | None
    """None if the gold text has no structure."""


def judge(method: PageMethod, page: LabelledPage) -> Verdict:
    """Label one page and count how the labels agree with the gold labels; unlabelled blocks do not count."""
    labels = method.label(page.blocks)
    if page.agreement is None:
        labels = replace(labels, kept=labels.kept & (page.codes >= 0))
    kept = " ".join(text for text, keep in zip(page.blocks.texts, labels.kept.tolist(), strict=True) if keep)
    structured = page.sample.structured or page.agreement is None
    return Verdict(
        set=page.sample.set,
        site=page.site,
        type=page.sample.type,
        words=word_bag(kept, page.sample.gold_text),
        labels=_label_counts(labels, page) if structured else None,
        cleaneval=_cleaneval(labels, page) if structured else None,
    )


def _label_counts(labels: Labels, page: LabelledPage) -> LabelCounts:
    labelled = np.flatnonzero(page.codes >= 0)
    return label_counts(
        [LABELS[code] for code in as_labels(labels.label[labelled]).tolist()],
        [LABELS[code] for code in page.codes[labelled].tolist()],
    )


def _cleaneval(labels: Labels, page: LabelledPage) -> CleanevalCounts:
    if page.agreement is not None:
        return cleaneval(write.to_cleaneval(labels), segments_to_cleaneval(page.sample.segments))
    gold = np.maximum(page.codes, 0).astype(np.uint8)  # the annotation is the gold text
    kept = (page.codes >= 0) & (page.codes < OTHER)
    return cleaneval(write.to_cleaneval(labels), write.to_cleaneval(replace(labels, label=gold, kept=kept)))


def cross_validate(
    config: VictorConfig, pages: Sequence[LabelledPage], *, folds: int = 6, seed: int = 0, by: str = "page"
) -> list[Verdict]:
    """Judge each fold by a model trained on all other folds; return verdicts in the order of the pages.

    Args:
        config: the configuration to train.
        pages: labelled pages, segmented as the configuration says.
        folds: number of folds.
        seed: the seed of the split.
        by: "page" as in the thesis, or "site" to keep all pages of a site in one fold.

    Raises:
        GoldError: fewer pages or sites than folds, or a fold without content or noise to learn from.
    """
    fold = folds_of_pages(pages, folds, seed=seed, by=by)
    verdicts: dict[int, Verdict] = {}
    for left_out in range(folds):
        verdicts |= judge_fold(config, pages, fold == left_out)
    return [verdicts[index] for index in range(len(pages))]


def folds_of_pages(
    pages: Sequence[LabelledPage], folds: int, *, seed: int = 0, by: str = "page"
) -> npt.NDArray[np.int64]:
    """Return the fold of each page, shape (p,).

    Raises:
        GoldError: fewer pages or sites than folds.
    """
    try:
        if by == "page":
            return splits.folds_by_page(len(pages), folds, seed=seed)
        return splits.folds_by_site([page.site for page in pages], folds, seed=seed)
    except ValueError as error:
        raise GoldError(str(error)) from error


def judge_fold(
    config: VictorConfig, pages: Sequence[LabelledPage], is_held_out: npt.NDArray[np.bool_]
) -> dict[int, Verdict]:
    """Train on some pages and judge the others; return index -> verdict."""
    victor = train_victor(config, [page for page, held in zip(pages, is_held_out, strict=True) if not held])
    return {index: judge(victor, pages[index]) for index in np.flatnonzero(is_held_out).tolist()}


def without_features(config: VictorConfig, features: Iterable[str]) -> VictorConfig:
    """Return a configuration without some features and without the joins that use them.

    Raises:
        GoldError: no feature remains.
    """
    removed = set(features)
    template = config.template
    left = tuple(name for name in template.features if name not in removed)
    if not left:
        raise GoldError("the experiment disables all features")
    joins = tuple(join for join in template.joins if not removed & set(join))
    return replace(config, template=replace(template, features=left, joins=joins))


@dataclass(frozen=True)
class VerdictSummary:
    """The figures of a collection, each as the mean over documents and pooled."""

    pages: int
    five_labels: MeanAndPooled | None
    content_noise: MeanAndPooled | None
    markup_only: MeanAndPooled | None
    text_only: MeanAndPooled | None
    total: MeanAndPooled | None
    words: MeanAndPooled
    precision: MeanAndPooled
    recall: MeanAndPooled


def summarise_verdicts(verdicts: Sequence[Verdict]) -> VerdictSummary:
    """Summarise verdicts; the thesis's measures cover pages whose gold text has structure, and are None without any."""
    labels = [verdict.labels for verdict in verdicts if verdict.labels is not None]
    scores = [verdict.cleaneval for verdict in verdicts if verdict.cleaneval is not None]
    words = [verdict.words for verdict in verdicts]
    return VerdictSummary(
        pages=len(verdicts),
        five_labels=summarise(labels, lambda c: 100 * c.accuracy) if labels else None,
        content_noise=summarise(labels, lambda c: 100 * c.content_accuracy) if labels else None,
        markup_only=summarise(scores, lambda c: c.markup_only) if scores else None,
        text_only=summarise(scores, lambda c: c.text_only) if scores else None,
        total=summarise(scores, lambda c: c.total) if scores else None,
        words=summarise(words, lambda c: c.f1),
        precision=summarise(words, lambda c: c.precision),
        recall=summarise(words, lambda c: c.recall),
    )
