"""Repeat the experiments of Marek's thesis: tables 5.1 and 6.1, and the ablations of chapter 6."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from dehusk.base.errors import ChildError
from dehusk.base.processes.pool import ChildPool
from dehusk.blocks.labels import LABELS, OTHER
from dehusk.lab.evaluate.verdicts import VerdictSummary, cross_validate, summarise_verdicts, without_features
from dehusk.lab.train.labelled_pages import LabelledPage, label_counts
from dehusk.label.victor.config import VictorConfig

_EXP_2 = ("word-ratio", "token.num-abs", "token.mix-abs", "token.other-abs")
EXPERIMENTS = {"Exp-1": (), "Exp-2": _EXP_2, "Exp-3": (*_EXP_2, "regexp.url", "document.word-count")}
"""Features disabled in each of the three systems entered in CLEANEVAL (chapter 6)."""

MARKUP = ("container.", "split.", "div-group.", "td-group.", "document.max-")
"""Prefixes of the markup features (section 4.1, and the feature groups); all others are text features."""

_SECONDS = 1e6  # that an experiment may take: any number

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
    with ChildPool(_experimenter, (faithful, list(pages), seed), workers=workers, seconds=_SECONDS) as children:
        return dict(zip(experiments, map(_found, children.map(experiments.values())), strict=True))


def _experimenter(
    given: tuple[VictorConfig, list[LabelledPage], int],
) -> Callable[[tuple[str, ...]], VerdictSummary]:
    """Return the function of a child: it runs an experiment, without some features."""
    config, pages, seed = given

    def run(disabled: tuple[str, ...]) -> VerdictSummary:
        reduced = without_features(config, disabled)
        return summarise_verdicts(cross_validate(reduced, pages, folds=6, seed=seed))

    return run


def _found(outcome: tuple[tuple[str, ...], VerdictSummary | ChildError]) -> VerdictSummary:
    disabled, result = outcome
    if isinstance(result, ChildError):
        raise ChildError(f"the experiment without {', '.join(disabled) or 'nothing'}: {result}")
    return result
