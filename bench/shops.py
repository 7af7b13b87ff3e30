"""Yi & Liu's experiments on five generated shops, before and after cleaning.

Section 4 of *Web Page Cleaning for Web Mining through Feature Weighting* (IJCAI 2003). A page is a vector of tf before
cleaning, and of the weights W after cleaning; both have length 1, because the paper does not name a measure of
similarity. The method sees only the tree of each site, which is built from the site's pages without their classes.
"""

import argparse
import datetime as dt
from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

import shop_pages
from dehusk.blocks import Blocks, segment
from dehusk.evaluate.text_tables import markdown_table
from dehusk.methods.structure_tree import CompressedStructureTree
from dehusk.read import parse
from dehusk.site.terms import page_terms
from plots import histogram
from sets import RESULTS, write_results
from shop_pages import generate
from shop_sites import SHOPS
from shop_words import CATEGORIES

RUNS = 800
NOISY = "before cleaning"
SETTINGS: dict[str, dict] = {
    "ordinal (default)": {},
    "style": {"mode": "style"},
    "style, no classes, leaves of height 2: the paper's idea": {"mode": "style", "classes": False, "leaves": 2},
    "style, no classes, grandparents: the paper's letter": {"mode": "style", "classes": False, "leaves": "grandparent"},
}
PAPER_CLUSTERING = {"before": (0.506, 0.005, 0.4763), "after": (0.756, 0.8438, 0.0463)}
"""Mean F, share of runs above .7, share below .5."""
PAPER_CLASSIFICATION = {
    ("notebook", "camera"): (0.751, 0.946, 0.804, 0.949),
    ("notebook", "mobile"): (0.517, 0.817, 0.790, 0.927),
    ("notebook", "printer"): (0.733, 0.933, 0.763, 0.944),
    ("notebook", "TV"): (0.746, 0.909, 0.766, 0.918),
    ("camera", "mobile"): (0.841, 0.962, 0.784, 0.941),
    ("camera", "printer"): (0.715, 0.967, 0.779, 0.975),
    ("camera", "TV"): (0.759, 0.982, 0.808, 0.983),
    ("mobile", "printer"): (0.529, 0.848, 0.810, 0.956),
    ("mobile", "TV"): (0.649, 0.851, 0.833, 0.942),
    ("printer", "TV"): (0.712, 0.972, 0.716, 0.971),
}
"""Table 2: F before and after, accuracy before and after."""
Ints = npt.NDArray[np.intp]
Reals = npt.NDArray[np.float64]


def tf_vectors(pages: list[Blocks]) -> csr_matrix:
    """Return the word counts of pages; words are split as for the tree."""
    return CountVectorizer(analyzer=lambda page: page_terms(page).words, dtype=np.float64).fit_transform(pages)


def all_vectors(pages: list[Blocks], sites: list[str]) -> Iterator[tuple[str, csr_matrix]]:
    """Yield the vectors of pages before and after cleaning, of length 1."""
    yield NOISY, normalize(tf_vectors(pages))
    for name, options in SETTINGS.items():
        yield name, normalize(CompressedStructureTree(**options).fit_transform(pages, sites=sites))


def mean_f(truth: Ints, cluster: Ints) -> float:
    """Return the mean F of the classes for the best assignment of classes to clusters (section 4.2).

    F = 2pr / (p + r) of a class and a cluster is 2 |both| / (|class| + |cluster|).
    """
    k = int(truth.max()) + 1
    both = np.zeros((k, int(cluster.max()) + 1))
    np.add.at(both, (truth, cluster), 1)
    f = 2 * both / (both.sum(axis=1, keepdims=True) + both.sum(axis=0))
    return float(f[linear_sum_assignment(f, maximize=True)].sum() / k)


def cluster_scores(vectors: csr_matrix, truth: Ints, runs: int) -> Reals:
    """Return F of each run of k-means, with as many clusters as classes, from a random choice of pages."""
    k = int(truth.max()) + 1
    starts = (KMeans(k, init="random", n_init=1, random_state=run).fit_predict(vectors) for run in range(runs))
    return np.array([mean_f(truth, clusters) for clusters in starts])


def classification(vectors: csr_matrix, truth: Ints, sites: npt.NDArray[np.str_]) -> dict[tuple[int, int], Reals]:
    """Return the mean (F, accuracy) of classifiers for each pair of classes.

    Each is trained on one class of one site and the other class of another site, and tested on both classes of the
    remaining sites.
    """
    return {
        pair: np.mean(list(_pair_scores(vectors, truth, sites, pair)), axis=0)
        for pair in combinations(range(len(CATEGORIES)), 2)
    }


def _pair_scores(
    vectors: csr_matrix, truth: Ints, sites: npt.NDArray[np.str_], pair: tuple[int, int]
) -> Iterator[tuple[float, float]]:
    for training_sites in permutations(np.unique(sites).tolist(), 2):
        training = [
            np.flatnonzero((truth == label) & (sites == site)) for label, site in zip(pair, training_sites, strict=True)
        ]
        test = np.flatnonzero(np.isin(truth, pair) & ~np.isin(sites, training_sites))
        if not all(map(len, training)):
            continue
        rows = np.concatenate(training)
        classifier = LinearSVC(loss="hinge", random_state=0, max_iter=5000).fit(vectors[rows], truth[rows])
        expected, predicted = truth[test], classifier.predict(vectors[test])
        f = [_f1(expected == label, predicted == label) for label in pair]
        yield float(np.mean(f)), float(np.mean(expected == predicted))


def _f1(expected: npt.NDArray[np.bool_], predicted: npt.NDArray[np.bool_]) -> float:
    return 2 * np.sum(expected & predicted) / (np.sum(expected) + np.sum(predicted))


def evaluate(vectors: csr_matrix, truth: Ints, sites: npt.NDArray[np.str_], runs: int) -> dict:
    """Return F of every run of k-means, and F and accuracy of the classifiers for each pair of classes."""
    pairs = classification(vectors, truth, sites)
    names = {pair: " ".join(CATEGORIES[label].name for label in pair) for pair in pairs}
    return {
        "F": cluster_scores(vectors, truth, runs).round(6).tolist(),
        "classification": {names[pair]: row.tolist() for pair, row in pairs.items()},
    }


def clustering_table(values: dict[str, dict]) -> str:
    """Return mean F and the shares of runs above .7 and below .5; the paper's figures come first."""
    rows = [["vectors", "runs", "mean F", "share > .7", "share < .5"]]
    rows += [
        [f"the paper, {name}", "800", *(f"{figure:.3f}" for figure in row)] for name, row in PAPER_CLUSTERING.items()
    ]
    for name, figures in values.items():
        f = np.array(figures["F"])
        rows.append([name, str(len(f)), f"{f.mean():.3f}", f"{(f > 0.7).mean():.3f}", f"{(f < 0.5).mean():.3f}"])
    return markdown_table(rows)


def classification_table(values: dict[str, dict]) -> str:
    """Return mean F and mean accuracy over all pairs of classes."""
    before_f, after_f, before, after = np.mean(list(PAPER_CLASSIFICATION.values()), axis=0)
    rows = [["vectors", "mean F", "mean accuracy"]]
    rows += [
        ["the paper, before", f"{before_f:.3f}", f"{before:.3f}"],
        ["the paper, after", f"{after_f:.3f}", f"{after:.3f}"],
    ]
    for name, figures in values.items():
        means = np.mean(list(figures["classification"].values()), axis=0)
        rows.append([name, *(f"{mean:.3f}" for mean in means)])
    return markdown_table(rows)


def pairs_table(values: dict[str, dict], cleaned: str) -> str:
    """Return table 2 with the figures of the paper and of one setting, before (N) and after cleaning (C)."""
    measures = ("F(N)", "F(C)", "A(N)", "A(C)")
    rows = [["classes", *(f"{whose} {measure}" for measure in measures for whose in ("paper", "ours"))]]
    order = [category.name for category in CATEGORIES]
    for pair, printed in PAPER_CLASSIFICATION.items():
        name = " ".join(sorted(pair, key=order.index))
        noisy, clean = (values[setting]["classification"][name] for setting in (NOISY, cleaned))
        ours = (noisy[0], clean[0], noisy[1], clean[1])
        cells = [f"{figure:.3f}" for both in zip(printed, ours, strict=True) for figure in both]
        rows.append([" / ".join(pair), *cells])
    return markdown_table(rows)


def settings_used() -> str:
    """Return the settings of the generator."""
    names = ("LENGTH", "RELATED", "OWN", "MOST_WORDS", "TOPICS", "SECTION", "PARTNER", "PITCH")
    return ", ".join(f"{name} {getattr(shop_pages, name)}" for name in names)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of k-means")
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="seed of the generated shops; results are written only for seed 0 with the default runs",
    )
    parser.add_argument(
        "--before", action="store_true", help="only evaluate before cleaning, to tune the shops; write nothing"
    )
    parsed = parser.parse_args()
    if parsed.runs < 1:
        parser.error(f"--runs must be at least 1, not {parsed.runs}")
    return parsed


def write(values: dict[str, dict], pages: int) -> None:
    """Write the report, its values, and the picture of the distributions."""
    cleaned = next(iter(SETTINGS))
    report = (
        f"# Five shops\n\n`python bench/shops.py`, {dt.date.today()}: {pages} generated pages of {len(SHOPS)} shops, "
        f"{RUNS} runs of k-means; section 4 of Yi & Liu. Settings of the generator: {settings_used()}.\n\n"
        f"## Clustering\n\n{clustering_table(values)}\n![The distribution of F](shops.svg)\n\n"
        f"## Classification\n\nMean over all pairs of classes.\n\n{classification_table(values)}\n"
        f"The paper's table 2, before (N) and after (C) cleaning; ours: {cleaned}.\n\n{pairs_table(values, cleaned)}"
    )
    write_results("shops", report, values)
    picture = histogram(
        {name: figures["F"] for name, figures in values.items()},
        title="k-means of five shops: the distribution of F",
        x_label="mean F of the five classes; the thick line is the mean",
        marks=(0.5, 0.7),
    )
    (RESULTS / "shops.svg").write_text(picture, "utf-8")


def main() -> None:
    options = arguments()
    generated = list(generate(options.seed))
    pages = [segment(parse(page.html)) for page in generated]
    names = [category.name for category in CATEGORIES]
    truth = np.array([names.index(page.category) for page in generated])
    sites = np.array([page.site for page in generated])
    values = {}
    for name, vectors in all_vectors(pages, sites.tolist()):
        values[name] = evaluate(vectors, truth, sites, options.runs)
        print(clustering_table(values), classification_table(values), sep="\n", flush=True)
        if options.before:
            return
    if (options.runs, options.seed) == (RUNS, 0):
        write(values, len(generated))
    else:
        print("Nothing was written: bench/results contains only figures for the default runs and seed.")


if __name__ == "__main__":
    main()
