"""Table 6.1 of Marek, *Automatic cleaning of HTML documents* (2007): three systems in six folds by page.

The thesis had 104 documents of CLEANEVAL's development set and of its own; with DATA, the 57 that remain are used, else
generated pages. Blocks are kept by the most probable sequence of labels, as in the thesis. Its text-only and
markup-only scores come from CLEANEVAL's script; ours follow its description (docs/measure-definitions.md).
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

from dehusk.base.processes.processors import available
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels, by_markup
from dehusk.lab.evaluate.rivals import RIVALS
from dehusk.lab.evaluate.thesis import EXPERIMENTS, FOLDS, run_experiments, table_6_1
from dehusk.lab.evaluate.verdicts import Verdict, judge, summarise_verdicts
from dehusk.lab.papers.experiment import Experiment, compared, read_gold
from dehusk.lab.papers.plots import histogram
from dehusk.lab.papers.shops import shop_samples
from dehusk.lab.train.labelled_pages import LabelledPage, label_samples
from dehusk.label.base import PageMethod
from dehusk.label.victor.config import load_config
from dehusk.label.victor.method import Victor

SETS: Final = ("cleaneval-dev",)
MOST: Final = 2
"""Maximum number of generated pages per category and shop."""
PRINTED: Final = {
    "Exp-1": (74.45, 82.60, 66.71, 81.11, 73.92),
    "Exp-2": (75.09, 83.09, 67.31, 81.68, 74.50),
    "Exp-3": (75.01, 82.88, 68.46, 81.83, 75.15),
}
"""Table 6.1 of the thesis, in percent."""


class RivalMethod:
    """A rival as a method: it splits pages as another method does and keeps blocks by its rule, labelled by markup."""

    def __init__(self, name: str, like: PageMethod) -> None:
        self.name, self.segment = name, like.segment

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks that the rule keeps by their tags, all others as noise."""
        kept = RIVALS[self.name](blocks)
        reasons = (self.name,) * len(blocks) if explain else ()
        return Labels(blocks, by_markup(blocks, kept), kept.astype(float), kept, reasons)


def experiment(data: Path | None = None) -> Experiment:
    """Cross-validate the three systems of the thesis beside the rivals.

    Args:
        data: folder of the open sets; by default pages are generated.
    """
    config = replace(load_config("cleaneval"), decide="labels")
    victor = Victor(config)
    samples = read_gold(data, SETS) if data else list(shop_samples(MOST))
    pages = label_samples(samples, victor)
    systems = run_experiments(config, pages, EXPERIMENTS, seed=0, workers=available())
    rivals = {name: [judge(RivalMethod(name, victor), page) for page in pages] for name in RIVALS}
    return _report(pages, systems, rivals)


def _report(
    pages: list[LabelledPage], systems: dict[str, list[Verdict]], rivals: dict[str, list[Verdict]]
) -> Experiment:
    every = systems | rivals
    head, *rows = table_6_1(every)
    table = [head]
    for name, row in zip(every, rows, strict=True):
        table.append(row)
        if name in PRINTED:
            table.append([f"{name}, thesis", *(f"{figure:.2f}" for figure in PRINTED[name]), ""])
    summaries = {name: summarise_verdicts(verdicts) for name, verdicts in every.items()}
    f1 = {name: summary.words.mean for name, summary in summaries.items()}
    noise = {name: of.content_noise.mean / 100 for name, of in summaries.items() if of.content_noise}
    findings = [
        compared({n: of[n] for n in systems}, {n: of[n] for n in rivals}, measure)
        for measure, of in (("Word F1", f1), ("Accuracy of content and noise", noise))
    ]
    shown = (next(iter(systems)), *rivals)
    picture = histogram(
        {name: [verdict.words.f1 for verdict in every[name]] for name in shown},
        title="Victor and its rivals: word F1 by document",
        x_label="word-bag F1 of a document; the thick line is the mean",
        unit="documents",
    )
    return Experiment(
        "Victor: three systems (Marek 2007, table 6.1)",
        f"{len(pages)} documents of {pages[0].sample.set}, {FOLDS} folds by page; the thesis has 104. In percent, "
        "pooled / mean over documents; word-bag F1 from 0 to 1. The rows below the systems are floors and a rule of "
        "one line: blocks of ten words or more, less than a third of them in links.",
        {"Table 6.1": table},
        findings,
        {"victor.svg": picture},
    )
