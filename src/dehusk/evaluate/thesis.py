"""The thesis's experiments: tables 5.1 and 6.1, the ablations of chapter 6."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dehusk.evaluate.verdicts import Figures, cross_validate, figures, without
from dehusk.labels import LABELS, OTHER
from dehusk.methods.victor.config import VictorConfig
from dehusk.processes.pool import map_in_order
from dehusk.train.labelled_pages import LabelledPage, label_counts

_EXP_2 = ("word-ratio", "token.num-abs", "token.mix-abs", "token.other-abs")
EXPERIMENTS = {"Exp-1": (), "Exp-2": _EXP_2, "Exp-3": (*_EXP_2, "regexp.url", "document.word-count")}
"""Chapter 6: features disabled in each of the three settings entered in CLEANEVAL."""

MARKUP = ("container.", "split.", "div-group.", "td-group.", "document.max-")
"""Names of the features that come from the markup (section 4.1 and the groups); the others look at the text."""

Rows = list[list[str]]


def table_5_1(pages: Sequence[LabelledPage]) -> Rows:
    """Return the distribution of labels over the blocks of all pages."""
    counts = label_counts(pages).tolist()
    rows = [[label, str(count)] for label, count in zip(LABELS[:OTHER], counts, strict=False)]
    return [
        ["label", "count"],
        *rows,
        ["total (content)", str(sum(counts[:OTHER]))],
        ["other (noise)", str(counts[OTHER])],
    ]


def table_6_1(results: dict[str, Figures]) -> Rows:
    """Return the five measures of each experiment in percent: pooled / mean over documents."""
    head = ["", "5 labels", "content-noise", "markup-only", "text-only", "total", "word-bag F1"]
    return [head, *(_row(name, result) for name, result in results.items())]


def _row(name: str, result: Figures) -> list[str]:
    measures = (result.five_labels, result.content_noise, result.markup_only, result.text_only, result.total)
    cells = ["-" if one is None else f"{one.pooled:.2f} / {one.mean:.2f}" for one in measures]
    return [name, *cells, f"{result.words.pooled:.3f} / {result.words.mean:.3f}"]


def ablations(config: VictorConfig) -> dict[str, tuple[str, ...]]:
    """Return the features to disable: none, each one by one, all of the text (markup-only), all of the markup."""
    names = config.template.features
    markup = tuple(name for name in names if name.startswith(MARKUP))
    text = tuple(name for name in names if name not in markup)
    single = {f"without {name}": (name,) for name in names}
    return {"all features": (), **single, "markup only": text, "content only": markup}


def run(
    config: VictorConfig,
    pages: Sequence[LabelledPage],
    experiments: dict[str, tuple[str, ...]],
    *,
    seed: int,
    workers: int,
) -> dict[str, Figures]:
    """Cross-validate the configuration six-fold without the features of each experiment; decided by labels.

    The thesis labels by the most probable sequence, so its experiments do, too, whatever the configuration decides.
    """
    faithful = replace(config, decide="labels")
    work = partial(_experiment, faithful, list(pages), seed)
    results = map_in_order(work, experiments.values(), workers=workers, on_death=_died)
    return dict(zip(experiments, results, strict=True))


def _experiment(config: VictorConfig, pages: list[LabelledPage], seed: int, disabled: tuple[str, ...]) -> Figures:
    return figures(cross_validate(without(config, disabled), pages, folds=6, seed=seed))


def _died(disabled: tuple[str, ...]) -> Figures:
    raise RuntimeError(f"the process of the experiment without {disabled} died")
