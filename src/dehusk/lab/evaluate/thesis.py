"""Repeat the experiments of Marek's thesis: tables 5.1 and 6.1, and the ablations of chapter 6."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ChildError
from dehusk.base.processes.pool import ChildPool
from dehusk.blocks.labels import LABELS, OTHER
from dehusk.lab.evaluate.verdicts import (
    Verdict,
    VerdictSummary,
    folds_of_pages,
    judge_fold,
    summarise_verdicts,
    without_features,
)
from dehusk.lab.train.labelled_pages import LabelledPage, label_counts
from dehusk.label.victor.config import VictorConfig

_EXP_2 = ("word-ratio", "token.num-abs", "token.mix-abs", "token.other-abs")
EXPERIMENTS = {"Exp-1": (), "Exp-2": _EXP_2, "Exp-3": (*_EXP_2, "regexp.url", "document.word-count")}
"""Features disabled in each of the three systems entered in CLEANEVAL (chapter 6)."""

MARKUP = ("container.", "split.", "div-group.", "td-group.", "document.max-")
"""Prefixes of the markup features (section 4.1, and the feature groups); all others are text features."""

FOLDS = 6
_SECONDS = 1e6  # that an experiment may take: any number

TableRows = list[list[str]]
_Task = tuple[str, tuple[str, ...], int]
"""(experiment, features that it disables, fold that is judged)"""


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


def table_6_1(results: Mapping[str, Sequence[Verdict]]) -> TableRows:
    """Return the five measures of each experiment in percent, pooled / mean over documents."""
    head = ["", "5 labels", "content-noise", "markup-only", "text-only", "total", "word-bag F1"]
    return [head, *(_row(name, summarise_verdicts(verdicts)) for name, verdicts in results.items())]


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
) -> dict[str, list[Verdict]]:
    """Cross-validate each experiment in six folds, without the features that it disables; return its verdicts.

    The most probable sequence of labels decides which blocks are kept, as in the thesis, whatever the configuration
    says.
    """
    faithful = replace(config, decide="labels")
    fold = folds_of_pages(pages, FOLDS, seed=seed)
    tasks = [(name, disabled, left_out) for name, disabled in experiments.items() for left_out in range(FOLDS)]
    verdicts: dict[str, dict[int, Verdict]] = {name: {} for name in experiments}
    with ChildPool(_experimenter, (faithful, list(pages), fold), workers=workers, seconds=_SECONDS) as children:
        for (name, disabled, _), result in children.map(tasks):
            if isinstance(result, ChildError):
                raise ChildError(f"the experiment without {', '.join(disabled) or 'nothing'}: {result}")
            verdicts[name] |= result
    return {name: [of_pages[index] for index in range(len(pages))] for name, of_pages in verdicts.items()}


def _experimenter(
    given: tuple[VictorConfig, list[LabelledPage], npt.NDArray[np.int64]],
) -> Callable[[_Task], dict[int, Verdict]]:
    """Return the function of a child: it runs a fold of an experiment, without some features."""
    config, pages, fold = given

    def run(task: _Task) -> dict[int, Verdict]:
        _, disabled, left_out = task
        return judge_fold(without_features(config, disabled), pages, fold == left_out)

    return run
