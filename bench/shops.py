"""Yi & Liu's experiments on five generated shops, before and after cleaning, beside rivals without a tree.

Section 4 of *Web Page Cleaning for Web Mining through Feature Weighting* (IJCAI 2003). A page is a vector of the weights
of its words (`weightings`), of length 1, because the paper does not name a measure of similarity. Methods see the
pages of each site without their classes. The generator (`shops.pages`) and all settings were fixed before
any result after cleaning of its pages; docs/structure-tree.md tells what was known of the generators before it.
"""

import argparse
import datetime as dt
from typing import get_args

import numpy as np
import numpy.typing as npt

from dehusk.blocks import segment
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.papers.cst import PRINTED, classification, clusterings
from dehusk.lab.papers.plots import histogram
from dehusk.lab.papers.shops import pages as shop_pages
from dehusk.lab.papers.shops.pages import Wording, generate
from dehusk.lab.papers.shops.sites import SHOPS
from dehusk.lab.papers.weightings import TF, all_vectors, unit
from dehusk.read import parse
from sets import RESULTS, write_results

RUNS, SEEDS = 20, (0, 1, 2)
SHOWN = (TF, "tf × idf of the site", "tf, repeated blocks dropped", "tree, ordinal (default)", "tree, style")
"""The ways to weigh words in the picture."""


def evaluate(wording: Wording, seed: int, options: argparse.Namespace) -> dict[str, dict]:
    """Return the figures of each way to weigh words on the shops of a seed."""
    generated = list(generate(seed, wording=wording, most=options.most))
    pages = [segment(parse(page.html)) for page in generated]
    truth = np.array([page.category for page in generated])
    sites = np.array([page.site for page in generated])
    values: dict[str, dict] = {}
    for name, vectors in all_vectors(pages, sites.tolist()):
        unit_vectors = unit(vectors)
        f, accuracy = classification(unit_vectors, truth, sites)
        f_of_runs = [score for score, _ in clusterings(unit_vectors, truth, range(options.runs))]
        values[name] = {"F": f_of_runs, "svm": [f, accuracy]}
        mean = np.mean(values[name]["F"])
        print(f"{wording}, seed {seed}: {name}: clusters {mean:.3f}, SVM {f:.3f}, {accuracy:.3f}", flush=True)
        if options.before:
            break
    return values


def table(by_seed: list[dict[str, dict]]) -> str:
    """Return a row for each way to weigh words; the values of the seeds follow the mean in brackets."""
    rows = [["vectors", "mean F of clusters", "runs above .7", "runs below .5", "F by SVM", "accuracy by SVM"]]
    rows += [[name, *(f"{figure:.3f}" for figure in row)] for name, row in PRINTED.items()]
    for name in by_seed[0]:
        f = np.array([values[name]["F"] for values in by_seed])
        svm = np.array([values[name]["svm"] for values in by_seed])
        cells = [f.mean(axis=1), (f > 0.7).mean(axis=1), (f < 0.5).mean(axis=1), *svm.T]
        rows.append([name, *map(_cell, cells)])
    return markdown_table(rows)


def _cell(by_seed: npt.NDArray[np.float64]) -> str:
    return f"{by_seed.mean():.3f} ({', '.join(f'{value:.2f}' for value in by_seed)})"


def settings_used() -> str:
    """Return the settings of the generator."""
    names = ("LENGTH", "OWN", "MOST_WORDS", "TOPICS", "PROMOTIONS_USED", "PITCH", "EXTRA", "BEST", "VERSIONS")
    return ", ".join(f"{name} {getattr(shop_pages, name)}" for name in names)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of k-means per seed")
    parser.add_argument("--most", type=int, help="most pages per category and shop, to try less; writes nothing")
    parser.add_argument(
        "--before", action="store_true", help="only evaluate tf, to tune the shops before results after cleaning exist"
    )
    return parser.parse_args()


def write(values: dict[str, list[dict[str, dict]]], pages: int) -> None:
    """Write the report, its values, and the picture of the distributions."""
    report = (
        f"# Five shops\n\n`python bench/shops.py`, {dt.date.today()}: {pages} generated pages of {len(SHOPS)} shops for each of "
        f"the seeds {', '.join(map(str, SEEDS))}, {RUNS} runs of k-means per seed; section 4 of Yi & Liu. The generator is the third; it and its settings were committed before "
        "any result after cleaning of its pages, of which only tf was looked at, but to make a rival fail that did as well as "
        "the tree on the second (docs/structure-tree.md). A cell has the mean over "
        f"seeds, and the seeds in brackets. Settings: {settings_used()}.\n\n"
        f"## Noise worded anew on each page\n\n{table(values['varied'])}\n![The distribution of F](shops.svg)\n\n"
        f"## Verbatim noise\n\nThe same shops, but each slot of noise has {shop_pages.VERSIONS} versions per shop.\n\n"
        f"{table(values['verbatim'])}"
    )
    write_results("shops", report, values, judges="none")
    picture = histogram(
        {name: [f for seed in values["varied"] for f in seed[name]["F"]] for name in SHOWN},
        title="k-means of five shops, noise worded anew on each page: the distribution of F",
        x_label="mean F of the five classes; the thick line is the mean",
        marks=(0.5, 0.7),
    )
    (RESULTS / "shops.svg").write_text(picture, "utf-8")


def main() -> None:
    options = arguments()
    wordings: tuple[Wording, ...] = ("varied",) if options.before else get_args(Wording)
    values = {wording: [evaluate(wording, seed, options) for seed in SEEDS] for wording in wordings}
    if options.before or options.most or options.runs != RUNS:
        print("Nothing was written: bench/results has only figures of the whole bench.")
    else:
        write(values, sum(sum(shop.counts) for shop in SHOPS))


if __name__ == "__main__":
    main()
