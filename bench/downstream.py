"""Clustering and classification of real pages before and after cleaning by each tool: what cleaning is worth to users.

Every tool's text is cut into the same words; vectors are tf-idf with scikit-learn's defaults. Classification: a linear
SVM with scikit-learn's defaults by cross-validation, idf learned from the training pages; sites are held out where
there are several, and pages of one site are divided at random into five folds, three times. Clustering: k-means with
as many clusters as classes. No setting was chosen on these pages. `downstream_tasks` says where the classes are from.
"""

import argparse
import datetime as dt
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from dehusk.lab.evaluate.benchmark import tool_title
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import set_fingerprint
from dehusk.lab.papers.cst import clusterings
from dehusk.lab.papers.weightings import text_words, vectors
from dehusk.measures.intervals import bootstrap_interval
from downstream_tasks import TASKS, Task, tasks
from mining_scores import held_out_classes, macro_f
from sets import set_path, write_results
from tool_texts import add_texts_option, tool_texts

ALL_TEXT = "dehusk-keep-all"
TOOLS = (
    ALL_TEXT,
    "dehusk",
    "dehusk-with-site",
    "dehusk-site",
    "dehusk-cst",
    "dehusk-wisdom",
    "trafilatura",
    "resiliparse",
    "readability",
    "justext",
)
SEEDS, RUNS = (0, 1, 2), 10


def evaluate(texts: list[str], task: Task) -> dict:
    """Return the figures of one tool."""
    keys = [text_words(text) for text in texts]
    matrix = vectors(keys, [np.ones(len(page)) for page in keys])
    model = make_pipeline(TfidfTransformer(), LinearSVC(random_state=0))
    predicted = [held_out_classes(matrix, task.truth, folds, model) for folds in task.folds]
    tf_idf = TfidfTransformer().fit_transform(matrix)
    scores = [clusterings(tf_idf, task.truth, [1000 * seed + run for run in range(RUNS)]) for seed in SEEDS]
    f, v = np.mean(scores, axis=1).T.tolist()
    return {
        "right": np.mean([classes == task.truth for classes in predicted], axis=0),
        "macro F": float(np.mean([macro_f(classes, task.truth) for classes in predicted])),
        "F of clusters": f,
        "V-measure": v,
        "words": float(np.mean([len(page) for page in keys])),
        "empty pages": sum(not len(page) for page in keys),
    }


def table(task: Task, figures: dict[str, dict]) -> str:
    """Return a row for each tool; the differences are to all text."""
    head = ["text", "words", "empty pages", "accuracy", "difference", "macro F", "V-measure", "F of clusters"]
    rows, base = [head], figures[ALL_TEXT]["right"]
    for tool, row in figures.items():
        gain = row["right"] - base
        low, high = bootstrap_interval(gain, task.groups)
        difference = "" if tool == ALL_TEXT else f"{gain.mean():+.3f} ({low:+.3f}–{high:+.3f})"
        accuracy = [f"{row['right'].mean():.3f} ({bootstrap_interval(row['right'], task.groups)})", difference]
        clusters = [f"{np.mean(row[name]):.3f}" for name in ("V-measure", "F of clusters")]
        name = "all text" if tool == ALL_TEXT else tool_title(tool)
        rows.append(
            [name, f"{row['words']:.0f}", str(row["empty pages"]), *accuracy, f"{row['macro F']:.3f}", *clusters]
        )
    return markdown_table(rows)


def section(task: Task, figures: dict[str, dict]) -> str:
    classes = ", ".join(f"{name} {count}" for name, count in task.classes.most_common())
    return f"## {task.name}\n\n{len(task.truth)} pages: {classes}.\n\n{table(task, figures)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    add_texts_option(parser)
    options = parser.parse_args()
    sections, values = [], {}
    for task in tasks(options.data):
        texts = tool_texts(TOOLS, task.samples, options.texts)
        figures = {tool: evaluate(texts[tool], task) for tool in TOOLS}
        sections.append(section(task, figures))
        print(sections[-1], flush=True)
        values[task.name] = {
            tool: {**row, "right": float(row["right"].mean())} | {"tool": tool_title(tool)}
            for tool, row in figures.items()
        }
    report = (
        f"# Mining cleaned pages\n\n`python bench/downstream.py DATA`, {dt.date.today()}; sets pinned by the hashes in "
        "downstream.json. tf-idf and a linear SVM with scikit-learn's defaults; site-webkb: each university held out; daniel-a: "
        "five folds by site, three times; forums: five folds of pages, three times. Intervals and differences to all text: "
        "95 % bootstraps, over sites for daniel-a, over pages for the others. k-means with as many clusters as classes, "
        f"{RUNS} random starts for each of the seeds {', '.join(map(str, SEEDS))}. Methods that learn from a site see the pages "
        "of this test, without classes. What names the class of a forum page, or was chosen by it, is removed before cleaning.\n\n"
        + "\n".join(sections)
    )
    hashes = {name: set_fingerprint(set_path(options.data, name)) for name, _ in TASKS}
    write_results("downstream", report, {"sets": hashes, "figures": values}, judges="shipped")


if __name__ == "__main__":
    main()
