"""Repeat the experiments of Marek's thesis: tables 5.1 and 6.1, and the ablations of chapter 6."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dehusk.evaluate.verdicts import VerdictSummary, cross_validate, summarise_verdicts, without_features
from dehusk.labels import LABELS, OTHER
from dehusk.methods.victor.config import VictorConfig
from dehusk.processes.pool import map_in_order
from dehusk.train.labelled_pages import LabelledPage, label_counts

_EXP_2 = ("word-ratio", "token.num-abs", "token.mix-abs", "token.other-abs")
EXPERIMENTS = {"Exp-1": (), "Exp-2": _EXP_2, "Exp-3": (*_EXP_2, "regexp.url", "document.word-count")}
"""Features disabled in each of the three systems entered in CLEANEVAL (chapter 6)."""

MARKUP = ("container.", "split.", "div-group.", "td-group.", "document.max-")
"""Prefixes of the markup features (section 4.1, and the feature groups); all others are text features."""

TableRows = list[list[str]]


def table_5_1(pages: Sequence[LabelledPage]) -> TableRows:
    """Return the distribution of labels over the blocks of all pages."""
    counts = label_counts(pages).tolist()
    rows = [[label, str(count)] for label, count in zip(LABELS[:OTHER], counts, strict=False)]
    return [
        ["label", "count"],
        *rows,
        ["total (content)", str(sum(counts[:OTHER]))],
        ["other (noise)", str(counts[OTHER])],
    ]


def table_6_1(results: dict[str, VerdictSummary]) -> TableRows:
    """Return the five measures of each experiment in percent, pooled / mean over documents."""
    head = ["", "5 labels", "content-noise", "markup-only", "text-only", "total", "word-bag F1"]
    return [head, *(_row(name, result) for name, result in results.items())]


def _row(name: str, result: VerdictSummary) -> list[str]:
    measures = (result.five_labels, result.content_noise, result.markup_only, result.text_only, result.total)
    cells = ["-" if measure is None else f"{measure.pooled:.2f} / {measure.mean:.2f}" for measure in measures]
    return [name, *cells, f"{result.words.pooled:.3f} / {result.words.mean:.3f}"]


def ablations(config: VictorConfig) -> dict[str, tuple[str, ...]]:
    """Return the features to disable in each experiment: none, each alone, all text features, all markup features."""
    names = config.template.features
    markup = tuple(name for name in names if name.startswith(MARKUP))
    text = tuple(name for name in names if name not in markup)
    single = {f"without {name}": (name,) for name in names}
    return {"all features": (), **single, "markup only": text, "content only": markup}


def run_experiments(
    config: VictorConfig,
    pages: Sequence[LabelledPage],
    experiments: dict[str, tuple[str, ...]],
    *,
    seed: int,
    workers: int,
) -> dict[str, VerdictSummary]:
    """Run a six-fold cross-validation for each experiment, without the features that the experiment disables.

    The most probable sequence of labels decides which blocks are kept, as in the thesis, whatever the configuration
    says.
    """
    faithful = replace(config, decide="labels")
    work = partial(_experiment, faithful, list(pages), seed)
    results = map_in_order(work, experiments.values(), workers=workers, on_death=_died)
    return dict(zip(experiments, results, strict=True))


def _experiment(
    config: VictorConfig, pages: list[LabelledPage], seed: int, disabled: tuple[str, ...]
) -> VerdictSummary:
    reduced = without_features(config, disabled)
    return summarise_verdicts(cross_validate(reduced, pages, folds=6, seed=seed))


def _died(disabled: tuple[str, ...]) -> VerdictSummary:
    raise RuntimeError(f"the process for the experiment without {', '.join(disabled)} died")
