"""The united labeller on pages of sites it never saw: by fold, by family left out, by style, with and without the site.

Word-bag F1 of each page's kept blocks, mean over pages. Folds are by site over all open sets together; a family is left
out as a whole. A site's evidence is learned from the pages of the set that share its domain.
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
"""What the gold of a set holds; WCXB's is of no one style."""
FAMILIES = {
    "dragnet": ("dragnet-a",),
    "chaos and big9": ("chaos-a", "big9-2013", "big9-2005"),
    "cleaneval": ("cleaneval-dev", "cleaneval-final"),
    "WCXB": ("wcxb-dev",),
}
BY_SITE = ("big9-2005", "big9-2013", "cleanportaleval-a")


@dataclass(frozen=True)
class Figure:
    """One page judged in one way."""

    way: str
    number: int
    f1: float
    confidence: float


def corpus(data: Path) -> TrainingSet:
    pages = [page for one in OPEN_SETS for page in label_samples(read_set(set_path(data, one)), KeepAll())]
    return TrainingSet.of(pages, [STYLES.get(page.sample.set, "auto") for page in pages])


def judged(way: str, method: United, pages: list[LabelledPage], numbers: list[int]) -> list[Figure]:
    found = []
    for number in numbers:
        labels = method.label(pages[number].blocks)
        texts = pages[number].blocks.texts
        kept = " ".join(text for text, keep in zip(texts, labels.kept.tolist(), strict=True) if keep)
        f1 = word_bag(kept, pages[number].sample.gold_text).f1
        found.append(Figure(way, number, f1, Document(Status.OK, "", labels).confidence))
    return found


def folds(all_pages: TrainingSet, counts: list[Calibration]) -> list[Figure]:
    """Judge each page by a model that saw no page of its site, in every way."""
    pages, found = all_pages.pages, []
    fold = splits.folds_by_site([page.site for page in pages], FOLDS, seed=SEED)
    for number in range(FOLDS):
        model = train_united(all_pages.subset(np.flatnonzero(fold != number).tolist()), Growth())
        held = np.flatnonzero(fold == number).tolist()
        found += judged("auto", model, pages, held)
        for style in sorted(set(STYLES.values())):
            own = [n for n in held if all_pages.styles[n] == style]
            found += judged("style", model.using(style=style), pages, own)
        found += with_site(model, pages, held)
        counts += [calibrated(model, pages[n]) for n in held if len(pages[n].blocks)]
        print(f"fold {number}: {len(held)} pages, evidence {model.weights}", flush=True)
    return found


def with_site(model: United, pages: list[LabelledPage], held: list[int]) -> list[Figure]:
    sites, found = defaultdict(list), []
    for n in held:
        if pages[n].sample.set in BY_SITE:
            sites[pages[n].sample.set, pages[n].site].append(n)
    for size in SIZES:
        for members in sites.values():
            for part in np.array_split(np.array(members), max(1, len(members) // size)):
                site = Site(mixed=True, structure=False).fit([pages[n].blocks for n in part.tolist()])
                found += judged(f"site of {size}", model.using(site=site), pages, part.tolist())
    return found


def calibrated(model: United, page: LabelledPage) -> Calibration:
    labels = model.label(page.blocks)
    known = page.codes >= 0
    return calibration(labels.probability[known], page.codes[known] < 4)


def families(all_pages: TrainingSet) -> list[Figure]:
    """Judge the pages of each family by a model that saw none of it."""
    found = []
    for name, sets in FAMILIES.items():
        out = [n for n, page in enumerate(all_pages.pages) if page.sample.set in sets]
        rest = [n for n in range(len(all_pages)) if n not in set(out)]
        sites = {all_pages.pages[n].site for n in out}
        rest = [n for n in rest if all_pages.pages[n].site not in sites]
        found += judged("family left out", train_united(all_pages.subset(rest), sites=False), all_pages.pages, out)
        print(f"{name} left out: {len(rest)} pages to learn from", flush=True)
    return found


def row(name: str, pages: list[LabelledPage], by: dict[str, dict[int, Figure]], numbers: list[int]) -> list[str]:
    """Return the figures of a group of pages."""
    auto = [by["auto"][n].f1 for n in numbers]
    interval = str(bootstrap_interval(auto, [pages[n].site for n in numbers], seed=SEED))
    rest = []
    for way in ("style", "family left out"):
        own = [by[way][n].f1 for n in numbers if n in by[way]]
        rest.append(f"{np.mean(own):.3f}" if len(own) == len(numbers) else "")
    return [name, str(len(numbers)), f"{np.mean(auto):.3f}", interval, *rest]


def tables(all_pages: TrainingSet, figures: list[Figure]) -> tuple[list[list[str]], list[list[str]]]:
    pages = all_pages.pages
    by: dict[str, dict[int, Figure]] = defaultdict(dict)
    for figure in figures:
        by[figure.way][figure.number] = figure
    groups: dict[str, list[int]] = defaultdict(list)
    for number, page in enumerate(pages):
        groups[page.sample.set].append(number)
        if page.sample.type:
            groups[f"{page.sample.set}: {page.sample.type}"].append(number)
    head = ["set", "pages", "auto", "95 %", "own style", "family left out"]
    first = [head, *(row(name, pages, by, groups[name]) for name in sorted(groups))]
    second = [["site of", "pages", "without", "with", "gain", "worst site", "best site"]]
    for size in SIZES:
        own = by[f"site of {size}"]
        gains: dict[tuple[str, str], list[float]] = defaultdict(list)
        for n, figure in own.items():
            gains[pages[n].sample.set, pages[n].site].append(figure.f1 - by["auto"][n].f1)
        means = [float(np.mean(one)) for one in gains.values()]
        before, after = (float(np.mean([by[way][n].f1 for n in own])) for way in ("auto", f"site of {size}"))
        cells = [f"{before:.4f}", f"{after:.4f}", f"{after - before:+.4f}", f"{min(means):+.3f}", f"{max(means):+.3f}"]
        second.append([f"{size} pages", str(len(own)), *cells])
    return first, second


def main() -> None:
    data = data_argument(__doc__ or "")
    all_pages = corpus(data)
    parts: list[Calibration] = []
    figures = folds(all_pages, parts) + families(all_pages)
    by_set, by_size = tables(all_pages, figures)
    total = Calibration.total(parts)
    auto = [figure for figure in figures if figure.way == "auto"]
    rank = spearmanr([figure.confidence for figure in auto], [figure.f1 for figure in auto]).statistic
    text = (
        f"# The united labeller on sites never seen\n\n`python bench/united.py DATA`, {dt.date.today()}: {FOLDS} folds "
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
