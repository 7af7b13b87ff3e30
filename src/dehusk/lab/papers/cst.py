"""Section 4 of Yi & Liu, *Web Page Cleaning for Web Mining through Feature Weighting* (IJCAI 2003), on generated shops.

A page is a vector of the weights of its words (`weightings`), of length 1, because the paper does not name a measure of
similarity. k-means has as many clusters as there are categories and starts from random pages, 20 times (the paper:
800); F is that of section 4.1. The linear SVM (C = 1, hinge loss) learns each pair of categories, one from one shop
and one from another, and is tested on the other shops (section 4.2). The paper's pages no longer exist; `shops`
generates others. Those of `bench/shops.py` are more, with three seeds.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans
from sklearn.metrics import v_measure_score
from sklearn.svm import LinearSVC

from dehusk.blocks import segment
from dehusk.lab.papers.experiment import Experiment, compared
from dehusk.lab.papers.plots import histogram
from dehusk.lab.papers.shops.pages import generate
from dehusk.lab.papers.weightings import TF, TREES, all_vectors, unit
from dehusk.measures import mining
from dehusk.read import parse

RUNS: Final = 20
MOST: Final = 40
"""Maximum number of pages per category and shop."""
PRINTED: Final = {
    "the paper, before": (0.506, 0.005, 0.476, 0.695, 0.785),
    "the paper, after": (0.756, 0.844, 0.046, 0.919, 0.951),
}
"""Clustering: mean F, share of runs above .7, share below .5; classification: mean F and accuracy of table 2."""

WORDING: Final = "the paper's wording"
"""How the way that the paper prints is named in `TREES`."""

Strings = npt.NDArray[np.str_]


def clusterings(vectors: csr_matrix, truth: Strings, starts: Sequence[int]) -> list[tuple[float, float]]:
    """Return (the paper's F, V-measure) of k-means from each start, a seed."""
    k, scores = len(np.unique(truth)), []
    for start in starts:
        clusters = KMeans(k, init="random", n_init=1, random_state=start).fit_predict(vectors)
        f = mining.clustering(clusters.tolist(), truth.tolist()).f
        scores.append((f, float(v_measure_score(truth, clusters))))
    return scores


def classifier(c: float = 1) -> LinearSVC:
    """Return the classifier of the paper."""
    return LinearSVC(C=c, loss="hinge", random_state=0, max_iter=5000)


def classification(vectors: csr_matrix, truth: Strings, sites: Strings) -> tuple[float, float]:
    """Return mean F and accuracy over all pairs of classes, as in the paper's table 2."""
    classes = combinations(np.unique(truth).tolist(), 2)
    pairs = [np.mean(list(_pair_scores(vectors, truth, sites, pair)), axis=0) for pair in classes]
    f, accuracy = np.mean(pairs, axis=0).tolist()
    return f, accuracy


def _pair_scores(
    vectors: csr_matrix, truth: Strings, sites: Strings, pair: tuple[str, str]
) -> Iterator[tuple[float, float]]:
    """Yield (F, accuracy) of classifiers of two classes, one of one site and one of another, on all other sites."""
    for training_sites in permutations(np.unique(sites).tolist(), 2):
        training = [
            np.flatnonzero((truth == label) & (sites == site)) for label, site in zip(pair, training_sites, strict=True)
        ]
        test = np.flatnonzero(np.isin(truth, pair) & ~np.isin(sites, training_sites))
        if not all(map(len, training)):
            continue
        rows = np.concatenate(training)
        predicted = classifier().fit(vectors[rows], truth[rows]).predict(vectors[test])
        result = mining.classification(predicted.tolist(), truth[test].tolist())
        yield result.macro_f, result.accuracy


def experiment(data: Path | None = None) -> Experiment:
    """Cluster and classify generated pages before and after weighting, beside weights without a tree.

    Args:
        data: not used: the paper's shops no longer exist, and no open set has their design.
    """
    del data
    generated = list(generate(most=MOST))
    pages = [segment(parse(page.html)) for page in generated]
    truth, sites = (np.array([getattr(page, name) for page in generated]) for name in ("category", "site"))
    runs: dict[str, list[float]] = {}
    svm: dict[str, tuple[float, float]] = {}
    for name, vectors in all_vectors(pages, sites.tolist()):
        rows = unit(vectors)
        runs[name] = [f for f, _ in clusterings(rows, truth, range(RUNS))]
        svm[name] = classification(rows, truth, sites)
    return _report(len(pages), runs, svm)


def _report(pages: int, runs: dict[str, list[float]], svm: dict[str, tuple[float, float]]) -> Experiment:
    table = [["weights", "mean F of clusters", "runs above .7", "runs below .5", "F by SVM", "accuracy by SVM"]]
    table += [[name, *(f"{figure:.3f}" for figure in row)] for name, row in PRINTED.items()]
    for name, of_runs in runs.items():
        f = np.array(of_runs)
        figures = (f.mean(), (f > 0.7).mean(), (f < 0.5).mean(), *svm[name])
        table.append([name, *(f"{figure:.3f}" for figure in figures)])
    measures: dict[str, dict[str, Any]] = {
        "Clusters, mean F": {name: float(np.mean(of_runs)) for name, of_runs in runs.items()},
        "Classes, accuracy": {name: accuracy for name, (_, accuracy) in svm.items()},
    }
    findings = []
    for measure, scores in measures.items():
        others = {name: score for name, score in scores.items() if name not in TREES}
        printed = [name for name in TREES if name.endswith(WORDING)]
        findings += [compared({name: scores[name] for name in trees}, others, measure) for trees in (TREES, printed)]
    shown = (TF, "tf × idf of the site", "tf × (1 − entropy of the word)", *TREES)
    picture = histogram(
        {name: runs[name] for name in shown},
        title="k-means of five generated shops: the distribution of F",
        x_label="mean F of the five categories; the thick line is the mean",
        marks=(0.5, 0.7),
    )
    return Experiment(
        "CST: clusters and classes before and after weighting (Yi & Liu 2003, section 4)",
        f"{pages} generated pages of five shops and five categories, whose noise is worded anew on each page; {RUNS} "
        "runs of k-means; classes learned on two shops and tested on the others. tf is the floor. The rivals weigh the "
        "words of each shop without a tree. The generator is the third: on the one before, dropping repeated blocks "
        "did as well as the tree (docs/structure-tree.md).",
        {"Tables 1 and 2": table},
        list(dict.fromkeys(findings)),
        {"cst.svg": picture},
    )
