"""Yi & Liu's figure 3: k-means of the shops of `dehusk paper cst` from the paper's 800 starts, beside the 20 of that command."""

import datetime as dt

import numpy as np

from dehusk.blocks import segment
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.papers.cst import MOST, PRINTED, RUNS, clusterings
from dehusk.lab.papers.plots import histogram
from dehusk.lab.papers.shops.pages import generate
from dehusk.lab.papers.weightings import TF, TREES, all_vectors, unit
from dehusk.read import parse
from sets import RESULTS, write_results

STARTS = 800
"""Random starts of k-means in the paper."""
SHOWN = (TF, "tf × idf of the site", "tf × (1 − entropy of the word)", *TREES)
"""The ways to weigh words in the picture."""


def runs() -> dict[str, list[float]]:
    """Return the F of each start for each way to weigh words."""
    generated = list(generate(most=MOST))
    pages = [segment(parse(page.html)) for page in generated]
    truth = np.array([page.category for page in generated])
    found = {}
    for name, vectors in all_vectors(pages, [page.site for page in generated]):
        found[name] = [f for f, _ in clusterings(unit(vectors), truth, range(STARTS))]
        print(f"{name}: {np.mean(found[name]):.3f}", flush=True)
    return found


def table(found: dict[str, list[float]]) -> str:
    """Return mean F and the shares of good and of bad runs, of the first starts and of all."""
    measures = ("mean F", "above .7", "below .5")
    rows = [["vectors", *(f"{measure}, {n} starts" for n in (RUNS, STARTS) for measure in measures)]]
    rows += [[name, "", "", "", *(f"{figure:.3f}" for figure in row[:3])] for name, row in PRINTED.items()]
    for name, of_runs in found.items():
        parts = (np.array(of_runs[:RUNS]), np.array(of_runs))
        figures = [figure for f in parts for figure in (f.mean(), (f > 0.7).mean(), (f < 0.5).mean())]
        rows.append([name, *(f"{figure:.3f}" for figure in figures)])
    return markdown_table(rows)


def main() -> None:
    found = runs()
    report = (
        f"# Five shops, {STARTS} starts\n\n`python bench/shops_starts.py`, {dt.date.today()}: the generated pages of `dehusk paper "
        f"cst`, up to {MOST} per category and shop; k-means from {STARTS} random starts, as in figure 3 of Yi & Liu, and the first "
        f"{RUNS} of them, which that command reports.\n\n{table(found)}\n![The distribution of F](shops_starts.svg)\n"
    )
    write_results("shops_starts", report, {name: np.round(f, 4).tolist() for name, f in found.items()}, judges="none")
    picture = histogram(
        {name: found[name] for name in SHOWN},
        title=f"k-means of five shops from {STARTS} starts: the distribution of F",
        x_label="mean F of the five classes; the thick line is the mean",
        marks=(0.5, 0.7),
    )
    (RESULTS / "shops_starts.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
