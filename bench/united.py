"""Judge the united labeller on sites not seen in training: by folds, without a family of sets, by style, with the site.

Word-bag F1 of each page's kept blocks, mean over pages. Folds are by site over all open sets together. The evidence of a
site is learned from the pages of the set that share its domain.
"""

import datetime as dt
import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.stats import spearmanr

from dehusk import Site
from dehusk.document import Document
from dehusk.errors import Status
from dehusk.evaluate.text_tables import markdown_table
from dehusk.gold import splits
from dehusk.gold.datasets import read_set, set_fingerprint
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import word_bag
from dehusk.measures.probabilities import Calibration, calibration
from dehusk.methods.baseline import KeepAll
from dehusk.methods.united import United
from dehusk.train.boosting import Growth
from dehusk.train.labelled_pages import LabelledPage, label_samples
from dehusk.train.united import SIZES, TrainingSet, train_united
from sets import OPEN_SETS, data_argument, set_path, write_results

FOLDS, SEED = 3, 0
STYLES = {
    "dragnet-a": "comments",
    "chaos-a": "article",
    "scrapinghub-a": "body",
    "big9-2013": "article",
    "big9-2005": "article",
    "cleaneval-dev": "whole",
    "cleaneval-final": "whole",
    "cleanportaleval-a": "article",
    "l3s-gn1-a": "article",
    "readability-a": "article",
}
"""The style of the gold texts of each set; WCXB's have no common style."""
FAMILIES = {
    "dragnet": ("dragnet-a",),
    "chaos and big9": ("chaos-a", "big9-2013", "big9-2005"),
    "cleaneval": ("cleaneval-dev", "cleaneval-final"),
    "WCXB": ("wcxb-dev",),
}
BY_SITE = ("big9-2005", "big9-2013", "cleanportaleval-a")


@dataclass(frozen=True)
class Figure:
    """The result of one page in one setting."""

    setting: str
    index: int
    f1: float
    confidence: float


def corpus(data: Path) -> TrainingSet:
    pages = [page for set_ in OPEN_SETS for page in label_samples(read_set(set_path(data, set_)), KeepAll())]
    return TrainingSet.of(pages, [STYLES.get(page.sample.set, "auto") for page in pages])


def judge_pages(setting: str, method: United, pages: list[LabelledPage], indices: list[int]) -> list[Figure]:
    figures = []
    for index in indices:
        labels = method.label(pages[index].blocks)
        texts = pages[index].blocks.texts
        kept = " ".join(text for text, keep in zip(texts, labels.kept.tolist(), strict=True) if keep)
        f1 = word_bag(kept, pages[index].sample.gold_text).f1
        figures.append(Figure(setting, index, f1, Document(Status.OK, "", labels).confidence))
    return figures


def folds(all_pages: TrainingSet, counts: list[Calibration]) -> list[Figure]:
    """Judge each page in every setting, by a model that was trained on no page of its site."""
    pages, figures = all_pages.pages, []
    fold = splits.folds_by_site([page.site for page in pages], FOLDS, seed=SEED)
    for number in range(FOLDS):
        model = train_united(all_pages.subset(np.flatnonzero(fold != number).tolist()), Growth())
        held = np.flatnonzero(fold == number).tolist()
        figures += judge_pages("auto", model, pages, held)
        for style in sorted(set(STYLES.values())):
            of_style = [n for n in held if all_pages.styles[n] == style]
            figures += judge_pages("style", model.using(style=style), pages, of_style)
        figures += with_site(model, pages, held)
        counts += [calibrated(model, pages[n]) for n in held if len(pages[n].blocks)]
        print(f"fold {number}: {len(held)} pages, evidence {model.weights}", flush=True)
    return figures


def with_site(model: United, pages: list[LabelledPage], held: list[int]) -> list[Figure]:
    sites, figures = defaultdict(list), []
    for n in held:
        if pages[n].sample.set in BY_SITE:
            sites[pages[n].sample.set, pages[n].site].append(n)
    for size in SIZES:
        for members in sites.values():
            for group in np.array_split(np.array(members), max(1, len(members) // size)):
                site = Site(mixed=True, structure=False).fit([pages[n].blocks for n in group.tolist()])
                figures += judge_pages(f"site of {size}", model.using(site=site), pages, group.tolist())
    return figures


def calibrated(model: United, page: LabelledPage) -> Calibration:
    labels = model.label(page.blocks)
    labelled = page.codes >= 0
    return calibration(labels.probability[labelled], page.codes[labelled] < 4)


def families(all_pages: TrainingSet) -> list[Figure]:
    """Judge the pages of each family of sets by a model that was trained on no page and no site of it."""
    figures = []
    for name, sets in FAMILIES.items():
        out = [n for n, page in enumerate(all_pages.pages) if page.sample.set in sets]
        rest = [n for n in range(len(all_pages)) if n not in set(out)]
        sites = {all_pages.pages[n].site for n in out}
        rest = [n for n in rest if all_pages.pages[n].site not in sites]
        model = train_united(all_pages.subset(rest), sites=False)
        figures += judge_pages("family left out", model, all_pages.pages, out)
        print(f"without {name}: {len(rest)} training pages", flush=True)
    return figures


def row(name: str, pages: list[LabelledPage], by: dict[str, dict[int, Figure]], numbers: list[int]) -> list[str]:
    """Return the table row of a group of pages."""
    auto = [by["auto"][n].f1 for n in numbers]
    interval = str(bootstrap_interval(auto, [pages[n].site for n in numbers], seed=SEED))
    rest = []
    for setting in ("style", "family left out"):
        f1 = [by[setting][n].f1 for n in numbers if n in by[setting]]
        rest.append(f"{np.mean(f1):.3f}" if len(f1) == len(numbers) else "")
    return [name, str(len(numbers)), f"{np.mean(auto):.3f}", interval, *rest]


def tables(all_pages: TrainingSet, figures: list[Figure]) -> tuple[list[list[str]], list[list[str]]]:
    pages = all_pages.pages
    by: dict[str, dict[int, Figure]] = defaultdict(dict)
    for figure in figures:
        by[figure.setting][figure.index] = figure
    groups: dict[str, list[int]] = defaultdict(list)
    for number, page in enumerate(pages):
        groups[page.sample.set].append(number)
        if page.sample.type:
            groups[f"{page.sample.set}: {page.sample.type}"].append(number)
    head = ["set", "pages", "auto", "95 %", "own style", "family left out"]
    first = [head, *(row(name, pages, by, groups[name]) for name in sorted(groups))]
    second = [["site of", "pages", "without", "with", "gain", "worst site", "best site"]]
    for size in SIZES:
        with_size = by[f"site of {size}"]
        gains: dict[tuple[str, str], list[float]] = defaultdict(list)
        for n, figure in with_size.items():
            gains[pages[n].sample.set, pages[n].site].append(figure.f1 - by["auto"][n].f1)
        means = [float(np.mean(of_site)) for of_site in gains.values()]
        before, after = (
            float(np.mean([by[setting][n].f1 for n in with_size])) for setting in ("auto", f"site of {size}")
        )
        cells = [f"{before:.4f}", f"{after:.4f}", f"{after - before:+.4f}", f"{min(means):+.3f}", f"{max(means):+.3f}"]
        second.append([f"{size} pages", str(len(with_size)), *cells])
    return first, second


def main() -> None:
    data = data_argument(__doc__ or "")
    all_pages = corpus(data)
    counts: list[Calibration] = []
    figures = folds(all_pages, counts) + families(all_pages)
    by_set, by_size = tables(all_pages, figures)
    total = Calibration.total(counts)
    auto = [figure for figure in figures if figure.setting == "auto"]
    rank = spearmanr([figure.confidence for figure in auto], [figure.f1 for figure in auto]).statistic
    text = (
        f"# The united labeller on unseen sites\n\n`python bench/united.py DATA`, {dt.date.today()}: {FOLDS} folds "
        f"by site over {len(all_pages)} pages; word-bag F1, mean over pages, intervals by site.\n\n"
        f"{markdown_table(by_set)}\n## With the site's other pages\n\n{markdown_table(by_size)}\n"
        f"## Probabilities\n\nExpected calibration error {total.ece():.4f}, Brier score {total.brier:.4f} over "
        f"{total.events} blocks; rank correlation of a page's confidence with its F1: {rank:.3f}.\n"
    )
    values = {
        "sets": {name: set_fingerprint(set_path(data, name)) for name in OPEN_SETS},
        "tables": [by_set, by_size],
        "ece": total.ece(),
        "spearman": float(rank),
    }
    write_results("united", text, values)


if __name__ == "__main__":
    main()
